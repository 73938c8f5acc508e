"""What the sightings of each literal say about a binding.

A pair of sightings speaks for a binding as far as it is likelier under the role of a literal than
among the atoms that the action leaves alone.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dias.learning.noise.bind.roles import FREE, SLIPS, UNCLEAR, FlipRates, Judgement, distribution
from dias.learning.noise.observations import N_PAIRS, Observations
from dias.learning.schema import LiftedAtom
from dias.limits import check

MIN_SHARE = 1e-5
"""Share of the atoms of a relation that every pair is seen of, at least."""

MIN_INFORMATION = 0.1
"""Nats that a literal must tell about a binding to be asked."""


def total_pairs(seen: Observations, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Relation to how often each pair was seen of its atoms in some transitions: ``[4]``."""
    totals = {relation: np.zeros(N_PAIRS) for relation in seen.arities}
    for row in rows:
        check()
        for relation, total in totals.items():
            own = seen.of(row)[seen.examples[row].codes.of(relation)]
            total += np.bincount(own, minlength=N_PAIRS)
    return totals


def background(
    totals: Mapping[str, np.ndarray], verdicts: Mapping[LiftedAtom, Judgement], n: int
) -> dict[str, np.ndarray]:
    """Relation to the distribution of pairs over the atoms that an action leaves alone.

    Args:
        totals: Relation to how often each pair was seen.
        verdicts: Lifted atom to its role in the action.
        n: Transitions that were counted.
    """
    found = {relation: total.copy() for relation, total in totals.items()}
    for atom, verdict in verdicts.items():
        if verdict.role.adds or verdict.role.deletes:
            shares = np.zeros(N_PAIRS)
            shares[list(verdict.role.truths)] = verdict.mixture
            found[atom.relation] -= n * shares
    for relation, counts in found.items():
        at_least = np.maximum(counts, MIN_SHARE * counts.sum() + 0.5)
        found[relation] = at_least / at_least.sum()
    return found


def weights(
    verdicts: Mapping[LiftedAtom, Judgement],
    rates: Mapping[str, FlipRates],
    usual: Mapping[str, np.ndarray],
) -> dict[LiftedAtom, np.ndarray]:
    """What each pair says about a binding, for the literals that say enough.

    Args:
        verdicts: Lifted atom to its role in the action.
        rates: Relation to its flip rates.
        usual: What `background` gives.

    Returns:
        Lifted atom to the log likelihood ratio of each pair: ``[4]``.
    """
    found = {}
    for atom, verdict in verdicts.items():
        if verdict.role in (FREE, UNCLEAR):
            continue
        expected = distribution(verdict.role, verdict.mixture, rates[atom.relation])
        expected = (1 - SLIPS) * expected + SLIPS * usual[atom.relation]
        ratio = np.log(expected / usual[atom.relation])
        if float(expected @ ratio) > MIN_INFORMATION:
            found[atom] = ratio
    return found


def largest_fall(
    verdicts: Mapping[LiftedAtom, Judgement], asked: Mapping[LiftedAtom, np.ndarray]
) -> float:
    """Nats that one wrong sighting of an atom can cost a transition, and one more.

    If it made the transition an outlier, an atom that tells most about the bindings would never be
    seen wrong, and its flip rate would come out near 0.
    """
    falls = [
        table[truth] - table[truth ^ flip]
        for atom, table in asked.items()
        for truth in verdicts[atom].role.truths
        for flip in (1, 2)
    ]
    return 1 + max(falls, default=0.0)
