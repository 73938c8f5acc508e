"""Every dialect says the same of the same walk, and is found out."""

from __future__ import annotations

import gzip

import pytest

from dias.errors import InsufficientTracesError, TraceError
from dias.traces.dialects.read import NAMES
from dias.traces.reading.reader import read_blocks
from dias.traces.record import LabelMode
from tests.traces.dialects.texts import LISTED, TEXTS, TYPED, read, state, steps, walk

TITLES = {
    "amlgym": "AMLGym", "sam": "SAM", "l1": "L1", "nolam": "NOLAM", "offlam": "OffLAM",
    "fama": "FAMA", "planminer": "PlanMiner", "pddlgym": "PDDLGym-like literals",
}  # fmt: skip


def test_every_dialect_is_tried():
    assert tuple(TEXTS) == NAMES


@pytest.mark.parametrize("name", TEXTS)
def test_the_same_walk_in_every_dialect(name):
    traces = read(TEXTS[name])
    assert steps(traces) == walk()
    assert traces.labels is LabelMode.FULL
    assert f"read as a trace of {TITLES[name]}" in traces.findings[0]
    assert traces.segments[0].problem == "walk"
    types = {"n": "tank", "rose": "bed"} if name in TYPED else {"n": "object", "rose": "object"}
    assert traces.segments[0].objects == types
    assert set(traces.types) == ({"tank", "bed"} if name in TYPED else set())


@pytest.mark.parametrize("name", TEXTS)
def test_in_any_case_with_any_line_end_compressed(name):
    text = TEXTS[name]
    if name != "pddlgym":
        assert steps(read(text.upper())) == walk()
    assert steps(read("\ufeff" + text.replace("\n", "\r\n"))) == walk()
    assert steps(read(gzip.compress(text.encode()), "walk.txt.gz")) == walk()


@pytest.mark.parametrize("name", TEXTS)
def test_each_can_be_asked_for(name, tmp_path):
    """Also where the beginning does not tell: after remarks that are no PDDL comments, say."""
    path = tmp_path / "walk.txt"
    path.write_text(TEXTS[name], "utf-8")
    found = read_blocks(path, dialect=name)
    assert steps(found.traces) == walk()
    assert found.dialect == name
    [(_, own)] = found.blocks
    assert [(step.trace, step.step) for step in own] == [("walk", 0), ("walk", 1), ("walk", 2)]


@pytest.mark.parametrize("name", TEXTS)
def test_names_only(name):
    traces = read(TEXTS[name], labels=LabelMode.NAMES)
    assert [(s, a, t) for s, a, t in steps(traces)] == [
        (s, f"{a.split()[0].rstrip(')')})", t) for s, a, t in walk()
    ]


@pytest.mark.parametrize("name", ["amlgym", "sam", "l1", "nolam", "offlam", "fama"])
def test_several_trajectories_in_a_file(name):
    text = TEXTS[name]
    other = text.replace("rose", "leek")
    traces = read(f"{text}\n{other}\n{text}")
    assert len(traces.transitions) == 6 and traces.n_steps == 9
    assert [segment.problem for segment in traces.segments] == ["walk", "walk-2"]
    assert [sorted(segment.objects) for segment in traces.segments] == [
        ["n", "rose"],
        ["leek", "n"],
    ]


def test_a_state_in_brackets_of_and_with_equalities_and_numbers():
    text = f"((:init (and {state(0)} (= n n) (= (level n) 3.5)))\n(:operator (turn-on n))\n"
    text += f"(:state (and {state(1)}) (not (shut n)) (= (level n) 4)))"
    traces = read(text)
    assert steps(traces) == walk()[:1]
    assert traces.findings[1].endswith(":1: 2 value(s) of numeric functions are left out")
    assert traces.findings[2].endswith(":1: 1 equality fact(s) are left out")


def test_an_action_without_brackets_of_its_own():
    text = f"(:trajectory (:state {state(0)}) (:action turn-on n) (:state {state(1)}))"
    assert steps(read(text)) == walk()[:1]


