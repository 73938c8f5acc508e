"""`dias denoise`."""

from __future__ import annotations

import json

import pytest

from tests.cli.helpers import (
    HEADER,
    PIPES,
    STEPS,
    call,
    garden,
    is_one_error,
    strict_json,
    traces,
    write,
)

SAMPLE = ("sample", "domain.pddl", "p.pddl", "--min-per-action", 15, "--seed", 2)


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def sampled(folder, *options, name="t.jsonl"):
    """A walk in the garden."""
    garden(folder)
    assert call(*SAMPLE, *options, "-o", name, cwd=folder).status == 0
    return lines(folder / name)


def states(file):
    """Before and after each step, with the static atoms."""
    head, *steps = file
    return [set(step[key]) | set(head["static"]) for step in steps for key in ("state", "next")]


@pytest.mark.parametrize(
    ("options", "least"),
    [(("--unknown", 0.3), 0.9), (("--noise", 1), 0.9), (("--noise", 2, "--soft"), 0.9), ((), 1)],
)
def test_the_states_are_those_of_the_walk(tmp_path, options, least):
    true = sampled(tmp_path, name="true.jsonl")
    sampled(tmp_path, *options)
    outcome = call("denoise", "t.jsonl", "domain.pddl", "-o", "d.jsonl", "--certain", cwd=tmp_path)
    assert (outcome.status, outcome.out) == (0, ""), outcome.err
    found = lines(tmp_path / "d.jsonl")
    pairs = list(zip(states(found), states(true), strict=True))
    assert sum(one == other for one, other in pairs) >= least * len(pairs)
    for one, other in zip(found[1:], true[1:], strict=True):
        assert [one[k] for k in ("action", "trace", "step")] == [
            other[k] for k in ("action", "trace", "step")
        ]


def test_probabilities_and_json(tmp_path):
    """What stays open is written with its probability, and can be learned from."""
    sampled(tmp_path, "--unknown", 0.5)
    outcome = call("denoise", "t.jsonl", "domain.pddl", "-o", "d.jsonl", "--json", cwd=tmp_path)
    value = strict_json(outcome.out)
    assert value["file"] == "d.jsonl"
    assert set(value["actions"]) == {"sun", "turn-off", "turn-on", "water"}
    steps = sum(own["steps"] for own in value["actions"].values())
    assert steps == len(lines(tmp_path / "d.jsonl")) - 1
    pairs = [
        item
        for step in lines(tmp_path / "d.jsonl")[1:]
        for key in ("state", "next")
        for item in step[key]
        if isinstance(item, list)
    ]
    assert pairs and all(0 < p < 1 for _, p in pairs)
    assert value["unknown"] > value["doubted"] > 0
    assert call("inspect", "d.jsonl", cwd=tmp_path).status == 0


def test_steps_that_the_domain_cannot_make_are_counted(tmp_path):
    """A bed is watered by a tank that is shut, and all is certain."""
    garden(tmp_path)
    head = HEADER | {"static": PIPES}
    wrong = {**STEPS[1], "state": STEPS[0]["state"], "next": STEPS[0]["state"]}
    traces(tmp_path, head, wrong)
    outcome = call("denoise", "t.jsonl", "domain.pddl", "-o", "d.jsonl", "--json", cwd=tmp_path)
    assert strict_json(outcome.out)["actions"] == {"water": {"steps": 1, "following": 0}}


def test_repeats_stay_and_refused_attempts_go(tmp_path):
    garden(tmp_path)
    refused = {**STEPS[0], "next": None}
    traces(tmp_path, HEADER | {"static": PIPES}, STEPS[0], STEPS[0], refused)
    outcome = call("denoise", "t.jsonl", "domain.pddl", "-o", "d.jsonl", cwd=tmp_path)
    assert "note: 1 refused attempt left out" in outcome.err
    assert len(lines(tmp_path / "d.jsonl")) == 3


@pytest.mark.parametrize(
    ("head", "step", "fragments"),
    [
        ({}, {"action": "fly"}, ("expected actions of the domain garden, found fly",)),
        ({"labels": "full"}, {"action": "(sun)"}, ("1 argument(s) of sun, found 0",)),
        ({"types": None, "objects": None, "predicates": None}, {}, ("of types (bed, tank)",)),
    ],
)  # fmt: skip
def test_traces_of_another_domain(tmp_path, head, step, fragments):
    garden(tmp_path)
    header = {k: v for k, v in (HEADER | {"static": PIPES} | head).items() if v is not None}
    header.pop("actions", None)
    traces(tmp_path, header, {**STEPS[0], **step})
    outcome = call("denoise", "t.jsonl", "domain.pddl", "-o", "d.jsonl", cwd=tmp_path)
    is_one_error(outcome, "t.jsonl: ", *fragments)
    assert not (tmp_path / "d.jsonl").exists()


def test_a_predicate_of_another_arity(tmp_path):
    garden(tmp_path)
    write(tmp_path, "t.jsonl", '{"state":["(dry)"],"action":"sun","next":[]}\n')
    outcome = call("denoise", "t.jsonl", "domain.pddl", "-o", "d.jsonl", cwd=tmp_path)
    is_one_error(outcome, "t.jsonl: ", "expected dry/1, found dry/0")


def test_the_time_limit(tmp_path):
    sampled(tmp_path)
    outcome = call(
        "denoise", "t.jsonl", "domain.pddl", "-o", "d.jsonl", "--time-limit", 1e-4, cwd=tmp_path
    )
    is_one_error(outcome, "time limit", "--time-limit")
    assert not (tmp_path / "d.jsonl").exists()


def test_json_needs_a_file(tmp_path):
    garden(tmp_path)
    outcome = call("denoise", "-", "domain.pddl", "--json", cwd=tmp_path)
    assert outcome.status == 2 and "name a file with -o" in outcome.err
