"""Why there are not more samples."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from dias.report.sampling import missing_lines, problem_json
from dias.strips.problem import CodedProblem
from dias.traces.sampling.samples import Sample, SamplingConfig, Visited
from tests.garden import GARDEN, PLOT

PROBLEM = CodedProblem.of(PLOT, GARDEN)
ENOUGH = SamplingConfig(10, 20)
COUNTS = Counter({"turn-on": 20, "turn-off": 10, "water": 9})
SEEN = Visited(
    1200, Counter({"turn-on": 900, "turn-off": 800, "water": 1}), Counter({"water": 2})
)  # fmt: skip


def lines(visited=SEEN, **more):
    sample = Sample(PROBLEM, visited, counts=COUNTS, n_steps_walked=2300, n_restarts=7, **more)
    return list(missing_lines(sample, GARDEN, ENOUGH))


HEAD = "plot: 9 of 10 samples of water (walked 2,300 steps, began anew 7 times): "
NONE = "plot: 0 of 10 samples of sun (walked 2,300 steps, began anew 7 times): "


def test_only_what_is_missing_is_said():
    assert lines() == [
        f"{HEAD}applicable in 1 of the 1,200 states seen, with 2 different steps in all",
        f"{NONE}applicable in none of the 1,200 states seen",
    ]


def test_one_step_is_one_step():
    one = Visited(3, Counter({"water": 1}), Counter({"water": 1}))
    assert lines(one)[0] == (
        f"{HEAD}applicable in 1 of the 3 states seen, with 1 different step in all"
    )


def test_when_all_states_were_seen():
    assert (
        lines(Visited(16, is_all=True))[1] == f"{NONE}applicable in none of the 16 reachable states"
    )


def test_when_the_time_ended():
    assert lines(is_out_of_time=True) == [
        f"{HEAD}applicable in 1 of the 1,200 states seen, with 2 different steps in all; "
        "the time limit ended the walk",
        f"{NONE}applicable in none of the 1,200 states seen; the time limit ended the walk",
    ]
    assert lines(Visited(), is_out_of_time=True)[1] == f"{NONE}the time limit ended the walk"


@pytest.mark.parametrize("is_out_of_time", [False, True])
def test_json(is_out_of_time):
    first = Sample(PROBLEM, SEEN, counts=COUNTS, n_steps_walked=2300, n_restarts=7)
    second = Sample(
        PROBLEM, SEEN, counts=Counter(sun=4), n_steps_walked=40, is_out_of_time=is_out_of_time
    )
    value = problem_json([first, second], GARDEN, [ENOUGH, SamplingConfig(5)])
    assert json.loads(json.dumps(value)) == value
    assert (value["problem"], value["steps_walked"], value["restarts"]) == ("plot", 2340, 7)
    assert value["samples"] == {"turn-on": 20, "turn-off": 10, "water": 9, "sun": 0}
    assert (value["states_seen"], value["all_states_seen"]) == (1200, False)
    assert value["out_of_time"] == is_out_of_time
    assert list(value["missing"]) == ["turn-on", "turn-off", "water", "sun"]
    assert value["missing"]["water"] == {
        "samples": [9, 0], "applicable_states": 1, "different_steps": 2,
    }  # fmt: skip
    alone = problem_json([first], GARDEN, [SamplingConfig(9)])
    assert list(alone["missing"]) == ["sun"]
