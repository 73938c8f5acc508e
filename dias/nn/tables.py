"""Traces as index tables that torch can gather from.

The learner sees relations of every arity k ≥ 0: the predicates, and the object types as unary
relations that never change (Paper: Section "Selection of action arguments", types as unary
atoms). Relations are kept in groups of equal arity, since a group is one tensor of shape
``[B, R_k, M, …, M]`` (k slot axes) in everything that follows.

Axes: B batch, R_k relations of arity k, O objects, M slots.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dias.arrays import ranges
from dias.strips.model import OBJECT, Atom, supertypes
from dias.traces.record import Traces


class Relation(NamedTuple):
    """A predicate, or an object type seen as a unary predicate."""

    name: str
    arity: int
    is_type: bool = False


@dataclass(frozen=True)
class Symbols:
    """The relations and actions of a trace file, in a fixed order.

    Attributes:
        relations: Arity k to the relations of that arity.
        actions: The action names that have at least one transition.
        n_given: Per action the number of arguments that the transitions give (STRIPS+); they
            fill the first slots.
    """

    relations: dict[int, tuple[Relation, ...]]
    actions: tuple[str, ...]
    n_given: tuple[int, ...]

    @classmethod
    def of(cls, traces: Traces) -> Symbols:
        """The vocabulary of `traces`; types other than the root become unary relations."""
        given = {transition.action: len(transition.arguments) for transition in traces.transitions}
        return cls.of_header(traces, given)

    @classmethod
    def of_header(cls, traces: Traces, given: Mapping[str, int]) -> Symbols:
        """The same where no transition says how many arguments of each action are given."""
        relations = [Relation(p.name, p.arity) for p in traces.predicates]
        relations += [Relation(name, 1, is_type=True) for name in sorted(traces.types)]
        arities = sorted({relation.arity for relation in relations})
        groups = {k: tuple(r for r in relations if r.arity == k) for k in arities}
        return cls(groups, tuple(sorted(given)), tuple(given[name] for name in sorted(given)))

    @property
    def arities(self) -> tuple[int, ...]:
        """The arities that occur, ascending."""
        return tuple(self.relations)


class AtomTable(NamedTuple):
    """Atoms of equal arity, many sets of them one after another.

    Attributes:
        start: ``[n + 1]``, set t is the rows ``start[t]:start[t + 1]``.
        rows: ``[total, 1 + k]``: relation (within its arity group), then object numbers.
    """

    start: np.ndarray
    rows: np.ndarray

    def gather(self, sets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rows of several sets: (position in `sets` ``[m]``, rows ``[m, 1 + k]``)."""
        begin, length = self.start[sets], self.start[sets + 1] - self.start[sets]
        owner = np.repeat(np.arange(len(sets)), length)
        return owner, self.rows[ranges(begin, length)]


@dataclass(frozen=True)
class TransitionTables:
    """All transitions of a trace file as atom tables.

    Attributes:
        vocabulary: Relations and actions.
        action: ``[n]`` action number of each transition.
        segment: ``[n]`` segment (problem) of each transition.
        given: ``[n, G]`` object numbers of the given arguments, -1 where an action has fewer.
        n_objects: ``[segments]`` O of each segment; 1 where there is no object at all.
        objects: The object names of each segment, in the order of their numbers.
        state, added, deleted: Arity to `AtomTable` over transitions. `state` leaves out the
            relations that never differ between two states of one segment.
        static: Arity to `AtomTable` over segments: those relations, types included.
    """

    vocabulary: Symbols
    action: np.ndarray
    segment: np.ndarray
    given: np.ndarray
    n_objects: np.ndarray
    objects: tuple[tuple[str, ...], ...]
    state: dict[int, AtomTable]
    added: dict[int, AtomTable]
    deleted: dict[int, AtomTable]
    static: dict[int, AtomTable]

    def __len__(self) -> int:
        return len(self.action)

    @cached_property
    def together(self) -> dict[int, AtomTable]:
        """Arity to one table with the sets of `state`, then those of `added` and `deleted`."""
        found = {}
        for k in self.vocabulary.arities:
            parts = (self.state[k], self.added[k], self.deleted[k])
            lengths = np.concatenate([np.diff(part.start) for part in parts])
            rows = np.concatenate([part.rows for part in parts])
            found[k] = AtomTable(np.cumsum([0, *lengths]), rows)
        return found


