"""Miconic: every person is to be taken to another floor."""

from __future__ import annotations

import random
from itertools import pairwise

from ..problem import Problem, at_least, numbered


def generate(rng: random.Random, *, floors: int, persons: int) -> Problem:
    """An instance with persons on random floors, each bound for another floor.

    Args:
        rng: Source of randomness.
        floors: Number of floors.
        persons: Number of persons.
    """
    at_least(2, floors=floors)
    at_least(1, persons=persons)
    floor_names = numbered("f", floors)
    person_names = numbered("p", persons)
    # From where to where each person goes: two different floors.
    routes = {person: rng.sample(floor_names, 2) for person in person_names}
    return Problem(
        domain="miconic",
        objects={"object": [*floor_names, *person_names]},
        init=[
            *(("floor", floor) for floor in floor_names),
            *(("person", person) for person in person_names),
            *(("above", upper, lower) for lower, upper in pairwise(floor_names)),
            ("lift_pos", rng.choice(floor_names)),
            *(("in_floor", person, source) for person, (source, _) in routes.items()),
        ],
        goal=[("in_floor", person, target) for person, (_, target) in routes.items()],
    )
