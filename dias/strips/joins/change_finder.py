"""Finds out whether a domain can change just so and so in a state.

A ground action changes what is wanted only if each atom that it adds holds already or is wanted,
and each that it deletes is false already or wanted to go. Said as preconditions over a copy of
each predicate, that makes a join that leaves few bindings, where the schema alone may have
millions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, islice

from dias.limits import Check
from dias.strips.codes import AtomCodes, State
from dias.strips.joins.successors import Change, Successor, SuccessorGenerator
from dias.strips.model import ActionSchema, Atom, Domain
from dias.strips.problem import CodedProblem
from dias.strips.unify import Unifier

POSSIBLE = "possible "
"""Before the name of a predicate: its atoms that hold or are to be added."""

KEPT = "kept "
"""Before the name of a predicate: its atoms that hold and are not to be deleted."""


class ChangeFinder:
    """The schemas of a domain, ready to be asked for given changes.

    Args:
        domain: The domain whose schemas are asked.
        problem: The problem; its initial state is not looked at.
        distinct: Whether one binding of a schema is enough for a change.
        check: Called again and again while bindings are searched; it may raise to end that.
    """

    def __init__(
        self,
        domain: Domain,
        problem: CodedProblem,
        distinct: bool = True,
        check: Check | None = None,
    ) -> None:
        codes = problem.codes
        copies = {p + name: n for p in (POSSIBLE, KEPT) for name, n in codes.arities.items()}
        # The copies come last: what was numbered before keeps its number.
        widened = AtomCodes(codes.arities | copies, codes.objects)
        self._codes = codes
        self._check = check
        self._generator = SuccessorGenerator(
            replace(
                domain, actions=tuple(_restricted(action, domain) for action in domain.actions)
            ),
            replace(problem, codes=widened, fluents=problem.fluents.union(copies)),
            distinct,
            check=check,
        )
        self._effects = [
            tuple(
                Counter(effect.predicate for effect in effects)
                for effects in (schema.add_effects, schema.delete_effects)
            )
            for schema in self._generator.satisfiable
        ]

    def reached(self, state: State, changes: Iterable[Change]) -> dict[str, set[Change]]:
        """Which of the changes are possible in `state`, by the actions that make them."""
        found: dict[str, set[Change]] = {}
        facts = None
        for change in changes:
            if self._check:
                self._check()
            near = self._near(change)
            if any(near):
                facts = facts or _Facts(self._generator, self._codes.n_codes, state)
                with facts.wanting(change):
                    for matches in self._matches(facts, change, near):
                        for successor in islice(matches, 1):
                            found.setdefault(successor.action, set()).add(change)
        return found

    def matches(self, state: State, change: Change) -> Iterator[Iterator[Successor]]:
        """Of each schema that may do it, lazily, the ground actions that change just so much."""
        near = self._near(change)
        if any(near):
            facts = _Facts(self._generator, self._codes.n_codes, state)
            with facts.wanting(change):
                yield from self._matches(facts, change, near)

    def _matches(
        self, facts: _Facts, change: Change, near: Iterable[bool]
    ) -> Iterator[Iterator[Successor]]:
        expansions = self._generator.expansions(facts.holding, facts.indexes)
        for is_near, expansion in zip(near, expansions, strict=True):
            if is_near:
                yield (s for s in expansion if (s.added, s.deleted) == change)

    def _near(self, change: Change) -> list[bool]:
        """Which schemas have effects enough of the right predicates."""
        added, deleted = (Counter(self._codes.split(c)[0] for c in codes) for codes in change)
        return [add >= added and delete >= deleted for add, delete in self._effects]


class _Facts:
    """A state with the copies that say what a wanted change may touch.

    Attributes:
        holding: The codes of all that holds, copies included.
        indexes: The rows of what holds.
    """

    def __init__(self, generator: SuccessorGenerator, n_codes: int, state: State) -> None:
        self._generator = generator
        self._n_codes = n_codes
        self.holding = {*state, *self._possible(state), *self._kept(state)}
        self.indexes = generator.index(chain(state, self._possible(state)))

    @contextmanager
    def wanting(self, change: Change) -> Iterator[None]:
        """With the copies as they are for this change."""
        added, deleted = change
        possible = sorted(set(self._possible(added)) - self.holding)
        gone = self.holding.intersection(self._kept(deleted))
        self.holding.difference_update(gone)
        self.holding.update(possible)
        self._generator.index(possible, self.indexes)
        try:
            yield
        finally:
            self._generator.take_back(possible, self.indexes)
            self.holding.difference_update(possible)
            self.holding.update(gone)

    def _possible(self, codes: Iterable[int]) -> Iterator[int]:
        return (code + self._n_codes for code in codes)

    def _kept(self, codes: Iterable[int]) -> Iterator[int]:
        return (code + 2 * self._n_codes for code in codes)


def _restricted(schema: ActionSchema, domain: Domain) -> ActionSchema:
    """The schema with preconditions that only bindings for the wanted change can satisfy.

    Of a deleted atom that may coincide with an added one nothing is known before both are bound.
    """
    added = schema.add_effects
    deleted = schema.delete_effects - Unifier(schema, domain).overlap(schema.delete_effects, added)
    return replace(
        schema,
        preconditions=schema.preconditions | _copies(POSSIBLE, added),
        negative_preconditions=schema.negative_preconditions | _copies(KEPT, deleted),
    )


def _copies(prefix: str, atoms: Iterable[Atom]) -> frozenset[Atom]:
    return frozenset(Atom(prefix + atom.predicate, atom.terms) for atom in atoms)
