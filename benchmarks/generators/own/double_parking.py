"""Double parking: cars to be parked in other bays or behind other cars."""

from __future__ import annotations

import random

from ..problem import Atom, Problem, SizeError, at_least, numbered


def generate(rng: random.Random, *, cars: int, bays: int) -> Problem:
    """An instance with cars at random places, at the start and as the goal.

    As many places as a bay has are left over, so that every arrangement can be reached.

    Args:
        rng: Source of randomness.
        cars: Number of cars.
        bays: Number of bays, each with room for two cars.
    """
    at_least(1, cars=cars)
    at_least(2, bays=bays)
    if cars > 2 * (bays - 1):
        raise SizeError(f"{bays} bays have room for {2 * (bays - 1)} cars, found {cars}")
    car_names = numbered("car", cars)
    bay_names = numbered("bay", bays)
    start = random_bays(rng, car_names, bay_names)
    goal = start
    while goal == start:
        goal = random_bays(rng, car_names, bay_names)
    return Problem(
        domain="double-parking",
        objects={"car": car_names, "bay": bay_names},
        init=[
            *placement(start),
            *(("blocked", parked[0]) for parked in start.values() if len(parked) == 2),
            *(("taken", bay) for bay, parked in start.items() if parked),
        ],
        goal=placement(goal),
    )


def random_bays(rng: random.Random, cars: list[str], bays: list[str]) -> dict[str, list[str]]:
    """The cars one by one in a random bay with room; in each bay, the first one stands in front."""
    parked: dict[str, list[str]] = {bay: [] for bay in bays}
    for car in rng.sample(cars, len(cars)):
        parked[rng.choice([bay for bay in bays if len(parked[bay]) < 2])].append(car)
    return parked


def placement(parked: dict[str, list[str]]) -> list[Atom]:
    """Where each car stands."""
    return [
        *(("in", cars[0], bay) for bay, cars in parked.items() if cars),
        *(("behind", cars[1], cars[0]) for cars in parked.values() if len(cars) == 2),
    ]
