"""What a lifted atom is to an action, told from how its two sightings came out.

Under the bindings of an action a lifted atom may be always true or never, left alone, added or
deleted; each of these gives the pairs of sightings a distribution of its own, once the rates are
known at which truths are lost and falsehoods invented. The role with the best likelihood wins;
free parameters and unlikely roles have to pay.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

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


class Verdict(NamedTuple):
    """The role that explains the counts best, and with which mixture."""

    role: Role
    mixture: np.ndarray
    score: float


def judge(
    counts: np.ndarray,
    rates: FlipRates,
    background: np.ndarray,
    roles: Sequence[Role],
    cost: float,
) -> Verdict:
    """The best role of an atom.

    Args:
        counts: ``[4]`` how often each pair was seen.
        rates: The flip rates of the relation.
        background: ``[4]`` distribution of the pairs over all atoms of the relation.
        roles: The roles that come into question.
        cost: Log odds against an effect, to be overcome.
    """
    table = sightings(rates)
    n = max(counts.sum(), 2.0)
    best = None
    for role in roles:
        mixture = _fit(counts, table[list(role.truths)])
        seen = (1 - SLIPS) * mixture @ table[list(role.truths)] + SLIPS * background
        score = float(counts @ np.log(np.maximum(seen, 1e-12)))
        score -= 0.5 * (len(role.truths) - 1) * math.log(n)
        score -= cost * (role.adds or role.deletes)
        if best is None or score > best.score:
            best = Verdict(role, mixture, score)
    assert best is not None
    return best


def _fit(counts: np.ndarray, table: np.ndarray) -> np.ndarray:
    """The mixture of the rows of `table` that makes `counts` likeliest, by EM."""
    mixture = np.full(len(table), 1 / len(table))
    if len(table) == 1 or counts.sum() == 0:
        return mixture
    for _ in range(30):
        joint = mixture[:, None] * table
        share = joint / joint.sum(0)
        mixture = (share * counts).sum(1) / counts.sum()
    return mixture
