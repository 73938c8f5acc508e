"""The 8-puzzle in handwriting: each cell shows a digit, drawn anew in each state; 0 is the blank.

The digits are scikit-learn's `load_digits`, 8 x 8 pixels each.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

import dias
from examples.pictures.world import World

FOLDER = Path(__file__).parents[2] / "benchmarks" / "domains" / "n-puzzle"
HELD_OUT = 1 / 3
"""Share of the handwritten digits that learning never sees."""


class Puzzle(World):
    """See above."""

    name = "8-puzzle"
    n_steps = 1500

    def __init__(self, seed: int) -> None:
        domain = dias.read_domain(FOLDER / "domain.pddl")
        problems = [dias.read_problem(FOLDER / f"p0{n}.pddl", domain) for n in (1, 2, 3)]
        templates = [("blank",), *(("at", f"t{n}") for n in range(1, 9))]
        super().__init__(domain, problems[0], problems[1:], templates, [True] * 9, "cell", seed)
        digits = load_digits()
        self._pixels = digits.data / 16
        order = self.rng.permutation(len(digits.data))
        n_held_out = int(HELD_OUT * len(order))
        self._numbers = [
            [own[digits.target[own] == k] for k in range(9)]
            for own in (order[n_held_out:], order[:n_held_out])
        ]

    def draw(self, states: np.ndarray, held_out: bool = False) -> np.ndarray:
        """See `World`."""
        chosen = np.empty(states.shape, dtype=np.int64)
        for k, numbers in enumerate(self._numbers[held_out]):
            is_shown = states == k
            chosen[is_shown] = self.rng.choice(numbers, is_shown.sum())
        return self._pixels[chosen]
