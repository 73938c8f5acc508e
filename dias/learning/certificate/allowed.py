"""What a finished schema allows in the states that its steps start from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from dias.arrays import distinct, row_numbers
from dias.learning.data.coded_states import CodedStates
from dias.learning.data.visited import Rows
from dias.learning.finish.assemble import action_schema, over_terms
from dias.learning.schema import LiftedSchema, Literal
from dias.limits import check
from dias.strips.model import Atom
from dias.traces.record import Traces, Transition

ROWS_PER_STATE = 1_000
"""Ground actions looked at for each state, in the mean."""


class Allowed:
    """The ground actions of a schema in some states.

    Args:
        written: The schema.
        coded: The states of the traces.
        rows: The ground actions.
        made: ``[n, k]`` what each changes, after its state.
    """

    def __init__(
        self, written: LiftedSchema, coded: CodedStates, rows: Rows, made: np.ndarray
    ) -> None:
        self._terms, self._coded, self._rows = written.terms, coded, rows
        self._n_states = int(rows.state.max(initial=-1)) + 1
        self._change = row_numbers(made)
        self._state = np.zeros(int(self._change.max(initial=-1)) + 1, np.int64)
        self._state[self._change] = rows.state

    @classmethod
    def of(
        cls, written: LiftedSchema, traces: Traces, coded: CodedStates, steps: Sequence[Transition]
    ) -> Allowed | None:
        """Those in the states that steps start from; None if they are too many."""
        schema, states = action_schema(written, traces), distinct(coded.numbers(steps))
        parts, _ = coded.joined(
            lambda visited, spend: list(visited.bindings(schema, spend, states)),
            ROWS_PER_STATE * len(steps),
        )
        if parts is None:
            return None
        rows = Rows.joined(parts, schema.variables)
        return cls(written, coded, rows, coded.visited.changes(rows, schema))

    def log_chance(self, either: Iterable[Literal], steps: Sequence[Transition]) -> float:
        """Log of the chance that steps obeyed one literal or another by accident.

        If each of the changes that the schema makes in a state is as likely.
        """
        check()
        kept = np.zeros(len(self._rows.state), dtype=bool)
        for atom, is_positive in either:
            kept |= self._holds(over_terms(atom, self._terms)) == is_positive
        states = self._coded.numbers(steps)
        obeying, every = self._n_changes(kept)[states], self._n_changes(~kept | kept)[states]
        return float(np.log(np.maximum(1, obeying) / np.maximum(1, every)).sum())

    def n_expected(self, effect: Atom, is_added: bool, steps: Sequence[Transition]) -> float:
        """In how many of the steps an effect would change something by chance.

        If each ground action of the schema in a state is as likely.
        """
        check()
        changes = self._holds(effect) != is_added
        states, every = self._coded.numbers(steps), self._rows.state
        n_changing = np.bincount(every, weights=changes, minlength=self._n_states)[states]
        n_every = np.bincount(every, minlength=self._n_states)[states]
        return float((n_changing / np.maximum(1, n_every)).sum())

    def _holds(self, atom: Atom) -> np.ndarray:
        """``[n]`` whether an atom is true in the state of each ground action."""
        return self._coded.visited.holds(self._rows, atom)

    def _n_changes(self, kept: np.ndarray) -> np.ndarray:
        """``[S]`` how many different changes some of the ground actions make in each state."""
        made = np.zeros(len(self._state), dtype=bool)
        made[self._change[kept]] = True
        return np.bincount(self._state[made], minlength=self._n_states)
