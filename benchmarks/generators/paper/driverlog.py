"""Driverlog: packages and drivers with destinations, on two connected graphs."""

from __future__ import annotations

import random

from ..graph import connected_graph
from ..problem import Problem, at_least, numbered


def generate(
    rng: random.Random,
    *,
    drivers: int,
    trucks: int,
    packages: int,
    places: int,
    links: int,
    paths: int,
) -> Problem:
    """An instance with everything at random places, packages and drivers bound for other ones.

    Args:
        rng: Source of randomness.
        drivers: Number of drivers.
        trucks: Number of trucks.
        packages: Number of packages.
        places: Number of locations that links and paths connect.
        links: Number of links, which trucks drive on.
        paths: Number of paths, which drivers walk on; each adds a location, its path point.
    """
    at_least(1, drivers=drivers, trucks=trucks, packages=packages)
    at_least(2, places=places)
    links_drawn = connected_graph(rng, places, links, "links")
    paths_drawn = connected_graph(rng, places, paths, "paths")
    place_names = numbered("s", places)
    driver_names = numbered("driver", drivers)
    truck_names = numbered("truck", trucks)
    package_names = numbered("package", packages)
    # From where to where they go: two different places each.
    routes = {name: rng.sample(place_names, 2) for name in (*driver_names, *package_names)}
    roads = [(f"s{first}", f"s{second}") for first, second in links_drawn]
    tracks = [
        (end, f"p-{first}-{second}")
        for first, second in paths_drawn
        for end in (f"s{first}", f"s{second}")
    ]
    return Problem(
        domain="driverlog",
        objects={
            "location": [*place_names, *(f"p-{i}-{j}" for i, j in paths_drawn)],
            "driver": driver_names,
            "truck": truck_names,
            "obj": package_names,
        },
        init=[
            *(("link", *ends) for pair in roads for ends in (pair, pair[::-1])),
            *(("path", *ends) for pair in tracks for ends in (pair, pair[::-1])),
            *(("empty", truck) for truck in truck_names),
            *(("at", truck, rng.choice(place_names)) for truck in truck_names),
            *(("at", name, source) for name, (source, _) in routes.items()),
        ],
        goal=[("at", name, target) for name, (_, target) in routes.items()],
    )
