"""Rail yard: trains to be moved where random legal moves brought them."""

from __future__ import annotations

import random

from ..problem import Problem, SizeError, at_least, numbered

MOVES_PER_SECTION = 5
"""How many random moves of trains lead to the goal, for each section."""


def generate(rng: random.Random, *, trains: int, switches: int, sections: int) -> Problem:
    """An instance whose sections form a tree: no way is closed, but trains block each other.

    Args:
        rng: Source of randomness.
        trains: Number of trains, fewer than sections.
        switches: Number of switches, each with a stem and two legs or more.
        sections: Number of sections.
    """
    at_least(1, trains=trains, switches=switches)
    if sections < 2 * switches + 1:
        least = 2 * switches + 1
        raise SizeError(f"{switches} switches join at least {least} sections, found {sections}")
    if trains >= sections:
        raise SizeError(f"{sections} sections have room for {sections - 1} trains, found {trains}")
    train_names = numbered("train", trains)
    section_names = numbered("section", sections)
    stems, legs, joined = random_tree(rng, numbered("switch", switches), section_names)
    ways = [*joined, *((stem, leg) for switch, stem in stems.items() for leg in legs[switch])]
    neighbours: dict[str, list[str]] = {section: [] for section in section_names}
    for first, second in ways:
        neighbours[first].append(second)
        neighbours[second].append(first)
    start = dict(zip(train_names, rng.sample(section_names, trains), strict=True))
    goal = start
    while goal == start:
        goal = shuffled(rng, start, neighbours, MOVES_PER_SECTION * sections)
    return Problem(
        domain="rail-yard",
        objects={"train": train_names, "section": section_names, "switch": list(stems)},
        init=[
            *(("joined", *ends) for pair in joined for ends in (pair, pair[::-1])),
            *(("stem", *pair) for pair in stems.items()),
            *(("leg", switch, leg) for switch in stems for leg in legs[switch]),
            *(("set", switch, rng.choice(legs[switch])) for switch in stems),
            *(("at", *pair) for pair in start.items()),
            *(("occupied", section) for section in start.values()),
        ],
        goal=[("at", *pair) for pair in goal.items()],
    )


def random_tree(
    rng: random.Random, switches: list[str], sections: list[str]
) -> tuple[dict[str, str], dict[str, list[str]], list[tuple[str, str]]]:
    """The stem of each switch, its legs, and the pairs of sections joined without a switch.

    Every switch gets two legs; the sections left over are in turn joined to a section and made
    a further leg.
    """
    placed, *new = sections
    tree = [placed]
    stems: dict[str, str] = {}
    legs: dict[str, list[str]] = {}
    for switch in switches:
        stems[switch] = rng.choice([s for s in tree if s not in stems.values()])
        legs[switch] = [new.pop(0), new.pop(0)]
        tree += legs[switch]
    joined = []
    for number, section in enumerate(new):
        if number % 2 == 0:
            joined.append((rng.choice(tree), section))
        else:
            legs[rng.choice(switches)].append(section)
        tree.append(section)
    return stems, legs, joined


def shuffled(
    rng: random.Random, places: dict[str, str], neighbours: dict[str, list[str]], moves: int
) -> dict[str, str]:
    """Where the trains are after random moves, each to a free neighbouring section."""
    places = dict(places)
    for _ in range(moves):
        taken = set(places.values())
        train, section = rng.choice(
            [
                (train, section)
                for train, place in places.items()
                for section in neighbours[place]
                if section not in taken
            ]
        )
        places[train] = section
    return places
