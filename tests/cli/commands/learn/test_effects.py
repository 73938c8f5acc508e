"""`dias learn --effects …`, and what `evaluate` and `plan` make of its files."""

from __future__ import annotations

import json
import re

import pytest

from dias.learning.mlp.checkpoint import save_dynamics
from dias.strips.pddl.reader import read_domain
from dias.traces.reading.reader import read_traces
from tests.cli.helpers import DOMAIN, call, garden, is_one_error, strict_json, write
from tests.learning.conditional_cases import TOGGLE
from tests.learning.mlp.planted import planted

PROBLEM = """\
(define (problem three) (:domain toggle) (:objects a b c d)
  (:init (wired a) (wired b) (wired c) (lit b) (lit d))
  (:goal (and (lit a) (lit c))))
"""
QUICK = ("--effects", "mlp", "--steps", 4, "--slots", 2)


@pytest.fixture
def lamps(tmp_path):
    """A folder with the true domain, a problem, and traces with one name for both schemas."""
    write(tmp_path, "domain.pddl", TOGGLE)
    write(tmp_path, "p.pddl", PROBLEM)
    call("sample", "domain.pddl", "p.pddl", "-o", "true.jsonl", cwd=tmp_path)
    lines = []
    for text in (tmp_path / "true.jsonl").read_text().splitlines():
        line = json.loads(text)
        if "action" in line:
            line["action"] = "(press)"
        line.pop("actions", None)
        lines.append(json.dumps(line) + "\n")
    write(tmp_path, "t.jsonl", "".join(lines))
    return tmp_path


def test_strips_effects_leave_something_unexplained(lamps):
    status, _, err = call("learn", "t.jsonl", "-o", "d.pddl", "--method", "symbolic", cwd=lamps)
    assert status == 4
    assert "press: " in err
    assert "effects that depend on the state (--effects conditional)" in err


def test_conditional_effects_are_learned_measured_and_planned_with(lamps):
    learned = call(
        "learn", "t.jsonl", "-o", "d.pddl", "--effects", "conditional", "--json", cwd=lamps
    )
    assert learned.status == 0
    found = strict_json(learned.out)
    assert found["variants"] == {"press": ["press-1", "press-2"]}
    assert sorted(found["actions"]) == ["press-1", "press-2"]
    assert "depend on the state: press-1, press-2 stand for it" in learned.err
    text = (lamps / "d.pddl").read_text()
    assert "; The effects of press depend on the state: press-1, press-2 stand for it." in text
    options = ("d.pddl", "--gt", "domain.pddl", "--json")
    measured = strict_json(call("evaluate", *options, "--variants", cwd=lamps).out)
    assert measured["sound"] and measured["complete"]
    assert set(measured["actions"]) == {"press"}
    assert measured["pairs"]["recall"] == measured["pairs"]["precision"] == 1
    by_name = strict_json(call("evaluate", *options, cwd=lamps).out)
    assert by_name["successor_states"] == measured["successor_states"]
    assert set(by_name["actions"]) == {"press-1", "press-2"}
    planned = call("plan", "d.pddl", "p.pddl", "--gt", "domain.pddl", "--variants", cwd=lamps)
    assert planned.status == 0
    assert planned.err.endswith("valid in the true domain: yes\n")


def test_reports_are_about_the_domain(lamps):
    conditional = ("--effects", "conditional", "--method", "symbolic", "-o", "d.pddl")
    reports = ("--report", "r.html", "--report", "r.json")
    learned = call("learn", "t.jsonl", *conditional, *reports, cwd=lamps)
    assert learned.status == 0
    found = strict_json((lamps / "r.json").read_text())
    assert found["variants"] == {"press": ["press-1", "press-2"]}
    assert found["domain"].count("(:action press-") == 2
    assert all(action["support"]["literals"] for action in found["actions"].values())
    page = (lamps / "r.html").read_text()
    n_seen = len((lamps / "t.jsonl").read_text().splitlines()) - 1
    assert re.search(f">press</code></th><td>{n_seen}</td>", page)
    assert re.search("depend on the state: <code[^>]*>press-1</code>", page)


def test_warnings_about_names_know_variants(lamps):
    call("learn", "t.jsonl", "-o", "d.pddl", "--effects", "conditional", cwd=lamps)
    text = (lamps / "domain.pddl").read_text()
    write(lamps, "one.pddl", text.replace("press-1", "press-7"))
    for options, warned in (((), True), (("--variants",), False)):
        outcome = call("evaluate", "d.pddl", "--gt", "one.pddl", *options, cwd=lamps)
        assert outcome.status == 0
        assert ("has no action press-1" in outcome.err) == warned


def test_a_network_is_measured_like_a_domain(lamps):
    true = read_domain(lamps / "domain.pddl")
    save_dynamics(lamps / "m.ckpt", planted(true, read_traces(lamps / "t.jsonl")))
    measured = call("evaluate", "m.ckpt", "--gt", "domain.pddl", "--variants", cwd=lamps)
    assert measured.out.endswith("Sound: yes. Complete: yes.\n")


