"""What the sampler says is not certain."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from dias.strips.problem import CodedProblem
from dias.traces.record import HALF
from dias.traces.sampling.noise import Noise
from dias.traces.sampling.sensor import Sensor, fluent_atoms
from tests.garden import GARDEN, PLOT
from tests.traces.sampling.test_noise import CODES, STATE, relation_of

N_DRAWS = 1000


def test_fluent_atoms_are_those_of_the_right_types_that_actions_change():
    problem = CodedProblem.of(PLOT, GARDEN)
    names = sorted(str(problem.codes.decode(code)) for code in fluent_atoms(GARDEN, problem))
    assert names and not any("pipe" in name for name in names)
    wet = {name for name in names if name.startswith("(wet")}
    assert wet == {f"(wet {o})" for o, kind in PLOT.objects.items() if kind == "bed"}


@pytest.fixture(scope="module")
def doubts():
    """Truth, sighting and probability of the atoms that are not certain, in many states."""
    noise = Noise(CODES, 4, np.random.default_rng(0))
    sensor = Sensor(CODES, np.array([], np.int64), 0, noise, np.random.default_rng(1))
    found = []
    for place in range(N_DRAWS):
        seen = noise(STATE)
        soft = {CODES.encode(atom): p for atom, p in sensor(STATE, seen, 0, place)}
        assert STATE ^ seen <= soft.keys()
        found += [(code, code in STATE, code in seen, p) for code, p in soft.items()]
    return found


def test_the_likelier_half_is_what_is_seen(doubts):
    assert all((p > HALF) == is_seen for _, _, is_seen, p in doubts)


@pytest.mark.parametrize("relation", ["p", "q"])
def test_the_probabilities_are_true(doubts, relation):
    own = [(p, is_true) for code, is_true, _, p in doubts if relation_of(code) == relation]
    for low, high in pairwise((0.1, 0.3, 0.5, 0.7, 0.9)):
        part = np.array([(p, is_true) for p, is_true in own if low < p <= high])
        assert len(part) > 100
        assert part[:, 1].mean() == pytest.approx(part[:, 0].mean(), abs=0.07)


def test_the_noise_is_not_disturbed():
    plain, watched = (Noise(CODES, 2, np.random.default_rng(3)) for _ in range(2))
    sensor = Sensor(CODES, np.array([], np.int64), 0, watched, np.random.default_rng(4))
    for place in range(50):
        seen = watched(STATE)
        sensor(STATE, seen, 0, place)
        assert plain(STATE) == seen


def test_a_share_of_the_atoms_is_unknown_the_same_before_and_after():
    fluents = np.arange(CODES.offset["q"], CODES.offset["q"] + 60)
    sensor = Sensor(CODES, fluents, 0.3, None, np.random.default_rng(0))
    n = 0
    for place in range(200):
        one, other = sensor(STATE, STATE, 0, place + 1), sensor(STATE, STATE, 0, place + 1)
        assert one == other and {p for _, p in one} <= {HALF}
        sensor(STATE, STATE, 0, place + 2)
        n += len(one)
    assert n / 200 == pytest.approx(18, abs=1)
    assert sensor(STATE, STATE, 1, 5) != sensor(STATE, STATE, 0, 6)
