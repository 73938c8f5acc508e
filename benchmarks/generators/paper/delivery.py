"""Delivery: packages to be brought to other cells of a grid."""

from __future__ import annotations

import random

from ..grid import grid, neighbours
from ..problem import Problem, at_least, numbered


def generate(rng: random.Random, *, size: int, packages: int, trucks: int) -> Problem:
    """An instance with trucks and packages on random cells, each package bound for another cell.

    Args:
        rng: Source of randomness.
        size: Number of cells along one side.
        packages: Number of packages.
        trucks: Number of trucks.
    """
    at_least(2, size=size)
    at_least(1, packages=packages, trucks=trucks)
    cells = grid(size)
    names = list(cells.values())
    parcels = numbered("package", packages)
    fleet = numbered("truck", trucks)
    # From where to where each package goes: two different cells.
    routes = {package: rng.sample(names, 2) for package in parcels}
    return Problem(
        domain="delivery",
        objects={"cell": names, "package": parcels, "truck": fleet},
        init=[
            *neighbours(cells, "adjacent"),
            *(("empty", truck) for truck in fleet),
            *(("at", truck, rng.choice(names)) for truck in fleet),
            *(("at", package, source) for package, (source, _) in routes.items()),
        ],
        goal=[("at", package, target) for package, (_, target) in routes.items()],
    )
