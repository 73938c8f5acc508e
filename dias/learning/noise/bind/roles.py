"""What a lifted atom is to an action, told from how its two sightings came out.

Under the bindings of an action a lifted atom may be always true or never, left alone, added or
deleted; each of these gives the pairs of sightings a distribution of its own, once the rates are
known at which truths are lost and falsehoods invented. The role with the best likelihood wins;
free parameters and unlikely roles have to pay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dias.learning.noise.observations import N_PAIRS
from dias.limits import check

PAIRS_OF_TRUTH = ((False, False), (False, True), (True, False), (True, True))
"""What (before, after) really was, in the order of the pairs of sightings."""


class FlipRates(NamedTuple):
    """How often sightings of a relation are wrong.

    Attributes:
        lost: Share of the true atoms that are seen as false.
        invented: Share of the false atoms that are seen as true.
    """

    lost: float
    invented: float


@dataclass(frozen=True)
class Role:
    """One thing that an atom can be to an action.

    Attributes:
        name: What it is called.
        truths: The possible (before, after), as numbers into `PAIRS_OF_TRUTH`.
        adds, deletes: Whether it is an effect.
        requires: The truth before that the role asks for, None if it asks for none.
    """

    name: str
    truths: tuple[int, ...]
    adds: bool = False
    deletes: bool = False
    requires: bool | None = None


NEVER = Role("never", (0,), requires=False)
ALWAYS = Role("always", (3,), requires=True)
FREE = Role("free", (0, 3))
ADDED = Role("added", (1,), adds=True, requires=False)
ADDED_ANYWAY = Role("added anyway", (1, 3), adds=True)
DELETED = Role("deleted", (2,), deletes=True, requires=True)
DELETED_ANYWAY = Role("deleted anyway", (2, 0), deletes=True)
UNCLEAR = Role("unclear", (0, 1, 2, 3))
ROLES = (NEVER, ALWAYS, FREE, ADDED, ADDED_ANYWAY, DELETED, DELETED_ANYWAY, UNCLEAR)

SLIPS = 0.01
"""Share of the bindings that may be wrong; what they show is drawn from the background."""


SCATTER = 1.5
"""A literal may be seen wrong so many times as often as its relation."""

MIN_COUNT = 10
"""Sightings below which nothing is said about an atom."""

N_FIT = 30
"""Rounds of EM for the shares of a role's truths."""


def sightings(rates: FlipRates) -> np.ndarray:
    """``[4, 4]``: the distribution of the seen pair (columns) for each true one (rows)."""
    seen_true = (rates.invented, 1 - rates.lost)
    return np.array(
        [
            [
                (seen_true[before] if b else 1 - seen_true[before])
                * (seen_true[after] if a else 1 - seen_true[after])
                for b, a in PAIRS_OF_TRUTH
            ]
            for before, after in PAIRS_OF_TRUTH
        ]
    )


def distribution(role: Role, mixture: np.ndarray, rates: FlipRates) -> np.ndarray:
    """The distribution of the seen pair under a role: ``[4]``.

    Args:
        role: The role.
        mixture: ``[len(role.truths)]`` share of each possible truth.
        rates: The flip rates of the relation.
    """
    return np.asarray(mixture @ sightings(rates)[list(role.truths)])


class Judgement(NamedTuple):
    """The role of an atom, and the share of each of the role's possible truths."""

    role: Role
    mixture: np.ndarray


def judge(
    counts: np.ndarray,
    rates: Sequence[FlipRates],
    background: np.ndarray,
    allowed: Sequence[Sequence[Role]],
    cost: float,
) -> list[Judgement]:
    """The role of each of L atoms that explains best how its sightings came out.

    Args:
        counts: ``[L, 4]`` how often each pair was seen.
        rates: L flip rates, those of the relations.
        background: ``[L, 4]`` distribution of the pairs over all atoms of the relations.
        allowed: L times the roles that come into question.
        cost: Log odds against an effect, to be overcome.
    """
    log_n = np.log(np.maximum(counts.sum(1), 2.0))
    scores = np.full((len(ROLES), len(counts)), -np.inf)
    mixtures = []
    for place, role in enumerate(ROLES):
        mixture, scores[place] = _fit(role, counts, rates, background)
        if len(role.truths) == 1:
            # An effect that seems to hold already now and then may just be lost more often than
            # the relation as a whole: rates differ from state to state, too.
            coarser = [FlipRates(*(min(0.45, SCATTER * rate) for rate in own)) for own in rates]
            wider = _fit(role, counts, coarser, background)[1] - 0.5 * log_n
            scores[place] = np.maximum(scores[place], wider)
        scores[place] -= 0.5 * (len(role.truths) - 1) * log_n
        if role.adds or role.deletes:
            scores[place] -= cost
        elif role == UNCLEAR:  # leaves open whether it is an effect
            scores[place] -= cost / 2
        scores[place, [role not in own for own in allowed]] = -np.inf
        mixtures.append(mixture)
    unseen = counts.sum(1) < MIN_COUNT
    scores[ROLES.index(UNCLEAR), unseen & np.isfinite(scores[ROLES.index(UNCLEAR)])] = np.inf
    best = scores.argmax(0)
    return [Judgement(ROLES[b], mixtures[b][number]) for number, b in enumerate(best)]


def _fit(
    role: Role, counts: np.ndarray, rates: Sequence[FlipRates], background: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """A role's mixtures ``[L, T]`` that fit best, and their log likelihoods ``[L]``."""
    table = np.reshape([sightings(own) for own in rates], (-1, N_PAIRS, N_PAIRS))
    possible = table[:, list(role.truths)]
    n_truths = len(role.truths)
    mixture = np.full((len(counts), n_truths), 1 / n_truths)
    total = counts.sum(1, keepdims=True)
    was_seen = total[:, 0] > 0
    for _ in range(N_FIT if n_truths > 1 else 0):
        check()
        joint = mixture[:, :, None] * possible
        share = joint / joint.sum(1, keepdims=True)
        better = (share * counts[:, None]).sum(2)[was_seen] / total[was_seen]
        mixture[was_seen] = np.maximum(better, 1e-9)
    seen = (1 - SLIPS) * np.einsum("lt,ltp->lp", mixture, possible) + SLIPS * background
    return mixture, (counts * np.log(np.maximum(seen, 1e-12))).sum(1)
