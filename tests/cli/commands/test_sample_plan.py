"""`dias sample --plan`: the states along given plans."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from tests.cli.helpers import GOOD_PLAN, call, garden, is_one_error, strict_json, write

SAMPLE = ("sample", "domain.pddl", "p.pddl", "--plan", "plan.txt")


@pytest.fixture
def folder(tmp_path):
    garden(tmp_path)
    write(tmp_path, "plan.txt", GOOD_PLAN)
    return tmp_path


def lines(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def test_the_states_along_a_plan(folder):
    outcome = call(*SAMPLE, "--labels", "full", cwd=folder)
    assert (outcome.status, outcome.err) == (0, "standard output: 5 transitions\n")
    header, *steps = lines(outcome.out)
    assert (header["labels"], header["problem"]) == ("full", "plot")
    assert [step["action"] for step in steps] == GOOD_PLAN.splitlines()
    assert [(step["trace"], step["step"]) for step in steps] == [(0, i) for i in range(5)]
    assert steps[0]["state"] == ["(dry leek)", "(dry rose)", "(shut north)", "(shut south)"]
    assert steps[1]["next"] == ["(dry leek)", "(open north)", "(shut south)", "(wet rose)"]
    assert all(a["next"] == b["state"] for a, b in pairwise(steps))
    assert steps[-1]["next"] == ["(open north)", "(shut south)", "(wet leek)", "(wet rose)"]


def test_several_plans_in_several_spellings(folder):
    write(folder, "other.txt", "step 0: TURN-ON SOUTH\n1: TURN-OFF SOUTH\n")
    outcome = call(*SAMPLE, "--plan", "other.txt", cwd=folder)
    steps = lines(outcome.out)[1:]
    assert [step["action"] for step in steps[5:]] == ["(turn-on)", "(turn-off)"]
    assert [(step["trace"], step["step"]) for step in steps[5:]] == [(1, 0), (1, 1)]
    assert steps[5]["state"] == steps[0]["state"]


def test_labels_noise_and_seed(folder):
    partial = lines(call(*SAMPLE, "--labels", "partial", cwd=folder).out)
    assert [step["action"] for step in partial[1:3]] == ["(turn-on north)", "(water)"]
    noisy = [*SAMPLE, "--noise", 4, "--seed"]
    text = call(*noisy, 1, cwd=folder).out
    assert text == call(*noisy, 1, cwd=folder).out != call(*noisy, 2, cwd=folder).out
    assert lines(text)[0]["static"] == []


def test_what_is_written_can_be_learned_from(folder):
    call(*SAMPLE, "--labels", "full", "-o", "t.jsonl", cwd=folder)
    outcome = call("learn", "t.jsonl", "-o", "learned.pddl", cwd=folder)
    assert outcome.status == 4  # `sun` is declared and not in the plan
    assert "(:action water" in (folder / "learned.pddl").read_text("utf-8")


def test_a_step_that_is_not_applicable(folder):
    write(folder, "plan.txt", "; mine\n\n(turn-on north)\n(water south rose)\n")
    outcome = call(*SAMPLE, "-o", "t.jsonl", cwd=folder)
    is_one_error(
        outcome,
        "plan.txt:4: expected an applicable step, found step 2 (water south rose):",
        "(open south) does not hold",
        "dias validate",
    )
    assert not (folder / "t.jsonl").exists()


def test_a_plan_without_steps(folder):
    write(folder, "plan.txt", "; nothing to do\n")
    is_one_error(call(*SAMPLE, cwd=folder), "plan.txt: expected a step, found none")


def test_json(folder):
    value = strict_json(call(*SAMPLE, "-o", "t.jsonl", "--json", cwd=folder).out)
    assert value["files"] == [{"file": "t.jsonl", "transitions": 5}]
    samples = {"turn-on": 2, "turn-off": 1, "water": 2, "sun": 0}
    assert value["problems"] == [{"problem": "plot", "samples": samples, "plans": 1}]


@pytest.mark.parametrize(
    ("words", "finding"),
    [
        (["p.pddl"], "--plan needs the one problem"),
        (["--strategy", "bfs"], "--strategy would do nothing with --plan"),
        (["--min-per-action", 3], "--min-per-action would do nothing with --plan"),
        (["--validation", "v"], "--validation would do nothing with --plan"),
        (["-o", "plan.txt"], "plan.txt is given twice"),
    ],
)
def test_wrong_usage(folder, words, finding):
    outcome = call(*SAMPLE, *words, cwd=folder)
    assert (outcome.status, outcome.out) == (2, "")
    assert finding in outcome.err
