"""Preconditions that masks refute are dropped, where it is clear which; masks ask for others."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from dias.config import LearningConfig
from dias.learning.data.coding import examples_by_action
from dias.learning.data.refusals import MaskCheck
from dias.learning.finish.loosen import loosened, without_literal
from dias.learning.finish.shorten import SHORTEN, minimal_preconditions
from dias.learning.learn import learn
from dias.learning.schema import Literal
from dias.strips.model import Atom
from tests.learning.cases import lifted_schema, literals, typed
from tests.traces.files import read, step

HEADER = {
    "dias": "trace/1", "labels": "names", "objects": dict.fromkeys("abc", "object"),
    "predicates": {"p": ["object"], "s": ["object"], "u": ["object"], "day": [], "dry": []},
    "actions": ["act", "rest"],
}  # fmt: skip
STATE = ["(p c)", "(s c)", "(day)", "(dry)"]
STEPS = [
    step([*STATE, *more], "act", ["(u c)", *STATE, *more], applicable=["act"])
    for more in ([], ["(s b)"], ["(p a)"])
]


def listed(*state, action="rest", applicable=("act", "rest")):
    return step(list(state), action, [], applicable=applicable)


def learned(*lines, header=HEADER, kind="concise"):
    result = learn(
        read(header, *STEPS, *lines), LearningConfig(method="symbolic", preconditions=kind)
    )
    (evidence,) = (own for own in result.evidence if own.action == "act")
    return result, result.domain.action("act").preconditions, evidence.masks


DAY, DRY = Atom("day", ()), Atom("dry", ())


@pytest.mark.parametrize("kind", ["concise", "safe", "minimal"])
def test_the_one_literal_that_rules_out_what_is_listed(kind):
    _, before, masks = learned(listed("(p c)", "(s c)", "(day)", applicable=["rest"]), kind=kind)
    assert DRY in before and masks == MaskCheck(4)
    result, after, masks = learned(listed("(p c)", "(s c)", "(day)"), kind=kind)
    assert DRY not in after
    assert (DAY in after) is (kind != "minimal")
    assert masks == MaskCheck(4)
    assert result.explains_everything


def test_two_that_rule_it_out_together_stay_and_are_named():
    result, after, masks = learned(listed("(p c)", "(s c)"))
    assert {DAY, DRY} <= after
    assert masks == MaskCheck(4, (), (5,))
    assert not result.explains_everything


def test_one_after_another_from_states_that_tell_them_apart():
    lines = listed("(p c)", "(s c)", "(day)"), listed("(p c)", "(s c)", "(dry)")
    _, after, masks = learned(*lines, listed("(p c)", "(s c)"))
    assert after.isdisjoint({DAY, DRY})
    assert not masks.n_against


def test_where_either_may_be_too_much_neither_is_dropped():
    """Without p it would be a, without s it would be b, and both explain the steps as well."""
    _, after, masks = learned(listed("(s a)", "(p b)", "(day)", "(dry)"))
    assert {atom.predicate for atom in after} == {"p", "s", "day", "dry"}
    assert masks.too_strict == (5,)


def test_what_is_refused_says_which_of_the_two_it_is():
    """Without s, b could be done where the mask refuses it."""
    refused = listed("(p b)", "(day)", "(dry)", applicable=["rest"])
    _, after, masks = learned(listed("(s a)", "(p b)", "(day)", "(dry)"), refused)
    assert {atom.predicate for atom in after} == {"s", "day", "dry"}
    assert masks == MaskCheck(5)


def test_all_that_a_listed_ground_action_violates_goes():
    """No step shows it: with arguments it is known which bindings are right."""
    full = HEADER | {"labels": "full"}
    lines = [line | {"action": "(act c)", "applicable": ["(act c)"]} for line in STEPS]
    lines[1]["applicable"].append("(act b)")
    other = step(["(s a)"], "(rest)", ["(s a)"], applicable=["(act a)", "(rest)"])
    result = learn(read(full, *lines, other), LearningConfig(preconditions="safe"))
    act = result.domain.action("act")
    assert act.preconditions == {Atom("s", (act.variables[0],))}
    assert not act.negative_preconditions & {Atom("p", act.variables), DAY}
    assert result.explains_everything


def test_one_wrong_mask_of_many_costs_no_precondition():
    """It lists a where it is shut; ten others say that only what is open can be entered."""
    header = {
        "dias": "trace/1", "labels": "full", "objects": dict.fromkeys("abc", "object"),
        "predicates": {"open": ["object"], "in": ["object"]}, "actions": ["enter", "wait"],
    }  # fmt: skip
    states = [list(own) for n in (1, 2) for own in combinations("abc", n)]
    lines = []
    for n, doors in enumerate([*states, *reversed(states)]):
        state = [f"(open {door})" for door in doors]
        go = [f"(enter {door})" for door in doors]
        after = [*state, f"(in {doors[0]})"] if n < len(states) else state
        action = go[0] if n < len(states) else "(wait)"
        lines.append(step(state, action, after, applicable=[*go, "(wait)"]))
    lines.append(step([], "(wait)", [], applicable=["(enter a)", "(wait)"]))
    result = learn(read(header, *lines))
    enter = result.domain.action("enter")
    assert enter.preconditions == {Atom("open", enter.variables)}
    assert result.evidence[0].masks.too_strict == (len(lines) + 1,)
    assert not result.explains_everything


def test_no_mask_no_change():
    traces = read(HEADER, *({**line, "applicable": ["act"]} for line in STEPS))
    examples = examples_by_action(traces)["act"]
    schema = lifted_schema("act", 1, literals("u 0"), positive=literals("p 0", "day"))
    assert loosened(schema, examples, traces, SHORTEN["concise"]) == schema


def test_a_further_variable_that_nothing_binds_goes_too():
    schema = lifted_schema(
        "act", 3, literals("u 0"), positive=literals("p 0", "s 1", "p 2"),
        negative=literals("s 0", "u 1", "s 2", "= 1 2"),
    )  # fmt: skip
    (literal,) = (Literal(atom, True) for atom in literals("s 1"))
    shorter = without_literal(schema, literal, {})
    assert shorter.n_variables == 2
    assert shorter.positive == literals("p 0", "p 1")
    assert shorter.negative == literals("s 0", "s 1")
    (first,) = (Literal(atom, True) for atom in literals("p 0"))
    assert without_literal(schema, first, {}) == replace(schema, positive=literals("s 1", "p 2"))


def test_without_a_type_a_variable_may_be_whatever_the_next_wider_one_includes():
    parents = {"pawn": "piece", "king": "piece", "piece": "object", "cell": "object"}
    schema = lifted_schema(
        "act", 2, literals("u 0", "u 1"), positive=typed("pawn! 0", "piece! 0", "king! 1"),
        negative=typed("king! 0", "cell! 0", "pawn! 1"),
    )  # fmt: skip
    pawn, piece, _ = (Literal(atom, True) for atom in schema.positive)
    wider = without_literal(schema, pawn, parents)
    assert wider.positive == typed("piece! 0", "king! 1")
    assert wider.negative == typed("cell! 0", "pawn! 1")
    assert without_literal(schema, piece, parents).negative == typed("pawn! 1")
    (king, *_) = (Literal(atom, False) for atom in schema.negative)
    assert without_literal(schema, king, parents).positive == schema.positive


@pytest.mark.parametrize("is_masked", [False, True])
def test_a_mask_widens_a_type(is_masked):
    """Only pawns are moved where somebody moves; where a king might be, masks list it as well."""
    header = HEADER | {
        "types": {"piece": "object", "pawn": "piece", "king": "piece"},
        "objects": {"a": "pawn", "b": "pawn", "c": "king"},
        "predicates": {"up": ["piece"], "out": ["piece"], "day": []},
    }

    def seen(up, action, after, applicable):
        states = ([f"(up {name})" for name in up] + ["(day)"], after)
        return step(states[0], action, states[1], applicable=applicable)

    steps = [
        seen(up, "act", [*(f"(up {x})" for x in up if x != name), f"(out {name})", "(day)"], both)
        for up in ("a", "b", "ab", "ac", "bc", "abc")
        for name in up
        if name != "c"
        for both in (["act", "rest"],)
    ]
    masks = [seen("c", "rest", ["(day)"], ["act", "rest"] if is_masked else ["rest"])]
    masks += [seen("", "rest", ["(day)"], ["rest"])]
    action = learn(read(header, *steps, *masks)).domain.action("act")
    [(_, types)] = action.parameters
    assert types == (("piece",) if is_masked else ("pawn",))


@pytest.mark.parametrize("is_masked", [False, True])
def test_a_mask_asks_for_what_no_successor_shows(is_masked):
    """Looking changes nothing, whatever is looked at; a mask says that b cannot be looked at."""
    lines = []
    for name in "ac":
        state, action = [f"(p {name})", "(s b)"], f"(look {name})"
        more = {"applicable": [action]} if is_masked else {}
        lines.append(step(state, action, state, **more))
    traces = read(HEADER | {"labels": "full", "actions": ["look"]}, *lines)
    schema = lifted_schema("look", 1, positive=literals("p 0"), negative=literals("s 0", "u 0"))
    short = minimal_preconditions(schema, traces)
    assert short.positive == literals("p 0")  # a parameter is bound
    assert short.negative == ()
    loose = replace(schema, positive=(), negative=literals("s 0", "u 0", "day"))
    kept = SHORTEN["concise"](loose, traces).negative
    assert kept == (literals("s 0") if is_masked else ())


@pytest.mark.parametrize("is_masked", [False, True])
def test_a_state_that_should_allow_something_asks_for_nothing(is_masked):
    """By night there is a successor more; that the mask wants one makes it none to be ruled out."""
    lines = [line | {"applicable": ["act"]} for line in STEPS]
    night = [atom for atom in STATE if atom != "(day)"]
    more = {"applicable": ["act", "rest"] if is_masked else ["rest"]}
    traces = read(HEADER, *lines, step(night, "rest", night, **more))
    schema = lifted_schema("act", 1, literals("u 0"), positive=literals("p 0", "day"))
    short = minimal_preconditions(schema, traces)
    assert short.positive == (literals("p 0") if is_masked else literals("p 0", "day"))
