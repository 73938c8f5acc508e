"""Domains on which the learner is only measured, and the sizes of their kept problems."""

from __future__ import annotations

from ..benchmark import Benchmark
from . import climbing_team, library, peaks_patience, rail_yard, water_mains

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
