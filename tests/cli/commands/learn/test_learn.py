"""`dias learn`: what it reads, writes and says."""

from __future__ import annotations

import gzip
import json
from itertools import combinations, permutations

import pytest

from tests.cli.commands.learn.cases import FULL, LABELLED, NAMES, WITH_ARGUMENTS
from tests.cli.helpers import (
    QUICK,
    STEPS,
    call,
    dias,
    garden,
    is_one_error,
    step,
    strict_json,
    traces,
    write,
)
from tests.learning.explain.odd_worlds import HEADER as ODD_HEADER
from tests.learning.explain.odd_worlds import press_steps


def test_a_domain_from_names(tmp_path):
    traces(tmp_path, *NAMES)
    status, out, err = call("learn", "t.jsonl", "-o", "learned.pddl", *QUICK, cwd=tmp_path)
    assert (status, out) == (0, "")
    text = (tmp_path / "learned.pddl").read_text()
    assert text.startswith("; Learned by dias ")
    for line in (
        "; Data: 3 transitions, 3 of them distinct; labels: action names only.",
        "; This domain explains 3 of the 3 distinct transitions (100 %).",
        "  (:types\n    bed tank - object)",
        "  (:action water",
    ):
        assert line in text
    assert "water: 1 of 1 explained, few samples: under-determined" in err
    assert "note: t.jsonl: actions with fewer than 20 transitions: " in err


def test_what_was_learned_is_read_measured_and_planned_with(tmp_path):
    """All arguments are given, so there is nothing to train and the result is exact."""
    garden(tmp_path)
    call("sample", "domain.pddl", "p.pddl", "--labels", "full", "-o", "t.jsonl", cwd=tmp_path)
    assert call("learn", "t.jsonl", "-o", "learned.pddl", cwd=tmp_path).status == 0
    measured = call("evaluate", "learned.pddl", "--gt", "domain.pddl", cwd=tmp_path)
    assert measured.out.endswith("Sound: yes. Complete: yes.\n")
    planned = call("plan", "learned.pddl", "p.pddl", "--gt", "domain.pddl", cwd=tmp_path)
    assert planned.err.endswith("valid in the true domain: yes\n")


def test_standard_input_and_output(tmp_path):
    traces(tmp_path, *FULL)
    to_file = call("learn", "t.jsonl", "-o", "learned.pddl", cwd=tmp_path)
    piped = dias("learn", "-", cwd=tmp_path, stdin=(tmp_path / "t.jsonl").read_text())
    assert piped.status == to_file.status == 0
    assert piped.out == (tmp_path / "learned.pddl").read_text()
    assert "note: <stdin>: " in piped.err
    assert call("learn", "t.jsonl", "-o", "-", cwd=tmp_path).out == piped.out
    assert not (tmp_path / "-").exists()


def test_standard_input_is_read_once(tmp_path):
    """Found before any file is opened, the settings too."""
    for more in ((), ("--config", "none.toml")):
        outcome = call("learn", "-", "--validation", "-", "-o", "d.pddl", *more, cwd=tmp_path)
        assert (outcome.status, outcome.out) == (2, "")
        assert "standard input can be read once: name a file for --validation" in outcome.err
    text = traces(tmp_path, *FULL).read_text()
    for inputs in (("-", "--validation", "t.jsonl"), ("t.jsonl", "--validation", "-")):
        assert call("learn", *inputs, "-o", "d.pddl", cwd=tmp_path, stdin=text).status == 0


def test_gzip(tmp_path):
    plain = traces(tmp_path, *FULL).read_bytes()
    write(tmp_path, "z.jsonl.gz", gzip.compress(plain))
    write(tmp_path, "cut.jsonl.gz", gzip.compress(plain)[:60])
    write(tmp_path, "hidden.jsonl", gzip.compress(plain))
    whole = call("learn", "z.jsonl.gz", cwd=tmp_path)
    assert whole.out == call("learn", "t.jsonl", cwd=tmp_path).out
    is_one_error(call("learn", "cut.jsonl.gz", cwd=tmp_path), "cut.jsonl.gz:", "cut off")
    is_one_error(call("learn", "hidden.jsonl", cwd=tmp_path), "hidden.jsonl:1", "ends in .gz")


