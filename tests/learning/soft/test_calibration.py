"""How far sightings are to be believed, where it is known how wrong they are."""

from __future__ import annotations

import numpy as np
import pytest

from dias.learning.soft.calibration import Trust, believed, calibrate
from dias.learning.soft.messages import Messages
from dias.learning.soft.sightings import CERTAIN, lay_out
from tests.traces.files import read, step

N = 400


def planted(claimed, real, n=N):
    """A relation of many atoms in two states, its sightings, and what is known by everything else.

    Args:
        claimed: What is said of each atom that is seen true; the rest is seen false alike.
        real: The share of the sightings that are right.
        n: How many atoms there are.
    """
    pairs = [[f"(p o{i})", claimed if i % 2 else 1 - claimed] for i in range(n)]
    (sightings,) = lay_out(read(step(pairs, next=pairs), step(["(q o0)"], next=[])))
    says = sightings.log_odds > 0
    rng = np.random.default_rng(0)
    true = np.where(rng.random(says.shape) < real, says, ~says)
    known = np.clip(true.astype(float), 1e-4, 1 - 1e-4)
    half = np.full_like(known, 0.5)
    return sightings, Messages(known, half, half, half)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0, 4.0])
def test_a_planted_temperature_is_found(temperature):
    real = 0.75
    claimed = 1 / (1 + np.exp(-temperature * np.log(real / (1 - real))))
    sightings, messages = planted(float(claimed), real)
    found = calibrate([sightings], [messages])["p"]
    assert found.temperature == pytest.approx(temperature, rel=0.2)
    assert found.n_doubted == 2 * N
    odds = believed(sightings, {"p": found})[0, sightings.codes.of("p")]
    assert np.median(np.abs(odds)) == pytest.approx(np.log(3), rel=0.2)


def test_few_sightings_are_believed_as_they_are():
    sightings, messages = planted(0.99, 0.6, n=20)
    assert calibrate([sightings], [messages])["p"].temperature == 1


def test_certain_sightings_that_prove_wrong_are_believed_less():
    """A tenth of them is, of which three in four say that an atom is false."""
    sightings, messages = planted(1.0, 0.9)
    found = calibrate([sightings], [messages])["p"]
    assert found.n_doubted == 0
    assert found.n_against == pytest.approx(0.1 * found.n_certain, rel=0.2)
    lost, invented = 0.1 * 0.75 / (0.1 * 0.75 + 0.9 * 0.25), 0.1 * 0.25 / (0.9 * 0.75 + 0.1 * 0.25)
    assert found.true == pytest.approx(np.log((1 - lost) / invented), rel=0.2)
    assert found.false == pytest.approx(np.log((1 - invented) / lost), rel=0.2)
    odds = believed(sightings, {"p": found})[0, sightings.codes.of("p")]
    assert np.allclose(np.sort(np.abs(odds))[[0, -1]], sorted([found.true, found.false]), atol=1e-3)


def test_what_is_right_is_believed_as_it_is():
    sightings, messages = planted(1.0, 1.0)
    found = calibrate([sightings], [messages])["p"]
    assert (found.true, found.false) == pytest.approx((CERTAIN, CERTAIN), rel=0.01)
    assert believed(sightings, {"p": Trust()}) is sightings.log_odds
