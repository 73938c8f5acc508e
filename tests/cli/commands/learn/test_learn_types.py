"""`dias learn --infer-types`: relations become types, and untyped problems go on working."""

from __future__ import annotations

import json

import pytest

from dias.strips.pddl.reader import read_domain
from tests.cli.helpers import call, is_one_error, traces, write

GARDEN = """\
(define (domain garden) (:requirements :strips)
  (:predicates (tank ?t) (bed ?b) (open ?t) (shut ?t) (pipe ?t ?b) (dry ?b) (wet ?b))
  (:action turn-on :parameters (?t)
    :precondition (and (tank ?t) (shut ?t)) :effect (and (open ?t) (not (shut ?t))))
  (:action turn-off :parameters (?t)
    :precondition (and (tank ?t) (open ?t)) :effect (and (shut ?t) (not (open ?t))))
  (:action water :parameters (?t ?b)
    :precondition (and (tank ?t) (bed ?b) (open ?t) (pipe ?t ?b) (dry ?b))
    :effect (and (wet ?b) (not (dry ?b))))
  (:action sun :parameters (?b)
    :precondition (and (bed ?b) (wet ?b)) :effect (and (dry ?b) (not (wet ?b)))))
"""
PLOT = """\
(define (problem plot) (:domain garden)
  (:objects north south rose leek)
  (:init (tank north) (tank south) (bed rose) (bed leek)
         (shut north) (shut south) (dry rose) (dry leek)
         (pipe north rose) (pipe south rose) (pipe south leek))
  (:goal (and (wet rose) (wet leek) (shut south))))
"""
LEARN = ("learn", "t.jsonl", "--method", "symbolic", "-o")


@pytest.fixture
def sampled(tmp_path):
    write(tmp_path, "domain.pddl", GARDEN)
    write(tmp_path, "p.pddl", PLOT)
    options = ("--validation", "v.jsonl")
    call("sample", "domain.pddl", "p.pddl", "-o", "t.jsonl", *options, cwd=tmp_path)
    return tmp_path


def test_relations_become_types(sampled):
    outcome = call(*LEARN, "typed.pddl", "--infer-types", cwd=sampled)
    assert outcome.status == 0
    assert "note: t.jsonl: types inferred: bed, tank\n" in outcome.err
    text = (sampled / "typed.pddl").read_text()
    for line in (
        "  (:types\n    bed tank - object)",
        "    (pipe ?x1 - tank ?x2 - bed)",
        "    :parameters (?bed - bed ?tank - tank)",
    ):
        assert line in text
    assert "(tank ?" not in text and "(bed ?" not in text
    domain = read_domain(sampled / "typed.pddl")
    assert {p.name for p in domain.predicates} == {"dry", "open", "pipe", "shut", "wet"}


@pytest.mark.parametrize("options", [(), ("--no-infer-types",)])
def test_they_stay_relations_unless_that_is_asked_for(sampled, options):
    assert call(*LEARN, "l.pddl", *options, cwd=sampled).status == 0
    text = (sampled / "l.pddl").read_text()
    assert ":types" not in text and "(tank ?tank)" in text


def test_what_has_types_is_used_with_problems_that_have_none(sampled):
    call(*LEARN, "typed.pddl", "--infer-types", cwd=sampled)
    for engine in ("lifted", "pyperplan"):
        options = ("--gt", "domain.pddl", "--problem", "p.pddl", "--engine", engine)
        measured = call("evaluate", "typed.pddl", *options, cwd=sampled)
        assert measured.out.endswith("Sound: yes. Complete: yes.\n")
    planned = call("plan", "typed.pddl", "p.pddl", "--gt", "domain.pddl", cwd=sampled)
    assert planned.err.endswith("valid in the true domain: yes\n")
    alone = call("plan", "typed.pddl", "p.pddl", cwd=sampled)
    assert (alone.status, alone.out) == (0, planned.out)
    walked = call("sample", "typed.pddl", "p.pddl", "-o", "again.jsonl", cwd=sampled)
    assert walked.status == 0
    header = json.loads((sampled / "again.jsonl").read_text().splitlines()[0])
    assert header["objects"] == {"north": "tank", "south": "tank", "rose": "bed", "leek": "bed"}
    shown = call("diff", "typed.pddl", "--gt", "domain.pddl", cwd=sampled)
    assert shown.status == 0 and "All effects are the same." in shown.out
    assert shown.err == "note: bed, tank: types in typed.pddl, predicates in domain.pddl\n"
    assert call("diff", "typed.pddl", "--gt", "typed.pddl", cwd=sampled).err == ""
    named = call(*LEARN, "n.pddl", "--infer-types", "--names-from", "domain.pddl", cwd=sampled)
    assert named.status == 0
    assert ":parameters (?t - tank ?b - bed)" in (sampled / "n.pddl").read_text()


def test_validation_transitions_get_the_same_types(sampled):
    options = ("--infer-types", "--validation", "v.jsonl", "--json")
    outcome = call(*LEARN, "l.pddl", *options, cwd=sampled)
    found = json.loads(outcome.out)["validation"]
    assert outcome.status == 0
    assert found["explained"] == found["distinct_transitions"] > 0
    lines = (sampled / "v.jsonl").read_text().replace('"(bed leek)"', '"(tank leek)"')
    write(sampled, "w.jsonl", lines.replace('"(tank leek)",', '"(tank leek)","(bed leek)",'))
    options = ("--infer-types", "--validation", "w.jsonl")
    outcome = call(*LEARN, "no.pddl", *options, cwd=sampled)
    is_one_error(outcome, "w.jsonl", "found bed and tank for leek", "--no-infer-types")
    assert not (sampled / "no.pddl").exists()


def test_where_nothing_divides_the_objects_it_is_said_and_nothing_changes(tmp_path):
    line = {"state": ["(shut n)"], "action": "open", "next": ["(open n)"]}
    traces(tmp_path, {"dias": "trace/1", "static": ["(tank s)"]}, line)
    outcome = call(*LEARN, "l.pddl", "--infer-types", cwd=tmp_path)
    said = "note: t.jsonl: no types inferred: no static relation of one argument says what n is\n"
    assert outcome.status == 0 and said in outcome.err
    call(*LEARN, "plain.pddl", cwd=tmp_path)
    assert (tmp_path / "l.pddl").read_text() == (tmp_path / "plain.pddl").read_text()
    typed = {"types": {"t": "object"}, "objects": {"n": "t"}}
    traces(tmp_path, {"dias": "trace/1", **typed}, line)
    outcome = call(*LEARN, "l.pddl", "--infer-types", cwd=tmp_path)
    assert "no types inferred: the traces have types\n" in outcome.err
