r"""Successor states by lifted joins; the whole task is never grounded.

Static atoms are indexed once, the atoms of a state once per state, and each schema runs as a
compiled nest of loops (`dias.strips.joins.join`). Two parameters may be bound to one object unless
the schema says that they differ, as PDDL has it.

Paper: Section "STRIPS" (s′ = (s \ Del) ∪ Add). Departs: the injective binding of Section "Problem
formulation" (``sec:problem-formulation``) is what the inequalities of its domains say.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import chain, islice
from operator import attrgetter
from typing import Any

from dias.errors import GroundingError
from dias.limits import Check
from dias.strips.codes import State
from dias.strips.joins.join import CompiledSchema, Successor, compile_schema
from dias.strips.joins.relations import IndexKey, Relations, index_entry
from dias.strips.model import OBJECT, ActionSchema, Domain, is_subtype
from dias.strips.problem import CodedProblem

log = logging.getLogger(__name__)

_BINDING = attrgetter("binding")

Change = tuple[State, State]
"""The atoms that become true, and those that become false: with the state they give s′."""

MAX_SUCCESSORS = 100_000
"""Successors of one schema in one state looked at at most."""

MAX_APPLICABLE = 1_000_000
"""Applicable ground actions of one schema in one state that are listed at most."""

Indexes = list[dict[Any, list[Any]]]
"""The rows of the fluents that hold, by lookup: one index for each `IndexKey`."""

__all__ = ["MAX_SUCCESSORS", "Change", "Indexes", "Successor", "SuccessorGenerator"]


class SuccessorGenerator:
    """Enumerates the applicable ground actions of a domain in a state.

    Args:
        domain: The domain whose schemas are expanded.
        problem: The problem; its initial state is not looked at.
        distinct: Whether to enumerate one ground action only of those of a schema that change
            the same.
        rare: Fluents of which a state has few atoms: joins begin with them.
        check: Called again and again in loops that may run long; it may raise to end them.

    Attributes:
        satisfiable: The schemas whose (in)equalities do not contradict themselves.
    """

    def __init__(
        self,
        domain: Domain,
        problem: CodedProblem,
        distinct: bool = False,
        rare: Collection[str] = (),
        check: Check | None = None,
    ) -> None:
        self.domain = domain
        self.codes = problem.codes
        self._object_types = problem.instance.objects
        self._fluents = problem.fluents
        self._rare = frozenset(rare)
        missing = domain.fluents - self._fluents
        if missing:
            raise ValueError(f"changed by the domain but not among the fluents: {sorted(missing)}")
        self._static = problem.static
        relations = Relations(
            self.codes,
            self._static.atoms,
            self._fluents,
            self._static.rows,
            self._fan_out,
            cache(self._candidates),
        )
        self.satisfiable: list[ActionSchema] = []
        schemas: list[CompiledSchema] = []
        for schema in domain.actions:
            compiled = compile_schema(schema, domain, relations, distinct, check)
            if compiled is None:
                log.warning(
                    "action %s is never applicable: it asks a term to differ from itself, or two "
                    "constants to be one",
                    schema.name,
                )
            else:
                self.satisfiable.append(schema)
                schemas.append(compiled)
        keys = dict.fromkeys(key for schema in schemas for key in schema.keys)
        self._key_number = {key: number for number, key in enumerate(keys)}
        self._expanders = [
            (schema.expand, [self._key_number[key] for key in schema.keys]) for schema in schemas
        ]
        self._entries: dict[int, list[tuple[int, Any, Any]]] = {}

    def successors(self, state: State) -> list[Successor]:
        """All applicable ground actions in `state`, by schema, then by binding.

        Raises:
            GroundingError: They are more than `MAX_APPLICABLE` of a schema.
        """
        found: list[Successor] = []
        for expansions in self.expansions(state):
            own = sorted(islice(expansions, MAX_APPLICABLE + 1), key=_BINDING)
            if len(own) > MAX_APPLICABLE:
                raise GroundingError(
                    f"more than {MAX_APPLICABLE:,} ground actions {own[0].action} are applicable "
                    "in one state",
                    remedy="Give the action preconditions, or the problem fewer objects",
                )
            found.extend(own)
        return found

    def iterate(
        self, state: Collection[int], indexes: Indexes | None = None
    ) -> Iterator[Successor]:
        """The same, lazily and in no particular order, for callers that stop early."""
        return chain.from_iterable(self.expansions(state, indexes))

    def expansions(
        self, state: Collection[int], indexes: Indexes | None = None
    ) -> Iterator[Iterator[Successor]]:
        """The same, lazily, for each of the `satisfiable` schemas on its own.

        With its indexes `state` may be a set that grows between calls.
        """
        indexes = self.index(state) if indexes is None else indexes
        for expand, numbers in self._expanders:
            yield expand(state, *[indexes[number] for number in numbers])

    def index(self, atoms: Iterable[int], indexes: Indexes | None = None) -> Indexes:
        """Add the rows of fluents to the given indexes, or to new ones, one for each `IndexKey`."""
        if indexes is None:
            indexes = [{} for _ in self._key_number]
        entries = self._entries
        for code in atoms:
            for number, key, rest in entries[code] if code in entries else self._enter(code):
                index = indexes[number]
                if key in index:
                    index[key].append(rest)
                else:
                    index[key] = [rest]
        return indexes

    def take_back(self, atoms: Iterable[int], indexes: Indexes) -> None:
        """Take the rows out again that were added last, of these atoms."""
        for code in atoms:
            for number, key, _ in self._entries[code]:
                indexes[number][key].pop()

    def forget(self, predicates: Collection[str], indexes: Indexes) -> None:
        """Take all rows of some predicates out of the indexes."""
        for key, number in self._key_number.items():
            if key.predicate in predicates:
                indexes[number].clear()

    def _enter(self, code: int) -> list[tuple[int, Any, Any]]:
        """Note where an atom, seen for the first time, stands in which index."""
        predicate, row = self.codes.split(code)
        self._entries[code] = [
            (number, *index_entry(row, key.positions))
            for key, number in self._key_number.items()
            if key.predicate == predicate
        ]
        return self._entries[code]

    def _fan_out(self, key: IndexKey) -> float:
        """Expected rows of a lookup: measured for static relations, guessed for fluents."""
        if key.predicate not in self._fluents:
            return self._static.fan_out(key)
        if key.predicate in self._rare:
            return 0.0
        free = self.codes.arities[key.predicate] - len(key.positions)
        n_objects = len(self.codes.objects)
        # A fluent usually is close to a function of one of its arguments.
        return float(n_objects ** (free - 1)) if key.positions else n_objects**free / 2

    def _candidates(self, types: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(
            number
            for number, name in enumerate(self.codes.objects)
            if OBJECT in types
            or is_subtype(self._object_types.get(name, OBJECT), types, self.domain.types)
        )
