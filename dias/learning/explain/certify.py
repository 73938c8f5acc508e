"""Preconditions: the literals that hold in every transition under the bindings that explain it.

Where several bindings explain a transition (`dias.learning.explain.bindings`), it is given the one
that keeps most literals. Nothing but the transitions is consulted.
"""

from __future__ import annotations

import numpy as np

from dias.arrays import ranges
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.schema import Effects, LiftedSchema, lifted_atoms

MAX_ROUNDS = 5
"""Rounds of choosing bindings for ambiguous transitions; two usually suffice."""

MAX_BEGINNINGS = 8
"""Bindings of the first transition that the choice begins with, where none is beyond doubt."""

CHUNK = 256
"""Ambiguous transitions whose bindings are weighed together."""


def certify_table(effects: Effects, examples: Examples, found: BindingTable) -> LiftedSchema:
    """Keep every literal over the bound variables that no transition violates.

    Args:
        effects: The effects.
        examples: The transitions.
        found: The bindings that explain them, of all variables: those of the effects at least.
    """
    n_variables = found.rows.shape[1]
    literals = lifted_atoms(examples.arities, n_variables)
    positive, negative = _never_violated(found.owner, examples.truth(*found, literals))
    return LiftedSchema(
        examples.action,
        effects,
        n_variables,
        tuple(literal for literal, kept in zip(literals, positive, strict=True) if kept),
        tuple(literal for literal, kept in zip(literals, negative, strict=True) if kept),
        int((np.bincount(found.owner) > 1).sum()),
    )


def _never_violated(owner: np.ndarray, truth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which literals hold (positive) and fail (negative) in every transition: ``[L]`` each.

    A transition with several bindings is given the one that keeps most literals. Those with
    few bindings are asked first, and the choice is repeated with what all of them left.

    Args:
        owner: ``[n]`` transition of each binding, ascending.
        truth: ``[n, L]`` truth of the literals.
    """
    n_literals = truth.shape[1]
    if len(owner) == 0:  # nothing is known, so nothing can be claimed
        return np.zeros(n_literals, dtype=bool), np.zeros(n_literals, dtype=bool)
    _, first, sizes = np.unique(owner, return_index=True, return_counts=True)
    single = truth[first[sizes == 1]]
    alone = single.all(0), (~single).all(0)
    order = np.flatnonzero(sizes > 1)
    order = order[np.argsort(sizes[order], kind="stable")]
    if not len(order):
        return alone
    sizes = sizes[order]
    several, start = truth[ranges(first[order], sizes)], np.cumsum(sizes) - sizes
    beginnings = [alone]
    if not len(single):  # any binding of the first transition may be the one that keeps most
        patterns = np.unique(several[: sizes[0]], axis=0)[:MAX_BEGINNINGS]
        beginnings = [(pattern, ~pattern) for pattern in patterns]
    outcomes = [_one_after_another(several, start, beginning) for beginning in beginnings]
    wanted = max(outcomes, key=lambda kept: np.count_nonzero(kept[0]) + np.count_nonzero(kept[1]))
    for _ in range(MAX_ROUNDS):
        best = several[_best(several, start, wanted)]
        kept = alone[0] & best.all(0), alone[1] & ~best.any(0)
        if all((new == old).all() for new, old in zip(kept, wanted, strict=True)):
            break
        wanted = kept
    return kept


def _one_after_another(
    truth: np.ndarray, start: np.ndarray, wanted: tuple[np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """What is left of `wanted` when every transition in turn is given its best binding.

    Args:
        truth: ``[n, L]`` truth of the literals under the bindings, transition by transition.
        start: ``[m]`` the first binding of each transition.
        wanted: What should hold and what should fail: ``[L]`` each.
    """
    positive, negative = wanted
    ends = np.append(start[1:], len(truth))
    place = 0
    while place < len(start):
        # Most transitions lose nothing; look only at the first one that does.
        own = start[place : place + CHUNK]
        rows = truth[own[0] : ends[place + len(own) - 1]]
        best = rows[_best(rows, own - own[0], (positive, negative))]
        loses = ((positive & ~best) | (negative & best)).any(1)
        if loses.any():
            loser = int(loses.argmax())
            positive, negative = positive & best[loser], negative & ~best[loser]
            place += loser + 1
        else:
            place += len(own)
    return positive, negative


def _best(
    truth: np.ndarray, start: np.ndarray, wanted: tuple[np.ndarray, np.ndarray]
) -> np.ndarray:
    """``[m]`` the first of the bindings of each transition that agree best with `wanted`."""
    agrees = (truth & wanted[0]) | (~truth & wanted[1])
    score = np.count_nonzero(agrees, axis=1)
    # One number for score and place: the highest is the best and, among equals, the first.
    place = np.arange(len(truth))
    combined = np.maximum.reduceat(score * len(truth) + place[::-1], start)
    return len(truth) - 1 - combined % len(truth)
