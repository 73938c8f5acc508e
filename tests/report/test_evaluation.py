"""An evaluation as tables and JSON."""

from __future__ import annotations

import json

import pytest

from dias.evaluation.scores import Evaluation, ProblemScore, Score
from dias.report.evaluation import evaluation_json, evaluation_text

# One wrong successor among 1,000 and one missing among 3, in the second problem.
FIRST = ProblemScore("p02", 10, 10, Score(40), Score(50), {"go": Score(20), "stop": Score(30)})
SECOND = ProblemScore(
    "p03", 5, 3, Score(999, 1, 0), Score(2, 0, 1), {"go": Score(2, 0, 1), "fly": Score(0, 4, 0)}
)
CUT_SHORT = ProblemScore("p04", failure="out of time after 0 of 9 states")


def test_perfect():
    assert evaluation_text(Evaluation((FIRST,))).splitlines() == [
        "problem  states  exact  precision  recall  pairs precision  pairs recall",
        "p02          10     10       1.00    1.00             1.00          1.00",
        "all          10     10       1.00    1.00             1.00          1.00",
        "",
        "action  precision  recall",
        "go           1.00    1.00",
        "stop         1.00    1.00",
        "",
        "In the 10 states tried: Sound: yes. Complete: yes.",
    ]


def test_the_smallest_fault_shows():
    """999 of 1,000 is not 1.00, and an action that only the learned domain has is listed."""
    lines = evaluation_text(Evaluation((FIRST, SECOND))).splitlines()
    assert lines[2].split() == ["p03", "5", "3", "0.99", "1.00", "1.00", "0.66"]
    assert lines[3].split() == ["all", "15", "13", "0.99", "1.00", "1.00", "0.98"]
    assert [line.split() for line in lines[6:9]] == [
        ["fly", "0.00", "1.00"], ["go", "1.00", "0.95"], ["stop", "1.00", "1.00"],
    ]  # fmt: skip
    assert lines[-1] == "In the 15 states tried: Sound: no. Complete: yes."


def test_what_was_not_measured_is_said():
    lines = evaluation_text(Evaluation((FIRST, CUT_SHORT))).splitlines()
    assert lines[2].split() == ["p04", "0", "0", "-", "-", "-", "-"]
    assert lines[-2] == "Not measured to the end: p04: out of time after 0 of 9 states."
    assert lines[-1] == "In the 10 states tried: Sound: not known. Complete: not known."
    # One fault is enough to know.
    lines = evaluation_text(Evaluation((SECOND, CUT_SHORT))).splitlines()
    assert lines[-1] == "In the 5 states tried: Sound: no. Complete: not known."


def test_an_upper_bound_is_said():
    value = ProblemScore("p05", 2, 0, Score(3, 1000, 0), n_capped=1)
    lines = evaluation_text(Evaluation((FIRST, value))).splitlines()
    assert lines[-2:] == [
        "Every precision is at most what is shown: in 1 state more wrong successors are predicted "
        "than were counted.",
        "In the 12 states tried: Sound: no. Complete: yes.",
    ]
    assert "at most" not in evaluation_text(Evaluation((FIRST,)))
    told = evaluation_json(Evaluation((FIRST, value)))
    assert [told["capped_states"], *(p["capped_states"] for p in told["problems"])] == [1, 0, 1]


def test_nothing_measured():
    lines = evaluation_text(Evaluation((CUT_SHORT,))).splitlines()
    assert lines[2:] == [
        "all           0      0          -       -                -             -",
        "",
        "Not measured to the end: p04: out of time after 0 of 9 states.",
        "In the 0 states tried: Sound: not known. Complete: not known.",
    ]


def test_what_no_state_could_try_is_said():
    """`land` nobody predicted either; of `fly` the learned domain predicts what is never true."""
    evaluation = Evaluation((FIRST, SECOND), ("stop", "land", "go", "fly"))
    lines = evaluation_text(evaluation).splitlines()
    assert [line.split() for line in lines[6:10]] == [
        ["fly", "0.00", "-"], ["go", "1.00", "0.95"], ["land", "-", "-"], ["stop", "1.00", "1.00"],
    ]  # fmt: skip
    assert lines[-1] == (
        "In the 15 states tried (not tested: fly, land): Sound: no. Complete: yes."
    )
    told = evaluation_json(evaluation)
    assert told["not_tested"] == ["fly", "land"]
    assert list(told["actions"]) == ["fly", "go", "stop"]
    assert evaluation_json(Evaluation((FIRST,), ("go", "stop")))["not_tested"] == []


@pytest.mark.parametrize(
    ("states_from", "words"),
    [("bfs", ""), ("walk", ", from random walks"),
     ("both", ", breadth first and from random walks")],
)  # fmt: skip
def test_where_the_states_come_from(states_from, words):
    evaluation = Evaluation((FIRST,), (), states_from, 7)
    last = evaluation_text(evaluation).splitlines()[-1]
    assert last == f"In the 10 states tried{words}: Sound: yes. Complete: yes."
    told = evaluation_json(evaluation)
    assert (told["states_from"], told["seed"]) == (states_from, 7)


def test_json():
    value = evaluation_json(Evaluation((FIRST, SECOND, CUT_SHORT)))
    assert json.loads(json.dumps(value, allow_nan=False)) == value
    assert (value["sound"], value["complete"], value["states"]) == (False, False, 15)
    assert (value["problem"], value["exact_states"]) == ("all", 13)
    assert value["successor_states"] == {
        "precision": 1039 / 1040, "recall": 1.0,
        "true_positives": 1039, "false_positives": 1, "false_negatives": 0,
    }  # fmt: skip
    assert list(value["actions"]) == ["fly", "go", "stop"]
    assert value["actions"]["go"]["false_negatives"] == 1
    assert [problem["problem"] for problem in value["problems"]] == ["p02", "p03", "p04"]
    assert [problem["failure"] for problem in value["problems"]] == [
        None, None, "out of time after 0 of 9 states",
    ]  # fmt: skip
    assert value["problems"][1]["pairs"]["recall"] == 2 / 3
    # Where nothing was measured there is no share, neither a perfect one nor a NaN.
    for measure in ("successor_states", "pairs"):
        score = value["problems"][2][measure]
        assert (score["precision"], score["recall"]) == (None, None)


def test_where_nothing_is_applicable_nothing_is_said_to_hold():
    idle = ProblemScore("p", 3, 3)
    lines = evaluation_text(Evaluation((idle,), ("go", "stop"))).splitlines()
    assert lines[-1] == (
        "In the 3 states tried (not tested: go, stop): no action is applicable, in either domain. "
        "That says nothing."
    )
