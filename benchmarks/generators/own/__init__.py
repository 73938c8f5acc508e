"""Further domains, which the learner was not developed on, and the sizes of their kept problems."""

from __future__ import annotations

from ..benchmark import Benchmark
from . import bar, double_parking, floor_painting, lift_doors, print_queue

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
