from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from dias.strips.codes import AtomCodes
from dias.traces.record import LabelMode
from dias.traces.sampling.noise import Noise
from dias.traces.sampling.sample import sample_traces, trace_block
from dias.traces.sampling.samples import SamplingConfig
from tests.garden import GARDEN, PLOT

CODES = AtomCodes({"p": 1, "q": 2, "on": 0, "full": 1}, [f"o{i}" for i in range(8)])
STATE = frozenset(
    [CODES.offset["p"] + i for i in range(3)]
    + [CODES.offset["q"] + 9 * i for i in range(6)]
    + [CODES.offset["full"] + i for i in range(8)]
)
N_DRAWS = 4000


def relation_of(code):
    return CODES.split(code)[0]


def flips(amount, seed=0, n_draws=N_DRAWS):
    """(relation, was it true) of every flip, over transitions of two states each."""
    noise = Noise(CODES, amount, np.random.default_rng(seed))
    changed = []
    for _ in range(2 * n_draws):
        observed = noise(STATE)
        changed += [(relation_of(code), code in STATE) for code in observed ^ STATE]
    return changed


seen_flips = cache(flips)


@pytest.mark.parametrize("amount", [1, 2, 4, 8])
def test_expected_flips_per_transition(amount):
    assert len(seen_flips(amount)) / N_DRAWS == pytest.approx(amount, rel=0.04)


def test_additions_and_removals_balance_within_each_relation():
    changed = seen_flips(4)
    for relation in ("p", "q"):
        removed = changed.count((relation, True))
        assert removed / changed.count((relation, False)) == pytest.approx(1, abs=0.08)


def test_relations_are_weighted_by_the_rarer_truth_value():
    changed = seen_flips(4)
    # p: 3 of 8 true, q: 6 of 64 true; weights 3 and 6.
    p, q = (sum(relation == name for relation, _ in changed) for name in ("p", "q"))
    assert q / p == pytest.approx(2, rel=0.08)


def test_a_relation_that_is_mostly_true_is_weighted_by_its_false_atoms():
    codes = AtomCodes({"dense": 1, "sparse": 1}, [f"o{i}" for i in range(10)])
    state = frozenset({*range(9), *(codes.offset["sparse"] + i for i in range(3))})
    noise = Noise(codes, 2, np.random.default_rng(0))
    changed = [codes.split(code)[0] for _ in range(6000) for code in noise(state) ^ state]
    # dense: 1 of 10 false, sparse: 3 of 10 true; weights 1 and 3.
    assert changed.count("sparse") / changed.count("dense") == pytest.approx(3, rel=0.08)


def test_a_relation_that_never_flips_before_others_that_do():
    codes = AtomCodes({"full": 1, "half": 1}, [f"o{i}" for i in range(8)])
    state = frozenset({*range(8), *(codes.offset["half"] + i for i in range(4))})
    noise = Noise(codes, 4, np.random.default_rng(0))
    changed = [codes.split(code)[0] for _ in range(200) for code in noise(state) ^ state]
    assert set(changed) == {"half"} and len(changed) > 200


def test_what_is_always_true_or_always_false_never_flips():
    assert {relation for relation, _ in seen_flips(8)} == {"p", "q"}


def test_no_noise_changes_nothing():
    assert flips(0) == []
    nothing = AtomCodes({"full": 1}, ["a"])
    assert Noise(nothing, 5, np.random.default_rng(0))(frozenset({0})) == frozenset({0})


def test_same_seed_same_flips():
    first, again, other = (flips(2, seed, 400) for seed in (3, 3, 4))
    assert first == again != other
    assert len(first) > 400


def test_negative_amount_is_refused():
    with pytest.raises(ValueError, match="negative"):
        Noise(CODES, -1, np.random.default_rng(0))


def test_what_is_observed_may_hold_of_objects_of_any_type_and_nothing_is_static():
    ((sample,),) = sample_traces(GARDEN, [PLOT], [SamplingConfig(2, 3)], random.Random(0))
    plain, _ = trace_block(GARDEN, sample, LabelMode.NAMES)
    header, steps = trace_block(GARDEN, sample, LabelMode.NAMES, noise=lambda _: frozenset())
    assert plain["static"] and not header["static"]
    assert header["predicates"] == {
        name: ["object"] * len(types) for name, types in plain["predicates"].items()
    }
    assert [(step.state, step.next_state) for step in steps] == (
        [(frozenset(), frozenset())] * len(sample.steps)
    )
