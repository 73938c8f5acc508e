"""Walks: true steps, balanced, begun anew where nothing new comes; what they remember."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.strips.joins.successors import Successor
from dias.strips.model import Instance, Predicate
from dias.traces.reading.reader import collect_traces
from dias.traces.record import LabelMode
from dias.traces.sampling import walk as module
from dias.traces.sampling.sample import sample_traces, trace_block
from dias.traces.sampling.samples import SamplingConfig
from dias.traces.sampling.walk import remembering
from tests.strategies import domains, objects, states
from tests.traces.files import atoms
from tests.traces.sampling.cases import (
    benchmark,
    check_walk,
    collect,
    corridor,
    lamps,
    plain,
    schema,
)


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None, max_examples=40)
@given(st.data())
def test_every_step_is_a_true_transition(data):
    domain = data.draw(domains())
    types = data.draw(objects(domain))
    instance = Instance("p", "random", types, data.draw(states(domain, types)))
    strategy = data.draw(st.sampled_from(["walk", "restart"]))
    sample, steps = collect(
        (domain, instance),
        seed=data.draw(st.integers(0, 9)),
        min_per_action=4,
        max_per_action=10**6,  # all steps are kept
        strategy=strategy,
        restart_after=data.draw(st.integers(1, 3)),
    )
    check_walk((domain, instance), steps)
    if steps:
        block = trace_block(domain, sample, LabelMode.FULL)
        assert collect_traces([block]).constants == domain.constants
    assert sample.n_steps_walked == len(steps)
    assert sample.counts == Counter(action for _, _, _, action, _, _ in steps)


def test_the_walk_is_balanced_over_names():
    """Nine lamps and one bell: as many rings as presses, every lamp as often as the others."""
    _, steps = collect(lamps(9), min_per_action=900, max_per_action=1000)
    first = steps[:1800]
    rings = sum(action == "ring" for *_, action, _, _ in first)
    assert abs(rings - 900) < 4 * 21.2  # four standard deviations of a fair coin: √(1800/4)
    presses = Counter(arguments for *_, action, arguments, _ in first if action == "press")
    assert len(presses) == 9
    assert all(abs(count - 100) < 4 * 9.4 for count in presses.values())  # √(900·1/9·8/9)


def test_restarts_at_dead_ends():
    case = corridor(4)
    sample, steps = collect(case, min_per_action=10, max_per_action=20)
    check_walk(case, steps)
    assert sample.counts["walk"] == 20  # three a walk; it goes on in search of `fly`
    assert [step[:2] for step in steps[:7]] == [
        (0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0),
    ]  # fmt: skip


def test_an_action_that_is_never_applicable_is_missing():
    domain, instance = corridor(4)
    sample, _ = collect((domain, instance), min_per_action=10, max_per_action=20)
    assert sample.missing(domain, SamplingConfig(10, 20)) == {"fly": 0}


def test_no_action_is_applicable_at_all():
    domain, instance = corridor(2)
    nowhere = replace(instance, init=instance.init - atoms("at r0"))
    sample, steps = collect((domain, nowhere), min_per_action=1)
    assert steps == []
    assert sample.missing(domain, SamplingConfig(1)) == {"walk": 0, "fly": 0}


def test_a_walk_that_brings_nothing_new_restarts():
    """After the first press only the bell is left; more presses need a new beginning."""
    domain, instance = lamps(2)
    fragile = schema("press", "lamp ?x, whole", "", "whole")
    domain = replace(
        domain,
        predicates=(*domain.predicates, Predicate("whole")),
        actions=(fragile, domain.action("ring")),
    )
    instance = replace(instance, init=instance.init | atoms("whole"))
    limits = {"min_per_action": 5, "max_per_action": 10**6, "restart_after": 4}
    sample, steps = collect((domain, instance), **limits)
    check_walk((domain, instance), steps)
    assert sample.counts["press"] == 5
    assert sample.n_restarts >= 4
    last = {walk: place for walk, place, *_ in steps}
    needed = [
        (walk, place)
        for number, (walk, place, _, action, _, _) in enumerate(steps)
        if sum(step[3] == action for step in steps[:number]) < 5
    ]
    for walk in range(sample.n_restarts):  # each went on for four steps after its last good one
        good = [place for w, place in needed if w == walk]
        assert last[walk] == (max(good) if good else -1) + 4


def test_the_restart_strategy_begins_anew_in_any_case():
    case = benchmark("gripper")
    sample, steps = collect(
        case, min_per_action=20, max_per_action=10**6, strategy="restart", restart_after=7
    )
    check_walk(case, steps)
    lengths = Counter(step[0] for step in steps)
    assert [lengths[walk] for walk in range(sample.n_restarts)] == [7] * sample.n_restarts
    assert sample.n_restarts == (len(steps) - 1) // 7


def test_the_validation_split_continues_the_walk():
    domain, instance = benchmark("gripper")
    splits = [SamplingConfig(10, 10**6), SamplingConfig(5, 10**6)]
    ((train, validation),) = sample_traces(domain, [instance], splits, random.Random(0))
    assert all(validation.counts[action.name] >= 5 for action in domain.actions)
    assert validation.n_restarts == 0
    end, start = train.steps[-1], validation.steps[0]
    assert start.state == end.next_state
    assert (start.walk, start.place) == (end.walk, end.place + 1)
    check_walk((domain, instance), plain(train) + plain(validation))


def test_every_problem_has_its_own_walk_and_limits():
    domain, first = benchmark("gripper")
    _, second = benchmark("gripper", "p02")
    config = SamplingConfig(6, 8)
    samples = [s for (s,) in sample_traces(domain, [first, second], [config], random.Random(0))]
    assert [sample.problem.instance for sample in samples] == [first, second]
    for sample in samples:
        assert all(6 <= sample.counts[action.name] <= 8 for action in domain.actions)
        assert plain(sample)[0][2] == sample.problem.instance.init


STATES = [frozenset({number}) for number in range(3)]
NOTHING = frozenset()


def test_a_state_is_asked_about_once_as_long_as_there_is_room(monkeypatch):
    """A state with one atom and two ground actions takes room for three."""
    asked = []

    def successors(state):
        asked.append(state)
        return [Successor(name, (0,), NOTHING, NOTHING) for name in ("go", "stay")]

    by_name = {name: [(name, (0,), NOTHING, NOTHING)] for name in ("go", "stay")}
    for room, n_kept in ((5, 1), (6, 2), (100, 3)):
        monkeypatch.setattr(module, "MAX_REMEMBERED", room)
        applicable = remembering(successors)
        asked.clear()
        assert [applicable(state) for state in STATES * 2] == [by_name] * 6
        assert [asked.count(state) for state in STATES] == [1] * n_kept + [2] * (3 - n_kept)
