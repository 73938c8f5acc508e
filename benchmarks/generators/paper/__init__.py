"""The domains of the paper, one module each, and the sizes of their kept problems."""

from __future__ import annotations

from ..benchmark import Benchmark
from . import (
    blocks_3,
    delivery,
    driverlog,
    gripper,
    hanoi,
    logistics,
    miconic,
    n_puzzle,
    satellite,
    sokoban,
    sokoban_pull,
    spanner,
    visitall,
)

_SOKOBAN_SIZES = (
    {"size": 4, "boxes": 2},
    {"size": 6, "boxes": 3},
    {"size": 7, "boxes": 4},
    {"size": 9, "boxes": 6},
)

# Paper: app:per-domain, which fixes the numbers of objects.
PAPER: dict[str, Benchmark] = {
    "blocks-3": Benchmark(blocks_3, tuple({"blocks": n} for n in (5, 10, 20, 40)), seed=5),
    "n-puzzle": Benchmark(n_puzzle, tuple({"size": n} for n in (3, 4, 5, 6))),
    "delivery": Benchmark(
        delivery,
        (
            {"size": 3, "packages": 4, "trucks": 2},
            {"size": 4, "packages": 3, "trucks": 2},
            {"size": 6, "packages": 7, "trucks": 2},
            {"size": 8, "packages": 14, "trucks": 3},
        ),
    ),
    "driverlog": Benchmark(
        driverlog,
        (
            {"drivers": 3, "trucks": 3, "packages": 5, "places": 3, "links": 3, "paths": 2},
            {"drivers": 3, "trucks": 3, "packages": 6, "places": 6, "links": 8, "paths": 6},
            {"drivers": 4, "trucks": 5, "packages": 13, "places": 12, "links": 20, "paths": 14},
            {"drivers": 5, "trucks": 5, "packages": 18, "places": 28, "links": 48, "paths": 33},
        ),
    ),
    "gripper": Benchmark(
        gripper, tuple({"balls": n, "rooms": 2, "grippers": 2} for n in (6, 8, 18, 38))
    ),
    "hanoi": Benchmark(hanoi, tuple({"discs": n, "pegs": 3} for n in (6, 12, 24, 48))),
    "logistics": Benchmark(
        logistics,
        (
            {"cities": 2, "locations": 3, "packages": 2, "airplanes": 2, "trucks": 3},
            {"cities": 3, "locations": 3, "packages": 6, "airplanes": 2, "trucks": 4},
            {"cities": 4, "locations": 4, "packages": 8, "airplanes": 2, "trucks": 6},
            {"cities": 6, "locations": 4, "packages": 10, "airplanes": 2, "trucks": 6},
        ),
    ),
    "miconic": Benchmark(miconic, tuple({"floors": n, "persons": n} for n in (5, 5, 10, 20))),
    "satellite": Benchmark(
        satellite,
        (
            {"satellites": 5, "instruments": 11, "modes": 5, "directions": 15},
            {"satellites": 10, "instruments": 30, "modes": 8, "directions": 24},
            {"satellites": 11, "instruments": 34, "modes": 9, "directions": 26},
            {"satellites": 12, "instruments": 38, "modes": 9, "directions": 30},
        ),
        seed=4,
    ),
    "sokoban": Benchmark(sokoban, _SOKOBAN_SIZES),
    "sokoban-pull": Benchmark(sokoban_pull, _SOKOBAN_SIZES),
    "spanner": Benchmark(
        spanner,
        (
            {"spanners": 10, "nuts": 5, "locations": 10},
            {"spanners": 12, "nuts": 6, "locations": 14},
            {"spanners": 32, "nuts": 16, "locations": 16},
            {"spanners": 42, "nuts": 22, "locations": 21},
        ),
    ),
    "visitall": Benchmark(visitall, tuple({"size": n} for n in (5, 6, 7, 8))),
}
"""The domains of the paper, by name."""
