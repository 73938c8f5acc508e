"""What is refused in domains, or ignored with a warning: place, finding, remedy."""

from __future__ import annotations

import logging
import sys

import pytest

from dias.errors import PDDLInputError, UnsupportedPDDLError
from dias.strips.model import Atom
from dias.strips.pddl.reader import parse_domain, parse_problem
from tests.strips.pddl.port import PORT, TASK, domain_of, problem_of, refusal


@pytest.mark.parametrize(
    "text",
    ["(define)", "(define domain d)", "(defin (domain d))", "(define (domian d))", "(define ())"],
)
def test_what_is_no_definition(text):
    error = refusal(text)
    assert "expected `(define (domain name) …)`, found " in error.problem
    assert error.remedy == "Is this a PDDL file?"


def test_a_definition_needs_its_name(port):
    assert refusal("(define (domain))").problem == "expected the domain's name, found `)`"
    assert refusal("(define (problem))", port).problem == "expected the problem's name, found `)`"


def test_a_correct_file_gives_no_warning(caplog):
    parse_problem(TASK, parse_domain(PORT))
    assert caplog.messages == []


def test_requirements_that_are_missing_are_named(caplog):
    parse_domain(
        "(define (domain d) (:types t) (:predicates (p ?x - t))\n (:action a"
        " :parameters (?x ?y - t) :precondition (and (not (p ?x)) (= ?x ?y)) :effect (p ?x)))"
    )
    assert ":equality :negative-preconditions :typing" in caplog.text
    caplog.clear()
    parse_domain("(define (domain d) (:requirements :adl) (:types t) (:predicates (p ?x - t)))")
    assert caplog.messages == []


@pytest.mark.parametrize(
    ("body", "place", "fragments"),
    [
        ("(:action a :parameters (?x ?x))", "2:28", ["`?x` twice", "`a`"]),
        ("(:action a)\n(:action A)", "3:10", ["`a`", "line 2", "line 3"]),
        ("(:action a :parameters (?x) :effect (pp ?x))", "2:37", ["`pp`", "Did you mean p?"]),
        ("(:action a :parameters (?x) :effect (p))", "2:37", ["1 argument", "(p object)"]),
        ("(:action a :parameters (?x) :effect (p ?z))", "2:40", ["`?z`", "action `a`"]),
        ("(:action a :parameters (?x) :effect (p x))", "2:40", ["`x`", "Did you mean ?x?"]),
        ("(:action a :parameters (?x - t) :effect (p ?x))", "2:30", ["type", "`t`"]),
        ("(:action a :parameters (?x -t) :effect (p ?x))", "2:28", ["`-t`"]),
        ("(:action a :parameters (x) :effect (p ?x))", "2:25", ["`x`", "?name"]),
        ("(:action a :parameters (?x) :effect (= ?x ?x))", "2:37", ["`=`"]),
        ("(:action a :parameters (?x) :effect p)", "2:37", ["`p`", "parentheses"]),
        ("(:action a :preconditions (p ?x))", "2:12", ["Did you mean :precondition?"]),
        ("(:action a :parameters (?x) :effect (not (p ?x) (p ?x)))", "2:37", ["`not`"]),
        ("(:action)", "2:1", ["action's name"]),
        ("(:action a (p))", "2:12", [":parameters, :precondition, :effect, found `(`"]),
        ("(:action a :parameters () :effect () :cost 1)", "2:38",
         ["expected :precondition, found `:cost`", "close the action"]),
        ("(:action a :parameters () :precondition () :effect () ())", "2:55", ["expected `)`"]),
        ("(:action a :effect)", "2:1", ["`(` after :effect, found `)`"]),
        ("(:action a :effect p)", "2:20", ["`(` after :effect, found `p`"]),
        ("(:action a :effect (and ()))", "2:25", ["found `()`", "Remove it"]),
        ("(:action a :precondition (not ()))", "2:31", ["found `()`"]),
        ("(:action a :effect ((p a)))", "2:20", ["found `(`"]),
        ("(:action a :effect (and (:p a)))", "2:25", ["found `:p`", "missing before it"]),
        ("(:action a :effect (and (?p a)))", "2:25", ["found `?p`", "missing before it"]),
        ("(:action a :effect (and (not)))", "2:25", ["after `not`, found 0"]),
        ("(:action a :effect (p kim))", "2:23", ["declared object or constant", "Declare it"]),
        ("(:action a :effect (rain))", "2:20", ["declared predicate", "(:predicates …)"]),
        ("other", "2:1", ["section of a domain, found `other`", "The sections are"]),
        ("()", "2:1", ["section of a domain, found `(`"]),
        ("(:actions a)", "2:1", ["Did you mean :action?"]),
        ("(:predicates (p))", "2:1", ["`:predicates`", "line 1"]),
        ("(:constants , a)", "2:13", ["comma"]),
        ("(:constants a - (either b c))", "2:13", ["several types"]),
    ],
)  # fmt: skip
def test_errors_in_domains(body, place, fragments):
    error = refusal(domain_of(body))
    assert error.place == f"d.pddl:{place}"
    for fragment in fragments:
        assert fragment in str(error)


