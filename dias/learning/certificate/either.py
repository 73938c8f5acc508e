"""Either of two literals held in every step, and neither alone: several actions under one name?

Trucks go by road and boats by river: no literal is required of both, so that a schema for all of
them allows either to go anywhere. What PDDL's preconditions cannot say is named.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from dias.arrays import distinct, row_numbers
from dias.learning.certificate.support import Doubt
from dias.learning.data.coded_states import CodedStates
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.data.visited import Rows, VisitedStates
from dias.learning.finish.assemble import action_schema, over_terms
from dias.learning.schema import TYPE, LiftedAtom, LiftedSchema, Literal, lifted_atoms
from dias.learning.score import MARGIN
from dias.limits import check
from dias.traces.record import Traces

MIN_STEPS = 20
"""Steps with one explanation below which nothing is looked for."""

MIN_SHARE = 0.1
"""Share of the steps that each of the two must explain alone: fewer may have been seen wrong
(`dias.learning.certificate.exceptions`)."""

MAX_WEIGHED = 50
"""Pairs that are weighed, those first of which hold together least often."""

Pair = tuple[Literal, Literal]

ROWS_PER_STATE = 1_000
"""Ground actions looked at for each state, in the mean."""


def either(
    written: LiftedSchema,
    group: Examples,
    found: Sequence[Sequence[tuple[int, ...]]],
    traces: Traces,
    coded: CodedStates,
    texts: Callable[[Iterable[Literal]], tuple[str, ...]],
) -> Doubt | None:
    """The two literals that most likely are not obeyed by accident, one or the other.

    Args:
        written: The schema as it is written.
        group: The steps of its action.
        found: The bindings of its parameters that explain each of them.
        traces: All steps.
        coded: The coded states of the traces.
        texts: Literals in the words of the domain file.

    Returns:
        None where an accident is as likely as that, among all pairs of literals.
    """
    clear = [n for n, own in enumerate(found) if len(own) == 1]
    if len(clear) < MIN_STEPS:
        return None
    steps = [group.examples[n] for n in clear]
    constants = (step.constants[: len(written.constants)] for step in steps)
    rows = [[own + found[n][0]] for own, n in zip(constants, clear, strict=True)]
    bindings = BindingTable.of(rows, written.n_variables).rows
    atoms = [
        atom
        for atom in lifted_atoms(group.arities, written.n_variables)
        if not atom.relation.startswith(TYPE)
    ]
    pairs = _pairs(group, atoms, group.truth(np.array(clear, np.int64), bindings, atoms))
    states = coded.numbers([step.transition for step in steps])
    allowed = _Allowed.of(written, traces, coded, states) if pairs else None
    if allowed is None:
        return None
    price = math.log(len(atoms) * (2 * len(atoms) - 1))
    log_chance, best = min((allowed.log_chance(pair, states), pair) for pair in pairs)
    if log_chance + price > -MARGIN:
        return None
    return Doubt(texts(best), math.exp(log_chance + price))


def _pairs(group: Examples, atoms: Sequence[LiftedAtom], holds: np.ndarray) -> list[Pair]:
    """Of two literals, one of them positive, one held in every step: ``[n, L]`` what did."""
    n_atoms, shares = len(atoms), [group.shares[atom.relation] for atom in atoms]
    fails = np.concatenate([~holds, holds], axis=1)
    chances = np.array([*shares, *(1 - share for share in shares)])
    may_be = fails.mean(0) >= MIN_SHARE
    # Both of a pair fail in no step: products of what fails, counted.
    both = fails.T.astype(np.float32) @ fails.astype(np.float32)
    one, other = np.nonzero(np.triu(both == 0, 1) & may_be & may_be[:, None])
    is_pair = (one < n_atoms) & (other != one + n_atoms)
    one, other = one[is_pair], other[is_pair]
    together = chances[one] + chances[other] - chances[one] * chances[other]
    rarest = np.argsort(together, kind="stable")[:MAX_WEIGHED]
    literals = [Literal(atom, is_positive) for is_positive in (True, False) for atom in atoms]
    return [(literals[one[n]], literals[other[n]]) for n in rarest.tolist()]


class _Allowed:
    """What a schema allows in the states that its steps start from."""

    def __init__(self, written: LiftedSchema, visited: VisitedStates, rows: Rows, made: np.ndarray):
        self._terms, self._visited, self._rows = written.terms, visited, rows
        self._change = row_numbers(made)
        self._state = np.zeros(int(self._change.max(initial=-1)) + 1, np.int64)
        self._state[self._change] = rows.state

    @classmethod
    def of(
        cls, written: LiftedSchema, traces: Traces, coded: CodedStates, states: np.ndarray
    ) -> _Allowed | None:
        """That in some states, by their numbers; None if it is too much."""
        schema = action_schema(written, traces)
        parts, _ = coded.joined(
            lambda visited, spend: list(visited.bindings(schema, spend, distinct(states))),
            ROWS_PER_STATE * len(states),
        )
        if parts is None:
            return None
        rows = Rows.joined(parts, schema.variables)
        return cls(written, coded.visited, rows, coded.visited.changes(rows, schema))

    def log_chance(self, pair: Pair, states: np.ndarray) -> float:
        """Log of the chance that steps from some states obeyed one or the other by accident."""
        check()
        kept = np.zeros(len(self._rows.state), dtype=bool)
        for atom, is_positive in pair:
            holds = self._visited.holds(self._rows, over_terms(atom, self._terms))
            kept |= holds == is_positive
        obeying, every = self._n_changes(kept)[states], self._n_changes(~kept | kept)[states]
        return float(np.log(np.maximum(1, obeying) / np.maximum(1, every)).sum())

    def _n_changes(self, kept: np.ndarray) -> np.ndarray:
        """``[S]`` how many different changes some of the ground actions make in each state."""
        made = np.zeros(len(self._state), dtype=bool)
        made[self._change[kept]] = True
        n_states = int(self._rows.state.max(initial=-1)) + 1
        return np.bincount(self._state[made], minlength=n_states)
