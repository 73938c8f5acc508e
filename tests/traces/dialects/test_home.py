"""A domain and a problem say which types and objects a trace has."""

from __future__ import annotations

import pytest

from dias.errors import TraceError
from dias.strips.pddl.reader import parse_domain, parse_problem
from dias.traces.dialects.home import Home
from dias.traces.reading.reader import read_blocks
from tests.traces.dialects.texts import TEXTS, TYPED, steps, walk

DOMAIN = parse_domain(
    """(define (domain garden) (:requirements :typing) (:types tank bed - place pot - bed)
    (:constants sun - bed)
    (:predicates (open ?t - tank) (shut ?t - tank) (pipe ?t - tank ?p - place)
                 (dry ?b - bed) (wet ?b - (either bed place)) (near ?a ?b))
    (:action turn-on :parameters (?t - tank) :precondition (shut ?t)
      :effect (and (open ?t) (not (shut ?t)))))"""
)
PROBLEM = parse_problem(
    """(define (problem plot) (:domain garden) (:objects n s - tank rose - pot) (:init))""",
    DOMAIN,
    needs_goal=False,
)


def read(text, tmp_path, home):
    path = tmp_path / "walk.txt"
    path.write_text(text, "utf-8")
    return read_blocks(path, home=home)


@pytest.mark.parametrize("name", TEXTS)
def test_the_problem_has_the_objects(name, tmp_path):
    if name in TYPED:  # what the file says of types is not needed then
        assert "tank" in TEXTS[name].lower()
    traces, [(header, _)], *_ = read(TEXTS[name], tmp_path, Home(DOMAIN, PROBLEM))
    assert steps(traces) == walk()
    assert header["objects"] == {"n": "tank", "rose": "pot", "s": "tank", "sun": "bed"}
    assert header["types"] == {"bed": "place", "place": "object", "pot": "bed", "tank": "place"}
    assert header["predicates"]["pipe"] == ["tank", "place"]
    assert header["predicates"]["wet"] == [["bed", "place"]]
    assert (header["domain"], header["problem"]) == ("garden", "plot")
    assert header["constants"] == ["sun"]
    assert header["actions"] == ["turn-off", "turn-on", "water"]  # those that were seen


@pytest.mark.parametrize("name", ["amlgym", "sam", "offlam"])
def test_without_it_places_say_the_types(name, tmp_path):
    traces, [(header, _)], *_ = read(TEXTS[name], tmp_path, Home(DOMAIN))
    assert steps(traces) == walk()
    assert header["objects"] == {"n": "tank", "rose": "bed", "sun": "bed"}
    assert header["problem"] == "walk"


def test_a_place_that_asks_for_more_wins(tmp_path):
    text = "((:init (pipe n a) (pipe n b) (near c n)) (operator: (go n d)) (:state (dry b)))"
    _, [(header, _)], *_ = read(text, tmp_path, Home(DOMAIN))
    assert header["objects"] == {
        "a": "place", "b": "bed", "c": "object", "d": "object", "n": "tank", "sun": "bed",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("home", "text", "finding"),
    [
        (Home(DOMAIN), "((:init (dry n))\n(operator: (a))\n(:state (open n)))",
         r"walk.txt:3: expected n to be of one type, found it as bed before and .*--problem"),
        (Home(DOMAIN), "((:init (dri n))\n(operator: (a))\n(:state (open n)))",
         r'walk.txt:1: step 1, state before: expected a name from "predicates", .*mean dry'),
        (Home(DOMAIN, PROBLEM), "((:init (dry n))\n(operator: (a))\n(:state (dry rose)))",
         r"walk.txt:1: step 1, state before: expected an object of type bed, found n of type tank"),
        (Home(DOMAIN, PROBLEM), "((:init (dry rose))\n(operator: (a))\n(:state\n(dry leek)))",
         r'walk.txt:4: step 1, state after: expected a name from "objects", found leek'),
    ],
)  # fmt: skip
def test_what_does_not_fit(home, text, finding, tmp_path):
    with pytest.raises(TraceError, match=finding):
        read(text, tmp_path, home)


def test_a_trace_file_without_a_header_gets_one(tmp_path):
    text = '{"state":["(shut n)"],"action":"(turn-on n)","next":["(open n)"]}\n'
    path = tmp_path / "walk.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(TraceError, match="--labels"):
        read_blocks(path, home=Home(DOMAIN, PROBLEM))
    path.write_text(text.replace("(turn-on n)", "turn-on"), "utf-8")
    found = read_blocks(path, home=Home(DOMAIN, PROBLEM))
    assert found.dialect == "trace/1"
    [(header, _)] = found.blocks
    assert (header["problem"], header["objects"]["rose"]) == ("plot", "pot")
