"""Blocks-3: random towers to be turned into other random towers."""

from __future__ import annotations

import random
from itertools import pairwise

from ..problem import Atom, Problem, at_least, numbered


def generate(rng: random.Random, *, blocks: int) -> Problem:
    """An instance with random towers, at the start and as the goal.

    Args:
        rng: Source of randomness.
        blocks: Number of blocks.
    """
    at_least(2, blocks=blocks)
    names = numbered("b", blocks)
    towers = random_towers(rng, names)
    start = placement(towers)
    goal = start
    while set(goal) == set(start):
        goal = placement(random_towers(rng, names))
    return Problem(
        domain="blocks-3",
        objects={"object": names},
        init=[
            *(("eq", block, block) for block in names),
            *(("clear", tower[-1]) for tower in towers),
            *start,
        ],
        goal=goal,
    )


def random_towers(rng: random.Random, blocks: list[str]) -> list[list[str]]:
    """The blocks one by one on a random tower or on the table; each tower bottom first."""
    towers: list[list[str]] = []
    for block in rng.sample(blocks, len(blocks)):
        place = rng.randrange(len(towers) + 1)
        if place == len(towers):
            towers.append([block])
        else:
            towers[place].append(block)
    return towers


def placement(towers: list[list[str]]) -> list[Atom]:
    """What each block stands on."""
    return [
        *(("on-table", tower[0]) for tower in towers),
        *(("on", upper, lower) for tower in towers for lower, upper in pairwise(tower)),
    ]
