"""What no precondition can say: by road or by river, and nothing at all on it."""

from __future__ import annotations

import random
from dataclasses import replace
from math import comb, exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.config import LearningConfig
from dias.learning.certificate import allowed, unsayable
from dias.learning.data.coded_states import CodedStates
from dias.learning.data.visited import Rows
from dias.learning.learn import learn
from dias.report.certificate import next_step
from dias.report.doubts import doubts
from dias.strips.model import Atom
from tests.learning.cases import all_steps
from tests.oracles import naive_successors
from tests.strategies import domains, objects, states
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
    monkeypatch.setattr(unsayable, name, value)
    assert found(traces) is None


def test_too_many_ground_actions_are_not_looked_at(monkeypatch):
    monkeypatch.setattr(allowed, "ROWS_PER_STATE", 1)
    assert found(walk(80)) is None


PILES = {"b": "a", "d": "c", "f": "e"}
TABLE = {
    "dias": "trace/1",
    "types": {"block": "object"},
    "predicates": {"there": ["block"], "on": ["block", "block"]},
    "objects": dict.fromkeys("abcdefg", "block"),
    "static": [f"(on {upper} {lower})" for upper, lower in PILES.items()],
}


def takes(n_steps, labels="full", is_free=lambda block: block not in PILES.values(), header=TABLE):
    """Blocks on which none is are taken and put back, at random."""
    rng, there, lines = random.Random(0), set("abcdefg"), []
    for _ in range(n_steps):
        name, blocks = rng.choice([("take", there), ("put", {*"abcdefg"} - there)])
        if free := sorted(filter(is_free, blocks)):
            block = rng.choice(free)
            before, there = there, there ^ {block}
            action = f"({name} {block})" if labels == "full" else f"({name})"
            state, after = ([f"(there {x})" for x in sorted(own)] for own in (before, there))
            lines.append({"state": state, "action": action, "next": after})
    return read(header | {"labels": labels}, *lines)


def of_all(traces):
    """Action to what it seems to ask of all objects."""
    evidence = learned(traces).evidence
    return {own.action: own.support.for_all for own in evidence if own.support.for_all}


@pytest.mark.parametrize("labels", ["full", "names"])
def test_that_no_block_is_on_it_is_named_with_the_chance_of_an_accident(labels):
    traces = takes(200, labels)
    result = learned(traces)
    doubt = of_all(traces)["take"]
    [block] = result.domain.action("take").variables
    assert doubt.literals == (f"(forall (?x2 - block) (not (on ?x2 {block})))",)
    expected = log(6)  # of one relation for one object, of the other for two places, each twice
    for step in traces.transitions:
        if step.action == "take":
            blocks = [atom.terms[0] for atom in step.state]
            expected += log(sum(x not in PILES.values() for x in blocks) / len(blocks))
    assert doubt.chance == pytest.approx(exp(expected))
    assert any("do the states leave a fact out" in point.text for point in doubts(result))
    assert "record a fact that says what" in next_step(result, "x.pddl")


def test_what_a_fact_says_already_is_no_question():
    free = [f"(free {x})" for x in "abcdefg" if x not in PILES.values()]
    header = TABLE | {
        "predicates": TABLE["predicates"] | {"free": ["block"]},
        "static": [*TABLE["static"], *free],
    }
    assert not of_all(takes(200, header=header))


def test_what_all_blocks_allow_is_no_question(monkeypatch):
    assert not of_all(takes(200, is_free=lambda block: True))
    assert of_all(takes(200))
    for name, value in (("MIN_STEPS", 1_000), ("MAX_SENTENCES", 2), ("MAX_ARITY", 1)):
        with monkeypatch.context() as patch:
            patch.setattr(unsayable, name, value)
            assert not of_all(takes(200))


LAMPS = [f"l{n}" for n in range(5)]
SHIFT = {
    "dias": "trace/1",
    "labels": "full",
    "types": {"box": "object", "lamp": "object"},
    "predicates": {"delivered": ["box"], "lit": ["lamp"], "over": []},
    "objects": dict.fromkeys("abc", "box") | dict.fromkeys(LAMPS, "lamp"),
}


def shifts(n_steps, may_end):
    """Boxes are delivered and fetched, lamps lit and dimmed, shifts end and begin, at random."""
    rng, state, lines = random.Random(0), frozenset(), []
    for _ in range(n_steps):
        done = {atom for atom in state if atom.startswith("(delivered")}
        lamps = {f"(lit {lamp})" for lamp in LAMPS}
        ways = {"light": sorted(lamps - state), "dim": sorted(lamps & state)}
        if "(over)" in state:
            ways["begin"] = ["(over)"]
        else:
            every = {f"(delivered {box})" for box in "abc"}
            ways |= {"deliver": sorted(every - done), "fetch": sorted(done)}
            ways["end"] = ["(over)"] * may_end(len(done))
        name = rng.choice(sorted(own for own, atoms in ways.items() if atoms))
        atom = rng.choice(ways[name])
        after = state ^ {atom}
        action = f"({name}{atom[atom.rfind(' ') : -1] if ' ' in atom else ''})"
        lines.append({"state": sorted(state), "action": action, "next": sorted(after)})
        state = after
    return read(SHIFT, *lines)


def test_what_is_asked_of_all_objects_shows_where_an_action_was_passed_over():
    """With boxes in the depot the shift goes on, in every step before the last shift's end."""
    traces = shifts(1_500, lambda n_done: n_done == 3)
    doubt = of_all(traces)["end"]
    [literal] = doubt.literals
    assert literal == "(forall (?x1 - box) (delivered ?x1))"
    last = max(step.line for step in traces.transitions if step.action == "end")
    n_passed = sum(
        step.steps_until(last)
        for step in traces.transitions
        if step.action != "end"
        and sum(atom.predicate == "delivered" for atom in step.state) < 3
        and Atom("over", ()) not in step.state
    )
    n_sentences = 4  # all are delivered, or none is; so with lamps
    assert doubt.chance == pytest.approx(n_sentences * (5 / 6) ** n_passed)


def test_where_an_action_is_taken_whatever_holds_nothing_is_asked_of_all_objects():
    assert "end" not in of_all(shifts(1_500, lambda n_done: True))
    assert "end" not in of_all(shifts(1_500, lambda n_done: n_done > 0))


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None, max_examples=60)
@given(st.data())
def test_how_many_steps_would_show_an_effect_by_chance(data):
    """All that is allowed in each state, one by one; what is added as well is not deleted."""
    domain = data.draw(domains())
    types = data.draw(objects(domain))
    traces = all_steps(domain, [(types, data.draw(states(domain, types)))])
    schema, coded = data.draw(st.sampled_from(domain.actions)), CodedStates(traces)
    steps = traces.transitions[:8]
    numbers = np.unique(coded.numbers(steps))
    parts = list(coded.visited.bindings(schema, lambda _: None, numbers))
    own = allowed.Allowed((), schema, coded, Rows.joined(parts, schema.variables))
    for atoms, is_added in ((schema.add_effects, True), (schema.delete_effects, False)):
        for effect in atoms:
            expected = 0.0
            for t in steps:
                alone = replace(domain, actions=(schema,))
                every = list(naive_successors(alone, types, t.state))
                shown = 0
                for _, arguments, added, deleted in every:
                    place = dict(zip(schema.variables, arguments, strict=True))
                    ground = Atom(effect.predicate, tuple(place.get(x, x) for x in effect.terms))
                    shown += ground in (added if is_added else deleted)
                expected += shown / max(1, len(every))
            assert own.n_expected(effect, is_added, steps) == pytest.approx(expected)
