"""The areas that mutants are drawn in: which files belong to each and which tests must see them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

AREAS = {
    "strips": "dias/strips/ tests/strips/ tests/cases/test_pddl",
    "traces": "dias/traces/ tests/traces/ tests/cases/test_trace",
    "planning": "dias/planning dias/searches tests/planning tests/test_planning",
    "evaluation": "dias/evaluation dias/scores dias/state dias/coverage dias/diff/ "
    "tests/evaluation tests/coverage tests/diff/ "
    "tests/test_evaluation tests/test_scores tests/test_state tests/test_coverage",
    "nn": "dias/nn/ dias/tensors tests/nn/ tests/test_tensors",
    "learning": "dias/learning/ tests/learning/",
    "noise": "dias/learning/noise/ tests/learning/noise/",
    "report": "dias/report/ tests/report/",
    "adapters": "dias/adapters/ tests/adapters/ tests/planning/test_other",
    "top": "dias/ tests/test_ tests/cases/",
    "cli": "cli/ tests/cli/ tests/cases/",
}
"""Beginnings of the paths of an area's files and of its tests. A source file belongs to the area
that names the longest: what moves within its area needs no change here, and what no other area
names is in `top`."""

USUAL = [name for name in AREAS if name not in ("noise", "adapters")]
"""Without `adapters`, whose tests need packages that `make test` does not install."""


def sources(area: str, paths: Iterable[str]) -> list[str]:
    """The source files of an area among the given paths (relative, with slashes), in order."""
    return sorted(path for path in paths if _owner(path) == area)


def tests(area: str, paths: Iterable[str]) -> list[str]:
    """The test files of an area among the given paths, in order."""
    named = (path for path in paths if Path(path).name.startswith("test_"))
    return sorted(path for path in named if path.startswith(tuple(AREAS[area].split())))


def _owner(path: str) -> str | None:
    begins = [(begin, area) for area, text in AREAS.items() for begin in text.split()]
    found = [(len(begin), area) for begin, area in begins if path.startswith(begin)]
    return None if path.startswith("tests/") or not found else max(found)[1]
