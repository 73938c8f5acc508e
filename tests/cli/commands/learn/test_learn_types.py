"""Relations become types in `dias learn`, and untyped problems go on working."""

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


@pytest.mark.parametrize("options", [(), ("--infer-types",)])
def test_relations_become_types(sampled, options):
    outcome = call(*LEARN, "typed.pddl", *options, cwd=sampled)
    assert outcome.status == 0
    said = (
        "note: t.jsonl: types inferred: bed, tank (other planners want them in problems: "
        "dias convert, or learn with --no-infer-types)\n"
    )
    assert said in outcome.err
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


def test_they_stay_relations_if_that_is_asked_for(sampled):
    outcome = call(*LEARN, "l.pddl", "--no-infer-types", cwd=sampled)
    assert outcome.status == 0 and "inferred" not in outcome.err
    text = (sampled / "l.pddl").read_text()
    assert ":types" not in text and "(tank ?tank)" in text


@pytest.mark.parametrize("options", [(), ("--preconditions", "minimal")])
def test_reports_are_of_the_typed_domain(sampled, options):
    reports = ("--report", "r.json", "--report", "r.html")
    assert call(*LEARN, "l.pddl", *reports, *options, cwd=sampled).status == 0
    assert "?bed - bed" in (sampled / "r.html").read_text()
    assert json.loads((sampled / "r.json").read_text())["domain"].endswith(
        (sampled / "l.pddl").read_text().split("\n(define", 1)[1]
    )
    shown = call("diff", "l.pddl", "--gt", "l.pddl", "--report", "r.json", cwd=sampled)
    assert shown.status == 0 and "?bed - bed  ; untested" in shown.out


def test_other_planners_get_problems_with_types(sampled):
    call(*LEARN, "typed.pddl", cwd=sampled)
    convert = ("convert", "p.pddl", "--domain", "typed.pddl", "-o")
    outcome = call(*convert, "q.pddl", "--json", cwd=sampled)
    assert json.loads(outcome.out) == {
        "files": ["q.pddl"], "to": "problem", "objects": 4, "domain": "garden",
    }  # fmt: skip
    assert outcome.err == "q.pddl: 4 objects with the types of domain garden\n"
    text = (sampled / "q.pddl").read_text()
    assert "    leek rose - bed\n    north south - tank)" in text
    assert "(tank " not in text and "(pipe north rose)" in text
    plans = [call("plan", "typed.pddl", p, cwd=sampled).out for p in ("p.pddl", "q.pddl")]
    assert plans[0] == plans[1]
    again = call("convert", "q.pddl", "--domain", "typed.pddl", cwd=sampled)
    assert (again.status, again.out) == (0, text)
    named = call(*convert, "s.pddl", "-f", "problem", cwd=sampled)
    assert named.status == 0 and (sampled / "s.pddl").read_text() == text


def test_a_problem_in_which_an_object_has_no_type(sampled):
    call(*LEARN, "typed.pddl", cwd=sampled)
    write(sampled, "p.pddl", PLOT.replace("rose leek)", "rose leek hose)"))
    outcome = call("convert", "p.pddl", "--domain", "typed.pddl", "-o", "q.pddl", cwd=sampled)
    is_one_error(outcome, "p.pddl", "found none for hose", "(bed hose)", "--no-infer-types")
    write(sampled, "p.pddl", PLOT.replace("(bed leek)", "(bed leek) (tank leek)"))
    outcome = call("convert", "p.pddl", "--domain", "typed.pddl", "-o", "q.pddl", cwd=sampled)
    is_one_error(outcome, "p.pddl", "`leek` to be of type bed, found type tank", "--no-infer-types")
    write(sampled, "p.pddl", PLOT.replace("(bed leek)", ""))
    outcome = call("plan", "typed.pddl", "p.pddl", cwd=sampled)
    is_one_error(outcome, "p.pddl", "found `leek` of type object", "--no-infer-types")
    assert not (sampled / "q.pddl").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("-f", "problem"), "a problem is converted alone, with --domain"),
        (("t.jsonl", "--domain", "domain.pddl"), "a problem is converted alone, with --domain"),
        (("--domain", "domain.pddl", "--problem", "p.pddl"), "--problem is about traces"),
        (("--domain", "domain.pddl", "--to", "sam"), "--to is about traces"),
        (("--domain", "domain.pddl", "--labels", "full"), "--labels is about traces"),
        (("--domain", "domain.pddl", "--skip-bad-lines"), "--skip-bad-lines is about traces"),
    ],
)
def test_options_that_a_problem_does_not_have(sampled, options, said):
    outcome = call("convert", "p.pddl", *options, "-o", "q.pddl", cwd=sampled)
    assert outcome.status == 2 and said in outcome.err
    assert not (sampled / "q.pddl").exists()


