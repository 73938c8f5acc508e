"""Finds out whether a domain can change just so and so in a state.

A ground action changes what is wanted only if each atom that it adds holds already or is wanted,
and each that it deletes is false already or wanted to go. Said as preconditions over a copy of
each predicate, that makes a join that leaves few bindings, where the schema alone may have
millions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice

from dias.limits import Check
from dias.strips.codes import AtomCodes, State
from dias.strips.model import ActionSchema, Atom, Domain
from dias.strips.relations import StaticRelations
from dias.strips.successors import Change, Successor, SuccessorGenerator

POSSIBLE = "possible "
"""Before the name of a predicate: its atoms that hold or are to be added."""

KEPT = "kept "
"""Before the name of a predicate: its atoms that hold and are not to be deleted."""


class ChangeFinder:
    """The schemas of a domain, ready to be asked for given changes.

    Args:
        domain: The domain whose schemas are asked.
        object_types: Object to type.
        codes: The numbering of atoms of states and changes.
        static_atoms: Codes of the atoms that hold in every state and are not listed in states.
        fluents: The predicates whose atoms the states list.
        distinct: Whether one binding of a schema is enough for a change.
        check: Called again and again while bindings are searched; it may raise to end that.
    """

    def __init__(
        self,
        domain: Domain,
        object_types: Mapping[str, str],
        codes: AtomCodes,
        static_atoms: State | StaticRelations,
        fluents: Collection[str],
        distinct: bool = True,
        check: Check | None = None,
    ) -> None:
        copies = [prefix + name for prefix in (POSSIBLE, KEPT) for name in codes.arities]
        # The copies come last: what was numbered before keeps its number.
        arities = codes.arities | {name: codes.arities[_original(name)] for name in copies}
        self._codes = codes
        self._generator = SuccessorGenerator(
            replace(domain, actions=tuple(map(_restricted, domain.actions))),
            object_types,
            AtomCodes(arities, codes.objects),
            static_atoms,
            frozenset(fluents).union(copies),
            distinct,
            check=check,
        )

    def reached(self, state: State, changes: Collection[Change]) -> dict[str, set[Change]]:
        """Which of the changes are possible in `state`, by the actions that make them."""
        found: dict[str, set[Change]] = {}
        for change in changes:
            for matches in self.matches(state, change):
                for successor in islice(matches, 1):
                    found.setdefault(successor.action, set()).add(change)
        return found

    def matches(self, state: State, change: Change) -> Iterator[Iterator[Successor]]:
        """Of each schema that may do it, lazily, the ground actions that change just so much."""
        added, deleted = change
        possible = self._copy(state | added, 1)
        kept = self._copy(state - deleted, 2)
        expansions = self._generator.expansions(state.union(possible, kept))
        for schema, expansion in zip(self._generator.satisfiable, expansions, strict=True):
            is_near = self._has(schema.add_effects, added)
            if is_near and self._has(schema.delete_effects, deleted):
                yield (s for s in expansion if (s.added, s.deleted) == change)

    def _copy(self, atoms: Iterable[int], number: int) -> list[int]:
        return [code + number * self._codes.n_codes for code in atoms]

    def _has(self, effects: Collection[Atom], wanted: Collection[int]) -> bool:
        """Whether there are effects enough for what is wanted."""
        predicates = {effect.predicate for effect in effects}
        return len(wanted) <= len(effects) and all(
            self._codes.split(code)[0] in predicates for code in wanted
        )


def _original(copy: str) -> str:
    return copy.removeprefix(POSSIBLE).removeprefix(KEPT)


def _restricted(schema: ActionSchema) -> ActionSchema:
    """The schema with preconditions that only bindings for the wanted change can satisfy."""
    added, deleted = schema.add_effects, schema.delete_effects - schema.add_effects
    if any(not term.startswith("?") for atom in added | deleted for term in atom.terms):
        # A constant and a variable bound to it may make an added atom of one deleted.
        deleted = frozenset()
    return replace(
        schema,
        preconditions=schema.preconditions | _copies(POSSIBLE, added),
        negative_preconditions=schema.negative_preconditions | _copies(KEPT, deleted),
    )


def _copies(prefix: str, atoms: Iterable[Atom]) -> frozenset[Atom]:
    return frozenset(Atom(prefix + atom.predicate, atom.terms) for atom in atoms)
