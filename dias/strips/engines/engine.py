"""What every engine answers, and the answers of those that can only list all successors."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator
from itertools import groupby
from operator import attrgetter
from typing import Protocol

from dias.strips.codes import State
from dias.strips.joins.join import Successor
from dias.strips.joins.successors import Change


class SuccessorEngine(Protocol):
    """Enumerates the applicable ground actions of a domain in a state."""

    @abstractmethod
    def successors(self, state: State) -> list[Successor]:
        """All applicable ground actions in `state`, by schema, then by binding."""

    def expansions(self, state: State) -> Iterator[Iterator[Successor]]:
        """Of each schema, lazily, one ground action at least of those that change the same."""
        for _, own in groupby(self.successors(state), key=attrgetter("action")):
            yield iter({(s.added, s.deleted): s for s in own}.values())

    def reached(self, state: State, changes: Collection[Change]) -> dict[str, set[Change]] | None:
        """Which of some changes are possible in `state`, by the actions that make them.

        None if there is no way to know but to enumerate.
        """
        found: dict[str, set[Change]] = {}
        for action, _, *change in self.successors(state):
            if tuple(change) in changes:
                found.setdefault(action, set()).add((change[0], change[1]))
        return found
