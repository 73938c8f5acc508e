"""Nodes stand as far apart as they are in steps."""

from __future__ import annotations

import numpy as np
import pytest

from dias.coverage.state_space import distances, explore, state_graph
from dias.report.layout import stress_layout
from tests.garden import GARDEN, PLOT


def apart(positions):
    """The distances in the plane."""
    return np.linalg.norm(positions[:, None] - positions[None], axis=2)


def stress(positions, steps):
    """What the layout makes small."""
    off = ~np.eye(len(steps), dtype=bool)
    return (((apart(positions) - steps) ** 2)[off] / steps[off] ** 2).sum()


@pytest.mark.parametrize("n", [2, 3, 5])
def test_a_path_is_a_line(n):
    steps = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    assert np.allclose(apart(stress_layout(steps)), steps, atol=0.02)


def test_a_triangle_and_a_point():
    steps = 1 - np.eye(3, dtype=int)
    assert np.allclose(apart(stress_layout(steps)), steps, atol=0.02)
    assert stress_layout(np.zeros((1, 1), dtype=int)).tolist() == [[0, 0]]


def grid(n):
    """Distances between the points of an n x n grid."""
    points = np.array(list(np.ndindex(n, n)))
    return np.abs(points[:, None] - points).sum(2)


def tree(depth):
    """Distances in a binary tree, whose branches classical scaling lays on one another."""
    above = [{node >> up for up in range(depth + 1)} - {0} for node in range(1, 1 << depth)]
    return np.array([[len(a ^ b) for b in above] for a in above])


@pytest.mark.parametrize(
    "steps",
    [distances(state_graph(explore(GARDEN, PLOT, 16))), grid(3), tree(3), tree(4)],
    ids=["garden", "grid", "small tree", "tree"],
)
def test_no_small_move_of_a_node_makes_the_stress_smaller(steps):
    positions = stress_layout(steps)
    best = stress(positions, steps)
    rng = np.random.default_rng(0)
    assert best < 0.5 * stress(rng.normal(size=positions.shape) * steps.mean() / 2, steps)
    for node in range(len(steps)):
        for move in (0.3, 0), (-0.3, 0), (0, 0.3), (0, -0.3):
            moved = positions.copy()
            moved[node] += move
            assert stress(moved, steps) > best
    assert np.array_equal(positions, stress_layout(steps))