def test_a_domain_without_types_gives_none(sampled):
    outcome = call("convert", "p.pddl", "--domain", "domain.pddl", cwd=sampled)
    assert outcome.status == 0 and "(tank north)" in outcome.out and " - " not in outcome.out


def test_what_has_types_is_used_with_problems_that_have_none(sampled):
    call(*LEARN, "typed.pddl", cwd=sampled)
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
    named = call(*LEARN, "n.pddl", "--names-from", "domain.pddl", cwd=sampled)
    assert named.status == 0
    assert ":parameters (?t - tank ?b - bed)" in (sampled / "n.pddl").read_text()


def test_the_same_where_actions_or_states_say_more(sampled):
    """The states of a plan, the test states, and states that were seen in part."""
    call(*LEARN, "typed.pddl", cwd=sampled)
    call("plan", "typed.pddl", "p.pddl", "-o", "plan.txt", cwd=sampled)
    judged = call(
        "validate", "plan.txt", "--domain", "typed.pddl", "--problem", "p.pddl", cwd=sampled
    )
    assert judged.status == 0
    states = call("states", "typed.pddl", "p.pddl", "--states", 5, cwd=sampled)
    assert states.status == 0 and len(states.out.splitlines()) == 6
    known = [
        call("inspect", "t.jsonl", "--domain", d, "--problem", "p.pddl", "--json", cwd=sampled)
        for d in ("domain.pddl", "typed.pddl")
    ]
    assert json.loads(known[0].out) == json.loads(known[1].out)
    options = ("--unknown", 0.2, "--min-per-action", 5, "-o", "u.jsonl")
    call("sample", "domain.pddl", "p.pddl", *options, cwd=sampled)
    outcome = call("denoise", "u.jsonl", "typed.pddl", "-o", "d.jsonl", cwd=sampled)
    assert outcome.status == 0 and "water: 5 of 5 steps follow the domain" in outcome.err
    headers = [
        json.loads((sampled / f).read_text().splitlines()[0]) for f in ("u.jsonl", "d.jsonl")
    ]
    assert not headers[1].get("types") and headers[0]["static"] == headers[1]["static"]
    text = (sampled / "u.jsonl").read_text()
    write(sampled, "u.jsonl", text.replace('"(bed leek)"', '"(bed leek)","(tank leek)"'))
    outcome = call("denoise", "u.jsonl", "typed.pddl", "-o", "no.jsonl", cwd=sampled)
    is_one_error(outcome, "u.jsonl", "found bed and tank for leek", "--no-infer-types")
    header, *lines = text.splitlines()
    header = json.dumps(json.loads(header) | {"static": ["(pipe north rose)"]})
    write(sampled, "u.jsonl", "\n".join([header, *lines]))
    outcome = call("denoise", "u.jsonl", "typed.pddl", "-o", "no.jsonl", cwd=sampled)
    is_one_error(outcome, "u.jsonl", "found objects without types", "--no-infer-types")


def test_validation_transitions_need_no_types(sampled):
    outcome = call(*LEARN, "l.pddl", "--validation", "v.jsonl", "--json", cwd=sampled)
    found = json.loads(outcome.out)["validation"]
    assert outcome.status == 0
    assert found["explained"] == found["distinct_transitions"] > 0


def test_where_nothing_divides_the_objects_it_is_said_if_it_was_asked_for(tmp_path):
    line = {"state": ["(shut n)"], "action": "open", "next": ["(open n)"]}
    traces(tmp_path, {"dias": "trace/1", "static": ["(tank s)"]}, line)
    outcome = call(*LEARN, "l.pddl", "--infer-types", cwd=tmp_path)
    said = "note: t.jsonl: no types inferred: no static relation of one argument says what n is\n"
    assert outcome.status == 0 and said in outcome.err
    silent = call(*LEARN, "plain.pddl", cwd=tmp_path)
    assert "inferred" not in silent.err
    assert (tmp_path / "l.pddl").read_text() == (tmp_path / "plain.pddl").read_text()
    typed = {"types": {"t": "object"}, "objects": {"n": "t"}}
    traces(tmp_path, {"dias": "trace/1", **typed}, line)
    outcome = call(*LEARN, "l.pddl", "--infer-types", cwd=tmp_path)
    assert "no types inferred: the traces have types\n" in outcome.err


def test_a_network_has_no_types_to_infer(sampled):
    options = ("-o", "m", "--effects", "mlp", "--infer-types")
    outcome = call("learn", "t.jsonl", *options, cwd=sampled)
    assert outcome.status == 2 and "--infer-types is about a domain" in outcome.err
