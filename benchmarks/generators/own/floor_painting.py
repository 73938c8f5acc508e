"""Floor painting: half the tiles are to get a coat of a given colour."""

from __future__ import annotations

import random

from ..grid import grid, neighbours
from ..problem import Problem, SizeError, at_least, numbered


def generate(rng: random.Random, *, size: int, robots: int, colours: int) -> Problem:
    """An instance with robots on random tiles, at least one of which is left free.

    Args:
        rng: Source of randomness.
        size: Number of tiles along one side.
        robots: Number of robots.
        colours: Number of colours.
    """
    at_least(2, size=size)
    at_least(1, robots=robots, colours=colours)
    if robots >= size * size:
        raise SizeError(f"size {size} has room for {size * size - 1} robots, found {robots}")
    tiles = grid(size)
    names = list(tiles.values())
    robot_names = numbered("robot", robots)
    colour_names = numbered("colour", colours)
    places = rng.sample(names, robots)
    wanted = set(rng.sample(names, len(names) // 2))
    return Problem(
        domain="floor-painting",
        objects={"object": [*names, *robot_names, *colour_names]},
        init=[
            *(("colour", colour) for colour in colour_names),
            *neighbours(tiles, "beside"),
            *(("at", *pair) for pair in zip(robot_names, places, strict=True)),
            *(("occupied", place) for place in places),
            *(("uses", robot, rng.choice(colour_names)) for robot in robot_names),
        ],
        goal=[("coat", tile, rng.choice(colour_names)) for tile in names if tile in wanted],
    )
