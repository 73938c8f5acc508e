"""Hanoi: discs spread over the pegs, to be gathered on the last one."""

from __future__ import annotations

import random
from itertools import pairwise

from ..problem import Atom, Problem, at_least, numbered


def generate(rng: random.Random, *, discs: int, pegs: int = 3) -> Problem:
    """An instance with each disc on a random peg; every such state is reachable.

    Args:
        rng: Source of randomness.
        discs: Number of discs; d1 is the smallest.
        pegs: Number of pegs.
    """
    at_least(1, discs=discs)
    at_least(3, pegs=pegs)
    disc_names = numbered("d", discs)
    peg_names = numbered("peg", pegs)
    home = [peg_names[-1]] * discs
    place = home
    while place == home:
        place = rng.choices(peg_names, k=discs)
    piles = {peg: [peg] for peg in peg_names}  # each from its bottom up
    for disc, peg in reversed([*zip(disc_names, place, strict=True)]):
        piles[peg].append(disc)
    return Problem(
        domain="hanoi",
        objects={"object": [*peg_names, *disc_names]},
        init=[
            *(
                ("smaller", disc, support)
                for number, disc in enumerate(disc_names, start=1)
                for support in (*disc_names[number:], *peg_names)
            ),
            *(("clear", pile[-1]) for pile in piles.values()),
            *(atom for pile in piles.values() for atom in stacked(pile)),
        ],
        goal=stacked([peg_names[-1], *reversed(disc_names)]),
    )


def stacked(pile: list[str]) -> list[Atom]:
    """What lies on what in a pile given from its bottom up."""
    return [("on", upper, lower) for lower, upper in pairwise(pile)]
