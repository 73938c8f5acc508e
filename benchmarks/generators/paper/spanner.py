"""Spanner: spanners to be picked up on the one-way walk to the nuts at the gate."""

from __future__ import annotations

import random
from itertools import pairwise

from ..problem import Problem, SizeError, at_least, numbered


def generate(rng: random.Random, *, spanners: int, nuts: int, locations: int) -> Problem:
    """An instance with spanners at random locations between the shed and the gate.

    Args:
        rng: Source of randomness.
        spanners: Number of spanners, at least one for each nut.
        nuts: Number of nuts.
        locations: Number of locations between the shed and the gate.
    """
    at_least(1, nuts=nuts, locations=locations)
    if spanners < nuts:
        raise SizeError(f"{nuts} nuts need a spanner each, found {spanners} spanners")
    between = numbered("location", locations)
    chain = ["shed", *between, "gate"]
    nut_names = numbered("nut", nuts)
    spanner_names = numbered("spanner", spanners)
    return Problem(
        domain="spanner",
        objects={"location": chain, "man": ["bob"], "nut": nut_names, "spanner": spanner_names},
        init=[
            *(("link", here, there) for here, there in pairwise(chain)),
            ("at", "bob", "shed"),
            *(("at", nut, "gate") for nut in nut_names),
            *(("at", spanner, rng.choice(between)) for spanner in spanner_names),
            *(("useable", spanner) for spanner in spanner_names),
            *(("loose", nut) for nut in nut_names),
        ],
        goal=[("tightened", nut) for nut in nut_names],
    )
