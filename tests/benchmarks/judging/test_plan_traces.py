"""Traces of plans: true transitions along plans, as many as are needed, the same every time."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from benchmarks.generate import DOMAINS
from benchmarks.judging import plan_traces as module
from benchmarks.judging.plan_traces import plan_traces
from dias.strips.joins.successors import SuccessorGenerator
from dias.strips.pddl.reader import read_domain, read_problem
from dias.strips.problem import CodedProblem
from dias.traces.reading.reader import read_traces
from dias.traces.record import LabelMode

FOLDER = DOMAINS / "blocks-3"
DOMAIN, P01, P02 = (str(FOLDER / f"{name}.pddl") for name in ("domain", "p01", "p02"))


@pytest.fixture(scope="module")
def sampled(tmp_path_factory):
    """What is said of plans in two problems, and the file."""
    output = tmp_path_factory.mktemp("plans") / "t.jsonl"
    return plan_traces(DOMAIN, [P01, P02], str(output), 6, "full", 3), output


def test_steps_are_true_and_enough(sampled):
    said, output = sampled
    true, traces = read_domain(DOMAIN), read_traces(output)
    problem = CodedProblem.of(read_problem(P01, true), true)
    successors = SuccessorGenerator(true, problem).successors
    counts: Counter[str] = Counter()
    for step in traces.transitions:
        counts[step.action] += step.count
        if step.segment == 0:
            state = problem.codes.encode_state(step.state)
            nexts = (
                own.next_state(state) for own in successors(state) if own.action == step.action
            )
            assert problem.codes.encode_state(step.next_state) in nexts
    assert counts.keys() == {action.name for action in true.actions}
    assert all(6 <= number <= 12 for number in counts.values())
    assert traces.labels is LabelMode.FULL
    assert len(traces.segments) == 2
    assert 0 < said["plans"] <= said["goals"]
    assert said["plan_steps"] >= sum(counts.values())


def test_plans_go_on_from_the_initial_state(sampled):
    _, output = sampled
    lines = map(json.loads, output.read_text().splitlines())
    steps = {(line["trace"], line["step"]): line for line in lines if "step" in line}
    initial = {tuple(line["state"]) for (_, place), line in steps.items() if place == 0}
    assert len(initial) == 2  # of two problems
    later = [(key, line) for key, line in steps.items() if (key[0], key[1] - 1) in steps]
    assert later
    assert all(line["state"] == steps[walk, place - 1]["next"] for (walk, place), line in later)


def test_the_same_seed_gives_the_same_bytes(sampled, tmp_path):
    _, output = sampled
    for seed, is_same in ((3, True), (4, False)):
        again = tmp_path / f"{seed}.jsonl"
        plan_traces(DOMAIN, [P01, P02], str(again), 6, "full", seed)
        assert (again.read_bytes() == output.read_bytes()) is is_same


def test_what_no_plan_brings_is_given_up(tmp_path, monkeypatch):
    """Here since every plan is too much work."""
    monkeypatch.setattr(module, "PLAN_CHECKS", 0)
    said = plan_traces(DOMAIN, [P01], str(tmp_path / "t.jsonl"), 5, "names", 0)
    assert said == {"goals": module.GIVE_UP_AFTER, "plans": 0, "plan_steps": 0}