def test_errors_in_predicates():
    assert "line 1" in str(refusal(domain_of("", "(:predicates (p ?x)\n (p ?x ?y))")))
    assert "`and`" in str(refusal(domain_of("", "(:predicates (and ?x))")))
    assert "Did you mean block?" in str(
        refusal(domain_of("", "(:types block) (:predicates (p ?x - blok))"))
    )


@pytest.mark.parametrize(
    ("body", "construct", "line"),
    [
        ("(:action a :parameters (?x)\n :precondition (or (p ?x)) :effect (p ?x))", "`or`", 3),
        ("(:action a :parameters (?x) :precondition (imply (p ?x) (p ?x)))", "`imply`", 2),
        ("(:action a :precondition (forall (?x) (p ?x)))", "`forall`", 2),
        ("(:action a :precondition (not (exists (?x) (p ?x))))", "`exists`", 2),
        ("(:action a :parameters (?x) :precondition (not (and (p ?x) (p ?x))))", "negated", 2),
        ("(:action a :parameters (?x) :effect (when (p ?x) (p ?x)))", "`when`", 2),
        ("(:action a :parameters (?x) :effect (oneof (p ?x) (p ?x)))", "`oneof`", 2),
        ("(:action a :parameters (?x) :effect (increase (fuel ?x) 1))", "`increase`", 2),
        ("(:action a :parameters (?x) :precondition (>= (fuel ?x) 1))", "`>=`", 2),
        ("(:action a :parameters (?x) :precondition (= (fuel ?x) 1))", "function", 2),
        ("(:durative-action a :parameters ())", "`:durative-action`", 2),
    ],
)
def test_constructs_outside_strips_are_named_with_action_and_line(body, construct, line):
    error = refusal(domain_of(body))
    assert isinstance(error, UnsupportedPDDLError)
    assert construct in error.problem
    assert "action `a`" in error.problem
    assert error.place.startswith(f"d.pddl:{line}:")


@pytest.mark.parametrize(
    ("body", "construct"),
    [
        ("(:derived (p ?x) (p ?x))", "`:derived`"),
        ("(:constraints (always (p ?x)))", "`:constraints`"),
        ("(:derived (p ?x) (p ?x))", "in the predicate `p`"),
        ("(:process p)", "`:process` (a process) in action `p`"),
        ("(:durative-action)", "`:durative-action` (a durative action)"),
        ("(:functions (fuel ?x))", "`fuel`"),
    ],
)
def test_sections_outside_strips(body, construct):
    error = refusal(domain_of(body))
    assert isinstance(error, UnsupportedPDDLError)
    assert construct in error.problem


def test_action_costs_are_ignored_with_one_warning(caplog, port):
    (action,) = parse_domain(
        domain_of(
            "(:functions (total-cost) - number (far ?x ?y) - number) (:action a :parameters (?x)"
            " :effect (and (p ?x) (increase (total-cost) (far ?x ?x))))"
        )
    ).actions
    assert action.add_effects == {Atom("p", ("?x",))}
    instance = parse_problem(
        problem_of("(:init (= (total-cost) 0) (storm)) (:metric minimize (total-cost))"), port
    )
    assert instance.init == {Atom("storm")}
    assert [message.split(": ")[1] for message in caplog.messages] == [
        "action costs are ignored"
    ] * 2
    with pytest.raises(UnsupportedPDDLError, match="metric"):
        parse_problem(problem_of("(:init) (:metric minimize (total-time))"), port)


def test_a_variable_that_never_fits_is_warned_of(caplog):
    parse_domain(PORT.replace("?s - ship ?a ?b", "?s ?a ?b"))
    assert "`?s` is of type quay, which `at` never holds of" in caplog.text


def test_refusals_of_the_pddl_package_become_ours(monkeypatch, port):
    monkeypatch.setattr("dias.strips.pddl.package.REQUIREMENTS", ":no-such-requirement")
    with pytest.raises(PDDLInputError, match="pddl package refuses"):
        parse_domain(PORT)
    with pytest.raises(PDDLInputError, match="pddl package refuses"):
        parse_problem(TASK, port)
    monkeypatch.undo()
    assert parse_domain(PORT).name == "port"
    assert getattr(sys, "tracebacklimit", None) is None


def test_warnings_name_the_place(caplog):
    with caplog.at_level(logging.WARNING):
        parse_domain("(define (domain d)\n (:action a))", "d.pddl")
    assert caplog.messages == ["d.pddl:2:11: the action `a` has no effect"]


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("(define (domain d e f)\n (:predicates (p)))", "1:9", "one name of the domain"),
        ("(define (domain d e))", "1:9", "one name of the domain"),
        (domain_of("(:predicates (q))"), "2", "found another one in line 1"),
        (domain_of("(:action a :effect (p ?x)\n:effect (p ?x))"), "3", ":effect"),
        (domain_of("(:action a :effect (decrease (total-cost) 1))"), "2", "decrease"),
    ],
)
def test_what_is_said_too_often_or_is_no_cost(text, place, said):
    found = refusal(text)
    assert found.place.startswith(f"d.pddl:{place}")
    assert said in str(found)