def test_actions_that_failed_are_refused_attempts():
    """The parsers of SAM read the status of a transition."""
    status = "(:transition_status ({}))\n(:state"
    text = TEXTS["sam"].replace("(:state", status.format("success"))
    assert steps(read(text)) == walk()
    text = text.replace(
        "(operator: (water n rose))",
        f"(operator: (turn-on n))\n{status.format('failure')} {state(1)})\n"
        "(operator: (water n rose))",
    )
    traces = read(text)
    assert steps(traces) == walk()
    [refused] = traces.refused
    assert (refused.action, refused.arguments, refused.state) == ("turn-on", ("n",), walk()[1][0])


def test_states_without_an_action_between():
    text = TEXTS["offlam"].replace("(:action (water n rose))\n", "")
    traces = read(text)
    assert steps(traces) == [walk()[0], walk()[2]]
    assert "1 time(s) another state follows without an action" in traces.findings[1]


def test_what_offlam_does_not_say_is_not_known():
    """Where one state speaks of an atom and another does not, it is unknown there."""
    text = TEXTS["offlam"].replace(" (not (open n))", "", 1)
    first, *others = read(text).transitions
    assert [(str(atom), p) for atom, p in first.soft] == [("(open n)", 0.5)]
    assert not first.next_soft and not any(t.soft or t.next_soft for t in others)
    assert [t.step for t in (first, *others)] == [0, 1, 2]
    # Where nothing is said to be false, all that is not listed is.
    assert steps(read(TEXTS["nolam"])) == walk()
    # With SAM that is so in any case.
    sam = text.replace("(observation", "(", 1).replace(":action", "operator:")
    assert steps(read(sam)) == walk()


ERRORS = {
    "an open bracket": ("sam", "\n)\n", "\n", 1, "expected a `)` for this `(`", "Close it"),
    "a bracket too many": ("sam", "\n)\n", "\n))\n", 8, "expected a `(`, found `)`", "Remove it"),
    "a comma": ("sam", "(dry rose)", "(dry, rose)", 1, "found a comma", "blanks"),
    "a word": ("l1", LISTED, "n rose", 2, "a state or an action as L1 writes them", "-f DIALECT"),
    "an unknown section": ("l1", LISTED, "(:goals (p))", 2, "found `:goals`", "-f DIALECT"),
    "an action at first": ("l1", "(:init", "(:operator", 3, "a state before the action of step 1",
                           "not seen"),
    "two actions": ("amlgym", "(:state (open n) (dry rose) (pipe n rose))\n", "", 5,
                    "a state before the action of step 2, found the action of line 4", "not seen"),
    "an action at last": ("amlgym", "(:state (shut n) (wet rose) (pipe n rose))", "", 8,
                          "a state after the action of step 3, found the end", "stopped"),
    "a negated word": ("sam", "(dry rose)", "(not dry rose)", 1, "one atom in a `not`", "Correct"),
    "an atom both true and false": ("offlam", "(shut n) (dry rose)", "(open n) (dry rose)", 3,
                                    "to be both", "Remove one"),
    "another status": ("sam", "(:state", "(:transition_status (odd)) (:state", 3,
                       "expected `success` or `failure`, found `odd`", "Correct"),
    "a status without an action": ("sam", "(operator:", "(:transition_status (success)) (operator:",
                                   2, "found `:transition_status`", "-f DIALECT"),
    "actions of several agents": ("sam", "(operator:", "(operators:", 2,
                                  "joint actions of several agents (`operators:`)", "cannot"),
    "half an equality": ("sam", "(dry rose)", "(= rose)", 1, "two sides of a `=`, found 1", "Corr"),
    "a word that is negated": ("sam", "(dry rose)", "(not dry)", 1, "found `dry`", "parentheses"),
    "a bare atom": ("sam", "(dry rose)", "dry", 1,
                    'step 1, state before: expected a list of names', "--skip-bad-lines"),
    "an atom in an atom": ("sam", "(wet rose)", "(wet (rose))", 5,
                           "step 2, state after: expected a name", "--skip-bad-lines"),
    "a variable": ("sam", "(water n rose)", "(water ?x rose)", 4,
                   "step 2, action: expected a name without", "--skip-bad-lines"),
    "another arity": ("sam", "(wet rose)", "(wet rose n)", 7,
                      "predicate wet of arity 2 as in line 5, found predicate wet of arity 1",
                      "--skip-bad-lines"),
    "another number of arguments": ("sam", "(turn-off n)", "(turn-on n n)", 6,
                                    "step 3, action: expected action turn-on with 1 argument(s)",
                                    "--skip-bad-lines"),
    "an object that is not listed": ("l1", "(wet rose)", "(wet leek)", 7,
                                     'step 2, state after: expected a name from "objects"',
                                     "--skip-bad-lines"),
    "a misspelled object": ("l1", "(wet rose)", "(wet roes)", 7, "found roes", "mean rose?"),
    "a type without a name": ("l1", LISTED, "(:objects - tank n)", 2, "without a name", "Correct"),
    "a name without a type": ("l1", LISTED, "(:objects n -)", 2, "without a name", "Correct"),
    "a group among objects": ("l1", LISTED, "(:objects (n))", 2, "found a group", "Correct"),
    "FAMA's unknown section": ("fama", "(:init", "(:start", 3, "found `:start`", "-f DIALECT"),
}  # fmt: skip


