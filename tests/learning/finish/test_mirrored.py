"""Relations that hold in both directions are asked for in one."""

from __future__ import annotations

import math

import pytest

from dias.config import LearningConfig
from dias.learning.finish.mirrored import log_chance, mirrored
from dias.learning.learn import learn
from dias.strips.pddl.reader import parse_domain, parse_problem
from dias.traces.record import LabelMode
from dias.traces.sampling.sample import sample
from dias.traces.sampling.samples import SamplingConfig
from tests.learning.cases import literals
from tests.traces.files import read

RING = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("e", "f"), ("f", "a")]
BOTH_WAYS = [*RING, *((y, x) for x, y in RING)]


def world(pairs, static=True):
    """Traces with roads in the header or in all states, in which a switch is turned on."""
    roads = [f"(road {x} {y})" for x, y in pairs]
    header = {
        "dias": "trace/1", "objects": dict.fromkeys("abcdef", "object"),
        "predicates": {"road": ["object", "object"], "on": []}, "static": roads if static else [],
    }  # fmt: skip
    own = [] if static else roads
    return read(header, {"state": own, "action": "(switch)", "next": [*own, "(on)"]})


@pytest.mark.parametrize("static", [True, False])
@pytest.mark.parametrize(
    ("pairs", "chance"),
    [
        (BOTH_WAYS, (12 / 30) ** 6),
        ([*BOTH_WAYS, ("c", "c")], (12 / 30) ** 6),  # a loop has no direction
        (BOTH_WAYS[:-1], 1),  # one road is one-way
        (RING, 1),
        ([(x, y) for x in "abc" for y in "abc" if x != y], 1),  # all are related
        ([], 1),
    ],
)
def test_how_likely_both_directions_are_by_accident(pairs, chance, static):
    assert math.exp(log_chance("road", world(pairs, static))) == pytest.approx(chance)


def test_what_changes_has_no_law():
    assert log_chance("on", world(BOTH_WAYS)) == 0


def test_atoms_with_their_mirrors():
    atoms = literals("road 0 1", "road 1 0", "road 1 2", "road 3 3", "on")
    both = [tuple(literals("road 0 1", "road 1 0")), tuple(literals("road 1 0", "road 0 1"))]
    assert [*mirrored(atoms, atoms, world(BOTH_WAYS))] == both
    assert [*mirrored(atoms[:1], atoms[1:], world(BOTH_WAYS))] == both[:1]
    assert not [*mirrored(atoms, atoms, world(BOTH_WAYS[:-1]))]
    assert not [*mirrored(atoms, atoms, world([("a", "b"), ("b", "a"), ("a", "c"), ("c", "a")]))]


DRIVE = """\
(define (domain drive) (:requirements :strips)
  (:predicates (at ?p) (road ?p ?q))
  (:action drive :parameters (?p ?q) :precondition (and (at ?p) (road ?q ?p))
    :effect (and (at ?q) (not (at ?p)))))
"""


@pytest.mark.parametrize("labels", [LabelMode.NAMES, LabelMode.FULL])
@pytest.mark.parametrize(("n_ways", "one_way"), [(12, False), (11, True)])
def test_one_direction_is_written_and_the_other_one_said(n_ways, one_way, labels):
    domain = parse_domain(DRIVE)
    roads = " ".join(f"(road {x} {y})" for x, y in BOTH_WAYS[:n_ways])
    text = f"(define (problem p) (:domain drive) (:objects a b c d e f) (:init (at a) {roads}) "
    problem = parse_problem(text + "(:goal (at d)))", domain)
    traces = sample(domain, [problem], SamplingConfig(min_per_action=60), labels=labels, seed=7)
    written = {}
    for kind in ("safe", "concise"):
        result = learn(traces, LearningConfig(method="symbolic", preconditions=kind))
        [schema], [evidence] = result.domain.actions, result.evidence
        here, there = schema.variables
        if labels is LabelMode.NAMES:  # the names say what is left and what is reached
            assert (here, there) == ("?from", "?to")
        written[kind] = {str(x) for x in schema.preconditions if x.predicate == "road"}
        either = evidence.support.replaceable
    ahead, back = f"(road {here} {there})", f"(road {there} {here})"
    if one_way:  # only roads that lead back were ever taken
        assert written == {"safe": {back}, "concise": {back}}
        assert not either
    else:
        assert written == {"safe": {ahead, back}, "concise": {ahead}}
        assert either == ((ahead, back),)
