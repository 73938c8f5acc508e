"""Hanoi's state space, how it is drawn, and a walk in it."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from benchmarks.tables.coverage import WalkRun, sierpinski, state_graph, state_name
from dias.strips.model import Atom


def on(*pairs: str) -> list[Atom]:
    return [Atom("on", tuple(pair.split())) for pair in pairs] + [Atom("clear", ("d1",))]


def test_the_graph_is_hanois():
    states, moves = state_graph()
    assert len(states) == len(set(states)) == 729
    assert len(moves) == 3 * (729 - 1) // 2 == 1092  # the known number of edges
    degrees = Counter(state for move in moves for state in move)
    assert Counter(degrees.values()) == {2: 3, 3: 726}
    assert {state for state, degree in degrees.items() if degree == 2} == {
        "111111", "222222", "333333",
    }  # fmt: skip


def test_one_move_is_one_step_in_the_picture():
    _, moves = state_graph()
    for a, b in moves:
        assert math.dist(sierpinski(a), sierpinski(b)) == pytest.approx(2**-6)
    assert len({sierpinski(state) for state in state_graph()[0]}) == 729


def test_a_state_is_named_by_its_pegs():
    assert state_name(on("d3 peg1", "d2 d3", "d1 peg3")) == "113"
    assert state_name(on("d3 peg2", "d2 peg1", "d1 d2")) == "211"


def test_a_real_walk():
    row = WalkRun(1).execute()
    assert row["failure"] is None
    assert 50 < len(row["visited"]) < 729
    assert set(row["visited"]) <= set(state_graph()[0])
