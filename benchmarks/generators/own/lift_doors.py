"""Lift doors: every person is to be taken to another floor, by lifts that stop at some floors."""

from __future__ import annotations

import random
from itertools import pairwise

from ..problem import Problem, at_least, numbered


def generate(rng: random.Random, *, lifts: int, floors: int, persons: int) -> Problem:
    """An instance in which every lift stops at the lowest floor and every floor has a lift.

    Args:
        rng: Source of randomness.
        lifts: Number of lifts.
        floors: Number of floors.
        persons: Number of persons.
    """
    at_least(1, lifts=lifts, persons=persons)
    at_least(2, floors=floors)
    lift_names = numbered("lift", lifts)
    floor_names = numbered("f", floors)
    person_names = numbered("p", persons)
    # The lowest floor has them all; another one has a random lift and each other with chance 1/4.
    stops = {(lift, floor_names[0]) for lift in lift_names}
    for floor in floor_names[1:]:
        stops.add((rng.choice(lift_names), floor))
        stops.update((lift, floor) for lift in lift_names if rng.random() < 1 / 4)
    # From where to where each person goes: two different floors.
    routes = {person: rng.sample(floor_names, 2) for person in person_names}
    return Problem(
        domain="lift-doors",
        objects={"lift": lift_names, "floor": floor_names, "person": person_names},
        init=[
            *(("next", lower, upper) for lower, upper in pairwise(floor_names)),
            *(("stops", *stop) for stop in sorted(stops)),
            *(("at", lift, rng.choice(floor_names)) for lift in lift_names),
            *(("waits", person, source) for person, (source, _) in routes.items()),
        ],
        goal=[("waits", person, target) for person, (_, target) in routes.items()],
    )
