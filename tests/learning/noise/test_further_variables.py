"""Precondition-only variables are found among noise, and doubted where little speaks for them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dias.evaluation.evaluate import evaluate
from dias.learning.extend import search
from dias.learning.learn import learn
from dias.report.certificate import next_step
from dias.report.doubts import weak_points
from dias.report.to_record import advice
from dias.strips.model import Atom, Domain, Instance
from dias.strips.pddl.reader import parse_domain, parse_problem
from tests.learning.noise.cases import noisy_walks

N = 100
"""Samples of each action."""

LIGHTHOUSES = """
; A place is seen in the light of a lamp on a tower that is turned to it. Soon nothing is new.
(define (domain lighthouses)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types lamp tower place colour)
  (:predicates (on ?l - lamp ?t - tower) (shines ?l - lamp ?c - colour)
    (turned ?t - tower ?p - place) (lit ?l - lamp) (dark ?l - lamp)
    (seen ?p - place ?c - colour))
  (:action turn
    :parameters (?t - tower ?to ?from - place)
    :precondition (and (turned ?t ?from) (not (= ?to ?from)))
    :effect (and (turned ?t ?to) (not (turned ?t ?from))))
  (:action light
    :parameters (?l - lamp)
    :precondition (dark ?l)
    :effect (and (lit ?l) (not (dark ?l))))
  (:action douse
    :parameters (?l - lamp)
    :precondition (lit ?l)
    :effect (and (dark ?l) (not (lit ?l))))
  (:action look
    :parameters (?p - place ?c - colour ?l - lamp ?t - tower)
    :precondition (and (on ?l ?t) (shines ?l ?c) (turned ?t ?p) (lit ?l))
    :effect (seen ?p ?c)))
"""


def lighthouses(
    n_lamps: int, n_towers: int, n_places: int, n_colours: int
) -> tuple[Domain, Instance]:
    """The domain and a problem of that many objects."""
    domain = parse_domain(LIGHTHOUSES)
    lamps = [(f"l{i}", f"t{i % n_towers}", f"c{i % n_colours}") for i in range(n_lamps)]
    state = " ".join(
        f"(on {lamp} {tower}) (shines {lamp} {colour}) (shines {lamp} c0) (dark {lamp})"
        for lamp, tower, colour in lamps
    )
    turned = " ".join(f"(turned t{i} p{i})" for i in range(n_towers))
    numbers = {"lamp": n_lamps, "tower": n_towers, "place": n_places, "colour": n_colours}
    objects = " ".join(
        f"{' '.join(f'{kind[0]}{i}' for i in range(n))} - {kind}" for kind, n in numbers.items()
    )
    return domain, parse_problem(
        f"(define (problem p) (:domain lighthouses) (:objects {objects}) (:init {state} {turned}))",
        domain,
        needs_goal=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("flips", [1, 4])
def test_two_further_variables_where_most_steps_change_nothing(flips):
    domain, problem = lighthouses(6, 3, 18, 4)
    traces = noisy_walks(domain, [problem], flips, N)
    looks = [t for t in noisy_walks(domain, [problem], 0, N).transitions if t.action == "look"]
    assert sum(t.state == t.next_state for t in looks) > 0.5 * len(looks)
    result = learn(traces)
    assert result.noise.flips == pytest.approx(flips, rel=0.15)
    look = result.domain.action("look")
    assert look.arity == 4
    positive = {atom.predicate for atom in look.preconditions}
    assert positive == {"on", "shines", "turned", "lit"}
    measured = evaluate(result.domain, domain, [deep(problem, traces)], n_states=200)
    assert measured.is_sound and measured.is_complete
    assert result.explains_everything
    assert not any("look" in point for point in weak_points(result))


def deep(problem: Instance, traces) -> Instance:
    """The problem with all lamps lit: near its first state few are."""
    atoms = {Atom("lit", a.terms) if a.predicate == "dark" else a for a in problem.init}
    return replace(problem, init=frozenset(atoms))


VALVES = """
; A valve is oiled as long as one of its tanks is empty: nothing that is true says so.
(define (domain valves)
  (:requirements :strips :typing :negative-preconditions)
  (:types valve tank)
  (:predicates (joins ?v - valve ?t - tank) (full ?t - tank) (oiled ?v - valve))
  (:action fill
    :parameters (?t - tank)
    :precondition (not (full ?t))
    :effect (full ?t))
  (:action drain
    :parameters (?t - tank)
    :precondition (full ?t)
    :effect (not (full ?t)))
  (:action run-dry
    :parameters (?v - valve)
    :precondition (oiled ?v)
    :effect (not (oiled ?v)))
  (:action oil
    :parameters (?v - valve ?t - tank)
    :precondition (and (joins ?v ?t) (not (full ?t)) (not (oiled ?v)))
    :effect (oiled ?v)))
"""


@pytest.mark.parametrize("flips", [1, 2])
def test_a_variable_of_which_something_must_not_hold(flips):
    domain = parse_domain(VALVES)
    valves, tanks = [f"v{i}" for i in range(8)], [f"t{i}" for i in range(5)]
    joins = " ".join(
        f"(joins {valve} t{i % 5}) (joins {valve} t{(i + 1 + i // 5) % 5})"
        for i, valve in enumerate(valves)
    )
    problem = parse_problem(
        f"(define (problem p) (:domain valves) (:objects {' '.join(valves)} - valve "
        f"{' '.join(tanks)} - tank) (:init {joins} (full t0) (full t1) (full t2)))",
        domain,
        needs_goal=False,
    )
    result = learn(noisy_walks(domain, [problem], flips, N))
    assert result.domain.action("oil").arity == 2
    measured = evaluate(result.domain, domain, [problem], n_states=200)
    assert measured.is_sound and measured.is_complete


def test_variables_that_too_little_speaks_for_are_doubted(monkeypatch):
    """Held to a standard that no score meets, the schema lacks parameters, and says so."""
    domain, problem = lighthouses(4, 2, 14, 4)
    monkeypatch.setattr(search, "ROUNDING", 1e9)
    result = learn(noisy_walks(domain, [problem], 2, 60))
    assert result.noise.is_any
    assert result.domain.action("look").arity == 2
    (point,) = [text for text in weak_points(result) if "a parameter with" in text]
    assert point.startswith("look: a parameter with ")
    assert all(f"({name} " in point for name in ("shines", "lit"))
    assert any(text.startswith("look: ") and "a parameter with" in text for text in advice(result))
    assert "look" in next_step(result, "d.pddl")
    assert result.is_weak
