"""Instance generators of the benchmark domains: one module a domain, and the instances kept.

Each module has ``generate(rng, *, <sizes>) -> Problem``. Its problems are solvable by
construction, and their goals do not hold at the start.
"""

from __future__ import annotations

from types import ModuleType
from typing import NamedTuple

from .fresh import climbing_team, library, peaks_patience, rail_yard, water_mains
from .own import bar, double_parking, floor_painting, lift_doors, print_queue
from .paper import (
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


def _kept(module: ModuleType, sizes: str, *rows: tuple[int, ...], seed: int = 1) -> Benchmark:
    """A benchmark whose problems have these sizes, named once for all rows of numbers."""
    names = sizes.split()
    return Benchmark(module, tuple(dict(zip(names, row, strict=True)) for row in rows), seed)


# Paper: app:per-domain, which fixes the numbers of objects.
PAPER = {
    "blocks-3": _kept(blocks_3, "blocks", (5,), (10,), (20,), (40,), seed=5),
    "n-puzzle": _kept(n_puzzle, "size", (3,), (4,), (5,), (6,)),
    "delivery": _kept(
        delivery, "size packages trucks", (3, 4, 2), (4, 3, 2), (6, 7, 2), (8, 14, 3)
    ),
    "driverlog": _kept(
        driverlog,
        "drivers trucks packages places links paths",
        (3, 3, 5, 3, 3, 2),
        (3, 3, 6, 6, 8, 6),
        (4, 5, 13, 12, 20, 14),
        (5, 5, 18, 28, 48, 33),
    ),
    "gripper": _kept(gripper, "balls rooms grippers", (6, 2, 2), (8, 2, 2), (18, 2, 2), (38, 2, 2)),
    "hanoi": _kept(hanoi, "discs pegs", (6, 3), (12, 3), (24, 3), (48, 3)),
    "logistics": _kept(
        logistics,
        "cities locations packages airplanes trucks",
        (2, 3, 2, 2, 3),
        (3, 3, 6, 2, 4),
        (4, 4, 8, 2, 6),
        (6, 4, 10, 2, 6),
    ),
    "miconic": _kept(miconic, "floors persons", (5, 5), (5, 5), (10, 10), (20, 20)),
    "satellite": _kept(
        satellite,
        "satellites instruments modes directions",
        (5, 11, 5, 15),
        (10, 30, 8, 24),
        (11, 34, 9, 26),
        (12, 38, 9, 30),
        seed=4,
    ),
    "sokoban": _kept(sokoban, "size boxes", (4, 2), (6, 3), (7, 4), (9, 6)),
    "sokoban-pull": _kept(sokoban_pull, "size boxes", (4, 2), (6, 3), (7, 4), (9, 6)),
    "spanner": _kept(
        spanner, "spanners nuts locations", (10, 5, 10), (12, 6, 14), (32, 16, 16), (42, 22, 21)
    ),
    "visitall": _kept(visitall, "size", (5,), (6,), (7,), (8,)),
}
"""The domains of the paper, by name."""

OWN = {
    "bar": _kept(
        bar,
        "glasses shakers taps hands",
        (5, 2, 3, 2),
        (10, 3, 5, 2),
        (20, 4, 8, 2),
        (40, 6, 12, 2),
    ),
    "double-parking": _kept(double_parking, "cars bays", (7, 6), (12, 9), (22, 14), (36, 24)),
    "floor-painting": _kept(
        floor_painting, "size robots colours", (3, 2, 3), (4, 3, 3), (5, 3, 4), (7, 4, 5)
    ),
    "lift-doors": _kept(
        lift_doors, "lifts floors persons", (2, 5, 5), (3, 8, 8), (3, 14, 18), (4, 24, 30)
    ),
    "print-queue": _kept(
        print_queue,
        "printers trays formats jobs",
        (2, 4, 3, 6),
        (3, 6, 3, 10),
        (4, 8, 4, 20),
        (5, 12, 5, 38),
    ),
}
"""Further domains, which the learner was not developed on, by name."""

FRESH = {
    "climbing-team": _kept(
        climbing_team,
        "guides novices anchors ledges",
        (2, 2, 6, 5),
        (2, 3, 8, 7),
        (3, 5, 12, 10),
        (4, 8, 18, 15),
        seed=2,
    ),
    "library": _kept(
        library,
        "readers copies references titles limit",
        (3, 6, 2, 3, 2),
        (4, 8, 2, 4, 2),
        (6, 12, 3, 6, 3),
        (9, 18, 4, 10, 3),
    ),
    "peaks-patience": _kept(
        peaks_patience,
        "peaks rows reserve ranks",
        (1, 4, 4, 6),
        (2, 3, 6, 6),
        (3, 3, 8, 8),
        (3, 4, 12, 10),
    ),
    "rail-yard": _kept(
        rail_yard, "trains switches sections", (3, 2, 9), (4, 3, 13), (5, 5, 19), (7, 8, 28)
    ),
    "water-mains": _kept(
        water_mains, "tanks valves springs", (6, 7, 2), (8, 10, 2), (12, 16, 3), (18, 25, 3)
    ),
}
"""Domains on which the learner is only measured, by name."""

BENCHMARKS = PAPER | OWN | FRESH
"""Every domain's generator and kept problems, by name."""

SUITES = {"paper": PAPER, "own": OWN, "fresh": FRESH, "all": BENCHMARKS}
"""The domains that are measured together."""
