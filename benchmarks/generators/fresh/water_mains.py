"""Water mains: some tanks are to be filled, some valves to be greased."""

from __future__ import annotations

import random

from ..graph import connected_graph
from ..problem import Problem, SizeError, at_least, numbered


def generate(rng: random.Random, *, tanks: int, valves: int, springs: int) -> Problem:
    """An instance with empty tanks; half the tanks that are no springs are to be full.

    So are half the valves to be greased that are not at a spring, where it is never dry.

    Args:
        rng: Source of randomness.
        tanks: Number of tanks.
        valves: Number of valves, each between two tanks; they join all tanks.
        springs: Number of tanks that are springs.
    """
    at_least(2, tanks=tanks)
    at_least(1, springs=springs)
    if springs >= tanks:
        raise SizeError(f"{tanks} tanks hold 1 to {tanks - 1} springs, found {springs}")
    tank_names = numbered("tank", tanks)
    pipes = [
        (tank_names[first - 1], tank_names[second - 1])
        for first, second in connected_graph(rng, tanks, valves, "valves")
    ]
    valve_names = numbered("valve", valves)
    height = dict(zip(tank_names, rng.sample(range(tanks), tanks), strict=True))
    sources = set(rng.sample(tank_names, springs))
    others = [tank for tank in tank_names if tank not in sources]
    dry = [v for v, ends in zip(valve_names, pipes, strict=True) if not sources & {*ends}]
    full = set(rng.sample(others, (len(others) + 1) // 2))
    greased = set(rng.sample(dry, (len(dry) + 1) // 2))
    return Problem(
        domain="water-mains",
        objects={"tank": tank_names, "valve": valve_names},
        init=[
            *(("joins", v, a) for v, ends in zip(valve_names, pipes, strict=True) for a in ends),
            *(("above", *sorted(ends, key=height.__getitem__)[::-1]) for ends in pipes),
            *(("spring", tank) for tank in tank_names if tank in sources),
            *(("full", tank) for tank in tank_names if tank in sources),
            *(("open", valve) for valve in valve_names if rng.random() < 1 / 2),
        ],
        goal=[
            *(("full", tank) for tank in others if tank in full),
            *(("greased", valve) for valve in dry if valve in greased),
        ],
    )
