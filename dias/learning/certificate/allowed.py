"""What a finished schema allows in the states that its steps start from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from dias.arrays import distinct, row_numbers
from dias.learning.certificate.support import Outcomes
from dias.learning.data.coded_states import CodedStates
from dias.learning.data.replay import SchemaInTraces
from dias.learning.data.visited import Rows
from dias.learning.finish.assemble import action_schema, over_terms
from dias.learning.schema import LiftedSchema, Literal
from dias.limits import check
from dias.strips.model import ActionSchema, Atom
from dias.traces.record import Traces, Transition


class Sentence(NamedTuple):
    """An atom that is true, or false, whatever object of some types is the term that is free."""

    atom: Atom
    free: str
    is_positive: bool
    types: tuple[str, ...]


ROWS_PER_STATE = 1_000
"""Ground actions looked at for each state, in the mean."""


class Allowed:
    """The ground actions of a schema in some states.

    Args:
        terms: What the variables of literals stand for: constants and parameters.
        schema: The schema.
        coded: The states of the traces.
        rows: The ground actions.
        steps: Those that it explains, of which the states are the starts.
    """

    def __init__(
        self,
        terms: Sequence[str],
        schema: ActionSchema,
        coded: CodedStates,
        rows: Rows,
        steps: Sequence[Transition] = (),
    ) -> None:
        self._terms, self._schema, self._steps = terms, schema, steps
        self._coded, self._rows = coded, rows
        self._change = row_numbers(coded.visited.changes(rows, schema))
        self._state = np.zeros(int(self._change.max(initial=-1)) + 1, np.int64)
        self._state[self._change] = rows.state

    @classmethod
    def of(
        cls, written: LiftedSchema, traces: Traces, steps: Sequence[Transition]
    ) -> Allowed | None:
        """Those in the states that steps start from; None if they are too many."""
        schema, coded = action_schema(written, traces), CodedStates.of(traces)
        states = distinct(coded.numbers(steps))
        parts, _ = coded.joined(
            lambda visited, spend: list(visited.bindings(schema, spend, states)),
            ROWS_PER_STATE * len(steps),
        )
        if parts is None:
            return None
        return cls(written.terms, schema, coded, Rows.joined(parts, schema.variables), steps)

    def outcomes(self, applied: SchemaInTraces) -> Outcomes:
        """How many successors there are, and how many of them the steps show."""
        shown = {(t.segment, t.state, applied.change(t)) for t in self._steps}
        n_states = len({own[:2] for own in shown})
        return Outcomes(n_states, len(self._state), len(shown))

    def either(self, pair: Sequence[Literal]) -> np.ndarray:
        """``[n]`` which ground actions obey one of some literals."""
        kept = np.zeros(len(self._rows.state), dtype=bool)
        for atom, is_positive in pair:
            kept |= self._holds(over_terms(atom, self._terms)) == is_positive
        return kept

    def taken(self, steps: Sequence[Transition], objects: np.ndarray) -> Rows:
        """Steps with the objects of their parameters, ``[n, V]``, as ground actions."""
        columns = dict(zip(self._schema.variables, objects.T, strict=True))
        return Rows(self._coded.numbers(steps), columns)

    def for_all(self, sentence: Sentence, rows: Rows | None = None) -> np.ndarray:
        """``[n]`` which ground actions obey a literal whatever object is free in it.

        Args:
            sentence: The literal.
            rows: The ground actions; None for all.
        """
        rows = self._rows if rows is None else rows
        return self._coded.visited.hold_for_all(rows, *sentence)

    def log_chances(
        self, obeyed: Iterable[np.ndarray], steps: Sequence[Transition]
    ) -> Iterator[float]:
        """Log of the chance that steps obeyed something by accident, for each of several.

        If each of the changes that the schema makes in a state is as likely.

        Args:
            obeyed: ``[n]`` each: which ground actions obey it.
            steps: The steps.
        """
        states = self._coded.numbers(steps)
        every = np.maximum(1, _times(self._state, states))
        for kept in obeyed:
            check()
            made = np.zeros(len(self._state), dtype=bool)
            made[self._change[kept]] = True
            obeying = np.maximum(1, _times(self._state[made], states))
            yield float(np.log(obeying / every).sum())

    def n_expected(self, effect: Atom, is_added: bool, steps: Sequence[Transition]) -> float:
        """In how many of the steps an effect would change something by chance.

        If each ground action of the schema in a state is as likely.
        """
        check()
        changes = self._holds(effect) != is_added
        for added in () if is_added else self._schema.add_effects:
            if added.predicate == effect.predicate:  # what is added as well stays
                changes &= ~self._is_same(added, effect)
        states, every = self._coded.numbers(steps), self._rows.state
        n_changing, n_every = (_times(own, states) for own in (every[changes], every))
        return float((n_changing / np.maximum(1, n_every)).sum())

    def _is_same(self, one: Atom, other: Atom) -> np.ndarray:
        """``[n]`` whether two atoms of a predicate are the same one in each ground action."""
        same, values = np.ones(len(self._rows.state), dtype=bool), self._coded.visited.values
        for term, instead in zip(one.terms, other.terms, strict=True):
            same &= values(self._rows, term) == values(self._rows, instead)
        return same

    def _holds(self, atom: Atom) -> np.ndarray:
        """``[n]`` whether an atom is true in the state of each ground action."""
        return self._coded.visited.holds(self._rows, atom)


def _times(numbers: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """``[n]`` how often each of some numbers is among others."""
    return np.bincount(numbers, minlength=int(asked.max(initial=-1)) + 1)[asked]
