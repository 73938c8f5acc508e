"""What came of the mutants, as a table."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

OUTCOMES = ("killed", "survived", "timed out")


def table(results: Iterable[Mapping[str, Any]]) -> str:
    """A line for each area; the score is the share, in percent, that a test failed or hung on."""
    counts = defaultdict(Counter)
    for result in results:
        counts[result["area"]][result["outcome"]] += 1
    lines = [f"{'area':12}{'mutants':>9}" + "".join(f"{o:>11}" for o in OUTCOMES) + "  score"]
    for area, of in counts.items():
        score = 100 * (1 - of["survived"] / of.total())
        cells = "".join(f"{of[outcome]:11}" for outcome in OUTCOMES)
        lines.append(f"{area:12}{of.total():9}{cells}{score:7.0f}")
    return "\n".join(lines)
