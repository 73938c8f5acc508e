"""Preconditions: the literals that hold in every transition under the bindings that explain it.

Where several bindings explain a transition (`dias.learning.explain.bindings`), it is given the one
under which the literals that are kept say most. Nothing but the transitions is consulted.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dias.arrays import different_rows, ranges, runs
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.schema import EQUAL, TYPE, Effects, LiftedSchema, literals_over
from dias.limits import check

MAX_ROUNDS = 5
"""Rounds of choosing bindings for ambiguous transitions; two usually suffice."""

MAX_BEGINNINGS = 8
"""Bindings of the first transition that the choice begins with, where none is beyond doubt."""

MIN_CHANCE = 1e-6
"""Chance below which a literal says no more: a relation that was hardly ever true proves little."""

PER_NAT = 1 << 16
"""What nats are counted in."""

CHUNK = 256
"""Ambiguous transitions whose bindings are weighed together."""

BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.int64)
"""``[256, 8]`` the bits of every byte, the highest first."""


def certify_table(effects: Effects, examples: Examples, found: BindingTable) -> LiftedSchema:
    """Keep every literal over the bound variables that no transition violates.

    Of a variable that always is the object of an earlier one, only that and its types are kept.

    Args:
        effects: The effects.
        examples: The transitions.
        found: The bindings that explain them, of all variables: those of the effects at least.
    """
    n_variables = found.rows.shape[1]
    literals = literals_over(examples.arities, n_variables)
    shares = np.array([examples.shares[literal.relation] for literal in literals])

    def truth(rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        asked = [literals[column] for column in columns.tolist()]
        return examples.truth(found.owner[rows], found.rows[rows], asked)

    positive, negative = _never_violated(found.owner, truth, _nats(shares))
    for number, equality in enumerate(literals):
        if equality.relation == EQUAL and positive[number]:  # what is said of the later of two
            for place, literal in enumerate(literals):
                if equality.variables[1] in literal.variables and literal != equality:
                    positive[place] &= literal.relation.startswith(TYPE)
                    negative[place] = False
    n_bindings = np.bincount(found.owner)
    return LiftedSchema(
        examples.action,
        effects,
        n_variables,
        tuple(literal for literal, kept in zip(literals, positive, strict=True) if kept),
        tuple(literal for literal, kept in zip(literals, negative, strict=True) if kept),
        int((n_bindings > 1).sum()),
        int((n_bindings > 0).sum()),
        constants=examples.constants,
    )


def _nats(shares: np.ndarray) -> np.ndarray:
    """``[2, L]`` -log of the chance that literals hold, or fail, for objects drawn at random."""
    chances = np.clip(shares, MIN_CHANCE, 1 - MIN_CHANCE)
    return -np.log([chances, 1 - chances])


def _never_violated(
    owner: np.ndarray, truth: Callable[[np.ndarray, np.ndarray], np.ndarray], nats: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Which literals hold (positive) and fail (negative) in every transition: ``[L]`` each.

    A transition with several bindings is given the one that keeps most, in nats. Those with few
    bindings are asked first, and the choice is repeated with what all of them left.

    Args:
        owner: ``[n]`` transition of each binding, ascending.
        truth: Called with the numbers of bindings and of literals; their truth is ``[n, L]``.
        nats: ``[2, L]`` what it says that a literal holds, and that it fails.
    """
    n_literals = nats.shape[1]
    if len(owner) == 0:  # nothing is known, so nothing can be claimed
        return np.zeros(n_literals, dtype=bool), np.zeros(n_literals, dtype=bool)
    first, sizes = runs(owner)
    single = truth(first[sizes == 1], np.arange(n_literals))
    alone = np.logical_and.reduce(single), ~np.logical_or.reduce(single)
    order = np.flatnonzero(sizes > 1)
    order = order[np.argsort(sizes[order], kind="stable")]
    if not len(order):
        return alone
    sizes = sizes[order]
    # What the steps with one binding violate is not looked at any more.
    columns = np.flatnonzero(alone[0] | alone[1])
    alone, nats = (alone[0][columns], alone[1][columns]), nats[:, columns]
    several = truth(ranges(first[order], sizes), columns)
    packed = _packed(several)
    start = np.cumsum(sizes) - sizes
    beginnings = [alone]
    if not len(single):  # any binding of the first transition may be the one that keeps most
        patterns = different_rows(several[: sizes[0]])[:MAX_BEGINNINGS]
        beginnings = [(pattern, ~pattern) for pattern in patterns]
    nats = np.rint(nats * PER_NAT).astype(np.int64)
    outcomes = [
        _one_after_another(several, packed, start, beginning, nats) for beginning in beginnings
    ]
    wanted = max(outcomes, key=lambda kept: nats[0] @ kept[0] + nats[1] @ kept[1])
    for _ in range(MAX_ROUNDS):
        check()
        best = several[_best(_score(packed, wanted, nats), start)]
        kept = alone[0] & best.all(0), alone[1] & ~best.any(0)
        if all((new == old).all() for new, old in zip(kept, wanted, strict=True)):
            break
        wanted = kept
    positive, negative = np.zeros((2, n_literals), dtype=bool)
    positive[columns], negative[columns] = kept
    return positive, negative


