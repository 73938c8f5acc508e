"""What stricter schemas allow of the ground actions of a looser one.

A schema with more literals has those of the ground actions that violate none of them, and with more
parameters those that some further objects go with. So one join does for all schemas that are
weighed against each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from dias.arrays import distinct, first_of_each, row_numbers
from dias.learning.data.coded_states import CodedStates
from dias.learning.data.conditions import Condition
from dias.learning.data.matches import wanted_changes
from dias.learning.data.replay import ROWS_PER_CHECK, ROWS_TO_COUNT
from dias.learning.data.visited import Rows, Spend, VisitedStates
from dias.limits import Allowance
from dias.strips.joins.successors import Change
from dias.strips.model import ActionSchema

MAX_ROWS = 200_000
"""Rows that are kept at most: it limits the memory."""

FEW = 8
"""Objects for a further parameter that are tried before all others."""

MAX_ALIKE = 8
"""Sets of parameters by which rows are numbered that are kept."""

PLACE = ""
"""The column of the ground action that a row extends."""


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
        self._schema, self._coded, self._rows, self._steps = schema, coded, rows, steps
        self._visited = coded.visited
        self._said = set(self._visited.conditions(schema))
        self._n_most = ROWS_TO_COUNT * len(first_of_each(rows.state))
        self._place = {step: place for place, step in enumerate(steps)}
        self._holds: dict[Condition, np.ndarray] = {}
        self._found = lru_cache(maxsize=1)(self._search)
        self._alike = lru_cache(maxsize=MAX_ALIKE)(self._numbers)

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

    def knows(self, stricter: ActionSchema) -> bool:
        """Whether a schema says the same and more, and can be asked about without too many rows."""
        return _says_more(stricter, self._schema) and self._found(stricter) is not None

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

    def _kept(self, stricter: ActionSchema) -> np.ndarray:
        """``[n]`` which of the ground actions a schema has that says more (`knows`)."""
        found = self._found(stricter)
        assert found is not None
        return found

    def _search(self, stricter: ActionSchema) -> np.ndarray | None:
        """The same; None if it takes too many rows."""
        bound = self._rows.columns.keys()
        more = [x for x in self._visited.conditions(stricter) if x not in self._said]
        kept = np.ones(len(self._rows.state), dtype=bool)
        for condition in more:
            if condition.variables <= bound:
                if condition not in self._holds:
                    self._holds[condition] = self._visited.hold(self._rows, condition)
                kept &= self._holds[condition]
        further = [x for x in more if not x.variables <= bound]
        return self._extended(kept, further) if further else kept

    def _extended(self, kept: np.ndarray, further: list[Condition]) -> np.ndarray | None:
        """Those of some ground actions that objects for further parameters go with.

        It is looked for once for all that agree in what the conditions speak of.
        """
        spoken = frozenset[str]().union(*(condition.variables for condition in further))
        number, first = self._alike(spoken.intersection(self._rows.columns))
        asked = np.zeros(len(first), dtype=bool)
        asked[number[kept]] = True
        found = np.zeros(len(first), dtype=bool)

        def look_for(visited: VisitedStates, spend: Spend) -> bool:
            for at_most in (1, FEW, None):  # most that are found are among the first
                left = np.flatnonzero(asked & ~found)
                rows = self._rows.where(first[left])
                rows.columns[PLACE] = left
                for own in visited.grown(rows, further, spend, at_most):
                    found[own.columns[PLACE]] = True
            return True

        is_whole, _ = self._coded.joined(look_for, self._n_most)
        return kept & found[number] if is_whole else None

    def _numbers(self, variables: frozenset[str]) -> tuple[np.ndarray, np.ndarray]:
        """``[n]`` numbers of the ground actions, by state and variables; and one of each number."""
        columns = [self._rows.columns[name] for name in sorted(variables)]
        number = row_numbers(np.column_stack([self._rows.state, *columns]))
        first = np.zeros(int(number.max(initial=-1)) + 1, np.int64)
        first[number] = np.arange(len(number))
        return number, first

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


def _says_more(stricter: ActionSchema, schema: ActionSchema) -> bool:
    """Whether a schema says what another one does, and changes the same.

    A parameter of another type counts as saying less, though it may be narrower.
    """
    return (
        stricter.parameters[: schema.arity] == schema.parameters
        and stricter.preconditions >= schema.preconditions
        and stricter.negative_preconditions >= schema.negative_preconditions
        and stricter.equalities >= schema.equalities
        and stricter.inequalities >= schema.inequalities
        and stricter.add_effects == schema.add_effects
        and stricter.delete_effects == schema.delete_effects
    )
