"""`dias learn` where steps change nothing or stay unexplained: how they are read, what is said."""

from __future__ import annotations

import pytest

from tests.cli.helpers import HEADER, PIPES, STEPS, call, is_one_error, step, strict_json, traces

FULL = {**HEADER, "labels": "full", "static": PIPES}
CHANGING = [
    {**line, "action": action}
    for line, action in zip(STEPS, ["(turn-on n)", "(water n rose)", "(turn-off n)"], strict=True)
]
ANSWERS = [
    step("open n, shut s, dry rose", "(turn-on n)", "open n, shut s, dry rose"),
    step("open n, shut s, dry rose", "(water s rose)", "open n, shut s, dry rose"),
    step("open n, shut s, wet rose", "(turn-on n)", "open n, shut s, wet rose"),
    step("open n, shut s, wet rose", "(turn-on n)", "open n, shut s, wet rose"),
]
"""What a simulator answers that leaves the state as it is where an action is not applicable."""


def learned(folder, *lines, options=()):
    """Status, JSON, messages and domain file of learning without a network."""
    traces(folder, *lines)
    arguments = ("learn", "t.jsonl", "-o", "l.pddl", "--json", *options)
    status, out, err = call(*arguments, cwd=folder)
    return status, strict_json(out), err, (folder / "l.pddl").read_text()


@pytest.mark.parametrize("reading", ["auto", "refused"])
def test_answers_without_effect_are_refused_attempts(tmp_path, reading):
    options = ("--unchanged", reading)
    status, value, err, text = learned(tmp_path, FULL, *CHANGING, *ANSWERS, options=options)
    assert (status, value["explained"], value["distinct_transitions"]) == (0, 3, 3)
    assert value["read_as_refused"] == {"turn-on": 2, "water": 1}
    assert value["actions"]["turn-on"]["refused"]["ruled_out"] == 2
    said = "Distinct steps that change nothing, read as refused attempts: 2 of turn-on, 1 of water"
    assert said in err and f"; {said}" in text
    assert value["wrongly_allowed"] == 0
    for action, literal in (("turn-on", "(shut ?tank)"), ("water", "(open ?tank)")):
        own = text[text.index(f"(:action {action}") :]
        assert literal in own[: own.index(":effect")]


def test_answers_without_effect_that_happened(tmp_path):
    options = ("--unchanged", "happened")
    status, value, err, text = learned(tmp_path, FULL, *CHANGING, *ANSWERS, options=options)
    assert (status, value["distinct_transitions"], value["read_as_refused"]) == (4, 6, {})
    assert value["actions"]["turn-on"]["causes"] == []  # the effects cover its steps
    assert value["actions"]["water"]["causes"] == [
        {"kind": "unchanged", "n_steps": 1, "line": 6, "objects": []}
    ]
    said = "water: 1 step changes nothing (line 6): if they were refused, learn with"
    assert said in err and said in text


def test_no_ops_that_the_effects_cover_are_taken_as_they_stand(tmp_path):
    """Watering a wet bed changes nothing and is no fault; then nobody was refused anything."""
    wet = step("open n, shut s, wet rose", "(water n rose)", "open n, shut s, wet rose")
    status, value, _, text = learned(tmp_path, FULL, *CHANGING, wet)
    assert (status, value["read_as_refused"]) == (0, {})
    assert value["actions"]["water"]["unchanged"] == 1
    assert "(dry ?bed)" not in text[text.index("(:action water") : text.index(":effect")]


def test_a_constant_is_named_and_then_learned(tmp_path):
    """Each press lights the lamp in the hall, which no argument names."""
    header = {
        "dias": "trace/1", "labels": "full", "predicates": {"lit": ["object"], "up": ["object"]},
        "objects": dict.fromkeys(("a", "b", "hall"), "object"),
    }  # fmt: skip
    lines = [
        {"state": ["(up a)"], "action": "(press b)", "next": ["(up a)", "(up b)", "(lit hall)"]},
        {"state": [], "action": "(press a)", "next": ["(up a)", "(lit hall)"]},
    ]
    status, value, err, _ = learned(tmp_path, header, *lines)
    assert status == 4
    assert value["actions"]["press"]["causes"] == [
        {"kind": "constant", "n_steps": 2, "line": 2, "objects": ["hall"]}
    ]
    assert "if it is a constant of the domain, name it in the header (constants)" in err
    status, value, _, text = learned(tmp_path, {**header, "constants": ["hall"]}, *lines)
    assert (status, value["actions"]["press"]["causes"]) == (0, [])
    assert "(:constants\n    hall)" in text and "(lit hall)" in text
    assert value["actions"]["press"]["arity"] == 1


def test_a_parameter_that_was_one_object_throughout(tmp_path):
    lines = [
        step(f"shut n, shut s, {bed}", "(turn-on n)", f"open n, shut s, {bed}")
        for bed in ("dry rose", "wet rose")
    ]
    status, value, err, _ = learned(tmp_path, FULL, *lines)
    assert (status, value["actions"]["turn-on"]["support"]["fixed"]) == (0, {"?tank": "n"})
    assert "turn-on: ?tank was n in all transitions, though there are others: a constant?" in err


def test_where_other_objects_explain_the_steps_as_well_none_is_called_a_constant(tmp_path):
    lines = [
        {"state": state, "action": f"(look {tank})", "next": state}
        for state in (["(shut n)", "(shut s)", "(dry rose)"], ["(shut n)", "(shut s)"])
        for tank in "ns"
    ]
    status, value, err, _ = learned(tmp_path, FULL, *lines, options=("--unchanged", "happened"))
    assert (status, value["actions"]["look"]["support"]["fixed"]) == (0, {})
    assert "a constant?" not in err


STILL = [{**line, "next": line["state"]} for line in CHANGING]


def test_traces_in_which_nothing_ever_changes_are_a_question(tmp_path):
    """With two of the three actions the state is not even the one that came before."""
    traces(tmp_path, FULL, *STILL)
    outcome = call("learn", "t.jsonl", "-o", "l.pddl", cwd=tmp_path)
    is_one_error(
        outcome,
        "t.jsonl:2: expected transitions that change something, found 3 of 3 action(s) in which"
        " nothing ever changes: the first state may have been written again after every action,",
        "Record the state that follows each action",
        "--unchanged happened",
    )
    assert not (tmp_path / "l.pddl").exists()
    status, value, _, _ = learned(tmp_path, FULL, *STILL, options=("--unchanged", "happened"))
    assert (status, value["explained"]) == (0, 3)
    # One step that changes something is enough.
    assert learned(tmp_path, FULL, *STILL, CHANGING[0])[0] in (0, 4)


def test_problems_in_which_nothing_ever_changes_are_named(tmp_path):
    still = [({**FULL, "problem": f"p0{number}"}, *STILL) for number in range(2, 9)]
    traces(
        tmp_path, {**FULL, "problem": "p01"}, *CHANGING, *(line for own in still for line in own)
    )
    note = (
        "nothing ever changes in problem p02, p03, p04, p05, p06 and 2 more (21 transition(s),"
        " 3 action(s)): the first state may"
    )
    outcome = call("learn", "t.jsonl", "-o", "l.pddl", cwd=tmp_path)
    assert outcome.status in (0, 4)
    assert f"note: t.jsonl:6: {note}" in outcome.err
    seen = call("inspect", "t.jsonl", "--json", cwd=tmp_path)
    assert any(f"line 6: {note}" in own for own in strict_json(seen.out)["notes"])