def test_labels(tmp_path):
    """`--labels names` disregards the arguments, `--labels partial` takes them as they are."""
    traces(tmp_path, *FULL)
    assert "labels: all action arguments" in call("learn", "t.jsonl", cwd=tmp_path).out
    outcome = call("learn", "t.jsonl", "--labels", "names", *QUICK, cwd=tmp_path)
    assert "labels: action names only" in outcome.out
    assert "the action arguments in the file are ignored" in outcome.err
    outcome = call("learn", "t.jsonl", "--labels", "partial", *QUICK, cwd=tmp_path)
    assert "labels: some action arguments (STRIPS+)" in outcome.out


def test_what_is_not_explained_is_said(tmp_path):
    """One label, two effects: no schema of STRIPS does both. A domain is written all the same."""
    other = step("shut n, shut s, dry rose", "(turn-on n)", "open n, shut s, wet rose")
    traces(tmp_path, *FULL, other)
    status, out, err = call("learn", "t.jsonl", "-o", "learned.pddl", "--json", cwd=tmp_path)
    assert status == 4
    assert "This domain explains 3 of the 4" in (tmp_path / "learned.pddl").read_text()
    assert "turn-on: 1 of 2 explained" in err
    value = strict_json(out)
    assert (value["explains_everything"], value["explained"]) == (False, 3)
    assert value["actions"]["turn-on"]["explained"] == 1


@pytest.mark.parametrize("labels", ["names", "partial", "full"])
def test_a_step_that_alone_does_not_fit_is_named(tmp_path, labels):
    """All the others switch on what is ready, and nothing else changes."""
    lines = press_steps(60, [37], labels=labels)
    traces(tmp_path, ODD_HEADER | {"labels": labels}, *lines)
    status, out, err = call("learn", "t.jsonl", "-o", "l.pddl", "--json", cwd=tmp_path)
    assert status == 4
    text = "press: 1 step does not fit what all the others show (line 39): seen wrong, or wrongly"
    assert text in err and text in (tmp_path / "l.pddl").read_text()
    assert "press: 59 of 60 explained (not line 39)" in err
    value = strict_json(out)
    assert value["explained"] == 59 and value["noise"] is None
    assert "(ready ?x1)" in (tmp_path / "l.pddl").read_text()
    traces(tmp_path, ODD_HEADER | {"labels": labels}, *lines[:37], *lines[38:])
    assert call("learn", "t.jsonl", "-o", "l.pddl", cwd=tmp_path).status == 0


def test_json(tmp_path):
    traces(tmp_path, *FULL)
    status, out, _ = call("learn", "t.jsonl", "-o", "learned.pddl", "--json", cwd=tmp_path)
    value = strict_json(out)
    assert status == 0
    assert (value["labels"], value["method"], value["seed"]) == ("full", "full", 0)
    assert (value["transitions"], value["explained"]) == (3, 3)
    assert {name: action["arity"] for name, action in value["actions"].items()} == {
        "turn-on": 1, "water": 2, "turn-off": 1,
    }  # fmt: skip
    status, out, err = call("learn", "t.jsonl", "--json", cwd=tmp_path)
    assert (status, out) == (2, "")
    assert "name a domain file with -o" in err


@pytest.mark.parametrize(
    ("line", "place", "finding"),
    [
        ("{nonsense}\n", ":3", "expected one JSON object"),
        ("[1, 2]\n", ":3", "found an array"),
        ('{"state": []}\n', ":3", "transition"),
        ('{"state":["(open n)"],"action":"(turn-on n)","next":["(closed n)"]}\n', ":3",
         'a name from "predicates", found closed'),
        ('{"state":["(open x)"],"action":"(turn-on n)","next":[]}\n', ":3",
         'a name from "objects", found x'),
        ('{"state":["(open rose)"],"action":"(turn-on n)","next":[]}\n', ":3", "of type tank"),
        ('{"state":["(open n s)"],"action":"(turn-on n)","next":[]}\n', ":3", "arity"),
        ('{"states":[["(open n)"]],"actions":["(turn-on n)"]}\n', ":3", "2 states for 1 action"),
    ],
)  # fmt: skip
def test_a_bad_line(tmp_path, line, place, finding):
    """An error with its place; if that is asked for, it is dropped instead, and it is said."""
    first, *others = WITH_ARGUMENTS
    traces(tmp_path, LABELLED, first, line, *others)
    outcome = call("learn", "t.jsonl", "-o", "learned.pddl", cwd=tmp_path)
    is_one_error(outcome, f"t.jsonl{place}", finding)
    assert not (tmp_path / "learned.pddl").exists()
    outcome = call("learn", "t.jsonl", "-o", "learned.pddl", "--skip-bad-lines", cwd=tmp_path)
    assert outcome.status == 0
    assert f"warning: 1 of 5 line(s) dropped, the first: t.jsonl{place}: " in outcome.err


