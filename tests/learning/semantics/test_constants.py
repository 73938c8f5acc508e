"""Constants of a domain in learned literals and effects: they are variables that are given."""

from __future__ import annotations

import pytest

from dias.config import LearningConfig
from dias.learning.learn import learn
from dias.strips.model import Atom
from dias.strips.pddl.reader import parse_domain
from dias.strips.pddl.writer import format_domain
from tests.learning.semantics.constant_worlds import COURIER, WORLDS
from tests.learning.worlds import QUICK, comes_out, in_every_way
from tests.traces.files import read


@pytest.mark.parametrize(("name", "way"), in_every_way(WORLDS))
def test_it_comes_out_right(name, way):
    domain = WORLDS[name].domain()
    learned = comes_out(WORLDS[name], way).domain
    assert learned.constants == domain.constants
    for action in learned.actions:
        assert action.arity == domain.action(action.name).arity
    text = format_domain(learned)
    assert format_domain(parse_domain(text)) == text


def texts(atoms):
    return {str(atom) for atom in atoms}


@pytest.mark.parametrize(
    "way",
    [
        *QUICK,
        *(pytest.param(w, marks=pytest.mark.slow) for w in ("partial-symbolic", "names-hybrid")),
    ],
)
def test_minimal_names_the_constants_where_a_person_would(way):
    """As in the true domain, literal for literal, for actions of one parameter at most."""
    learned = comes_out(COURIER, way, preconditions="minimal").domain
    true = COURIER.domain()
    for name in ("load", "wash", "shut", "unlock"):
        action, wanted = learned.action(name), true.action(name)
        rename = dict(zip(wanted.variables, action.variables, strict=True))
        for group in ("preconditions", "negative_preconditions", "add_effects", "delete_effects"):
            atoms = {atom.substitute(rename) for atom in getattr(wanted, group)}
            assert getattr(action, group) == atoms, (name, group)
        assert (action.equalities, action.inequalities) == (frozenset(), frozenset())
    deliver = learned.action("deliver")
    place = next(p.name for p in deliver.parameters if p.types == ("place",))
    assert deliver.inequalities == {("depot", place)}
    assert texts(deliver.preconditions) == {
        f"(in van {place})", *(f"(loaded {p.name})" for p in deliver.parameters if p.name != place)
    }  # fmt: skip


HEADER = {
    "dias": "trace/1",
    "labels": "names",
    "constants": ["home"],
    "predicates": {"at": ["object"], "warm": ["object"]},
    "objects": dict.fromkeys(["home", "a", "b", "c"], "object"),
}


def schema(*lines, labels="names"):
    """The only action, learned without a network, with all its literals; all is explained."""
    config = LearningConfig(method="symbolic", preconditions="safe")
    result = learn(read(HEADER | {"labels": labels}, *lines), config)
    assert result.explains_everything
    (action,) = result.domain.actions
    return action


def test_a_constant_in_effects_is_no_parameter():
    back = schema(
        *({"state": [f"(at {x})"], "action": "back", "next": ["(at home)"]} for x in "abc")
    )
    assert back.variables == ("?x1",)
    assert back.preconditions == back.delete_effects == {Atom("at", ("?x1",))}
    assert back.add_effects == {Atom("at", ("home",))}
    assert back.inequalities == {("home", "?x1")}


def test_a_parameter_that_only_was_the_constant_once_is_none():
    """Where all else moves to other places, home is a place like others."""
    go = schema(
        *(
            {"state": [f"(at {x})"], "action": "go", "next": [f"(at {y})"]}
            for x, y in (("a", "b"), ("b", "home"), ("home", "c"), ("c", "a"))
        )
    )
    assert go.arity == 2
    assert all(v.startswith("?") for atom in go.add_effects | go.delete_effects for v in atom.terms)


def test_an_action_about_a_constant_alone_has_no_parameters():
    heat = schema({"state": ["(at a)"], "action": "heat", "next": ["(at a)", "(warm home)"]})
    assert heat.parameters == ()
    assert heat.add_effects == heat.negative_preconditions - {Atom("at", ("home",))}
    assert heat.add_effects == {Atom("warm", ("home",))}


@pytest.mark.parametrize(
    ("labels", "start", "end"), [("full", "?x1", "?x2"), ("partial", "?from", "?to")]
)
def test_an_argument_that_always_is_the_constant_is_said_to_be(labels, start, end):
    lines = [
        {"state": ["(at home)"], "action": f"(leave home {x})", "next": [f"(at {x})"]} for x in "ab"
    ]
    leave = schema(*lines, labels=labels)
    assert leave.arity == 2
    assert leave.variables == (start, end)
    assert leave.equalities == {("home", start)}
    assert leave.inequalities == {("home", end)}


def test_what_changed_at_a_constant_only_as_an_argument_is_not_about_it():
    """Home got warm once, when it was the argument, and has been so since."""
    heat = schema(
        {"state": [], "action": "(heat home)", "next": ["(warm home)"]},
        {"state": ["(warm home)"], "action": "(heat a)", "next": ["(warm home)", "(warm a)"]},
        {"state": ["(warm home)"], "action": "(heat b)", "next": ["(warm home)", "(warm b)"]},
        labels="full",
    )
    assert heat.add_effects == {Atom("warm", ("?x1",))}
    assert heat.preconditions == frozenset()
