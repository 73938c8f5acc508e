"""Blocks in piles, drawn by this file: shapes that are larger than their slots, and pixel noise.

A picture of a slot also shows what reaches into it from the slots around, and the shape in it may
be shifted, lighter or darker.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import dias
from dias.strips.model import OBJECT, Atom, Instance
from examples.pictures.world import World

SIZE = 8
"""Pixels along the side of a slot."""
REACH = 2
"""Pixels that a shape, and a picture of a slot, reach beyond it."""
NOISE = 0.3
"""Standard deviation of the noise of a pixel."""
SHAPES = ("disc", "square", "triangle")


class Piles(World):
    """See above."""

    name = "piles"
    n_steps = 800

    def __init__(self, seed: int) -> None:
        domain = dias.read_domain(Path(__file__).with_name("piles.pddl"))
        self._n_piles, n_blocks = 3, len(SHAPES)
        templates = [("empty",), *(("at", f"b{n + 1}") for n in range(n_blocks))]
        super().__init__(
            domain,
            instance(n_blocks, self._n_piles),
            [instance(4, 3), instance(4, 4)],
            templates,
            [False, *[True] * n_blocks],
            "slot",
            seed,
        )
        self._shapes = [shape(name) for name in SHAPES]

    def draw(self, states: np.ndarray, held_out: bool = False) -> np.ndarray:
        """See `World`; every picture is a new one."""
        n_states, n_places = states.shape
        n_rows, side = n_places // self._n_piles, SIZE + 2 * REACH
        scene = np.zeros((n_states, n_rows * SIZE + 2 * side, self._n_piles * SIZE + 2 * side))
        corners = [
            (side + row * SIZE - REACH, side + column * SIZE - REACH)
            for column in range(self._n_piles)
            for row in range(n_rows)
        ]
        for t, place in np.argwhere(states > 0):
            y, x = np.array(corners[place]) + self.rng.integers(-1, 2, 2)
            ink = self.rng.uniform(0.5, 1) * self._shapes[states[t, place] - 1]
            window = scene[t, y : y + side, x : x + side]
            np.maximum(window, ink, out=window)
        scene = np.clip(scene + NOISE * self.rng.standard_normal(scene.shape), 0, 1)
        pictures = [scene[:, y : y + side, x : x + side] for y, x in corners]
        return np.stack(pictures, 1).reshape(n_states, n_places, -1)


def instance(n_blocks: int, n_piles: int) -> Instance:
    """All blocks on the first pile; piles have room for all, and one more slot."""
    slots = [[f"s-{pile}-{row}" for row in range(n_blocks + 1)] for pile in range(n_piles)]
    blocks = [f"b{n + 1}" for n in range(n_blocks)]
    every_slot = [slot for pile in slots for slot in pile]
    init = {Atom("slot", (slot,)) for slot in every_slot}
    init |= {Atom("block", (block,)) for block in blocks}
    init |= {Atom("floor", (pile[0],)) for pile in slots}
    init |= {Atom("above", pair) for pile in slots for pair in zip(pile[1:], pile, strict=False)}
    init |= {Atom("at", pair) for pair in zip(blocks, slots[0], strict=False)}
    init |= {Atom("empty", (slot,)) for slot in [slots[0][-1], *every_slot[n_blocks + 1 :]]}
    objects = dict.fromkeys(sorted([*every_slot, *blocks]), OBJECT)
    return Instance(f"piles-{n_blocks}-{n_piles}", "piles", objects, frozenset(init))


def shape(name: str) -> np.ndarray:
    """A shape as pixels of 0 and 1."""
    side = SIZE + 2 * REACH
    y, x = np.mgrid[:side, :side] - (side - 1) / 2
    half = side / 2 - 1
    inside = {
        "disc": x**2 + y**2 <= half**2,
        "square": (abs(x) <= half - 1) & (abs(y) <= half - 1),
        "triangle": (y <= half - 1) & (2 * abs(x) <= y + half),
    }[name]
    return inside.astype(float)