def _one_after_another(
    truth: np.ndarray,
    packed: np.ndarray,
    start: np.ndarray,
    wanted: tuple[np.ndarray, np.ndarray],
    nats: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """What is left of `wanted` when every transition in turn is given its best binding.

    Args:
        truth: ``[n, L]`` truth of the literals under the bindings, transition by transition.
        packed: The same as of `_score`.
        start: ``[m]`` the first binding of each transition.
        wanted: What should hold and what should fail: ``[L]`` each.
        nats: ``[2, L]`` what it says that a literal does.
    """
    positive, negative = wanted
    score = _score(packed, wanted, nats)
    ends = np.append(start[1:], len(truth))
    place = 0
    while place < len(start):
        check()
        # Most transitions lose nothing; look only at the first one that does.
        own = start[place : place + CHUNK]
        first = own[0]
        best = truth[first + _best(score[first : ends[place + len(own) - 1]], own - first)]
        loses = ((positive & ~best) | (negative & best)).any(1)
        if not loses.any():
            place += len(own)
            continue
        loser = int(loses.argmax())
        lost = positive & ~best[loser], negative & best[loser]
        positive, negative = positive & ~lost[0], negative & ~lost[1]
        place += loser + 1
        rest = ends[place - 1]
        score[rest:] -= _score(packed[:, rest:], lost, nats)
    return positive, negative


def _packed(truth: np.ndarray) -> np.ndarray:
    """``[L / 8, n]`` truth ``[n, L]`` of the literals, eight to a byte, the first the highest bit.

    As of `numpy.packbits`, which takes several times as long along columns.
    """
    rows = truth.T.view(np.uint8)
    packed = np.zeros((-(-len(rows) // 8), rows.shape[1]), dtype=np.uint8)
    for bit in range(8):
        own = rows[bit::8]
        packed[: len(own)] |= own << (7 - bit)
    return packed


def _score(
    packed: np.ndarray, wanted: tuple[np.ndarray, np.ndarray], nats: np.ndarray
) -> np.ndarray:
    """``[n]`` how far bindings agree with `wanted`; differences between them are what counts.

    `nats` are whole numbers, which add up alike in every order, so that equals are equal.

    Args:
        packed: Truth of the literals as of `_packed`.
        wanted: ``[L]`` what should hold and what should fail.
        nats: ``[2, L]`` what it says that a literal does.
    """
    weights = np.zeros(8 * len(packed), dtype=np.int64)
    weights[: nats.shape[1]] = wanted[0] * nats[0] - wanted[1] * nats[1]
    score = np.zeros(packed.shape[1], dtype=np.int64)
    for own, byte in zip(weights.reshape(-1, 8), packed, strict=True):
        if own.any():
            score += (BITS @ own)[byte]
    return score


def _best(score: np.ndarray, start: np.ndarray) -> np.ndarray:
    """``[m]`` the first of the bindings of each transition with the highest score."""
    # One number for score and place: the highest is the best and, among equals, the first.
    place = np.arange(len(score))
    combined = (score - score.min()) * len(score) + place[::-1]
    return len(score) - 1 - np.maximum.reduceat(combined, start) % len(score)