def test_the_papers_training_writes_a_network_too(lamps):
    learned = call("learn", "t.jsonl", "-o", "m.ckpt", *QUICK, "--json", cwd=lamps)
    assert learned.status in (0, 4)
    found = strict_json(learned.out)
    assert (found["method"], found["gradient_steps"]) == ("neural", 4)
    assert learned.status == (0 if found["explains_everything"] else 4)
    call("learn", "t.jsonl", "-o", "again.ckpt", *QUICK, cwd=lamps)
    assert (lamps / "m.ckpt").read_bytes() == (lamps / "again.ckpt").read_bytes()
    measured = call(
        "evaluate", "m.ckpt", "--gt", "domain.pddl", "--problem", "p.pddl", "--states", 3,
        "--time-limit", 60, "--engine", "pyperplan", "--json", cwd=lamps,
    )  # fmt: skip
    assert measured.status == 0
    assert strict_json(measured.out)["states"] == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--effects", "mlp"), "--effects mlp writes a checkpoint: name a file for it with -o"),
        (("--effects", "mlp", "--method", "symbolic", "-o", "m"), "--effects conditional"),
        (("--effects", "mlp", "--method", "hybrid", "-o", "m"), "--effects conditional"),
        ((*QUICK, "--preconditions", "minimal", "-o", "m"), "preconditions from the network"),
        ((*QUICK, "--restarts", 2, "-o", "m"), "--restarts would do nothing"),
        ((*QUICK, "--checkpoint", "m", "-o", "m"), "m is given twice"),
        ((*QUICK, "--report", "r.html", "-o", "m"), "--report is about a domain"),
        ((*QUICK, "--without", "repair", "-o", "m"), "none of the parts"),
        (("--effects", "quantum"), "Invalid value for '--effects'"),
    ],
)
def test_options_that_do_not_fit_are_wrong_usage(lamps, options, message):
    before = sorted(lamps.iterdir())
    status, out, err = call("learn", "t.jsonl", *options, cwd=lamps)
    assert (status, out) == (2, "")
    assert message in err
    assert sorted(lamps.iterdir()) == before


def test_plan_compares_variants_only_with_a_true_domain(tmp_path):
    garden(tmp_path)
    status, _, err = call("plan", "domain.pddl", "p.pddl", "--variants", cwd=tmp_path)
    assert status == 2
    assert "--gt" in err


def test_the_content_of_a_file_says_what_it_is(tmp_path):
    garden(tmp_path)
    write(tmp_path, "domain.ckpt", "; learned beside m/data.pkl\n" + DOMAIN)
    measured = call("evaluate", "domain.ckpt", "--gt", "domain.pddl", cwd=tmp_path)
    assert measured.out.endswith("Sound: yes. Complete: yes.\n")


def test_files_that_are_no_network_are_refused(lamps):
    call("learn", "t.jsonl", "-o", "m.ckpt", *QUICK, cwd=lamps)
    whole = (lamps / "m.ckpt").read_bytes()
    write(lamps, "half.ckpt", whole[: len(whole) // 2])
    outcome = call("evaluate", "half.ckpt", "--gt", "domain.pddl", cwd=lamps)
    is_one_error(
        outcome, "half.ckpt: expected a learned network", "damaged or foreign", "--effects"
    )
    call("learn", "t.jsonl", "-o", "x.ckpt", *QUICK, "--checkpoint", "state.ckpt", cwd=lamps)
    outcome = call("evaluate", "state.ckpt", "--gt", "domain.pddl", cwd=lamps)
    is_one_error(outcome, "state.ckpt: ", "found dias-checkpoint/2")
    write(lamps, "noise.ckpt", b"\x80\x02\xff\xfe" * 50)
    outcome = call("evaluate", "noise.ckpt", "--gt", "domain.pddl", cwd=lamps)
    is_one_error(outcome, "noise.ckpt:1: expected UTF-8 text")
    outcome = call("evaluate", "missing.ckpt", "--gt", "domain.pddl", cwd=lamps)
    is_one_error(outcome, "missing.ckpt: expected a file")


def test_networks_are_measured_on_their_own_predicates_only(lamps):
    call("learn", "t.jsonl", "-o", "m.ckpt", *QUICK, cwd=lamps)
    (lamps / "other").mkdir()
    garden(lamps / "other")
    outcome = call("evaluate", "m.ckpt", "--gt", "other/domain.pddl", cwd=lamps)
    is_one_error(outcome, "m.ckpt: expected the predicates of domain garden, found lit of arity 1")


def test_no_domain_is_a_plain_error_where_one_is_needed(lamps):
    call("learn", "t.jsonl", "-o", "m.ckpt", *QUICK, cwd=lamps)
    is_one_error(call("plan", "m.ckpt", "p.pddl", cwd=lamps), "m.ckpt: expected UTF-8 text")
