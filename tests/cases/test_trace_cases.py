"""Odd trace files of the kinds that people really meet, through the commands that read them.

All arguments are given where the oddity allows it: then there is no training.
"""

from __future__ import annotations

import json
import os

import pytest

from tests.cases.commands import TRACE_READERS
from tests.cli.helpers import (
    HEADER,
    PIPES,
    QUICK,
    STEPS,
    call,
    is_one_error,
    step,
    strict_json,
    traces,
)

FULL = {**HEADER, "labels": "full"}
ON = step("shut n, pipe n rose", "(turn-on n)", "open n, pipe n rose")
OFF = step("open n, pipe n rose", "(turn-off n)", "shut n, pipe n rose")
WATER = step("open n, dry rose, pipe n rose", "(water n rose)", "open n, wet rose, pipe n rose")


def learn(folder, *lines, options=(), status=0):
    """The JSON result, the learned text and the messages."""
    traces(folder, *lines)
    outcome = call("learn", "t.jsonl", "-o", "learned.pddl", *options, "--json", cwd=folder)
    assert outcome.status == status, outcome.err
    text = (folder / "learned.pddl").read_text(encoding="utf-8")
    return strict_json(outcome.out), text, outcome.err


def refuse(folder, *lines, options=()) -> str:
    """The one error, the same by every command that reads traces; nothing is written."""
    traces(folder, *lines)
    traces(folder, FULL, ON, name="good.jsonl")
    before = sorted(os.listdir(folder))
    said = set()
    for arguments in TRACE_READERS.values():
        outcome = call(*arguments, *options, cwd=folder)
        is_one_error(outcome, "t.jsonl")
        said.add(outcome.err.splitlines()[-1])
    assert sorted(os.listdir(folder)) == before
    (error,) = said
    return error


def test_plain_traces(tmp_path):
    value, text, _ = learn(tmp_path, FULL, ON, WATER, OFF)
    assert (value["transitions"], value["explained"]) == (3, 3)
    assert list(value["actions"]) == ["turn-off", "turn-on", "water"]
    assert "(pipe ?tank ?bed)" in text


def test_static_atoms_that_are_missing(tmp_path):
    without_pipes = json.loads(json.dumps(WATER).replace(', \\"(pipe n rose)\\"', "")
                               .replace(', "(pipe n rose)"', ""))  # fmt: skip
    _, text, err = learn(tmp_path, FULL, without_pipes)
    assert (
        "note: t.jsonl: predicates that are never true: pipe, shut; atoms that always hold" in err
    )
    schema = text[text.index("(:action water") :]
    assert "\n      (pipe" not in schema
    assert "(wet ?bed)" in schema


def test_an_action_without_a_transition(tmp_path):
    header = {**FULL, "actions": ["rake", "turn-on"]}
    value, text, err = learn(tmp_path, header, ON, status=4)
    assert value["unobserved"] == ["rake"]
    assert "(:action rake" not in text
    assert ";   rake: never observed, no schema" in text
    assert "rake: never observed, no schema" in err


NOTHING = step("shut n, pipe n rose", "(knock n)", "shut n, pipe n rose")


@pytest.mark.parametrize("labels", ["full", "names"])
def test_an_action_that_changes_nothing(tmp_path, labels):
    value, text, err = learn(
        tmp_path, FULL, NOTHING, NOTHING, ON, options=("--labels", labels, *QUICK)
    )
    assert value["actions"]["knock"]["unchanged"] == 1
    assert "action knock has no observed effect: none of its 2 transition(s)" in err
    assert "knock: 1 of 1 explained, no effect was ever observed" in err
    schema = text[text.index("(:action knock") : text.index("(:action turn-on")]
    assert ":effect (and))" in schema


def test_contradictory_transitions(tmp_path):
    """Both lines are named, learning goes on, and what it cannot explain is the exit status."""
    other = {**ON, "next": ["(shut n)", "(wet rose)", "(pipe n rose)"]}
    value, _, err = learn(tmp_path, FULL, ON, other, status=4)
    assert value["actions"]["turn-on"]["transitions"] == 2
    assert value["explained"] < 2
    assert "t.jsonl:3: (turn-on n) leads to another successor" in err
    assert "from the same state in line 2" in err


