"""What a lifted atom is to an action, told from how its two sightings came out.

Under the bindings of an action a lifted atom may be always true or never, left alone, added or
deleted; each of these gives the pairs of sightings a distribution of its own, once the rates are
known at which truths are lost and falsehoods invented. The role with the best likelihood wins;
free parameters and unlikely roles have to pay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dias.learning.noise.observations import N_PAIRS
from dias.limits import check


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
        truths: The possible (before, after), numbered as pairs of sightings.
        adds, deletes: Whether it is an effect.
        requires: The truth before that the role asks for, None if it asks for none.
    """

    name: str
    truths: tuple[int, ...]
    adds: bool = False
    deletes: bool = False
    requires: bool | None = None

    @property
    def is_effect(self) -> bool:
        """Whether it is one."""
        return self.adds or self.deletes

    @property
    def pair(self) -> int:
        """The pair in which an effect shows a change."""
        return 1 if self.adds else 2


NEVER = Role("never", (0,), requires=False)
ALWAYS = Role("always", (3,), requires=True)
FREE = Role("free", (0, 3))
ADDED = Role("added", (1,), adds=True, requires=False)
ADDED_ANYWAY = Role("added anyway", (1, 3), adds=True)
DELETED = Role("deleted", (2,), deletes=True, requires=True)
DELETED_ANYWAY = Role("deleted anyway", (2, 0), deletes=True)
UNCLEAR = Role("unclear", (0, 1, 2, 3))
ROLES = (NEVER, ALWAYS, FREE, ADDED, ADDED_ANYWAY, DELETED, DELETED_ANYWAY, UNCLEAR)
CERTAIN, MIXED = (NEVER, ALWAYS, ADDED, DELETED), (FREE, ADDED_ANYWAY, DELETED_ANYWAY)
"""Those of one truth, and of two."""

SLIPS = 0.01
"""Share of the bindings that may be wrong; what they show is drawn from the background."""


SCATTER = 1.5
"""A literal may be seen wrong so many times as often as its relation."""

MIN_COUNT = 10
"""Sightings below which nothing is said about an atom."""

N_FIT = 30
"""Rounds of EM for the shares of a role's truths."""


@lru_cache(maxsize=256)
def sightings(rates: FlipRates) -> np.ndarray:
    """``[4, 4]``: the distribution of the seen pair (columns) for each true one (rows)."""
    seen_true = np.array([rates.invented, 1 - rates.lost])
    of_one = np.stack([1 - seen_true, seen_true], 1)  # [truth, sighting]
    return np.kron(of_one, of_one)


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
        background: ``[L, 4]`` distribution of the pairs over the atoms that are no literals here.
        allowed: L times the roles that come into question.
        cost: Log odds against an effect, to be overcome.
    """
    log_n = np.log(np.maximum(counts.sum(1), 2.0))
    # An effect that seems to hold already now and then may just be lost more often than the
    # relation as a whole: rates differ from state to state, too.
    coarser = [FlipRates(*(min(0.45, SCATTER * rate) for rate in own)) for own in rates]
    seen, seen_coarsely = (
        np.reshape([sightings(rate) for rate in own], (-1, N_PAIRS, N_PAIRS))
        for own in (rates, coarser)
    )
    scores = np.full((len(ROLES), len(counts)), -np.inf)
    mixtures: dict[Role, np.ndarray] = {}
    for roles in (CERTAIN, MIXED, (UNCLEAR,)):
        places = [ROLES.index(role) for role in roles]
        own, scores[places] = _fit(roles, counts, seen, background)
        mixtures |= zip(roles, own, strict=True)
        if roles is CERTAIN:
            wider = _fit(roles, counts, seen_coarsely, background)[1] - 0.5 * log_n
            scores[places] = np.maximum(scores[places], wider)
    for place, role in enumerate(ROLES):
        scores[place] -= 0.5 * (len(role.truths) - 1) * log_n
        if role.is_effect:
            scores[place] -= cost
        elif role == UNCLEAR:  # leaves open whether it is an effect
            scores[place] -= cost / 2
        scores[place, [role not in own for own in allowed]] = -np.inf
    unseen = counts.sum(1) < MIN_COUNT
    scores[ROLES.index(UNCLEAR), unseen & np.isfinite(scores[ROLES.index(UNCLEAR)])] = np.inf
    best = [ROLES[place] for place in scores.argmax(0)]
    return [Judgement(role, mixtures[role][number]) for number, role in enumerate(best)]


def _fit(
    roles: Sequence[Role], counts: np.ndarray, table: np.ndarray, background: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The mixtures ``[R, L, T]`` of R roles that fit best, and their log likelihoods ``[R, L]``.

    Each role has T truths; `table` are the `sightings` of each atom: ``[L, 4, 4]``.
    """
    possible = np.stack([table[:, list(role.truths)] for role in roles])
    n_truths = possible.shape[2]
    mixture = np.full(possible.shape[:3], 1 / n_truths)
    was_seen = counts.any(1)
    fitted, own, n_own = mixture[:, was_seen], possible[:, was_seen], counts[was_seen, None]
    total = n_own.sum(2)
    for _ in range(N_FIT if n_truths > 1 else 0):
        check()
        share = fitted[..., None] * own
        share /= share.sum(2, keepdims=True)
        share *= n_own
        fitted = np.maximum(share.sum(3) / total, 1e-9)
    mixture[:, was_seen] = fitted
    seen = (1 - SLIPS) * np.einsum("rlt,rltp->rlp", mixture, possible) + SLIPS * background
    return mixture, (counts * np.log(np.maximum(seen, 1e-12))).sum(2)
