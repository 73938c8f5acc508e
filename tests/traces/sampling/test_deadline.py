"""Sampling ends early enough for its steps to be written."""

from __future__ import annotations

import random

import pytest

from dias.limits import OutOfTimeError
from dias.traces.sampling import deadline as module
from dias.traces.sampling.deadline import TRIAL_EVERY, Deadline
from dias.traces.sampling.sample import sample_traces
from dias.traces.sampling.samples import STRATEGIES, SamplingConfig
from tests.garden import GARDEN, PLOT


class Clock:
    """Each look at it takes `tick` seconds, and so may other work."""

    def __init__(self, tick=0.0):
        self.now, self.tick = 0.0, tick

    def __call__(self):
        self.now += self.tick
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(module, "perf_counter", clock)
    return clock


def passes(deadline):
    try:
        deadline.check()
    except OutOfTimeError:
        return False
    return True


def test_without_steps_it_is_the_end(clock):
    deadline = Deadline(10, lambda problem, step: None)
    clock.now = 9.9
    assert passes(deadline)
    clock.now = 10
    assert not passes(deadline)


def test_time_for_writing_is_kept_back(clock):
    """Writing a step takes 0.1 s, the first one 5 s more, which come once."""
    written = []

    def write(problem, step):
        clock.now += 0.1 if written else 5.1
        written.append(step)

    deadline = Deadline(100, write)
    for step in range(5 * TRIAL_EVERY):
        deadline.kept(PLOT, step)
    assert written == [0, TRIAL_EVERY, 2 * TRIAL_EVERY, 3 * TRIAL_EVERY, 4 * TRIAL_EVERY]
    to_write = 4 * TRIAL_EVERY * 0.1
    clock.now = 100 - to_write - 0.01
    assert passes(deadline)
    clock.now = 100 - to_write + 0.01
    assert not passes(deadline)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_is_sampled_by_then_is_kept(strategy, clock):
    """As if the walk had been shorter: what is there is the beginning of what there would be."""
    config = SamplingConfig(500, 500, strategy)

    def sampled(deadline=None):
        [splits] = sample_traces(
            GARDEN, [PLOT], [config, config], random.Random(3), deadline=deadline
        )
        return splits

    whole, _ = sampled()
    clock.tick = 1
    first, second = sampled(Deadline(120, lambda problem, step: None))
    assert 10 < len(first.steps) < 120
    assert first.steps == whole.steps[: len(first.steps)]
    assert first.is_out_of_time and not whole.is_out_of_time
    assert (second.steps, second.is_out_of_time) == ([], True)
    assert sum(first.counts.values()) == len(first.steps)
    assert not first.visited.is_all


def test_problems_whose_turn_never_comes(clock):
    clock.tick = 1
    both = sample_traces(
        GARDEN, [PLOT, PLOT], [SamplingConfig(500)], random.Random(0),
        deadline=Deadline(100, lambda problem, step: None),
    )  # fmt: skip
    [[first], [second]] = both
    assert len(first.steps) > 5
    assert (second.steps, second.visited.n_states, second.is_out_of_time) == ([], 0, True)


def test_grounding_ends_with_the_time(clock):
    clock.tick = 1
    [[sample]] = sample_traces(
        GARDEN, [PLOT], [SamplingConfig(5)], random.Random(0), engine="pyperplan",
        deadline=Deadline(3, lambda problem, step: None),
    )  # fmt: skip
    assert (sample.visited.n_states, sample.is_out_of_time, clock.now) == (0, True, 3)