@pytest.mark.parametrize(
    ("content", "finding"),
    [
        (None, "found nothing of that name"),
        (b"", "no transitions"),
        (b"\n\n", "no transitions"),
        (b"\x00\xff\xfe", "UTF-8"),
        (b"(define (domain d))", "found a PDDL domain"),
        (b'{"state":[],"action":"go","next":null}\n', "1 refused"),
    ],
)
def test_a_trace_file_that_is_none(tmp_path, content, finding):
    if content is not None:
        write(tmp_path, "t.jsonl", content)
    outcome = call("learn", "t.jsonl", "-o", "learned.pddl", cwd=tmp_path)
    is_one_error(outcome, "t.jsonl", finding)
    assert not (tmp_path / "learned.pddl").exists()
    (tmp_path / "folder").mkdir()
    is_one_error(call("learn", "folder", cwd=tmp_path), "folder", "found a folder")


def test_a_broken_header_is_never_skipped(tmp_path):
    traces(tmp_path, json.dumps({"dias": "trace/9"}) + "\n", *STEPS)
    for options in ([], ["--skip-bad-lines"]):
        outcome = call("learn", "t.jsonl", *options, cwd=tmp_path)
        is_one_error(outcome, "t.jsonl:1", 'expected "trace/1"', "Correct the header")


def test_reports(tmp_path):
    traces(tmp_path, *NAMES)
    arguments = ("learn", "t.jsonl", "-o", "learned.pddl", "--method", "symbolic")
    reports = ("--report", "r.html", "--report", "R.JSON")
    status, out, err = call(*arguments, *reports, cwd=tmp_path)
    assert (status, out) == (0, "")
    value = strict_json((tmp_path / "R.JSON").read_text())
    assert value["format"] == "dias-report/1"
    assert list(value["seconds"])[:2] == ["read", "prepare"]
    assert value["actions"]["water"]["support"]["literals"]
    assert (tmp_path / "learned.pddl").read_text().endswith(value["domain"])
    page = (tmp_path / "r.html").read_text()
    assert page.startswith("<!DOCTYPE html>") and "(:action" in page
    assert err.splitlines()[-1].startswith("Next: try turn-on with ?tank n in the state of ")


def test_a_report_of_another_kind_is_wrong_usage(tmp_path):
    traces(tmp_path, *NAMES)
    for name in ("r.txt", "r", "html"):
        outcome = call("learn", "t.jsonl", "-o", "l.pddl", "--report", name, cwd=tmp_path)
        assert (outcome.status, outcome.out) == (2, "")
        assert "must end in .html or in .json" in outcome.err
    twice = call("learn", "t.jsonl", "--report", "r.html", "--report", "r.html", cwd=tmp_path)
    assert twice.status == 2 and "given twice" in twice.err
    nowhere = call("learn", "t.jsonl", "--report", "none/r.html", cwd=tmp_path)
    is_one_error(nowhere, "none/r.html", "does not exist")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["t.jsonl"]


def test_training_is_in_the_report(tmp_path):
    traces(tmp_path, *NAMES)
    arguments = ("learn", "t.jsonl", "-o", "l.pddl", "--method", "neural", "--steps", 50)
    call(*arguments, "--restarts", 2, "--report", "r.json", "--report", "r.html", cwd=tmp_path)
    value = strict_json((tmp_path / "r.json").read_text())
    looks = [(look["restart"], look["step"]) for look in value["training"]]
    assert looks == [(0, 25), (0, 50), (1, 25), (1, 50)]
    assert value["settings"]["training"]["n_steps"] == 50
    assert {"import", "train"} <= value["seconds"].keys()
    page = (tmp_path / "r.html").read_text()
    assert 'aria-label="Loss by gradient step"' in page and "stroke: var(--s1)" in page


def test_a_refused_attempt_that_is_allowed_is_said(tmp_path):
    """The same tank in the same state: once it opened, once it did not."""
    refused = {**WITH_ARGUMENTS[0], "next": None}
    traces(tmp_path, *FULL, refused)
    status, out, err = call("learn", "t.jsonl", "-o", "l.pddl", "--json", cwd=tmp_path)
    assert status == 4
    value = strict_json(out)
    assert (value["explained"], value["wrongly_allowed"]) == (3, 1)
    assert value["actions"]["turn-on"]["refused"]["allowed_lines"] == [5]
    assert "turn-on: allows 1 refused attempt (line 5)" in err
    assert "turn-on: allows 1 refused attempt" in (tmp_path / "l.pddl").read_text()


