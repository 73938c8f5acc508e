"""Visitall: every cell of a grid is to be visited."""

from __future__ import annotations

import random

from ..grid import grid, neighbours
from ..problem import Problem, at_least


def generate(rng: random.Random, *, size: int) -> Problem:
    """An instance that starts on a random cell.

    Args:
        rng: Source of randomness.
        size: Number of cells along one side.
    """
    at_least(2, size=size)
    cells = grid(size)
    names = list(cells.values())
    start = rng.choice(names)
    return Problem(
        domain="visitall",
        objects={"object": names},
        init=[*neighbours(cells, "connected"), ("at-robot", start), ("visited", start)],
        goal=[("visited", name) for name in names],
    )
