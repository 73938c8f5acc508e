r"""Successor states by lifted joins; the whole task is never grounded.

Static atoms are indexed once, the atoms of a state once per state, and each schema runs as a
compiled nest of loops (`dias.strips.join`). Action binding is injective: the parameters of an
action are bound to pairwise different objects.

Paper: Section "STRIPS" (s′ = (s \ Del) ∪ Add) and the injective binding assumption of
Section "Problem formulation" (``sec:problem-formulation``).
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain

from dias.strips.codes import AtomCodes, State
from dias.strips.join import (
    CompiledSchema,
    IndexKey,
    Relations,
    Rows,
    Successor,
    compile_schema,
    index_rows,
)
from dias.strips.model import OBJECT, Atom, Domain, Instance, is_subtype

log = logging.getLogger(__name__)

__all__ = ["Successor", "SuccessorGenerator", "codes_for", "split_static"]


class SuccessorGenerator:
    """Enumerates the applicable ground actions of a domain in a state.

    Args:
        domain: The domain whose schemas are expanded.
        object_types: Object to type; types the domain does not know count as `OBJECT`.
        codes: The numbering of atoms; it must know the domain's predicates and constants.
        static_atoms: Codes of the atoms that hold in every state and are not listed in states.
        fluents: The predicates whose atoms the states list. It must contain every predicate
            that the domain adds or deletes; a measured pair of domains passes the union.
    """

    def __init__(
        self,
        domain: Domain,
        object_types: Mapping[str, str],
        codes: AtomCodes,
        static_atoms: State,
        fluents: Collection[str],
    ) -> None:
        self.domain = domain
        self.codes = codes
        self._object_types = object_types
        self._fluents = frozenset(fluents)
        missing = domain.fluents - self._fluents
        if missing:
            raise ValueError(f"changed by the domain but not among the fluents: {sorted(missing)}")
        self._split_code: dict[int, tuple[str, tuple[int, ...]]] = {}
        self._static_rows = self._rows(static_atoms)
        self._static_index: dict[IndexKey, Rows] = {}
        relations = Relations(codes, static_atoms, self._fluents, self._fan_out, self._candidates)
        self._schemas: list[CompiledSchema] = []
        for schema in domain.actions:
            compiled = compile_schema(schema, relations)
            if compiled is None:
                log.warning(
                    "action %s is never applicable: under injective binding two parameters "
                    "cannot be equal",
                    schema.name,
                )
            else:
                self._schemas.append(compiled)
        self._keys = {key for schema in self._schemas for key in schema.keys}

    def successors(self, state: State) -> list[Successor]:
        """All applicable ground actions in `state`, by schema, then by binding."""
        found: list[Successor] = []
        for expansions in self._expansions(state):
            found.extend(sorted(expansions, key=lambda successor: successor.binding))
        return found

    def iterate(self, state: State) -> Iterator[Successor]:
        """The same, lazily and in no particular order, for callers that stop early."""
        return chain.from_iterable(self._expansions(state))

    def _expansions(self, state: State) -> Iterator[Iterator[Successor]]:
        indexes = self._state_index(state)
        for schema in self._schemas:
            yield schema.expand(state, *(indexes[key] for key in schema.keys))

    def _state_index(self, state: State) -> dict[IndexKey, Rows]:
        rows = self._rows(state)
        return {
            key: index_rows(rows.get(key.predicate, []), key.positions)
            if key.predicate in self._fluents
            else self._static(key)
            for key in self._keys
        }

    def _rows(self, atoms: Iterable[int]) -> dict[str, list[tuple[int, ...]]]:
        rows: dict[str, list[tuple[int, ...]]] = {}
        for code in atoms:
            split = self._split_code.get(code)
            if split is None:
                split = self._split_code[code] = self.codes.split(code)
            rows.setdefault(split[0], []).append(split[1])
        return rows

    def _static(self, key: IndexKey) -> Rows:
        if key not in self._static_index:
            rows = self._static_rows.get(key.predicate, [])
            self._static_index[key] = index_rows(rows, key.positions)
        return self._static_index[key]

    def _fan_out(self, key: IndexKey) -> float:
        """Expected rows of a lookup: measured for static relations, guessed for fluents."""
        if key.predicate not in self._fluents:
            index = self._static(key)
            return sum(map(len, index.values())) / max(len(index), 1)
        free = self.codes.arities[key.predicate] - len(key.positions)
        n_objects = len(self.codes.objects)
        # A fluent usually is close to a function of one of its arguments.
        return float(n_objects ** (free - 1)) if key.positions else n_objects**free / 2

    def _candidates(self, types: tuple[str, ...]) -> tuple[int, ...]:
        parents = self.domain.types
        return tuple(
            number
            for number, name in enumerate(self.codes.objects)
            if OBJECT in types or is_subtype(self._object_types.get(name, OBJECT), types, parents)
        )


def codes_for(instance: Instance, *domains: Domain) -> AtomCodes:
    """A numbering for the objects of `instance` and the predicates of all `domains`."""
    arities = {p.name: p.arity for domain in domains for p in domain.predicates}
    objects = dict(instance.objects)
    for domain in domains:
        objects.update(domain.constants)
    return AtomCodes(arities, sorted(objects))


def split_static(
    atoms: Iterable[Atom], codes: AtomCodes, fluents: Collection[str]
) -> tuple[State, State]:
    """The codes of the static atoms, and of the fluent ones, the state."""
    static, state = set(), set()
    for atom in atoms:
        (state if atom.predicate in fluents else static).add(codes.encode(atom))
    return frozenset(static), frozenset(state)
