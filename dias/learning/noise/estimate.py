"""How much noise there is, and which transitions it does not account for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dias.learning.noise.bind.binding import ActionRoles, BoundAction
from dias.learning.noise.bind.rebind import background, literal_weights, rank_bindings
from dias.learning.noise.bind.roles import SLIPS, FlipRates
from dias.learning.noise.constants import RelationNoise
from dias.learning.noise.dispersion import MAX_DISPERSION
from dias.learning.noise.feigned import unaccounted
from dias.learning.noise.observations import Observations
from dias.learning.noise.rates import MIN_RATE

MAX_MISNAMED = 0.1
"""Share of the transitions that may bear the name of another action."""

MAX_MISS_RATIO, MAX_Z = 1.5, 4.0
"""An effect fails too often if it does so more often than its relation's flip rate times
`MAX_MISS_RATIO` says, by `MAX_Z` standard deviations."""

MAX_SURPLUS = 0.3
"""Changes per step by which additions of a relation may exceed deletions, or the reverse. The
paper's noise is not quite the same before and after a step that makes a small relation smaller."""

MARGIN = math.log(100)
"""Nats by which another action must be likelier than noise alone to be taken for the real one."""

MAX_RATIO = 10.0
"""Times as often as any other relation that one may be seen wrong. In the paper's noise, which hits
the rarer value of each relation alike, the ratio of the first to the second is below 3."""

MIN_FLIPS = 0.02
"""Flips per transition below which transitions are taken as exact."""

WIDTH = 12
"""Partial bindings kept per transition in the last check."""


@dataclass(frozen=True)
class NoiseEstimate:
    """The noise in the traces, as far as the learned schemas and the constant atoms show it.

    Attributes:
        flips: Expected number of wrong sightings of atoms per transition, s and s′ together.
        relations: Relation to the share of its true atoms that are not seen and of its false
            atoms that are seen; only relations that noise touches.
        n_misnamed: Transitions that their own action does not explain, but another one does.
        n_tolerated: Transitions that may stay unexplained on account of this noise.
        alarms: Relations that are seen wrong out of all proportion to the others: what confuses
            objects, or an effect that is missing, passes for noise.
        dispersion: Variance over mean of the number of wrong atoms in a step
            (`dias.learning.noise.dispersion`).
    """

    flips: float
    relations: Mapping[str, FlipRates]
    n_misnamed: int
    n_tolerated: int
    alarms: tuple[str, ...] = ()
    dispersion: float = 1.0

    @property
    def come_together(self) -> bool:
        """Whether wrong atoms come together as they do not by chance."""
        return self.is_any and self.dispersion > MAX_DISPERSION

    @property
    def is_any(self) -> bool:
        """Whether there is noise worth the name."""
        return self.flips >= MIN_FLIPS or self.n_misnamed > 0


class NoisyModel(NamedTuple):
    """What the chance of a transition is computed from.

    Attributes:
        actions: Action to its literals.
        rates: Relation to the flip rates of the atoms that vary.
        totals: Action and relation to how often each pair was seen.
    """

    actions: Mapping[str, ActionRoles]
    rates: Mapping[str, FlipRates]
    totals: Mapping[str, Mapping[str, np.ndarray]]


def tolerated(n_transitions: int, n_misnamed: int) -> int:
    """Transitions that may stay unexplained.

    Those with wrong names, as long as they are few, and the share of slips that the likelihoods
    allow for.
    """
    misnamed = n_misnamed if n_misnamed <= MAX_MISNAMED * n_transitions else 0
    return misnamed + round(SLIPS * n_transitions)