def build_tables(traces: Traces, vocabulary: Symbols) -> TransitionTables:
    """Number the objects of every segment and split off what never changes."""
    numbers = [{name: i for i, name in enumerate(s.objects)} for s in traces.segments]
    place = {
        relation.name: (k, i)
        for k, group in vocabulary.relations.items()
        for i, relation in enumerate(group)
        if not relation.is_type
    }
    first_state: dict[int, frozenset[Atom]] = {}
    sometimes: dict[int, set[Atom]] = {}
    always: dict[int, set[Atom]] = {}
    for t in traces.transitions:
        first_state.setdefault(t.segment, t.state)
        sometimes.setdefault(t.segment, set()).update(t.state, t.next_state)
        always.setdefault(t.segment, set(t.state)).intersection_update(t.state, t.next_state)
    # A relation whose atoms differ between two states of a segment is listed state by state.
    changing = {atom.predicate for i in sometimes for atom in sometimes[i] - always[i]}
    known: list[dict[Atom, tuple[int, tuple[int, ...]]]] = [{} for _ in traces.segments]

    def entry(atom: Atom, segment: int) -> tuple[int, tuple[int, ...]]:
        """Arity and row of an atom; states have most of their atoms in common."""
        if atom not in known[segment]:
            k, relation = place[atom.predicate]
            row = relation, *(numbers[segment][term] for term in atom.terms)
            known[segment][atom] = k, row
        return known[segment][atom]

    def table(sets: Sequence[tuple[Iterable[Atom], int]]) -> dict[int, AtomTable]:
        rows: dict[int, list[list[tuple[int, ...]]]] = {k: [] for k in vocabulary.arities}
        for atoms, segment in sets:
            for own in rows.values():
                own.append([])
            for atom in atoms:
                k, row = entry(atom, segment)
                rows[k][-1].append(row)
            for own in rows.values():
                own[-1].sort()
        return {k: _table(own, k) for k, own in rows.items()}

    steps = traces.transitions
    constant = [
        (segment.static | {a for a in first_state.get(i, ()) if a.predicate not in changing}, i)
        for i, segment in enumerate(traces.segments)
    ]
    static = table(constant)
    if 1 in vocabulary.relations:
        static[1] = _with_types(static[1], traces, vocabulary)
    action = {name: i for i, name in enumerate(vocabulary.actions)}
    return TransitionTables(
        vocabulary,
        np.array([action[t.action] for t in steps]),
        np.array([t.segment for t in steps]),
        _given(traces, numbers, max(vocabulary.n_given)),
        np.array([max(1, len(s.objects)) for s in traces.segments]),
        tuple(tuple(s.objects) for s in traces.segments),
        table([((a for a in t.state if a.predicate in changing), t.segment) for t in steps]),
        table([(t.next_state - t.state, t.segment) for t in steps]),
        table([(t.state - t.next_state, t.segment) for t in steps]),
        static,
    )


def _given(traces: Traces, numbers: list[dict[str, int]], width: int) -> np.ndarray:
    rows = np.full((len(traces.transitions), width), -1, dtype=np.int64)
    for row, transition in zip(rows, traces.transitions, strict=True):
        number = numbers[transition.segment]
        row[: len(transition.arguments)] = [number[name] for name in transition.arguments]
    return rows


def _table(sets: list[list[tuple[int, ...]]], k: int) -> AtomTable:
    start = np.cumsum([0] + [len(rows) for rows in sets])
    flat = [row for rows in sets for row in rows]
    return AtomTable(start, np.array(flat, dtype=np.int64).reshape(len(flat), 1 + k))


def _with_types(static: AtomTable, traces: Traces, vocabulary: Symbols) -> AtomTable:
    """Add a unary atom for every type of every object, ancestors included, root left out."""
    place = {r.name: i for i, r in enumerate(vocabulary.relations[1]) if r.is_type}
    sets = []
    for number, segment in enumerate(traces.segments):
        rows = [tuple(r) for r in static.rows[static.start[number] : static.start[number + 1]]]
        for index, type_name in enumerate(segment.objects.values()):
            rows += [(place[t], index) for t in supertypes(type_name, traces.types) if t != OBJECT]
        sets.append(sorted(rows))
    return _table(sets, 1)
