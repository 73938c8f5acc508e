"""What stricter schemas allow of the ground actions of a looser one.

A schema with some negative literals more has those of the ground actions that violate none of them.
So one join does for all schemas that are weighed against each other and differ in nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from dias.arrays import distinct, row_numbers
from dias.learning.data.coded_states import CodedStates
from dias.learning.data.matches import wanted_changes
from dias.learning.data.replay import ROWS_PER_CHECK, ROWS_TO_COUNT
from dias.learning.data.visited import Rows
from dias.learning.schema import EQUAL
from dias.limits import Allowance
from dias.strips.joins.successors import Change
from dias.strips.model import ActionSchema, Atom

MAX_ROWS = 200_000
"""Rows that are kept at most: it limits the memory."""


Steps = Mapping[int, tuple[int, Change, tuple[int, ...]]]
"""Of each step the number of the state that it starts from, what it changes, and the objects of the
leading parameters, as far as they are given."""


class _Numbered(NamedTuple):
    """Different changes in states, as numbers.

    Attributes:
        rows: ``[n]`` that of each ground action.
        steps: ``[m]`` that of each step; the last one, which nothing makes, if it changes too much.
        states: ``[k]`` the state that each is in.
    """

    rows: np.ndarray
    steps: np.ndarray
    states: np.ndarray


class LooserSchema:
    """The ground actions of a schema in some states.

    Args:
        schema: The schema.
        coded: The states of the traces.
        rows: The ground actions.
        steps: Those that may be asked about, by numbers of the caller's.
    """

    def __init__(self, schema: ActionSchema, coded: CodedStates, rows: Rows, steps: Steps) -> None:
        self._schema, self._visited, self._rows, self._steps = schema, coded.visited, rows, steps
        self._place = {step: place for place, step in enumerate(steps)}
        self._holds: dict[Atom, np.ndarray] = {}
        self._kept = lru_cache(maxsize=1)(self._not_violated)

    @classmethod
    def of(
        cls,
        schema: ActionSchema,
        coded: CodedStates,
        states: np.ndarray,
        allowance: Allowance | None = None,
        steps: Steps | None = None,
    ) -> LooserSchema | None:
        """The schema in some states, by their numbers; None if it has too many ground actions."""
        states = distinct(states)
        n_most = min(MAX_ROWS, ROWS_TO_COUNT * len(states))
        parts, n_rows = coded.joined(
            lambda visited, spend: list(visited.bindings(schema, spend, states)), n_most
        )
        if parts is None:
            return None
        if allowance:
            allowance.check(n_rows // ROWS_PER_CHECK)
        rows = Rows.joined(parts, schema.variables)
        return cls(schema, coded, rows, steps or {})

    def n_changes(self, stricter: ActionSchema, states: np.ndarray) -> np.ndarray:
        """``[n]`` how many different changes a stricter schema makes in some of the states."""
        state = self._numbered.states[self._made(stricter)]
        return np.bincount(state, minlength=int(states.max(initial=0)) + 1)[states]

    def reproduces(self, stricter: ActionSchema, steps: np.ndarray) -> np.ndarray:
        """``[n]`` whether it allows some of the steps, by their numbers."""
        rows, own = self._taken
        found = np.zeros(max(rows.max(initial=0), own.max(initial=0)) + 1, dtype=bool)
        found[rows[self._kept(stricter)]] = True
        return np.asarray(found[own[[self._place[step] for step in steps.tolist()]]])

    def is_applicable(self, stricter: ActionSchema, states: np.ndarray) -> np.ndarray:
        """``[n]`` whether it has any ground action in some of the states."""
        found = np.zeros(max(states.max(initial=0), self._rows.state.max(initial=0)) + 1, bool)
        found[self._rows.state[self._kept(stricter)]] = True
        return np.asarray(found[states])

    def _made(self, stricter: ActionSchema) -> np.ndarray:
        """``[k]`` which of the different changes it makes."""
        found = np.zeros(len(self._numbered.states), dtype=bool)
        found[self._numbered.rows[self._kept(stricter)]] = True
        return found

    def _not_violated(self, stricter: ActionSchema) -> np.ndarray:
        """``[n]`` which of the ground actions it has."""
        kept = np.ones(len(self._rows.state), dtype=bool)
        unequal = {Atom(EQUAL, pair) for pair in stricter.inequalities - self._schema.inequalities}
        for atom in unequal | stricter.negative_preconditions - self._schema.negative_preconditions:
            if atom not in self._holds:
                self._holds[atom] = self._visited.holds(self._rows, atom)
            kept &= ~self._holds[atom]
        return kept

    @cached_property
    def _numbered(self) -> _Numbered:
        """What the ground actions change, and the steps."""
        made = self._visited.changes(self._rows, self._schema)
        starts = np.array([start for start, _, _ in self._steps.values()], np.int64)
        fits, wanted = wanted_changes(self._schema, [own for _, own, _ in self._steps.values()])
        table = np.concatenate([made, np.column_stack([starts, wanted])])
        number = row_numbers(table)
        n_changes = int(number.max(initial=-1)) + 1
        state = np.zeros(n_changes + 1, np.int64)
        state[number] = table[:, 0]
        return _Numbered(number[: len(made)], np.where(fits, number[len(made) :], n_changes), state)

    @cached_property
    def _taken(self) -> tuple[np.ndarray, np.ndarray]:
        """Of each ground action and of each step a number: of what it changes, with what is given.

        All steps are given as many arguments.
        """
        given = np.array([own for _, _, own in self._steps.values()], np.int64)
        rows, steps, _ = self._numbered
        if not given.size:
            return rows, steps
        variables = self._schema.variables[: given.shape[1]]
        own = [self._rows.columns[name] for name in variables]
        table = [np.column_stack([rows, *own]), np.column_stack([steps, given])]
        number = row_numbers(np.concatenate(table))
        return number[: len(rows)], number[len(rows) :]
