"""Logistics: packages to be brought to other locations, of any city."""

from __future__ import annotations

import random

from ..problem import Problem, SizeError, at_least, numbered


def generate(
    rng: random.Random, *, cities: int, locations: int, packages: int, airplanes: int, trucks: int
) -> Problem:
    """An instance with a truck or more in each city and everything else at random.

    Args:
        rng: Source of randomness.
        cities: Number of cities.
        locations: Number of locations in each city; the first one is its airport.
        packages: Number of packages.
        airplanes: Number of airplanes.
        trucks: Number of trucks, all cities together.
    """
    at_least(1, cities=cities, packages=packages, airplanes=airplanes)
    at_least(1 if cities > 1 else 2, locations=locations)
    if trucks < cities:
        raise SizeError(f"{cities} cities need a truck each, found {trucks} trucks")
    city_names = numbered("city", cities)
    location_names = {
        city: numbered(f"l-{number}-", locations) for number, city in enumerate(city_names, start=1)
    }
    everywhere = [place for places in location_names.values() for place in places]
    airports = [places[0] for places in location_names.values()]
    truck_names = numbered("truck", trucks)
    plane_names = numbered("plane", airplanes)
    package_names = numbered("package", packages)
    # The first trucks serve one city each.
    garages = [*city_names, *rng.choices(city_names, k=trucks - cities)]
    # From where to where each package goes: two different locations.
    routes = {package: rng.sample(everywhere, 2) for package in package_names}
    return Problem(
        domain="logistics",
        objects={"object": [*city_names, *everywhere, *truck_names, *plane_names, *package_names]},
        init=[
            *(("city", city) for city in city_names),
            *(("location", place) for place in everywhere),
            *(("airport", place) for place in airports),
            *(("loc", place, city) for city in city_names for place in location_names[city]),
            *(("truck", truck) for truck in truck_names),
            *(("airplane", plane) for plane in plane_names),
            *(("vehicle", vehicle) for vehicle in (*truck_names, *plane_names)),
            *(("object", package) for package in package_names),
            *(
                ("at", truck, rng.choice(location_names[city]))
                for truck, city in zip(truck_names, garages, strict=True)
            ),
            *(("at", plane, rng.choice(airports)) for plane in plane_names),
            *(("at", package, source) for package, (source, _) in routes.items()),
        ],
        goal=[("at", package, target) for package, (_, target) in routes.items()],
    )
