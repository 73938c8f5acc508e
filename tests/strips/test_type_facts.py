"""Types that facts say: a domain with types, used with problems that have relations instead."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dias.errors import PDDLInputError
from dias.evaluation.evaluate import evaluate
from dias.planning.plan import plan
from dias.planning.replay import replay
from dias.strips.engines.choice import UNPRUNED
from dias.strips.model import Atom
from dias.strips.pddl.reader import parse_domain, parse_problem
from dias.strips.type_facts import narrower, type_relations, with_types_said

TYPED = parse_domain("""\
(define (domain yard) (:requirements :strips :typing)
  (:types vehicle place - object truck - vehicle)
  (:predicates (at ?v - vehicle ?p - place) (near ?p ?q - place) (place ?a ?b))
  (:action go :parameters (?t - truck ?p - place ?q - place)
    :precondition (and (at ?t ?p) (near ?p ?q))
    :effect (and (at ?t ?q) (not (at ?t ?p)))))
""")
UNTYPED = parse_domain("""\
(define (domain yard)
  (:predicates (at ?v ?p) (near ?p ?q) (vehicle ?v) (truck ?t) (site ?p))
  (:action go :parameters (?t ?p ?q)
    :precondition (and (truck ?t) (at ?t ?p) (near ?p ?q))
    :effect (and (at ?t ?q) (not (at ?t ?p)))))
""")
SITES = parse_domain("""\
(define (domain yard) (:requirements :strips :typing)
  (:types truck site - object)
  (:predicates (at ?v - truck ?p - site) (near ?p ?q - site))
  (:action go :parameters (?t - truck ?p - site ?q - site)
    :precondition (and (at ?t ?p) (near ?p ?q))
    :effect (and (at ?t ?q) (not (at ?t ?p)))))
""")
PROBLEM = """\
(define (problem p) (:domain yard) (:objects t c a b)
  (:init (truck t) (site a) (site b) (at t a) (near a b) (near b a))
  (:goal (at t b)))
"""


def problem(objects, init, domain=TYPED):
    return parse_problem(
        f"(define (problem p) (:domain yard) (:objects {objects})\n(:init {init}))", domain
    )


def test_a_fact_says_the_type_where_no_predicate_is_called_so():
    assert type_relations(TYPED) == {"vehicle": "vehicle", "truck": "truck"}
    assert type_relations(UNTYPED) == {}
    found = problem("a - place t v", "(truck t) (at v a) (vehicle v) (place t v)")
    assert found.objects == {"t": "truck", "v": "vehicle", "a": "place"}
    assert {atom.predicate for atom in found.init} == {"at", "place"}


@pytest.mark.parametrize("facts", ["(truck t) (vehicle t)", "(vehicle t) (truck t)", "(truck t)"])
@pytest.mark.parametrize("declared", ["t", "t - vehicle", "t - truck", "t - object"])
def test_the_narrowest_type_counts(facts, declared):
    assert problem(declared, facts).objects == {"t": "truck"}


def test_the_relation_called_as_the_root_says_the_type_obj():
    parcels = parse_domain("""\
(define (domain yard) (:requirements :strips :typing)
  (:types obj place - object)
  (:predicates (at ?o - obj ?p - place)))
""")
    found = problem("p a", "(object p) (place a) (at p a)", parcels)
    assert found.objects == {"p": "obj", "a": "place"}
    assert {atom.predicate for atom in found.init} == {"at"}
    untyped = parse_domain("(define (domain yard) (:predicates (object ?o) (place ?p) (at ?o ?p)))")
    plain = problem("p a", "(object p) (place a) (at p a)", untyped)
    assert with_types_said(plain, parcels).objects == found.objects
    with pytest.raises(PDDLInputError, match="found obj and place for p in problem p"):
        with_types_said(problem("p", "(object p) (place p)", untyped), parcels)
    with pytest.raises(PDDLInputError, match="expected `a` to be of type place, found type obj"):
        problem("a - place", "(object a)", parcels)
    # A predicate of the name is what it is, and without that type there is nothing to be said.
    own = replace(parcels, predicates=(*parcels.predicates, *untyped.predicates[:1]))
    assert "object" not in type_relations(own)
    assert problem("p - obj", "(object p)", own).init == {Atom("object", ("p",))}
    assert "object" not in type_relations(TYPED)


def test_a_fact_may_say_less_than_was_declared():
    assert problem("t - truck", "(vehicle t)").objects == {"t": "truck"}
    assert narrower("truck", "vehicle", TYPED.types) == "truck"
    assert narrower("place", "vehicle", TYPED.types) is None


@pytest.mark.parametrize(
    ("objects", "init", "message"),
    [
        ("a - place", "(truck a)", "2:8: expected `a` to be of type place, found type truck"),
        ("a", "(truck b)", "2:8: expected an object of that type, found none"),
        ("a", "(truck (a))", "2:8: expected an object of that type, found none"),
        ("a", "(truck a a)", "truck"),
        ("t a", "(truck t) (at a t)", "2:22: "),
        ("a", "(site a)", "site"),
    ],
)
def test_facts_that_say_no_type(objects, init, message):
    with pytest.raises(PDDLInputError) as caught:
        problem(objects, init)
    assert message in str(caught.value)


def test_an_instance_of_an_untyped_domain():
    untyped = parse_problem(PROBLEM, UNTYPED)
    typed = with_types_said(untyped, SITES)
    assert typed.objects == {"t": "truck", "a": "site", "b": "site", "c": "object"}
    assert typed == replace(untyped, objects=typed.objects)
    assert with_types_said(untyped, UNTYPED) == untyped
    contradicting = problem("t", "(vehicle t) (truck t) (site t)", UNTYPED)
    with pytest.raises(PDDLInputError, match="found site and truck for t in problem p"):
        with_types_said(contradicting, SITES)


@pytest.mark.parametrize("engine", UNPRUNED)
def test_both_domains_have_the_same_successors(engine):
    instance = parse_problem(PROBLEM, UNTYPED)
    for learned, true in ((SITES, UNTYPED), (UNTYPED, UNTYPED)):
        found = evaluate(learned, true, [instance], 5, engine=engine)
        assert [own.n_states for own in found.problems] == [2]
        assert found.is_sound and found.is_complete
    nothing = replace(SITES, actions=())
    assert not evaluate(nothing, UNTYPED, [instance], 5, engine=engine).is_complete


def test_plans_are_found_and_valid_in_both():
    untyped, typed = (parse_problem(PROBLEM, domain) for domain in (UNTYPED, SITES))
    for instance in (untyped, typed):
        found = plan(SITES, instance)
        assert [str(step) for step in found.steps] == ["(go t a b)"]
    assert replay(found.steps, SITES, UNTYPED, untyped).valid


def test_a_goal_may_say_types_that_hold():
    said = parse_problem(
        PROBLEM.replace("(at t b)", "(and (at t b) (truck t) (not (site t)))"), SITES
    )
    assert said == parse_problem(PROBLEM, SITES)
    assert [str(step) for step in plan(SITES, said).steps] == ["(go t a b)"]


@pytest.mark.parametrize("goal", ["(and (at t b) (site t))", "(not (truck t))", "(truck c)"])
def test_a_goal_that_says_another_type_cannot_hold(goal):
    with pytest.raises(PDDLInputError, match=r"3:.* a goal that can hold, found a false type"):
        parse_problem(PROBLEM.replace("(at t b)))", f"{goal}))"), SITES)
