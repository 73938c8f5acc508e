"""`dias convert` from the outside."""

from __future__ import annotations

import gzip
import json

import pytest

from dias.traces.dialects.read import NAMES
from dias.traces.dialects.write import FORMATS
from dias_cli.commands.convert import DIALECTS, TARGETS
from tests.cli.helpers import (
    GOOD_PLAN,
    HEADER,
    PIPES,
    STEPS,
    call,
    garden,
    is_one_error,
    strict_json,
    traces,
    write,
)
from tests.traces.dialects.texts import TEXTS, TYPED, steps, walk
from tests.traces.dialects.texts import read as read_text

GARDEN = ("--domain", "domain.pddl", "--problem", "p.pddl")


def lines(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def test_every_format_can_be_named():
    """They are listed once more, so that the help need not import them."""
    assert (*NAMES, "plan", "problem") == DIALECTS
    assert ("jsonl", *FORMATS) == TARGETS


@pytest.mark.parametrize("name", TEXTS)
def test_from_every_dialect(tmp_path, name):
    write(tmp_path, "walk.txt", TEXTS[name])
    for options in ((), ("-f", name)):
        outcome = call("convert", "walk.txt", "-o", "t.jsonl", *options, cwd=tmp_path)
        assert (outcome.status, outcome.out) == (0, "")
        first, *_, last = outcome.err.splitlines()
        assert first.startswith("note: walk.txt: read as a trace of ")
        assert last == "t.jsonl: 3 transitions"
        assert steps(read_text((tmp_path / "t.jsonl").read_bytes(), "t.jsonl")) == walk()
    header = lines((tmp_path / "t.jsonl").read_text("utf-8"))[0]
    assert header["types"] == ({"bed": "object", "tank": "object"} if name in TYPED else {})


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("target", ["amlgym", "sam"])
def test_to_amlgym_and_sam_and_back(tmp_path, name, target):
    write(tmp_path, "walk.txt", TEXTS[name])
    call("convert", "walk.txt", "-o", "walk.trajectory", "--to", target, cwd=tmp_path)
    outcome = call("convert", "walk.trajectory", "-o", "t.jsonl", "--json", cwd=tmp_path)
    value = strict_json(outcome.out)
    assert [own["dialect"] for own in value["inputs"]] == [target]
    assert steps(read_text((tmp_path / "t.jsonl").read_bytes(), "t.jsonl")) == walk()


@pytest.mark.parametrize("name", TEXTS)
def test_learn_and_inspect_read_them_as_they_are(tmp_path, name):
    write(tmp_path, "walk.txt", TEXTS[name])
    seen = call("inspect", "walk.txt", "--json", cwd=tmp_path)
    value = strict_json(seen.out)
    assert (value["transitions"], value["labels"]) == (3, "full")
    assert value["notes"][0].startswith("read as a trace of ")
    learned = call("learn", "walk.txt", "-o", "l.pddl", "--validation", "walk.txt", cwd=tmp_path)
    assert learned.status == 0, learned.err
    assert "note: walk.txt: read as a trace of " in learned.err
    assert "(:action water" in (tmp_path / "l.pddl").read_text("utf-8")


def test_standard_input_and_output_and_gzip(tmp_path):
    text = TEXTS["amlgym"]
    outcome = call("convert", "-", cwd=tmp_path, stdin=text)
    assert outcome.status == 0
    assert outcome.err.splitlines()[0] == "note: <stdin>: read as a trace of AMLGym"
    write(tmp_path, "walk.gz", gzip.compress(text.encode()))
    again = call("convert", "walk.gz", "-o", "t.jsonl.gz", cwd=tmp_path)
    assert again.status == 0
    written = gzip.decompress((tmp_path / "t.jsonl.gz").read_bytes()).decode()
    assert lines(written)[1:] == [line | {"trace": "walk"} for line in lines(outcome.out)[1:]]


def test_a_plan_with_its_problem(tmp_path):
    garden(tmp_path)
    write(tmp_path, "plan.txt", GOOD_PLAN)
    outcome = call("convert", "plan.txt", *GARDEN, cwd=tmp_path)
    assert outcome.err == "note: plan.txt: read as a plan\nstandard output: 5 transitions\n"
    header, *own = lines(outcome.out)
    assert (header["labels"], header["problem"]) == ("full", "plot")
    assert [step["action"] for step in own] == GOOD_PLAN.splitlines()
    assert {step["trace"] for step in own} == {"plan"}
    write(tmp_path, "ff.txt", "step 0: TURN-ON NORTH\n")
    both = call("convert", "plan.txt", "ff.txt", *GARDEN, "--labels", "names", cwd=tmp_path)
    header, *own = lines(both.out)
    assert (header["labels"], len(own), own[-1]["action"]) == ("names", 6, "(turn-on)")
    partial = call("convert", "plan.txt", *GARDEN, "--labels", "partial", cwd=tmp_path)
    assert lines(partial.out)[0]["labels"] == "partial"
    named = call("convert", "plan.txt", *GARDEN, "-f", "plan", "--to", "sam", cwd=tmp_path)
    assert named.out.splitlines()[1] == "(operator: (turn-on north))"


def test_a_plan_alone_or_a_wrong_one(tmp_path):
    garden(tmp_path)
    write(tmp_path, "plan.txt", "(turn-on north)\n(turn-on north)\n")
    for options in ((), ("--domain", "domain.pddl")):
        outcome = call("convert", "plan.txt", *options, cwd=tmp_path)
        is_one_error(outcome, "plan.txt: ", "found a plan", "--domain and --problem")
    outcome = call("convert", "plan.txt", *GARDEN, "-o", "t.jsonl", cwd=tmp_path)
    is_one_error(outcome, "plan.txt:2: ", "step 2 (turn-on north)", "(shut north) does not hold")
    assert not (tmp_path / "t.jsonl").exists()


def test_types_and_objects_of_a_problem(tmp_path):
    garden(tmp_path)
    text = TEXTS["amlgym"].replace(" n", " north")
    write(tmp_path, "walk.txt", text)
    header = lines(call("convert", "walk.txt", *GARDEN, cwd=tmp_path).out)[0]
    assert header["objects"] == {"leek": "bed", "north": "tank", "rose": "bed", "south": "tank"}
    assert header["predicates"]["pipe"] == ["tank", "bed"]
    assert header["actions"] == ["turn-off", "turn-on", "water"]
    header = lines(call("convert", "walk.txt", *GARDEN[:2], cwd=tmp_path).out)[0]
    assert header["objects"] == {"north": "tank", "rose": "bed"}
    write(tmp_path, "walk.txt", TEXTS["amlgym"])
    is_one_error(call("convert", "walk.txt", *GARDEN, cwd=tmp_path), "walk.txt:3: ", "found n.")


def test_what_no_trace_needs_is_not_read(tmp_path):
    """Actions and numbers that STRIPS does not have, an initial state, a goal."""
    garden(tmp_path)
    domain = (tmp_path / "domain.pddl").read_text("utf-8").rstrip()[:-1]
    domain += "(:functions (level ?t - tank)) (:action fill :parameters (?t - tank) :effect (when"
    domain += " (open ?t) (increase (level ?t) 1))) (:derived (wet ?b - bed) (dry ?b)))"
    problem = (tmp_path / "p.pddl").read_text("utf-8")
    problem = problem.replace("(:init", "(:init (= (level north) 3)")
    write(tmp_path, "domain.pddl", domain)
    write(tmp_path, "p.pddl", problem.replace("(:goal (and", "(:goal (or"))
    write(tmp_path, "walk.txt", TEXTS["amlgym"].replace(" n", " north"))
    outcome = call("convert", "walk.txt", *GARDEN, "-o", "t.jsonl", cwd=tmp_path)
    assert (outcome.status, "warning" in outcome.err) == (0, False)
    write(tmp_path, "plan.txt", GOOD_PLAN)
    is_one_error(
        call("convert", "plan.txt", *GARDEN, cwd=tmp_path), "domain.pddl:", "expected STRIPS"
    )


def test_a_problem_for_each_file(tmp_path):
    garden(tmp_path)
    problem = (tmp_path / "p.pddl").read_text("utf-8")
    write(tmp_path, "q.pddl", problem.replace("plot", "patch").replace("rose", "kale"))
    text = TEXTS["amlgym"].replace(" n", " north")
    write(tmp_path, "a.txt", text)
    write(tmp_path, "b.txt", text.replace("rose", "kale"))
    files = ("a.txt", "b.txt", "--domain", "domain.pddl", "--problem", "p.pddl")
    outcome = call("convert", *files, "--problem", "q.pddl", cwd=tmp_path)
    headers = [line for line in lines(outcome.out) if "dias" in line]
    assert [header["problem"] for header in headers] == ["plot", "patch"]
    is_one_error(call("convert", *files, cwd=tmp_path), "b.txt:3: ", "found kale")


def test_several_files_become_one(tmp_path):
    for name in ("amlgym", "l1"):
        write(tmp_path, f"{name}.txt", TEXTS[name])
    traces(tmp_path, {**HEADER, "labels": "full", "static": PIPES}, *ARGUMENTS)
    arguments = ("convert", "amlgym.txt", "l1.txt", "-o", "all.jsonl", "--json")
    value = strict_json(call(*arguments, cwd=tmp_path).out)
    assert value == {
        "files": ["all.jsonl"],
        "to": "jsonl",
        "transitions": 6,
        "inputs": [
            {"file": f"{name}.txt", "dialect": name, "transitions": 3,
             "notes": [f"{name}.txt: read as a trace of {title}"]}
            for name, title in (("amlgym", "AMLGym"), ("l1", "L1"))
        ],
    }  # fmt: skip
    found = read_text((tmp_path / "all.jsonl").read_bytes(), "all.jsonl")
    assert [segment.problem for segment in found.segments] == ["amlgym", "l1"]
    value = strict_json(call("convert", "t.jsonl", "-o", "u.jsonl", "--json", cwd=tmp_path).out)
    assert (value["inputs"][0]["dialect"], value["transitions"]) == ("trace/1", 3)


ARGUMENTS = [
    {**line, "action": action}
    for line, action in zip(STEPS, ["(turn-on n)", "(water n rose)", "(turn-off n)"], strict=True)
]


def test_files_that_do_not_fit_together(tmp_path):
    write(tmp_path, "a.txt", TEXTS["amlgym"])
    write(tmp_path, "b.txt", TEXTS["amlgym"].replace("(dry rose)", "(dry rose n)"))
    outcome = call("convert", "a.txt", "b.txt", "-o", "t.jsonl", cwd=tmp_path)
    found = "b.txt: expected predicate dry of arity 1 as in the files before, found predicate"
    is_one_error(outcome, found, "that do not belong together")
    assert not (tmp_path / "t.jsonl").exists()
    write(tmp_path, "b.txt", "((:init (hot)) (operator: (cool)) (:state (cold)))")
    outcome = call("convert", "a.txt", "b.txt", "-o", "t.jsonl", cwd=tmp_path)
    is_one_error(outcome, 'b.txt: expected labels "full" as in the files before, found "names"')
    both = call("convert", "a.txt", "b.txt", "-o", "t.jsonl", "--labels", "full", cwd=tmp_path)
    assert both.status == 0


def test_several_trajectories_go_into_numbered_files(tmp_path):
    traces(tmp_path, {**HEADER, "labels": "full", "static": PIPES}, ARGUMENTS[0], ARGUMENTS[2],
           {**ARGUMENTS[0], "next": None})  # fmt: skip
    outcome = call("convert", "t.jsonl", "--to", "amlgym", "-o", "traj", cwd=tmp_path)
    assert outcome.status == 0
    assert outcome.err.splitlines() == [
        "note: types are not part of these files: whoever reads them needs the domain or problem",
        "note: 1 refused attempt(s) are left out",
        "0_traj, 1_traj: 2 transitions",
    ]
    assert not (tmp_path / "traj").exists()
    assert "(pipe n rose)" in (tmp_path / "0_traj").read_text("utf-8")
    is_one_error(call("convert", "t.jsonl", "--to", "sam", cwd=tmp_path), "t.jsonl: ", "found 2")
    names = call("convert", "t.jsonl", "--to", "sam", "-o", "x", "--labels", "names", cwd=tmp_path)
    assert "note: some action arguments are not in the traces" in names.err


def test_nothing_ever_changes(tmp_path):
    """L1 repeats the first state in some of its files."""
    text = TEXTS["l1"].replace("open", "shut").replace("wet", "dry")
    write(tmp_path, "p02.txt", text)
    note = (
        "p02.txt:4: nothing ever changes in problem p02 (3 transition(s), 3 action(s)): the first"
    )
    outcome = call("convert", "p02.txt", "-o", "t.jsonl", cwd=tmp_path)
    assert (outcome.status, note in outcome.err) == (0, True)
    seen = call("inspect", "p02.txt", "--json", cwd=tmp_path)
    assert any(own.startswith("line 4: nothing ever changes in") for own in
               strict_json(seen.out)["notes"])  # fmt: skip
    learned = call("learn", "p02.txt", "-o", "l.pddl", cwd=tmp_path)
    is_one_error(
        learned,
        "p02.txt:4: expected transitions that change something, found 3 of 3 action(s)",
        "the first state may have been written again",
        "--unchanged happened",
    )
    assert note in learned.err
    assert not (tmp_path / "l.pddl").exists()
    said = call("learn", "p02.txt", "-o", "l.pddl", "--unchanged", "happened", cwd=tmp_path)
    assert said.status == 0
    # Beside a file that is right it is a note.
    write(tmp_path, "p01.txt", TEXTS["l1"])
    call("convert", "p01.txt", "p02.txt", "-o", "t.jsonl", cwd=tmp_path)
    both = call("learn", "t.jsonl", "-o", "l.pddl", cwd=tmp_path)
    assert "nothing ever changes in problem p02 (3 transition(s)" in both.err


@pytest.mark.parametrize(
    ("words", "finding"),
    [
        (["t", "--problem", "p.pddl"], "--problem needs --domain"),
        (["t", "u", "v", *GARDEN, "--problem", "p.pddl"], "given 2 times for 3 files"),
        (["t", "--json"], "--json prints to standard output"),
        (["-", "-"], "standard input can be read once"),
        (["t", "-o", "t"], "t is given twice"),
        (["t", *GARDEN, "-o", "p.pddl"], "p.pddl is given twice"),
        (["t", "-f", "amlgin"], "Did you mean amlgym?"),
    ],
)
def test_wrong_usage(tmp_path, words, finding):
    garden(tmp_path)
    outcome = call("convert", *words, cwd=tmp_path)
    assert (outcome.status, outcome.out) == (2, "")
    assert finding in outcome.err


def test_what_is_not_certain_is_kept_or_refused(tmp_path):
    soft = {**STEPS[0], "unknown": ["(wet rose)"], "trace": 0, "step": 0}
    traces(tmp_path, HEADER | {"static": PIPES}, soft)
    assert call("convert", "t.jsonl", "-o", "again.jsonl", cwd=tmp_path).status == 0
    assert lines((tmp_path / "again.jsonl").read_text())[1]["unknown"] == ["(wet rose)"]
    outcome = call("convert", "t.jsonl", "--to", "sam", "-o", "t.sam", cwd=tmp_path)
    is_one_error(outcome, "t.jsonl: ", "every atom is certain for sam", "step 1", "dias denoise")
    assert not (tmp_path / "t.sam").exists()
