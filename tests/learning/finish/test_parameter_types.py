"""Parameters of which it is known what they never are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dias.config import LearningConfig
from dias.evaluation.evaluate import evaluate
from dias.learning.finish.assemble import action_schema
from dias.learning.finish.parameter_types import narrower_than_asked, narrows
from dias.learning.learn import learn
from dias.learning.schema import Effects, Literal
from dias.report.doubts import untested_lines
from dias.strips.pddl.reader import parse_domain, parse_problem
from dias.strips.pddl.writer import format_domain
from dias.traces.record import LabelMode
from dias.traces.sampling.sample import sample
from dias.traces.sampling.samples import SamplingConfig
from tests.learning.cases import lifted_schema, literals, typed
from tests.traces.files import read

FERRIES = {"v": "truck", "w": "plane", "x": "boat", "y": "ferry", "p": "place"}


@pytest.mark.parametrize(
    ("objects", "barred", "types"),
    [
        (FERRIES, ["boat"], ("plane", "truck")),  # a ferry is a boat
        (FERRIES, ["boat", "plane"], ("truck",)),
        (FERRIES, ["place"], ("vehicle",)),  # which no vehicle is anyway
        (FERRIES, ["ferry"], ("vehicle",)),  # boats are boats, and no type is left for them
        (FERRIES | {"x": "ferry"}, ["ferry"], ("plane", "truck")),
        (FERRIES | {"x": "truck", "y": "truck"}, ["boat"], ("vehicle",)),  # there is none
        (FERRIES | {"p": "vehicle"}, ["boat"], ("vehicle",)),  # and what else p is, nobody knows
    ],
)
def test_what_a_parameter_never_is(objects, barred, types):
    own = {"vehicle": "object", "place": "object", "ferry": "boat"}
    own |= dict.fromkeys(("boat", "plane", "truck"), "vehicle")
    header = {"dias": "trace/1", "types": own, "predicates": {"on": []}, "objects": objects}
    traces = read(header, {"state": [], "action": "(go)", "next": ["(on)"]})
    schema = lifted_schema(
        "go", 1, positive=typed("vehicle! 0"), negative=typed(*(f"{name}! 0" for name in barred))
    )
    [parameter] = action_schema(schema, traces).parameters
    assert parameter.types == types
    said = [narrows(Literal(atom, False), schema, traces) for atom in schema.negative]
    assert any(said) == (types != ("vehicle",))


@pytest.mark.parametrize(
    ("objects", "kind", "is_narrower"),
    [
        (FERRIES, "truck", True),
        (FERRIES, "vehicle", False),
        (FERRIES, "object", False),
        ({"v": "truck", "w": "truck", "p": "place"}, "truck", False),  # there is no other
    ],
)
def test_a_type_narrower_than_what_the_literals_ask_for(objects, kind, is_narrower):
    """Only of vehicles is it said that they are on; of places nothing is."""
    own = {"vehicle": "object", "place": "object", "ferry": "boat"}
    own |= dict.fromkeys(("boat", "plane", "truck"), "vehicle")
    predicates = {"on": ["vehicle"], "far": ["object"]}
    header = {"dias": "trace/1", "types": own, "predicates": predicates, "objects": objects}
    traces = read(header, {"state": [], "action": "(go)", "next": ["(on v)"]})
    effects = Effects(1, literals("on 0"), ())
    schema = replace(
        lifted_schema("go", 2, positive=typed(f"{kind}! 0", "place! 1")), effects=effects
    )
    written = action_schema(schema, traces)
    assert [*narrower_than_asked(written, traces)] == [written.variables[0]] * is_narrower
    said = replace(schema, positive=(*schema.positive, *literals("far 1")))
    written = action_schema(said, traces)
    assert written.variables[1] in narrower_than_asked(written, traces)


CREW = """\
(define (domain crew) (:requirements :strips :typing)
  (:types pilot cook - person)
  (:predicates (up ?p - person) (tired ?p - person))
  (:action fly :parameters (?p - pilot) :precondition (not (up ?p)) :effect (up ?p))
  (:action land :parameters (?p - person) :precondition (up ?p)
    :effect (and (not (up ?p)) (tired ?p)))
  (:action sleep :parameters (?p - person) :precondition (tired ?p) :effect (not (tired ?p))))
