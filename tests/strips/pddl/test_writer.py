"""The text of domains and problems, and the names in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dias.strips.model import OBJECT, ActionSchema, Atom, Domain, Instance, Parameter, Predicate
from dias.strips.pddl.reader import parse_domain, parse_problem
from dias.strips.pddl.spelling import legal_names
from dias.strips.pddl.writer import format_domain, format_problem
from tests.strips.pddl.written import NEGATIVE, PORT, TASK


def test_domain_text():
    assert (
        format_domain(PORT, ["made by hand", "", "two\nlines"])
        == """\
; made by hand
;
; two
; lines
(define (domain port)
  (:requirements :strips :typing)
  (:types
    movable quay - object
    ship - movable
    tug - ship)
  (:constants
    home - quay)
  (:predicates
    (at ?x1 - ship ?x2 - quay)
    (storm)
    (near ?x1 - quay ?x2))
  (:action sail
    :parameters (?s - ship ?a - quay ?b)
    :precondition (and
      (at ?s ?a)
      (near ?a ?b))
    :effect (and
      (at ?s home)
      (not (at ?s ?a))))
  (:action calm
    :parameters ()
    :precondition (and)
    :effect (and
      (not (storm))))
  (:action wait
    :parameters ()
    :precondition (and)
    :effect (and))
)
"""
    )


def test_problem_text():
    assert (
        format_problem(TASK, PORT)
        == """\
(define (problem p)
  (:domain port)
  (:objects
    pier - quay
    t - tug
    rock)
  (:init
    (at t home)
    (near home pier)
    (storm))
  (:goal (and
    (at t home)))
)
"""
    )


def test_goal_forms():
    negative = Instance("p", "port", {}, frozenset(), negative_goal=frozenset({Atom("storm")}))
    assert "(:goal (and\n    (not (storm))))" in format_problem(negative, PORT)
    none = Instance("p", "port", {}, frozenset(), has_goal=False)
    assert ":goal" not in format_problem(none, PORT)
    assert parse_problem(format_problem(none, PORT), PORT).has_goal is False
    assert "(:goal (and))" in format_problem(Instance("p", "port", {}, frozenset()), PORT)


@pytest.mark.parametrize(
    ("change", "requirements"),
    [
        ({}, ":strips"),
        ({"negative_preconditions": frozenset({Atom("p", ("?x",))})},
         ":strips :negative-preconditions"),
        ({"equalities": frozenset({("?x", "?y")})}, ":strips :equality"),
        ({"inequalities": frozenset({("?x", "?y")})}, ":strips :negative-preconditions :equality"),
        ({"parameters": (Parameter("?x", ("t",)),)}, ":strips :typing"),
    ],
)  # fmt: skip
def test_exactly_the_requirements_used(change, requirements):
    schema = {"parameters": (Parameter("?x"), Parameter("?y")), **change}
    actions = (ActionSchema("plain"), ActionSchema("a", **schema))  # one that needs it is enough
    domain = Domain("d", {}, {}, NEGATIVE.predicates, actions)
    assert f"(:requirements {requirements})\n" in format_domain(domain)


def test_root_type_before_another_type_is_written():
    domain = Domain("d", {"t": "object"}, {}, (Predicate("p", (("object",), ("t",))),))
    assert "(p ?x1 - object ?x2 - t)" in format_domain(domain)
    assert parse_domain(format_domain(domain)) == domain


def test_odd_names_are_written_legally_and_told(caplog):
    names = ["take/1.5", "take_1_5", "take.1.5", "#leave!", "+", "nordøst", "at", "1st-"]
    domain = Domain("d", actions=tuple(ActionSchema(name) for name in names))
    text = format_domain(domain)
    written = [action.name for action in parse_domain(text).actions]
    assert written == [
        "take_1_5_3", "take_1_5", "take_1_5_2", "leave", "x", "nordøst", "at", "1st-",
    ]  # fmt: skip
    assert "; action #leave! is written leave\n" in text
    assert "action #leave! is written leave" in caplog.text
    assert "nordøst is written" not in caplog.text


def test_names_of_instances_are_written_as_in_the_domain():
    domain = Domain("a.d", {"a.t": "object"}, {"a.k": "a.t"}, (Predicate("and", (("a.t",),)),))
    objects = {"a.k": "a.t", "a.o": "a.t", "a_k": "a.t"}
    init = frozenset(Atom("and", (name,)) for name in objects)
    text = format_problem(Instance("p", "a.d", objects, init), domain)
    instance = parse_problem(text, parse_domain(format_domain(domain)))
    assert instance.domain_name == "a_d"
    assert set(instance.objects) == {"a_k", "a_o", "a_k_2"}
    assert set(instance.objects.values()) == {"a_t"}
    assert len(instance.init) == 3


def test_typed_instance_of_an_untyped_domain():
    text = format_problem(Instance("p", "negative", {"b": "u", "a": "t"}, frozenset()), NEGATIVE)
    assert "(:objects\n    a b)" in text


@given(st.lists(st.text(min_size=1, max_size=4), unique=True), st.sets(st.sampled_from("ab")))
def test_legal_names_are_legal_and_different(names, reserved):
    spelling = legal_names(names, reserved)
    assert set(spelling) == set(names)
    assert len(set(spelling.values())) == len(names)
    assert not set(spelling.values()) & reserved
    assert legal_names(spelling.values(), reserved) == {new: new for new in spelling.values()}


def test_letters_that_not_every_planner_reads_are_said(caplog):
    domain = Domain("d", predicates=(Predicate("où", ((OBJECT,),)), Predicate("at", ())))
    with caplog.at_level("WARNING"):
        text = format_domain(domain)
    assert "(où ?x1)" in text
    assert [m for m in caplog.messages if "Fast Downward" in m] == [
        "names with letters that some planners refuse, Fast Downward too: où"
    ]
    instance = Instance("p", "d", {"é": OBJECT, "b": OBJECT}, frozenset({Atom("at", ())}))
    format_problem(instance, domain)
    assert caplog.messages[-1].endswith("too: é")
    caplog.clear()
    format_domain(Domain("d", predicates=(Predicate("at", ()),)))
    assert not caplog.messages