def n_contradicted(bound: BoundAction, model: NoisyModel, n_transitions: int) -> int:
    """Transitions of an action that contradict its effects more often than noise accounts for.

    Effects may fail too often (those of an action with two outcomes do), or atoms may be seen to
    become true more often than false beyond them, which noise does about equally often.
    """
    left = unaccounted(bound, model.totals[bound.action.name])
    worst = 0.0
    for atom, verdict in bound.action.verdicts.items():
        counts, rates = bound.counts[atom], model.rates[atom.relation]
        if verdict.role.adds:
            wrong, rate = counts[0] + counts[2], rates.lost
        elif verdict.role.deletes:
            wrong, rate = counts[1] + counts[3], rates.invented
        else:
            continue
        n = counts.sum()
        expected = n * (MAX_MISS_RATIO * rate + SLIPS)
        if wrong > expected + MAX_Z * max(1.0, expected) ** 0.5:
            worst = max(worst, (wrong - n * rate) / n)
    n_rows = len(bound.action.rows)
    for added, deleted in left.values():
        surplus = abs(added - deleted)
        if surplus > MAX_SURPLUS * n_rows + MAX_Z * max(1.0, added + deleted) ** 0.5:
            worst = max(worst, surplus / n_rows)
    return min(n_transitions, round(worst * n_transitions))


def estimate_flips(
    seen: Observations, constants: Mapping[str, RelationNoise], rates: Mapping[str, FlipRates]
) -> tuple[float, dict[str, FlipRates], tuple[str, ...]]:
    """Flips per transition, the overall rates of each relation, and which are out of proportion."""
    total, relations, shares = 0.0, {}, {}
    for relation, noise in constants.items():
        n_true, n_false = _varying(seen, relation)
        lost, invented = (0.0 if rate <= MIN_RATE else rate for rate in rates[relation])
        # Sightings of true atoms, after what was lost and invented is taken back.
        really = min(
            n_true + n_false,
            max(0.0, (n_true - invented * (n_true + n_false)) / (1 - lost - invented)),
        )
        not_really = n_true + n_false - really
        n_lost = noise.n_lost + lost * really
        n_invented = noise.n_invented + invented * not_really
        if noise.n_varying:
            n_rarer = min(noise.n_true + really, noise.n_false + not_really)
            shares[relation] = max(MIN_RATE, (n_lost + n_invented) / max(1.0, n_rarer))
        if n_lost + n_invented < 0.5:
            continue
        total += n_lost + n_invented
        relations[relation] = FlipRates(
            n_lost / max(1.0, noise.n_true + really),
            n_invented / max(1.0, noise.n_false + not_really),
        )
    return total / len(seen.examples), relations, _out_of_proportion(shares)


def _out_of_proportion(shares: Mapping[str, float]) -> tuple[str, ...]:
    """The relation that is seen wrong `MAX_RATIO` times as often as any other, if there is one."""
    *others, most = sorted(shares, key=lambda relation: shares[relation]) or ("",)
    is_far = bool(others) and shares[most] >= MAX_RATIO * shares[others[-1]]
    return (most,) if is_far else ()


def _varying(seen: Observations, relation: str) -> tuple[int, int]:
    """True and false sightings of the relation's atoms that vary."""
    n_true = n_false = 0
    for own in seen.varying(relation):
        true = int((own & 1).sum() + (own >> 1).sum())
        n_true += true
        n_false += 2 * own.size - true
    return n_true, n_false


def explained(seen: Observations, model: NoisyModel) -> tuple[dict[str, np.ndarray], int]:
    """Which transitions of each action its schema explains, and how many another one does.

    A transition is explained if what was seen is likelier when the action happened, under its
    likeliest bindings, than by noise alone.
    """
    found: dict[str, np.ndarray] = {}
    n_misnamed = 0
    for name, rows in seen.actions.items():
        found[name] = _evidence(seen, rows, name, model) > 0
        left = rows[~found[name]]
        elsewhere = np.zeros(len(left), dtype=bool)
        for other, action in model.actions.items():
            if other != name and len(left) and not action.n_given:
                elsewhere |= _evidence(seen, left, other, model) > MARGIN
        n_misnamed += int(elsewhere.sum())
    return found, n_misnamed


def _evidence(seen: Observations, rows: np.ndarray, name: str, model: NoisyModel) -> np.ndarray:
    """Log of how much likelier the transitions are if the action happened: ``[n]``."""
    action = model.actions[name]
    usual = background(model.totals[name], action.verdicts, len(action.rows))
    literals = {
        atom: table
        for atom, table in literal_weights(action.verdicts, model.rates, usual).items()
        if atom.relation in seen.arities  # other traces may lack a predicate
    }
    ranked = rank_bindings(seen, rows, literals, action.n_variables, action.n_given, WIDTH)
    return ranked.evidence(seen.n_objects, action.n_given)