@pytest.mark.parametrize("labels", ["full", "names"])
def test_a_single_transition(tmp_path, labels):
    value, _, err = learn(tmp_path, FULL, WATER, options=("--labels", labels, *QUICK))
    assert value["explained"] == 1
    assert "few samples: under-determined" in err


def test_a_file_that_was_cut_off(tmp_path):
    lines = (FULL, ON, WATER, json.dumps(OFF)[:40])
    assert "t.jsonl:4: expected a whole line, found one that is cut off" in refuse(tmp_path, *lines)
    value, _, err = learn(tmp_path, *lines, options=["--skip-bad-lines"])
    assert value["transitions"] == 2
    assert "warning: 1 of 4 line(s) dropped, the first: t.jsonl:4: " in err


@pytest.mark.parametrize(
    ("line", "field", "found"),
    [
        ('{"state":[],"action":"wait","next":[],"weight":NaN}', "weight", "NaN"),
        ('{"state":[],"action":NaN,"next":[]}', "action", "NaN"),
        ('{"state":[],"action":"wait","next":[["shut",-Infinity]]}', "next[0][1]", "-Infinity"),
        ('{"state":null,"action":"wait","next":[]}', "state", "null"),
        ('{"state":[["shut",null]],"action":"wait","next":[]}', "state[0][1]", "null"),
        ('{"state":[["shut",7]],"action":"wait","next":[]}', "state[0][1]", "7"),
    ],
)
def test_a_number_or_nothing_in_place_of_a_name(tmp_path, line, field, found):
    err = refuse(tmp_path, HEADER, line + "\n")
    assert f"t.jsonl:2: {field}: expected " in err
    assert f"found {found}." in err


def test_the_same_transition_in_other_words(tmp_path):
    arrays = {
        "state": [["pipe", "n", "rose"], ["shut", "n"], ["SHUT", "N"]],
        "action": ["TURN-ON", "n"],
        "next": ["( open   n )", "(pipe n rose)"],
    }
    value, _, err = learn(tmp_path, FULL, ON, ON, arrays)
    assert (value["transitions"], value["distinct_transitions"]) == (3, 1)
    assert "2 of 3 transitions repeat another one" in err


def test_one_action_with_two_numbers_of_arguments(tmp_path):
    err = refuse(tmp_path, FULL, WATER, {**WATER, "action": "(water n)"})
    assert "t.jsonl:3: " in err
    assert "in line 2" in err


def test_objects_are_collected_over_the_whole_segment(tmp_path):
    """Without a header; `kale` comes late, and that it is not wet is known in line 1 too."""
    late = step("open n, dry rose, dry kale, pipe n kale", "(water n kale)",
                "open n, dry rose, wet kale, pipe n kale")  # fmt: skip
    value, _, _ = learn(tmp_path, WATER, late, options=["--labels", "full"])
    assert (value["transitions"], value["explained"]) == (2, 2)


def test_no_transitions(tmp_path):
    for lines in ([], [HEADER], ["\n"]):
        assert "no transitions" in refuse(tmp_path, *lines)


def test_another_format(tmp_path):
    err = refuse(tmp_path, "(log\n(:init (shut n))\n(operator: (turn-on n))\n)\n")
    assert "s-expression" in err
    assert "dias-trace/1, which is JSON Lines" in err
    err = refuse(tmp_path, "(trajectory\n(:init (shut n))\n(operator: (turn-on n))\n)\n")
    assert "t.jsonl:3: expected a state after the action of step 1, found the end" in err


def test_arguments_that_nobody_explains(tmp_path):
    header = {key: value for key, value in HEADER.items() if key != "labels"}
    err = refuse(tmp_path, header, ON)
    assert "t.jsonl:2: action: expected a name without arguments" in err
    assert "pass --labels" in err
    value, _, _ = learn(tmp_path, header, ON, options=["--labels", "full"])
    assert value["transitions"] == 1


def test_names_only(tmp_path):
    """What the tool is for, on the smallest scale."""
    value, text, _ = learn(tmp_path, {**HEADER, "static": PIPES}, *STEPS, options=QUICK)
    assert value["explains_everything"]
    assert "(:action water" in text
