"""Flip rates of the atoms that vary, relation by relation."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dias.learning.noise.bind.binding import BoundAction
from dias.learning.noise.bind.roles import ADDED, ALWAYS, DELETED, NEVER, FlipRates
from dias.learning.noise.observations import N_PAIRS, Observations
from dias.limits import check

MIN_RATE, MAX_RATE = 1e-3, 0.3
RATE_MARGIN = 1.2
"""The limits are estimates, too."""


def ceilings(seen: Observations, changes: dict[str, float]) -> dict[str, FlipRates]:
    """The largest rates that the disagreements between the two sightings of atoms allow.

    A sighting is wrong at most as often as all disagreements that no action explains.

    Args:
        seen: The observations, constant atoms put right.
        changes: Relation to the number of disagreements that effects explain.
    """
    totals = {relation: np.zeros(N_PAIRS) for relation in seen.arities}
    for relation, total in totals.items():
        for part in seen.varying(relation):
            total += np.bincount(part.ravel(), minlength=N_PAIRS)
    found = {}
    for relation, (n00, n01, n10, n11) in totals.items():
        # What an action changes is seen true once and false once, and says nothing here.
        explained = changes.get(relation, 0.0)
        unexplained = max(0.0, n01 + n10 - explained)
        n_true, n_false = 2 * n11 + unexplained, 2 * n00 + unexplained
        found[relation] = FlipRates(
            _rate(RATE_MARGIN * unexplained / max(n_true, 1)),
            _rate(RATE_MARGIN * unexplained / max(n_false, 1)),
        )
    return found


def _rate(value: float) -> float:
    return float(min(MAX_RATE, max(MIN_RATE, value)))


def halves(limits: dict[str, FlipRates]) -> dict[str, FlipRates]:
    """Half of the limits each: as many atoms lost as invented, the paper's noise."""
    return {r: FlipRates(_rate(x.lost / 2), _rate(x.invented / 2)) for r, x in limits.items()}


def measured(
    seen: Observations, actions: Iterable[BoundAction], limits: dict[str, FlipRates]
) -> dict[str, FlipRates]:
    """The rates at which literals of known truth were seen wrong, within the limits."""
    wrong = {relation: np.zeros(4) for relation in limits}  # lost, true, invented, false
    truth = {ALWAYS: (1, 1), NEVER: (0, 0), ADDED: (0, 1), DELETED: (1, 0)}
    for bound in actions:
        rows, bindings = bound.sure_bindings()
        for atom, verdict in bound.action.verdicts.items():
            check()
            if verdict.role not in truth:
                continue
            if verdict.role in (ADDED, DELETED):  # also where the binding rests on the effect
                n00, n01, n10, n11 = bound.counts[atom]
            else:
                varying = seen.is_varying(rows, bindings, atom)
                pairs = seen.look(rows[varying], bindings[varying], atom)
                n00, n01, n10, n11 = np.bincount(pairs, minlength=N_PAIRS)
            before, after = truth[verdict.role]
            for is_true, n_false_seen, n_true_seen in (
                (before, n00 + n01, n10 + n11),
                (after, n00 + n10, n01 + n11),
            ):
                if is_true:
                    wrong[atom.relation] += (n_false_seen, n_false_seen + n_true_seen, 0, 0)
                else:
                    wrong[atom.relation] += (0, 0, n_true_seen, n_false_seen + n_true_seen)
    found = {}
    for relation, (lost, true, invented, false) in wrong.items():
        limit = limits[relation]
        # Half of the limit is what is believed before anything was counted.
        found[relation] = FlipRates(
            min(limit.lost, _rate((lost + 20 * limit.lost / 2) / (true + 20))),
            min(limit.invented, _rate((invented + 20 * limit.invented / 2) / (false + 20))),
        )
    return found
