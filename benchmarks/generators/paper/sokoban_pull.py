"""Sokoban-pull: as Sokoban, with a player who also pulls boxes."""

from __future__ import annotations

import random

from ..problem import Problem
from .sokoban import generate_boxes


def generate(rng: random.Random, *, size: int, boxes: int) -> Problem:
    """An instance whose boxes start away from the border.

    Args:
        rng: Source of randomness.
        size: Number of cells along one side.
        boxes: Number of boxes.
    """
    return generate_boxes(rng, "sokoban-pull", size, boxes, pulls=True)
