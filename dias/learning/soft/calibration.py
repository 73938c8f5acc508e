"""How far sightings are to be believed, relation by relation.

What all other sightings say of an atom, along the walk and through what the steps do, is compared
with what is seen of it. Log odds that are given are divided by a temperature: above 1 they claim
more than they know. What is said to be certain has the log odds at which it proves right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from dias.learning.soft.messages import Messages
from dias.learning.soft.sightings import CERTAIN, Sightings

TEMPERATURES = tuple(float(t) for t in np.geomspace(0.25, 8, 21))
"""Those that are tried; 1 is among them."""

MIN_SIGHTINGS = 50
"""Sightings of a relation that are not certain, below which they are believed as they are."""


class Trust(NamedTuple):
    """What the sightings of a relation are worth.

    Attributes:
        temperature: What log odds are divided by.
        true, false: Log odds that an atom is what a certain sighting says.
        n_doubted: Sightings that are not certain, nor unknown.
        n_certain: Sightings that are.
        n_against: Of these, about how many everything else contradicts.
    """

    temperature: float = 1.0
    true: float = CERTAIN
    false: float = CERTAIN
    n_doubted: int = 0
    n_certain: int = 0
    n_against: float = 0.0


def believed(sightings: Sightings, trust: Mapping[str, Trust]) -> np.ndarray:
    """``[R, C]`` the log odds of the sightings, as far as they are to be believed."""
    if all(own[:3] == Trust()[:3] for own in trust.values()):
        return sightings.log_odds
    found = np.zeros_like(sightings.firm)
    for relation, own in trust.items():
        codes = sightings.codes.of(relation)
        firm = sightings.firm[:, codes]
        scale = np.where(firm > 0, own.true, own.false) / CERTAIN
        found[:, codes] = firm * scale + sightings.doubted[:, codes] / own.temperature
    return found


def calibrate(sightings: Sequence[Sightings], messages: Sequence[Messages]) -> dict[str, Trust]:
    """How far each relation's sightings are to be believed.

    Args:
        sightings: What was seen, per segment.
        messages: What is known of the atoms there.
    """
    firm, doubted = [own.firm for own in sightings], [own.doubted for own in sightings]
    known = [own.others() for own in messages]

    def of(relation: str, tables: Sequence[np.ndarray]) -> np.ndarray:
        parts = zip(tables, sightings, strict=True)
        return np.concatenate([table[:, own.codes.of(relation)].ravel() for table, own in parts])

    return {
        name: _of_relation(of(name, firm), of(name, doubted), of(name, known))
        for name in sightings[0].codes.arities
    }


def _of_relation(firm: np.ndarray, doubted: np.ndarray, known: np.ndarray) -> Trust:
    """Of ``[n]`` log odds of both kinds, and the probabilities by everything else."""
    is_firm, is_doubted = (firm != 0) & (doubted == 0), (doubted != 0) & (firm == 0)
    seen, true = firm[is_firm] > 0, known[is_firm]
    # One that is wrong is added, and one that is right: little is known of few.
    lost, n_true = float(true[~seen].sum()), float(true.sum()) + 2
    invented, n_false = float((1 - true[seen]).sum()), float((1 - true).sum()) + 2
    rates = [min(0.5, max(1e-3, own)) for own in (lost / n_true, invented / n_false)]
    temperature = 1.0
    if is_doubted.sum() >= MIN_SIGHTINGS:
        own, q = doubted[is_doubted], known[is_doubted]

        def likelihood(value: float) -> float:
            p = 1 / (1 + np.exp(-own / value))
            return float(np.log(q * p + (1 - q) * (1 - p)).sum())

        temperature = max(TEMPERATURES, key=likelihood)
    return Trust(
        temperature,
        float(min(CERTAIN, np.log((1 - rates[0]) / rates[1]))),
        float(min(CERTAIN, np.log((1 - rates[1]) / rates[0]))),
        int(is_doubted.sum()),
        int(is_firm.sum()),
        lost + invented,
    )