@pytest.mark.parametrize("name", ERRORS)
def test_errors_name_line_and_step(name):
    dialect, old, new, line, finding, remedy = ERRORS[name]
    assert old in TEXTS[dialect]
    with pytest.raises(TraceError) as caught:
        read(TEXTS[dialect].replace(old, new, 1))
    error = caught.value
    assert error.place.split("walk.txt")[1].split(":")[1] == str(line), error
    assert finding in error.problem and "expected " in error.problem
    assert remedy in error.remedy
    assert str(error).isprintable()


def test_bad_steps_can_be_left_out(caplog):
    text = TEXTS["sam"].replace("(water n rose)", "(water ?x rose)")
    traces = read(text, skip_bad_lines=True)
    assert steps(traces) == [walk()[0], walk()[2]]
    assert "1 of 4 line(s) dropped, the first: " in caplog.text
    assert "walk.txt:4: step 2, action: " in caplog.text


def test_no_step():
    for text in ("(:trajectory)", "(:trajectory (:state (p a)))", "((:init (p)) (:state (q)))"):
        with pytest.raises(InsufficientTracesError, match="no action between two states"):
            read(text)


def test_nobody_writes_so(tmp_path):
    path = tmp_path / "walk.txt"
    path.write_text("(:state (p))\n(:action (go))\n(:state (q))", "utf-8")
    with pytest.raises(TraceError, match=r"walk.txt:1: .*found an s-expression"):
        read_blocks(path)
    path.write_text("((:objects n) (:goal (p)))", "utf-8")
    with pytest.raises(TraceError, match=r"walk.txt:1: .*found `:goal`.*-f DIALECT"):
        read_blocks(path)
    path.write_text("((:objects n)) x", "utf-8")
    with pytest.raises(TraceError, match=r"walk.txt:1:16: expected a `\(`, found `x`"):
        read_blocks(path)


def test_not_utf_8():
    with pytest.raises(TraceError, match=r"walk.txt:2: expected UTF-8 text, found 0xff"):
        read(b"(:trajectory (:state (p))\n(:action (\xff)) (:state))")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("0_blocks_traj", "0_blocks_traj"),
        ("my walk (2).txt", "my-walk-2"),
        ("\u200b.txt", "traces"),
    ],
)
def test_the_problem_is_called_after_the_file(name, problem):
    assert read(TEXTS["sam"], name).segments[0].problem == problem
