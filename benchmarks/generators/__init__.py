"""Instance generators of the benchmark domains: one module a domain, and the instances kept.

Each module has ``generate(rng, *, <sizes>) -> Problem``. Its problems are solvable by
construction, and their goals do not hold at the start.
"""

from __future__ import annotations

from types import ModuleType
from typing import NamedTuple

from . import (
    bar,
    blocks_3,
    climbing_team,
    delivery,
    double_parking,
    driverlog,
    floor_painting,
    gripper,
    hanoi,
    library,
    lift_doors,
    logistics,
    miconic,
    n_puzzle,
    peaks_patience,
    print_queue,
    rail_yard,
    satellite,
    sokoban,
    sokoban_pull,
    spanner,
    visitall,
    water_mains,
)


class Benchmark(NamedTuple):
    """A benchmark domain's generator and the problems kept in the repository.

    Attributes:
        module: Where `generate` is.
        sizes: The sizes of p01 (training) and of p02, p03, … (test).
        seed: The seed of p01; p02 has the next one, and so on.
    """

    module: ModuleType
    sizes: tuple[dict[str, int], ...]
    seed: int = 1


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

OWN: dict[str, Benchmark] = {
    "bar": Benchmark(
        bar,
        (
            {"glasses": 5, "shakers": 2, "taps": 3, "hands": 2},
            {"glasses": 10, "shakers": 3, "taps": 5, "hands": 2},
            {"glasses": 20, "shakers": 4, "taps": 8, "hands": 2},
            {"glasses": 40, "shakers": 6, "taps": 12, "hands": 2},
        ),
    ),
    "double-parking": Benchmark(
        double_parking,
        (
            {"cars": 7, "bays": 6},
            {"cars": 12, "bays": 9},
            {"cars": 22, "bays": 14},
            {"cars": 36, "bays": 24},
        ),
    ),
    "floor-painting": Benchmark(
        floor_painting,
        (
            {"size": 3, "robots": 2, "colours": 3},
            {"size": 4, "robots": 3, "colours": 3},
            {"size": 5, "robots": 3, "colours": 4},
            {"size": 7, "robots": 4, "colours": 5},
        ),
    ),
    "lift-doors": Benchmark(
        lift_doors,
        (
            {"lifts": 2, "floors": 5, "persons": 5},
            {"lifts": 3, "floors": 8, "persons": 8},
            {"lifts": 3, "floors": 14, "persons": 18},
            {"lifts": 4, "floors": 24, "persons": 30},
        ),
    ),
    "print-queue": Benchmark(
        print_queue,
        (
            {"printers": 2, "trays": 4, "formats": 3, "jobs": 6},
            {"printers": 3, "trays": 6, "formats": 3, "jobs": 10},
            {"printers": 4, "trays": 8, "formats": 4, "jobs": 20},
            {"printers": 5, "trays": 12, "formats": 5, "jobs": 38},
        ),
    ),
}
"""Further domains, which the learner was not developed on, by name."""

FRESH: dict[str, Benchmark] = {
    "climbing-team": Benchmark(
        climbing_team,
        (
            {"guides": 2, "novices": 2, "anchors": 6, "ledges": 5},
            {"guides": 2, "novices": 3, "anchors": 8, "ledges": 7},
            {"guides": 3, "novices": 5, "anchors": 12, "ledges": 10},
            {"guides": 4, "novices": 8, "anchors": 18, "ledges": 15},
        ),
        seed=2,
    ),
    "library": Benchmark(
        library,
        (
            {"readers": 3, "copies": 6, "references": 2, "titles": 3, "limit": 2},
            {"readers": 4, "copies": 8, "references": 2, "titles": 4, "limit": 2},
            {"readers": 6, "copies": 12, "references": 3, "titles": 6, "limit": 3},
            {"readers": 9, "copies": 18, "references": 4, "titles": 10, "limit": 3},
        ),
    ),
    "peaks-patience": Benchmark(
        peaks_patience,
        (
            {"peaks": 1, "rows": 4, "reserve": 4, "ranks": 6},
            {"peaks": 2, "rows": 3, "reserve": 6, "ranks": 6},
            {"peaks": 3, "rows": 3, "reserve": 8, "ranks": 8},
            {"peaks": 3, "rows": 4, "reserve": 12, "ranks": 10},
        ),
    ),
    "rail-yard": Benchmark(
        rail_yard,
        (
            {"trains": 3, "switches": 2, "sections": 9},
            {"trains": 4, "switches": 3, "sections": 13},
            {"trains": 5, "switches": 5, "sections": 19},
            {"trains": 7, "switches": 8, "sections": 28},
        ),
    ),
    "water-mains": Benchmark(
        water_mains,
        (
            {"tanks": 6, "valves": 7, "springs": 2},
            {"tanks": 8, "valves": 10, "springs": 2},
            {"tanks": 12, "valves": 16, "springs": 3},
            {"tanks": 18, "valves": 25, "springs": 3},
        ),
    ),
}
"""Domains on which the learner is only measured, by name."""

BENCHMARKS = PAPER | OWN | FRESH
"""Every domain's generator and kept problems, by name."""

SUITES = {"paper": PAPER, "own": OWN, "fresh": FRESH, "all": BENCHMARKS}
"""The domains that are measured together."""
