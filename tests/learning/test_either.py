"""One name for what trucks do by road and boats by river."""

from __future__ import annotations

import random
from math import comb, exp, log

import pytest

from dias.config import LearningConfig
from dias.learning.certificate import allowed, either
from dias.learning.learn import learn
from dias.report.certificate import next_step
from dias.report.doubts import doubts
from tests.traces.files import read

PLACES = [f"p{n}" for n in range(5)]
ROADS = {("p0", "p1"), ("p1", "p0"), ("p1", "p2"), ("p2", "p1"), ("p3", "p0"), ("p0", "p3")}
RIVERS = {("p3", "p4"), ("p4", "p3"), ("p2", "p4"), ("p4", "p2")}
WAYS = {"truck": ROADS, "boat": RIVERS}
HEADER = {
    "dias": "trace/1",
    "types": {"place": "object", "vehicle": "object"},
    "predicates": {
        "at": ["vehicle", "place"],
        "river": ["place", "place"],
        "road": ["place", "place"],
    },
    "objects": dict.fromkeys(PLACES, "place") | dict.fromkeys(WAYS, "vehicle"),
    "static": [
        f"({name} {a} {b})"
        for name, ways in (("road", ROADS), ("river", RIVERS))
        for a, b in sorted(ways)
    ],
}


def walk(n_steps, labels="full", ways=None):
    """Each vehicle goes where its ways lead, at random."""
    rng, lines = random.Random(0), []
    ways = ways or WAYS
    at = {"truck": "p1", "boat": "p4"}
    for _ in range(n_steps):
        vehicle = rng.choice(sorted(at))
        place = rng.choice(sorted(b for a, b in ways[vehicle] if a == at[vehicle]))
        before = [f"(at {v} {p})" for v, p in at.items()]
        action = f"(go {vehicle} {at[vehicle]} {place})" if labels == "full" else "(go)"
        at[vehicle] = place
        after = [f"(at {v} {p})" for v, p in at.items()]
        lines.append({"state": before, "action": action, "next": after})
    return read(HEADER | {"labels": labels}, *lines)


def learned(traces):
    return learn(traces, LearningConfig(method="symbolic"))


def found(traces):
    [evidence] = learned(traces).evidence
    return evidence.support.either


def test_either_way_is_named_with_the_chance_of_an_accident():
    """Each of two vehicles may go to four places in every state, says the schema."""
    traces = walk(80)
    result = learned(traces)
    doubt = result.evidence[0].support.either
    go = result.domain.action("go")
    assert (len(go.preconditions), len(go.inequalities)) == (1, 1)
    variables = go.variables
    ways = {f"({name} {' '.join(variables[1:])})" for name in ("road", "river")}
    assert set(doubt.literals) == ways
    expected = 0.0
    for step in traces.transitions:
        at = {atom.terms[0]: atom.terms[1] for atom in step.state}
        open_ways = sum(own[0] == place for place in at.values() for own in ROADS | RIVERS)
        expected += log(open_ways / (2 * (len(PLACES) - 1)))
    n_literals = 2 * 3 * 3**2
    assert doubt.chance == pytest.approx(exp(expected + log(comb(n_literals, 2))))
    [point] = doubts(result)
    assert "several actions under one name" in point.text
    assert "names of their own" in next_step(result, "x.pddl")


@pytest.mark.parametrize("labels", ["full", "names"])
def test_what_all_go_by_is_a_precondition(labels):
    assert found(walk(80, labels)) is not None
    by_road = {"truck": ROADS, "boat": {("p4", "p3"), *ROADS}}
    assert found(walk(80, labels, by_road)) is None  # one river alone is an odd step


@pytest.mark.parametrize(
    ("name", "value"), [("MIN_STEPS", 1_000), ("MIN_SHARE", 0.6), ("MAX_WEIGHED", 0)]
)
def test_where_too_little_speaks_for_it_there_is_none(monkeypatch, name, value):
    traces = walk(80)
    assert found(traces) is not None
    monkeypatch.setattr(either, name, value)
    assert found(traces) is None


def test_too_many_ground_actions_are_not_looked_at(monkeypatch):
    monkeypatch.setattr(allowed, "ROWS_PER_STATE", 1)
    assert found(walk(80)) is None
