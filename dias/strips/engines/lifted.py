"""Successors by lifted joins, for each question a generator of its own, compiled when first asked.

What changes is all that an evaluation asks for, so of ground actions that change the same one is
enough; whether a given change is possible is a question that needs no enumeration.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache, partial

from dias.limits import Check
from dias.strips.codes import State
from dias.strips.joins.change_finder import ChangeFinder
from dias.strips.joins.successors import Change, Successor, SuccessorGenerator
from dias.strips.model import Domain
from dias.strips.problem import CodedProblem


class LiftedEngine:
    """Enumerates what a domain can do in a state; nothing is grounded.

    Args:
        domain: The domain whose schemas are expanded.
        problem: The problem; its initial state is not looked at.
        check: Called again and again while bindings are searched; it may raise to end that.
    """

    def __init__(self, domain: Domain, problem: CodedProblem, check: Check | None = None) -> None:
        generator = partial(SuccessorGenerator, domain, problem, check=check)
        self._all, self._distinct = cache(generator), cache(partial(generator, distinct=True))
        self._finder = cache(partial(ChangeFinder, domain, problem, check=check))

    def successors(self, state: State) -> list[Successor]:
        """All applicable ground actions in `state`, by schema, then by binding."""
        return self._all().successors(state)

    def expansions(self, state: State) -> Iterator[Iterator[Successor]]:
        """Of each schema one applicable ground action of those that change the same."""
        return self._distinct().expansions(state)

    def reached(self, state: State, changes: Collection[Change]) -> dict[str, set[Change]]:
        """Which of some changes are possible in `state`, by the actions that make them."""
        return self._finder().reached(state, changes)
