from __future__ import annotations

import random
from dataclasses import replace

import pytest

from benchmarks.generate import DOMAINS
from dias.strips.model import ActionSchema, Atom, Parameter
from dias.strips.pddl.reader import read_domain, read_problem
from dias.traces.sampling import walk
from dias.traces.sampling.sample import sample_traces
from dias.traces.sampling.samples import STRATEGIES, SamplingConfig
from dias.traces.sampling.walk import EXPLORERS


def samples(name, config, seed=0, validation=None):
    domain = read_domain(DOMAINS / name / "domain.pddl")
    problem = read_problem(DOMAINS / name / "p01.pddl", domain)
    splits = [config] if validation is None else [config, validation]
    return domain, next(iter(sample_traces(domain, [problem], splits, random.Random(seed))))


def n_states(sample):
    return len({step.state for step in sample.steps})


def test_every_strategy_has_an_explorer():
    assert set(STRATEGIES) == set(EXPLORERS)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_limits_hold(strategy):
    domain, [sample] = samples("sokoban", SamplingConfig(20, 30, strategy))
    assert not sample.missing(domain, SamplingConfig(20, 30))
    assert max(sample.counts.values()) <= 30
    assert len(sample.steps) == sum(sample.counts.values())


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_same_seed_same_steps(strategy):
    config = SamplingConfig(30, 60, strategy)
    assert samples("gripper", config, 5)[1][0].steps == samples("gripper", config, 5)[1][0].steps


def test_novelty_sees_more_states_than_the_balanced_walk():
    seen = {
        strategy: sum(
            n_states(samples("hanoi", SamplingConfig(300, 300, strategy), seed)[1][0])
            for seed in range(3)
        )
        for strategy in ("walk", "novelty")
    }
    assert seen["novelty"] > 1.5 * seen["walk"]


def test_breadth_first_takes_all_successors_of_each_state():
    _, [sample] = samples("hanoi", SamplingConfig(3000, 3000, "bfs"))
    # 6 discs: 729 states. The three with all discs on one peg have 2 moves, all others 3.
    assert n_states(sample) == 729
    assert sample.counts["move"] == 3 * 726 + 2 * 3


def test_breadth_first_gives_up_where_nothing_needed_comes(monkeypatch):
    domain, [enough] = samples("hanoi", SamplingConfig(100, 3000, "bfs"))
    # No disc lies on itself.
    never = ActionSchema("never", (Parameter("?d"),), frozenset({Atom("on", ("?d", "?d"))}))
    unreachable = replace(domain, actions=(*domain.actions, never))
    problem = read_problem(DOMAINS / "hanoi" / "p01.pddl", domain)
    monkeypatch.setattr(walk, "GIVE_UP_AFTER_STATES", 50)
    splits = [SamplingConfig(100, 3000, "bfs")] * 2
    [found] = sample_traces(unreachable, [problem], splits, random.Random(0))
    for sample in found:
        assert sample.missing(unreachable, splits[0]) == {"never": 0}
        assert sample.counts["move"] >= 100
    assert n_states(found[0]) == n_states(enough) + 50


def test_breadth_first_states_come_in_order_of_distance():
    _, [sample] = samples("gripper", SamplingConfig(50, 10_000, "bfs"))
    distance = {sample.steps[0].state: 0}
    for step in sample.steps:
        distance.setdefault(step.next_state, distance[step.state] + 1)
    depths = [distance[step.state] for step in sample.steps]
    assert depths == sorted(depths)


def test_breadth_first_goes_on_for_the_validation_split():
    config = SamplingConfig(20, 1000, "bfs")
    _, [training, validation] = samples("gripper", config, validation=config)
    states = {step.state for step in training.steps}
    assert not states & {step.state for step in validation.steps}


def test_restart_begins_anew_after_a_number_of_steps():
    config = SamplingConfig(100, 1000, "restart", 10)
    _, [sample, _] = samples("gripper", config, validation=SamplingConfig(10, 1000))
    assert sample.n_restarts >= sample.n_steps_walked // 10 - 1
    assert max(step.place for step in sample.steps) == 9