def test_full_labels_without_an_argument_explain_nothing(tmp_path):
    """They say that the actions have no parameters: noise is no way round that."""
    lines = []
    for number in range(60):
        state = [f"(at o{n} {'left' if n == number % 7 else 'right'})" for n in range(7)]
        moved = [a.replace("left", "right") for a in state]
        lines.append({"state": state, "action": "(move)", "next": moved, "step": number})
    traces(tmp_path, *({**one, "state": [*one["state"], f"(tick t{n})"], "next": [*one["next"],
           f"(tick t{n})"]} for n, one in enumerate(lines)))  # fmt: skip
    status, _, err = call("learn", "t.jsonl", "--labels", "full", "-o", "l.pddl", cwd=tmp_path)
    assert status == 4
    assert "0 of 60 distinct transitions explained" in err
    assert "(:action move\n    :parameters ()" in (tmp_path / "l.pddl").read_text()


def test_validation_transitions_that_check_nothing_are_remarked(tmp_path):
    """A copy of the training file, and one with a step more."""
    traces(tmp_path, *FULL)
    traces(tmp_path, *FULL, name="copy.jsonl")
    more = step("shut n, shut s, wet rose", "x", "open n, shut s, wet rose")
    traces(tmp_path, *FULL, more | {"action": "(turn-on n)"}, name="more.jsonl")
    learn = ("learn", "t.jsonl", "-o", "learned.pddl", "--validation")
    outcome = call(*learn, "copy.jsonl", cwd=tmp_path)
    remark = "note: copy.jsonl: all 3 distinct transitions are among those of t.jsonl"
    assert remark in outcome.err
    assert "are among those" not in call(*learn, "more.jsonl", cwd=tmp_path).err


def test_what_was_left_out_and_may_be_needed_is_named_everywhere(tmp_path):
    """That two objects differ never failed, and each two of the other literals leave it open."""
    header = {
        "dias": "trace/1", "labels": "full", "objects": dict.fromkeys("abcd", "object"),
        "predicates": {"r": ["object"] * 2, "p": ["object"], "s": ["object"], "q": ["object"]},
    }  # fmt: skip
    lines = []
    for x, y in permutations("abcd", 2):
        held = [f"(r {x} {y})", f"(p {x})", f"(s {y})"]
        lines.append({"state": held, "action": f"(go {x} {y})", "next": [*held, f"(q {x})"]})
    for x in "abcd":
        for pair in combinations([f"(r {x} {x})", f"(p {x})", f"(s {x})"], 2):
            lines.append({"state": pair, "action": "(wait)", "next": pair})
    traces(tmp_path, header, *lines)
    said = "go: (not (= ?p ?s)) may be needed: left out, since no state tests it"
    options = ("--json", "--report", "page.html")
    status, out, err = call("learn", "t.jsonl", "-o", "go.pddl", *options, cwd=tmp_path)
    assert status == 0
    assert f"Weak points (1):\n  {said}\n" in err
    assert f"; Weak points (1):\n;   {said}\n" in (tmp_path / "go.pddl").read_text()
    found = strict_json(out)
    assert found["weak_points"] == [said]
    [doubt] = found["doubts"]
    assert (doubt["kind"], doubt["action"]) == ("unsound", "go")
    support = found["actions"]["go"]["support"]
    assert support["may_be_needed"] == ["(not (= ?p ?s))"]
    assert "(not (q ?p))" in support["left_out"]  # which no state showed beside another literal
    words = {one["literal"]: one["word"] for one in support["literals"]}
    # Each two of the three conditions exclude what the third does.
    assert words == dict.fromkeys(["(p ?p)", "(s ?s)", "(r ?p ?s)"], "untested") | {
        "(q ?p)": "decided"
    }
    assert {one["alone"] for one in support["literals"]} == {False}
    page = (tmp_path / "page.html").read_text()
    assert "Never violated, but left out (8)" in page and "may be needed" in page
    call("learn", "t.jsonl", "-o", "safe.pddl", "--preconditions", "safe", cwd=tmp_path)
    assert "may be needed" not in (tmp_path / "safe.pddl").read_text()
