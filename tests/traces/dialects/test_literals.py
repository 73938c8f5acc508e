"""Literals as PDDLGym prints them, as text and as JSON."""

from __future__ import annotations

import json

import pytest

from dias.errors import TraceError
from tests.traces.dialects.texts import ACTIONS, TEXTS, pddlgym, read, state, steps, walk

STATES = [pddlgym(state(number)) for number in range(4)]
ACTS = [pddlgym(action) for action in ACTIONS]


def lines(state_form: str, action_form: str = "{}") -> str:
    """States and actions in turn, in the given forms."""
    parts = [state_form.format(STATES[0])]
    for number, action in enumerate(ACTS, start=1):
        parts += [action_form.format(action), state_form.format(STATES[number])]
    return "\n".join(parts) + "\n"


WHOLE = "State(literals=frozenset({{{}}}), objects=frozenset({{n:tank, rose:bed}}), "
WHOLE += "goal=AND[wet(rose:bed)])"
FORMS = {
    "what print shows": lines(WHOLE),
    "frozensets": lines("frozenset({{{}}})"),
    "sets": lines("{{{}}}"),
    "lists": lines("[{}]"),
    "tuples, said what they are": lines("obs: ({})", "action: {}"),
    "remarks and blanks": "\n" + lines("  {{{}}}\n\n# seen\n", "  {}  "),
    "strings": lines("{{'{}'}}", "'{}'").replace("), ", ")', '"),
}


def as_json(text: str) -> list[str]:
    return [f"{literal.strip()})" for literal in text.split(")") if literal.strip(" ,")]


def literals(number: int) -> list[str]:
    return [literal.lstrip(", ") for literal in as_json(STATES[number])]


TRAJECTORY = {"states": [literals(number) for number in range(4)], "actions": ACTS}
TRANSITIONS = [
    {"state": literals(number), "action": action, "next": literals(number + 1)}
    for number, action in enumerate(ACTS)
]
FORMS |= {
    "a trajectory in JSON": json.dumps(TRAJECTORY),
    "a trajectory in JSON over lines": json.dumps(TRAJECTORY, indent=1),
    "JSON Lines": "\n".join(map(json.dumps, TRANSITIONS)),
    "an array": json.dumps(TRANSITIONS, indent=2),
    "an array on one line": json.dumps(TRANSITIONS),
}


@pytest.mark.parametrize("name", FORMS)
def test_forms(name):
    traces = read(FORMS[name])
    assert steps(traces) == walk()
    assert traces.segments[0].objects == {"n": "tank", "rose": "bed"}
    assert len(traces.segments) == 1


def test_an_episode_begins_with_a_state_after_a_state():
    text = FORMS["sets"]
    traces = read(text + text.replace("rose", "leek"))
    assert [segment.problem for segment in traces.segments] == ["walk", "walk-2"]
    assert traces.n_steps == 6
    assert not any("without an action" in finding for finding in traces.findings)


def test_transitions_in_no_order_are_of_one_problem():
    traces = read("\n".join(map(json.dumps, reversed(TRANSITIONS))))
    assert steps(traces) == walk()[::-1]
    assert not any("without an action" in finding for finding in traces.findings)


def test_objects_that_only_the_state_lists():
    text = FORMS["what print shows"].replace("objects=frozenset({", "objects=frozenset({leek:bed, ")
    assert read(text).segments[0].objects == {"leek": "bed", "n": "tank", "rose": "bed"}


@pytest.mark.parametrize("untyped", ["{}:default", "{}:null", "{}"])
def test_untyped_literals(untyped):
    text = TEXTS["pddlgym"]
    for name, type_ in (("n", "tank"), ("rose", "bed")):
        text = text.replace(f"{name}:{type_}", untyped.format(name))
    traces = read(text)
    assert steps(traces) == walk()
    assert dict(traces.types) == {}


def test_no_literal_and_no_object():
    text = "frozenset()\nstart()\nfrozenset({hot()})\n"
    with pytest.raises(TraceError, match="one JSON object a line"):
        read(text)  # nothing in the first line tells
    [step] = steps(read("{hot()}\nstop()\nfrozenset()\n"))
    assert (len(step[0]), step[1], step[2]) == (1, "(stop)", frozenset())


@pytest.mark.parametrize(
    ("text", "line", "finding"),
    [
        ("{p(a)}\ngo\n{p(b)}", 2, 'a literal such as on(a:block,b:block), found "go"'),
        ("{p(a)}\ngo(a)\n{p(b), q}", 3, 'found "q}"'),
        ("{p(a)}\ngo(a)", 2, "a state after the action of step 1"),
        ("{p(a)}\ngo(a)\ngo(b)\n{p(b)}", 3, "a state before the action of step 2"),
        ("{p(a)}\ngo(a)\n{p(a,b)}", 3, "step 1, state after: expected predicate p of arity 1"),
        ('{"state": ["p(a)"], "action": "go(a)"}', 1, 'the key "next" beside the others'),
        ('{"states": [["p(a)"]], "actions": ["go(a)"]}', 1, "2 states for 1 action(s), found 1"),
        ('{"states": [["p(a)"]], "actions": {}}', 1, "found an array and an object"),
        ('{"state": ["p(a)"], "action": "go(a)", "next": "p(b)"}', 1, "an array of literals"),
        ('{"state": ["p(a)"], "action": "go(a)", "next": ["(p b)"]}', 1, 'found "(p b)"'),
        ('[{"state": ["p(a)"],\n"action": }', 2, "expected JSON, found Expecting value"),
        ('{"state": ["p(a)"], "action": "go(a)", "next": []}\n[7]', 2, "found 7"),
        ('{"state": ["p(a)"], "action": 3, "next": []}', 1, "found 3"),
    ],
)
def test_errors(text, line, finding):
    with pytest.raises(TraceError) as caught:
        read(text)
    assert caught.value.place.endswith(f"walk.txt:{line}"), caught.value
    assert finding in caught.value.problem
    assert caught.value.remedy