"""
BASE = """\
(define (problem base) (:domain crew) (:objects a b - pilot c d - cook)
  (:init (tired c) (tired d)) (:goal (up a)))
"""


def test_a_type_that_was_never_put_to_the_test_is_named():
    """Cooks are never up: who lands is a pilot, by type, and nobody else might have."""
    domain = parse_domain(CREW)
    base = parse_problem(BASE, domain)
    traces = sample(domain, [base], SamplingConfig(min_per_action=40), labels=LabelMode.FULL)
    lines = {line.split(":")[0]: line for line in untested_lines(learn(traces))}
    assert "kept ?pilot - pilot" in lines["land"]
    assert "- pilot" not in lines.get("sleep", "")


PORT = """\
(define (domain port) (:requirements :strips :typing :negative-preconditions)
  (:types place vehicle - object truck plane boat - vehicle)
  (:predicates (at ?v - vehicle ?p - place) (road ?p ?q - place) (clean ?v - vehicle))
  (:action move :parameters (?v - vehicle ?p ?q - place)
    :precondition (and (at ?v ?p) (road ?p ?q))
    :effect (and (at ?v ?q) (not (at ?v ?p)) (not (clean ?v))))
  (:action wash :parameters (?v - (either plane truck)) :precondition (not (clean ?v))
    :effect (clean ?v)))
"""
PIER = """\
(define (problem pier) (:domain port)
  (:objects a b c - place t1 t2 - truck p1 p2 - plane b1 b2 b3 - boat v - KIND)
  (:init (at t1 a) (at t2 b) (at p1 c) (at p2 a) (at b1 a) (at b2 b) (at b3 c) (at v b)
         (road a b) (road b a) (road b c) (road c b))
  (:goal (clean t1)))
"""


def learned(kind, labels=LabelMode.NAMES, preconditions="concise"):
    """The true domain, the problem, and what is learned, with one more vehicle of some kind."""
    domain = parse_domain(PORT)
    pier = parse_problem(PIER.replace("KIND", kind), domain)
    traces = sample(domain, [pier], SamplingConfig(min_per_action=60), labels=labels, seed=7)
    config = LearningConfig(method="symbolic", preconditions=preconditions)
    return domain, pier, learn(traces, config)


@pytest.mark.parametrize("preconditions", ["concise", "safe", "minimal"])
@pytest.mark.parametrize("labels", [LabelMode.NAMES, LabelMode.FULL])
def test_no_boat_is_washed(labels, preconditions):
    domain, pier, result = learned("plane", labels, preconditions)
    assert "(?vehicle - (either plane truck))" in format_domain(result.domain)
    found = evaluate(result.domain, domain, [pier], 60)
    assert found.is_sound and found.is_complete
    [own] = [own.support for own in result.evidence if own.action == "wash"]
    [kind] = [one for one in own.literals if one.role == "type"]
    assert kind.text == "?vehicle - (either plane truck)"
    assert own.word(kind) == "decided" and kind.chance < 1e-6
    assert not any("boat" in text for text in own.left_out)


def test_what_no_type_can_say_is_named():
    """Some vehicle is no truck, no plane and no boat, and nobody washes that one."""
    domain, pier, result = learned("vehicle")
    assert "(?vehicle - vehicle)" in format_domain(result.domain)
    assert not evaluate(result.domain, domain, [pier], 60).is_sound
    [own] = [own.support for own in result.evidence if own.action == "wash"]
    assert own.may_be_needed == ("?vehicle - not boat",)
    assert own.has_doubts
