"""Samples: as many as asked for, counted, written, and the same for the same seed."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import pytest

from benchmarks.generate import DOMAINS
from dias.errors import InsufficientTracesError
from dias.traces.reading.reader import read_traces
from dias.traces.record import LabelMode
from dias.traces.sampling import sample as sampler
from dias.traces.sampling.labels import StripsPlusArguments
from dias.traces.sampling.sample import check_not_empty, sample_traces, trace_block
from dias.traces.sampling.samples import SamplingConfig
from dias.traces.sampling.walk import Walk
from dias.traces.writer import write_traces
from tests.traces.files import atoms
from tests.traces.sampling.cases import benchmark, collect, corridor, lamps, plain, true_steps


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
