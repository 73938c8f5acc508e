"""The sampler: true steps, balanced, as many as asked for, the same for the same seed."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.generate import DOMAINS
from dias.errors import InsufficientTracesError
from dias.strips.model import ActionSchema, Domain, Instance, Parameter, Predicate
from dias.strips.pddl.reader import read_domain, read_problem
from dias.traces.reading.reader import collect_traces, read_traces
from dias.traces.record import LabelMode
from dias.traces.sampling import sample as sampler
from dias.traces.sampling.labels import StripsPlusArguments
from dias.traces.sampling.sample import check_not_empty, sample_traces, trace_block
from dias.traces.sampling.samples import SamplingConfig
from dias.traces.sampling.walk import Walk
from dias.traces.writer import write_traces
from tests.oracles import naive_successors
from tests.strategies import domains, objects, states
from tests.traces.files import atoms

OBJECT = ("object",)


def schema(name, pre="", add="", delete="", parameters=1):
    """An action over ``?x ?y …``; literals as text, separated by commas."""
    groups = (atoms(*filter(None, text.split(", "))) for text in (pre, add, delete))
    pre, add, delete = groups
    variables = tuple(Parameter(f"?{letter}") for letter in "xyz"[:parameters])
    return ActionSchema(name, variables, pre, add_effects=add, delete_effects=delete)


def corridor(n_rooms=4):
    """A one-way corridor: `walk` to the next room, `wave` in every room but the last."""
    rooms = [f"r{i}" for i in range(n_rooms)]
    domain = Domain(
        "corridor",
        predicates=(Predicate("at", (OBJECT,)), Predicate("door", (OBJECT,) * 2)),
        actions=(
            schema("walk", "at ?x, door ?x ?y", "at ?y", "at ?x", parameters=2),
            schema("fly", "at ?x, door ?x ?x", "at ?y", "at ?x", parameters=2),  # no such door
        ),
    )
    init = atoms("at r0", *(f"door {x} {y}" for x, y in pairwise(rooms)))
    return domain, Instance("p01", "corridor", dict.fromkeys(rooms, "object"), init)


def lamps(n_lamps=9):
    """Any of the lamps may be pressed at any time, and there is one bell to ring."""
    domain = Domain(
        "lamps",
        predicates=(Predicate("lamp", (OBJECT,)), Predicate("bell", (OBJECT,))),
        actions=(schema("press", "lamp ?x"), schema("ring", "bell ?x")),
    )
    names = [f"l{i}" for i in range(n_lamps)]
    init = atoms("bell b", *(f"lamp {name}" for name in names))
    return domain, Instance("p01", "lamps", dict.fromkeys([*names, "b"], "object"), init)


def benchmark(name, problem="p01"):
    domain = read_domain(DOMAINS / name / "domain.pddl")
    return domain, read_problem(DOMAINS / name / f"{problem}.pddl", domain)


def collect(case, seed=0, **limits):
    """One sample, and its steps as plain values: (walk, place, s, action, arguments, s′)."""
    domain, instance = case
    config = SamplingConfig(**limits)
    ((sample,),) = sample_traces(domain, [instance], [config], random.Random(seed))
    return sample, plain(sample)


def plain(sample):
    problem = sample.problem
    decode, static = problem.codes.decode_state, problem.static.atoms
    return [
        (
            step.walk,
            step.place,
            decode(step.state | static),
            step.successor.action,
            tuple(problem.codes.objects[number] for number in step.successor.binding),
            decode(step.next_state | static),
        )
        for step in sample.steps
    ]


def true_steps(domain, instance, state):
    return {
        (action, arguments, state - deleted | added)
        for action, arguments, added, deleted in naive_successors(domain, instance.objects, state)
    }


def check_walk(case, steps):
    """Every step is true, follows the one before it, or begins a walk in the initial state."""
    domain, instance = case
    position = (-1, -1, None)
    for walk, place, state, action, arguments, next_state in steps:
        assert (action, arguments, next_state) in true_steps(domain, instance, state)
        if place == 0:
            assert state == instance.init
            assert walk > position[0]
        else:
            assert (walk, place - 1, state) == position
        position = (walk, place, next_state)


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


@pytest.mark.parametrize("name", ["gripper", "miconic", "n-puzzle"])
def test_limits(name):
    case = benchmark(name)
    sample, steps = collect(case, min_per_action=30, max_per_action=35)
    counts = Counter(action for _, _, _, action, _, _ in steps)
    assert set(counts) == {action.name for action in case[0].actions}
    assert all(30 <= count <= 35 for count in counts.values())
    assert sample.counts == counts
    assert sample.missing(case[0], SamplingConfig(30, 35)) == {}
    assert sample.missing(case[0], SamplingConfig(33, 35)) == {
        name: count for name, count in counts.items() if count < 33
    }
    assert sample.n_steps_walked >= len(steps)
    assert [step[:2] for step in steps] == sorted({step[:2] for step in steps})


def test_what_exceeds_the_maximum_is_walked_but_not_kept():
    """Driving is all there is to do until the one parcel lies in the one right place."""
    case = benchmark("sokoban")
    kept, _ = collect(case, min_per_action=3, max_per_action=3)
    every, _ = collect(case, min_per_action=3, max_per_action=10**6)
    assert kept.n_steps_walked == every.n_steps_walked == len(every.steps)
    assert kept.steps == [
        step
        for number, step in enumerate(every.steps)
        if sum(s.successor.action == step.successor.action for s in every.steps[:number]) < 3
    ]


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


@pytest.mark.parametrize("strategy", ["walk", "restart", "novelty", "bfs"])
def test_what_the_states_seen_allow_is_counted(strategy):
    """Four rooms, a door between any two neighbours, however often they are walked through."""
    sample, _ = collect(corridor(4), min_per_action=10, max_per_action=20, strategy=strategy)
    visited = sample.visited
    assert (visited.n_states, visited.is_all) == (4, strategy == "bfs")
    assert visited.states == visited.steps == {"walk": 3}
    sample, _ = collect(lamps(9), min_per_action=30, strategy=strategy)
    assert (sample.visited.n_states, sample.visited.is_all) == (1, strategy == "bfs")
    assert (sample.visited.states, sample.visited.steps) == (
        {"press": 1, "ring": 1}, {"press": 9, "ring": 1},
    )  # fmt: skip


@pytest.mark.parametrize("is_told", [False, True])
def test_states_are_counted_alike_with_and_without_arguments(is_told):
    domain, instance = benchmark("gripper")
    arguments = StripsPlusArguments({a.name: a.arity for a in domain.actions}) if is_told else None
    config = SamplingConfig(20, 10**6)
    ((sample,),) = sample_traces(domain, [instance], [config], random.Random(0), arguments)
    states = {step.state for step in sample.steps}
    assert sample.visited.n_states == len(states)
    by_state = Counter()
    steps = Counter()
    for state in states:
        applicable = true_steps(
            domain, instance, sample.problem.codes.decode_state(state | sample.problem.static.atoms)
        )
        by_state.update({action for action, _, _ in applicable})
        steps.update(action for action, _, _ in applicable)
    assert (sample.visited.states, sample.visited.steps) == (by_state, steps)


def test_an_empty_sample_is_refused_with_the_reason():
    domain, instance = corridor(2)
    nowhere = replace(instance, name="attic", init=instance.init - atoms("at r0"))
    with pytest.raises(InsufficientTracesError) as caught:
        sampler.sample(domain, [nowhere, nowhere])
    assert str(caught.value).startswith(
        "expected transitions, found none: no action is applicable in the initial state of attic, "
    )
    # One problem with a step is enough.
    assert sampler.sample(domain, [nowhere, instance]).n_steps > 0
    [first, second] = next(
        sample_traces(
            domain, [instance], [SamplingConfig(5, 5, "bfs")] * 2, random.Random(0)
        )
    )  # fmt: skip
    check_not_empty([first])
    lamp, still = lamps(2)  # every step leads back to its one state
    [_, rest] = next(
        sample_traces(lamp, [still], [SamplingConfig(9, 99, "bfs")] * 2, random.Random(0))
    )
    with pytest.raises(InsufficientTracesError, match="in the samples before"):
        check_not_empty([rest])
    with pytest.raises(InsufficientTracesError, match="in the samples before"):
        check_not_empty([second])
    with pytest.raises(InsufficientTracesError, match="the time was over"):
        check_not_empty([replace(second, is_out_of_time=True)])


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


def test_the_seed_decides():
    case = benchmark("driverlog")
    one, again, other = (
        collect(case, seed, min_per_action=5, max_per_action=9)[1] for seed in (3, 3, 4)
    )
    assert one == again
    assert one != other


def test_the_bytes_do_not_depend_on_hashing(tmp_path):
    """Through the command, since a hash seed is set before Python starts."""
    folder = DOMAINS / "logistics"
    written = []
    for hash_seed in ("1", "2"):
        out = [tmp_path / f"{hash_seed}.jsonl", tmp_path / f"{hash_seed}-validation.jsonl"]
        command = ["sample", folder / "domain.pddl", folder / "p01.pddl", folder / "p02.pddl"]
        command += ["-o", out[0], "--validation", out[1], "--labels", "partial", "--seed", "5"]
        subprocess.run(
            [sys.executable, "-m", "dias_cli", *map(str, command), "--min-per-action", "4"],
            check=True,
            capture_output=True,
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
        )
        written.append([path.read_bytes() for path in out])
    assert written[0] == written[1]
    assert all(written[0])


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


def test_arguments_are_told_each_visited_state_once(monkeypatch):
    domain, instance = benchmark("gripper")
    told = []
    monkeypatch.setattr(StripsPlusArguments, "observe", lambda _, by_name: told.append(by_name))
    arguments = StripsPlusArguments({a.name: a.arity for a in domain.actions})
    config = SamplingConfig(20, 10**6)
    ((sample,),) = sample_traces(domain, [instance], [config], random.Random(0), arguments)
    assert len(told) == len({step.state for step in sample.steps}) < len(sample.steps)
    for by_name in told:
        assert all(s.action == name for name, group in by_name.items() for s in group)


@pytest.mark.parametrize(
    ("labels", "kept"),
    [(LabelMode.FULL, (0, 1, 2)), (LabelMode.STRIPS_PLUS, (0, 2)), (LabelMode.NAMES, ())],
)
def test_blocks_read_back(tmp_path, labels, kept):
    """What is written is what was walked, with the arguments that the labels keep."""
    domain, instance = benchmark("gripper")
    arguments = StripsPlusArguments({a.name: a.arity for a in domain.actions})
    walk = Walk(domain, instance, SamplingConfig(), random.Random(0), arguments)
    sample = walk.collect(SamplingConfig(15, 20))
    path = tmp_path / "traces.jsonl"
    n_steps = write_traces(path, [trace_block(domain, sample, labels, arguments)])
    traces = read_traces(path)
    assert n_steps == len(sample.steps) == traces.n_steps
    assert (traces.labels, traces.domain) == (labels, "gripper")
    assert traces.actions == ("drop", "move", "pick")
    assert {p.name: p.arity for p in traces.predicates} == {
        p.name: p.arity for p in domain.predicates
    }
    (segment,) = traces.segments
    assert segment.objects == dict(sorted(instance.objects.items()))
    assert {atom.predicate for atom in segment.static} == {"room", "ball", "gripper", "eq"}
    found = Counter(
        {
            (
                t.state | segment.static,
                t.action,
                t.arguments,
                t.next_state | segment.static,
            ): t.count
            for t in traces.transitions
        }
    )
    positions = {a.name: arguments.positions(a.name) for a in domain.actions}
    if labels is LabelMode.FULL:
        positions = {a.name: tuple(range(a.arity)) for a in domain.actions}
    elif labels is LabelMode.NAMES:
        positions = dict.fromkeys(positions, ())
    assert positions["pick"] == kept
    assert found == Counter(
        (state, action, tuple(names[p] for p in positions[action]), next_state)
        for _, _, state, action, names, next_state in plain(sample)
    )


def test_strips_plus_labels_need_the_arguments():
    domain, instance = corridor()
    sample, _ = collect((domain, instance), min_per_action=1)
    with pytest.raises(ValueError, match=r"STRIPS\+ labels need the arguments"):
        trace_block(domain, sample, LabelMode.STRIPS_PLUS)


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"min_per_action": 0}, "min_per_action must be at least 1"),
        ({"min_per_action": 5, "max_per_action": 4}, "max_per_action must not be below"),
        ({"strategy": "sprint"}, "strategy must be one of walk, restart"),
        ({"restart_after": 0}, "restart_after must be at least 1"),
    ],
)
def test_settings_that_make_no_sense(settings, problem):
    with pytest.raises(ValueError, match=problem):
        SamplingConfig(**settings)
