"""The ground actions of a schema in all visited states at once.

`dias.strips.joins` enumerates those of one state. Here a row is a ground action in some state, and
a join appends columns to all rows together, so that a thousand states take hardly longer than one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from dias.arrays import different_rows, ranges, runs
from dias.learning.data.conditions import Condition, Step, plan
from dias.learning.data.tables import Relation, relations
from dias.learning.schema import EQUAL, TYPE
from dias.limits import Allowance, OutOfWorkError
from dias.strips.codes import tuple_number
from dias.strips.model import OBJECT, ActionSchema, Atom, is_subtype
from dias.traces.record import Mask, RefusedAction, Traces, Transition

Visit = Transition | RefusedAction | Mask
"""What has a state: a step from it, an attempt in it, or what is applicable there."""

MAX_ROWS = 20_000
"""Rows that a join makes at a time, about: it limits the memory."""

MAX_WHOLE = 16
"""Schemas whose ground actions in all states are kept."""

Spend = Callable[[int], None]
"""Called with the number of rows of a join; it may raise to end the search."""


class Rows(NamedTuple):
    """Bindings in states.

    Attributes:
        state: ``[n]`` the number of each one's state, ascending.
        columns: Of each bound variable ``[n]`` object numbers.
    """

    state: np.ndarray
    columns: dict[str, np.ndarray]

    def where(self, kept: np.ndarray | slice) -> Rows:
        """Those that a mask, numbers or a slice select."""
        return Rows(self.state[kept], {name: own[kept] for name, own in self.columns.items()})

    @classmethod
    def joined(cls, parts: Sequence[Rows], variables: Iterable[str]) -> Rows:
        """Those of all parts."""
        none = np.zeros(0, np.int64)
        state = np.concatenate([none, *(own.state for own in parts)])
        return cls(
            state, {v: np.concatenate([none, *(x.columns[v] for x in parts)]) for v in variables}
        )


class VisitedStates:
    """States of the traces, as a table for each relation.

    Args:
        visits: The states; they are numbered in this order.
        traces: Where they are from.

    Attributes:
        codes: The numbering of the objects of each segment.
    """

    def __init__(self, visits: Sequence[Visit], traces: Traces) -> None:
        self.codes = traces.codes
        self._segment = np.array([visit.segment for visit in visits], dtype=np.int64)
        self._base = max(len(codes.objects) for codes in self.codes)
        # What no state lists is kept once for each problem.
        listed = frozenset[str]().union(*traces.state_predicates)
        static = [
            (
                codes.encode_state(atom for atom in own.static if atom.predicate not in listed),
                codes.encode_state(atom for atom in own.static if atom.predicate in listed),
            )
            for codes, own in zip(self.codes, traces.segments, strict=True)
        ]
        always = [own for own, _ in static]
        states = [traces.encode(v.segment, v.state) | static[v.segment][1] for v in visits]
        names = {predicate.name for predicate in traces.predicates}
        each = np.arange(len(always))
        self._relations = relations(always, each, self.codes, names - listed, is_static=True)
        self._relations |= relations(states, self._segment, self.codes, listed, is_static=False)
        self._n_objects = np.array([len(codes.objects) for codes in self.codes])
        self._offset = {
            name: np.array([codes.offset[name] for codes in self.codes]) for name in sorted(names)
        }

        def of_types(types: tuple[str, ...]) -> Relation:
            keys = [
                place * self._base + codes.object_number[name]
                for place, codes in enumerate(self.codes)
                for name, kind in traces.segments[place].objects.items()
                if OBJECT in types or is_subtype(kind, types, traces.types)
            ]
            return Relation(np.array(keys, np.int64), 1, len(always), self._base, is_static=True)

        self._of_types = cache(of_types)
        self._whole = lru_cache(maxsize=MAX_WHOLE)(self._if_few)

    def bindings(
        self, schema: ActionSchema, spend: Spend, states: np.ndarray | None = None
    ) -> Iterator[Rows]:
        """The applicable ground actions of a schema, about `MAX_ROWS` at a time.

        Where all states have no more, they are kept: who asks about some states asks about others.

        Args:
            schema: The schema; its effects are not looked at.
            spend: Called with the number of rows of every join.
            states: ``[n]`` the numbers of the states, ascending; None for all.
        """
        states = np.arange(len(self._segment)) if states is None else states
        whole = self._whole(schema)
        if whole is None:
            return self._joins(schema, spend, states)
        is_asked = np.zeros(len(self._segment), dtype=bool)
        is_asked[states] = True
        rows = whole.where(is_asked[whole.state])
        spend(len(rows.state))
        return iter([rows] if len(rows.state) else [])

    def _if_few(self, schema: ActionSchema) -> Rows | None:
        """The ground actions in all states; None if they are too many."""
        try:
            every = np.arange(len(self._segment))
            parts = list(self._joins(schema, Allowance(MAX_ROWS).check, every))
        except OutOfWorkError:
            return None
        return Rows.joined(parts, schema.variables)

    def _joins(self, schema: ActionSchema, spend: Spend, states: np.ndarray) -> Iterator[Rows]:
        """The ground actions in some states."""
        return self.grown(Rows(states, {}), self.conditions(schema), spend)

    def grown(
        self, rows: Rows, conditions: Sequence[Condition], spend: Spend, at_most: int | None = None
    ) -> Iterator[Rows]:
        """The rows with more variables, where conditions hold; of one row there may be many.

        Columns that no condition speaks of go along.

        Args:
            rows: Rows in which some variables are bound.
            conditions: What must hold.
            spend: Called with the number of rows of every join.
            at_most: Of each row so many at most are made by the first join; None for all.
        """
        tests, steps = plan(conditions, rows.columns.keys())
        return self._grow(self._passing(rows, tests), steps, spend, at_most)

    def conditions(self, schema: ActionSchema) -> list[Condition]:
        """What must hold of the parameters, types included."""
        found = [self._condition(atom) for atom in sorted(schema.preconditions)]
        found += [Condition.of(None, pair) for pair in sorted(schema.equalities)]
        found += [Condition.of(self._of_types(own), (name,)) for name, own in schema.parameters]
        found += [self._condition(x, False) for x in sorted(schema.negative_preconditions)]
        found += [Condition.of(None, pair, False) for pair in sorted(schema.inequalities)]
        return found

    def are_applicable(self, schema: ActionSchema, spend: Spend, states: np.ndarray) -> np.ndarray:
        """``[n]`` whether there is an applicable ground action; arguments as of `bindings`."""
        found = np.zeros(len(self._segment), dtype=bool)
        for rows in self.bindings(schema, spend, states):
            found[rows.state] = True
        return found[states]

    def n_changes(self, schema: ActionSchema, spend: Spend, states: np.ndarray) -> np.ndarray:
        """``[n]`` how many different changes a schema makes; arguments as of `bindings`."""
        found = np.zeros(len(self._segment), dtype=np.int64)
        last: np.ndarray | None = None
        for rows in self.bindings(schema, spend, states):
            if len(rows.state):
                table = self.changes(rows, schema)
                table = different_rows(table if last is None else np.concatenate([last, table]))
                first, n = runs(table[:, 0])
                found[table[first, 0]] = n  # the rows of one state may come in several parts
                last = table[first[-1] :]
        return found[states]

    def holds(self, rows: Rows, atom: Atom) -> np.ndarray:
        """``[n]`` whether an atom over the variables is true; of `EQUAL` and of types, too."""
        return self.hold(rows, self._condition(atom))

    def values(self, rows: Rows, term: str) -> np.ndarray:
        """``[n]`` the objects that a variable or a constant stands for."""
        if term in rows.columns:
            return rows.columns[term]
        numbers = np.array([codes.object_number[term] for codes in self.codes])
        return np.asarray(numbers[self._segment[rows.state]])

    def changes(self, rows: Rows, schema: ActionSchema) -> np.ndarray:
        """``[n, k]`` state and what becomes true and false in it: equal rows, equal changes.

        One column for each added atom, then one for each deleted one: codes in order, after -1 for
        each that changes nothing.
        """
        added = {effect: self._number(rows, effect) for effect in sorted(schema.add_effects)}
        came = [np.where(self.holds(rows, x), -1, number) for x, number in added.items()]
        went = []
        for effect in sorted(schema.delete_effects - schema.add_effects):
            number, goes = self._number(rows, effect), self.holds(rows, effect)
            for other in added.values():
                goes &= number != other
            went.append(np.where(goes, number, -1))
        return np.column_stack([rows.state, *_as_set(came), *_as_set(went)])

    def _number(self, rows: Rows, atom: Atom) -> np.ndarray:
        """``[n]`` the codes of a ground atom."""
        values, segment = (
            (self.values(rows, term) for term in atom.terms),
            self._segment[rows.state],
        )
        number = tuple_number(values, self._n_objects[segment])
        return np.asarray(self._offset[atom.predicate][segment] + number)

    def _condition(self, atom: Atom, is_positive: bool = True) -> Condition:
        if atom.predicate == EQUAL:
            return Condition.of(None, atom.terms, is_positive)
        is_type = atom.predicate.startswith(TYPE)
        own = (atom.predicate.removeprefix(TYPE),)
        relation = self._of_types(own) if is_type else self._relations[atom.predicate]
        return Condition.of(relation, atom.terms, is_positive)

    def hold(self, rows: Rows, condition: Condition) -> np.ndarray:
        """``[n]`` whether a condition holds."""
        values = [self.values(rows, term) for term in condition.terms]
        if condition.relation is None:
            found = np.asarray(values[0] == values[1])
        else:
            place = self._place(rows, condition.relation)
            found = condition.relation.contains(place, values)
        return found if condition.is_positive else ~found

    def hold_for_all(
        self, rows: Rows, atom: Atom, free: str, is_positive: bool, types: tuple[str, ...]
    ) -> np.ndarray:
        """``[n]`` whether an atom is true, or false, whatever object of some types is `free`."""
        relation = self._relations[atom.predicate]
        n_true = self._n_true(rows, relation, atom.terms, free)
        if not is_positive:
            return n_true == 0
        return n_true == self._n_true(rows, self._of_types(types), (free,), free)

    def _n_true(
        self, rows: Rows, relation: Relation, terms: Sequence[str], free: str
    ) -> np.ndarray:
        """``[n]`` for how many objects as the term that is free an atom is true."""
        known = tuple(p for p, term in enumerate(terms) if term != free)
        values = [self.values(rows, terms[p]) for p in known]
        keys = relation.index(known).keys
        asked = tuple_number((self._place(rows, relation), *values), self._base)
        return np.searchsorted(keys, asked, side="right") - np.searchsorted(keys, asked)

    def _place(self, rows: Rows, relation: Relation) -> np.ndarray:
        return self._segment[rows.state] if relation.is_static else rows.state

    def _passing(self, rows: Rows, tests: Sequence[Condition]) -> Rows:
        for condition in tests:
            passes = self.hold(rows, condition)
            if not passes.all():
                rows = rows.where(passes)
        return rows

    def _grow(
        self, rows: Rows, steps: Sequence[Step], spend: Spend, at_most: int | None = None
    ) -> Iterator[Rows]:
        """The rows with all variables, depth first."""
        if not steps:
            yield rows
            return
        (join, tests), *rest = steps
        for part in self._joined(rows, join, spend, at_most):
            if len(part.state):
                yield from self._grow(self._passing(part, tests), rest, spend)

    def _joined(
        self, rows: Rows, join: Condition, spend: Spend, at_most: int | None
    ) -> Iterator[Rows]:
        """The rows with every binding of the free variables that makes a condition hold."""
        known = tuple(p for p, t in enumerate(join.terms) if t[0] != "?" or t in rows.columns)
        values = [self.values(rows, join.terms[p]) for p in known]
        free = [term for p, term in enumerate(join.terms) if p not in known]
        if join.relation is None:
            spend(len(rows.state))
            yield rows._replace(columns=rows.columns | {free[0]: values[0]})
            return
        index = join.relation.index(known)
        asked = tuple_number((self._place(rows, join.relation), *values), self._base)
        begin = np.searchsorted(index.keys, asked)
        sizes = np.searchsorted(index.keys, asked, side="right") - begin
        if at_most is not None:
            sizes = np.minimum(sizes, at_most)
        chunk, parts = np.cumsum(sizes) // MAX_ROWS, [np.arange(len(sizes))]
        if len(chunk) and chunk[-1]:
            parts = np.split(parts[0], np.flatnonzero(np.diff(chunk)) + 1)
        for part in parts:
            spend(int(sizes[part].sum()))
            wide = rows.where(np.repeat(part, sizes[part]))
            place = ranges(begin[part], sizes[part])
            for term, objects in zip(free, index.others, strict=True):
                if term in wide.columns:  # the same variable twice
                    again = wide.columns[term] == objects[place]
                    wide, place = wide.where(again), place[again]
                else:
                    wide.columns[term] = objects[place]
            yield wide


def _as_set(columns: list[np.ndarray]) -> list[np.ndarray]:
    """Columns of numbers as a set in each row: ascending, -1 in place of what is there twice."""
    if len(columns) < 2:
        return columns
    table = np.sort(columns, axis=0)
    table[1:][table[1:] == table[:-1]] = -1
    return list(np.sort(table, axis=0))
