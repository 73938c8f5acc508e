"""Which literals must not all be dropped: what the training states say of shorter schemas.

Without some literals a schema has a further ground action in a training state. If that leads
elsewhere than all those of the whole schema, or if it was tried and refused, one of the literals
that it violates must stay: they are in conflict. A shorter schema has the same successors in every
training state if and only if it keeps a literal of every conflict. Few conflicts decide that, so
they are looked for where a schema meets those that are known.

A mask says more: a further ground action that it does not list is in conflict wherever it leads.
One that begins as one that it lists, while the whole schema has none, is what should be there: it
is in no conflict.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from dias.arrays import different_rows, first_of_each, is_row_of, spread
from dias.learning.data.refusals import attempts_at, is_decisive
from dias.learning.data.replay import MAX_SUCCESSORS
from dias.learning.data.visited import Rows, Spend, Visit, VisitedStates
from dias.learning.extend.literal_sets import masks_of, packed
from dias.learning.finish.assemble import action_schema, are_written
from dias.learning.schema import LiftedSchema, Literal, preconditions, with_preconditions
from dias.strips.model import Atom
from dias.traces.record import Traces

SAMPLE = 200
"""States in which conflicts are looked for first, spread evenly."""

MAX_NEW = 100
"""Conflicts that are taken up at a time, those of the fewest literals."""


class _Masked(NamedTuple):
    """What the masks of some states say that know as many first arguments.

    Attributes:
        n_known: How many, k.
        states: ``[n]`` the numbers of the states, ascending.
        listed: ``[m, 1 + k]`` state and first arguments of what is applicable.
        allowed: ``[l, 1 + k]`` those of what the whole schema allows.
    """

    n_known: int
    states: np.ndarray
    listed: np.ndarray
    allowed: np.ndarray

    def lacks(self, leading: np.ndarray) -> np.ndarray:
        """``[n]`` which are listed, though the whole schema does not allow them."""
        return is_row_of(leading, self.listed) & ~is_row_of(leading, self.allowed)

    def refuses(self, leading: np.ndarray) -> np.ndarray:
        """``[n]`` which are not listed in states with a mask, and not allowed so far."""
        is_masked = np.isin(leading[:, 0], self.states)
        said = np.concatenate([self.listed, self.allowed])
        return is_masked & ~is_row_of(leading, said)


class Conflicts:
    """The conflicts found so far; a further one is found by asking about a schema that lacks it.

    Args:
        schema: The whole schema.
        literals: Those of its preconditions that may be dropped.
        visits: The training states.
        states: The same.
        traces: Where they are from.
        spend: Called with the number of rows looked at; it may raise to end the search.
    """

    def __init__(
        self,
        schema: LiftedSchema,
        literals: Sequence[Literal],
        visits: Sequence[Visit],
        states: VisitedStates,
        traces: Traces,
        spend: Spend,
    ) -> None:
        self._states, self._traces, self._spend = states, traces, spend
        self._whole = action_schema(schema, traces)
        self._atoms = are_written(literals, schema, self._whole)
        self._bit = {x: 1 << place for place, x in enumerate(self._atoms)}
        sample = spread(range(len(visits)), SAMPLE)
        self._parts = np.array(sample), np.delete(np.arange(len(visits)), sample)
        self._found: list[int] = []
        number = {(visit.segment, visit.state): place for place, visit in enumerate(visits)}
        is_asked = is_decisive(schema.arity, traces.labels)
        self._attempts = self._refused(number) if is_asked else []
        self._masks = list(self._masked(number))

    def are_met_by(self, kept: Iterable[Literal]) -> bool:
        """Whether a literal of every conflict is kept."""
        mask = sum(self._bit.get(literal, 0) for literal in {*kept})
        return all(mask & conflict for conflict in self._found)

    def grow(self, narrowed: LiftedSchema) -> bool:
        """Look for conflicts of which a schema keeps no literal; whether there are any."""
        new: list[int] = []
        for mask in sorted(self._unmet(narrowed), key=lambda mask: (mask.bit_count(), mask)):
            if len(new) < MAX_NEW and not any(mask & other == other for other in new):
                new.append(mask)
        self._found += new
        return bool(new)

    def _unmet(self, narrowed: LiftedSchema) -> set[int]:
        """Some of them; none if there is none.

        Too many ground actions in a state are one, even if all lead to the same successors.
        """
        written = action_schema(narrowed, self._traces)
        dropped = self._dropped(narrowed)
        for states in self._parts:
            sizes = np.zeros(len(self._parts[0]) + len(self._parts[1]), np.int64)
            for rows in self._states.bindings(written, self._spend, states):
                sizes += np.bincount(rows.state, minlength=len(sizes))
                if (sizes > MAX_SUCCESSORS).any():
                    return {self._crowd(narrowed, np.array([sizes.argmax()]))}
                violated = np.zeros((len(rows.state), len(dropped)), dtype=bool)
                for column, (_, literal) in enumerate(dropped):
                    truth = self._states.holds(rows, self._atoms[literal])
                    violated[:, column] = truth != literal.is_positive
                further = np.asarray(violated.any(1))
                own, violated = rows.where(further), violated[further]
                wrong = ~self._is_allowed(own)
                for mask in self._masks:
                    leading = self._leading(own, mask.n_known)
                    wrong = wrong & ~mask.lacks(leading) | mask.refuses(leading)
                wrong |= self._is_refused(own)
                if wrong.any():
                    words = packed(violated[wrong], [place for place, _ in dropped])
                    return masks_of(words)
        return set()

    def _dropped(self, narrowed: LiftedSchema) -> list[tuple[int, Literal]]:
        """The literals that a schema lacks, each with its place."""
        kept = {*preconditions(narrowed)}
        return [(place, x) for place, x in enumerate(self._atoms) if x not in kept]

    def _crowd(self, narrowed: LiftedSchema, state: np.ndarray) -> int:
        """The conflict of a state with too many ground actions.

        Literals with which there are still too many have no part in it.
        """
        for _, literal in self._dropped(narrowed):
            more = with_preconditions(narrowed, [*preconditions(narrowed), literal])
            written = action_schema(more, self._traces)
            n = 0
            for rows in self._states.bindings(written, self._spend, state):
                n += len(rows.state)
                if n > MAX_SUCCESSORS:
                    narrowed = more
                    break
        return sum(1 << place for place, _ in self._dropped(narrowed))

    def _is_allowed(self, rows: Rows) -> np.ndarray:
        """``[n]`` whether the whole schema leads to the same successors."""
        states = rows.state[first_of_each(rows.state)]
        allowed = [
            self._states.changes(own, self._whole)
            for own in self._states.bindings(self._whole, self._spend, states)
        ]
        changes = self._states.changes(rows, self._whole)
        return is_row_of(changes, np.concatenate([changes[:0], *allowed]))

    def _is_refused(self, rows: Rows) -> np.ndarray:
        """``[n]`` whether a ground action was tried and refused."""
        refused = np.zeros(len(rows.state), dtype=bool)
        for attempts in self._attempts:
            refused |= is_row_of(self._leading(rows, attempts.shape[1] - 1), attempts)
        return refused

    def _leading(self, rows: Rows, n: int) -> np.ndarray:
        """``[n, 1 + k]`` state and the first k arguments."""
        own = (rows.columns[name] for name in self._whole.variables[:n])
        return np.column_stack([rows.state, *own])

    def _masked(self, number: Mapping[tuple[int, frozenset[Atom]], int]) -> Iterator[_Masked]:
        """What masks say, for each number of known arguments, and what the whole schema does."""
        masks = self._traces.masks_of(self._whole.name)
        for n_known in sorted({own.n_known for own in masks}):
            listed: dict[int, frozenset[tuple[int, ...]]] = {
                number[own.mask.segment, own.mask.state]: own.listed
                for own in masks
                if own.n_known == n_known
            }
            states = np.array(sorted(listed))
            found = [
                different_rows(self._leading(rows, n_known))
                for rows in self._states.bindings(self._whole, self._spend, states)
            ]
            rows = [[place, *own] for place in listed for own in sorted(listed[place])]
            table = np.array(rows, np.int64).reshape(len(rows), 1 + n_known)
            yield _Masked(n_known, states, table, np.concatenate([table[:0], *found]))

    def _refused(self, number: Mapping[tuple[int, frozenset[Atom]], int]) -> list[np.ndarray]:
        """The same for refused attempts that the whole schema rules out, for each k."""
        found: dict[int, list[list[int]]] = {}
        for attempt in attempts_at(self._whole.name, self._traces):
            known = self._states.codes[attempt.segment].object_number
            objects = [known[name] for name in attempt.arguments]
            if len(objects) <= self._whole.arity:
                own = [number[attempt.segment, attempt.state], *objects]
                found.setdefault(len(objects), []).append(own)
        tables = []
        for n_known, attempts in found.items():
            table = np.array(sorted(attempts))
            states = table[first_of_each(table[:, 0]), 0]
            for rows in self._states.bindings(self._whole, self._spend, states):
                table = table[~is_row_of(table, self._leading(rows, n_known))]
            tables.append(table)
        return tables
