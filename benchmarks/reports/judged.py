"""The columns of tables whose runs `benchmarks.judging.judge` has judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..judging.judge import (
    RIGHT,
    RIGHT_DOUBTED,
    WRONG_DOUBTED,
    WRONG_SILENT,
    WRONG_UNTESTED,
    action_outcomes,
)
from ..running.rawlines import Row
from .results import mean, median
from .table import Column

COLUMNS = (
    Column("explained", "explained", "{:.3f}"),
    Column("right actions", "right"),
    Column("precision", "precision", "{:.3f}"),
    Column("recall", "recall", "{:.3f}"),
    Column("doubts", "doubts"),
    Column("right, doubted", "right_doubted"),
    Column("wrong, named", "named"),
    Column("wrong, untested", "untested"),
    Column("wrong, unnamed", "unnamed"),
    Column("never seen", "unseen"),
    Column("not tested", "not_tested"),
    Column("sampling, s", "sample_cpu_s", "{:.1f}"),
    Column("learning, s", "learn_cpu_s", "{:.1f}"),
    Column("evaluation, s", "evaluate_cpu_s", "{:.1f}"),
    Column("learning, MiB", "learn_mib", "{:,.0f}"),
)
NOTES = [
    "Right, wrong: in the test states, of the actions that occur there; not tested: the others. "
    "Doubts: weak points that learning names, before any test; named, doubted: has one. Untested: "
    "has none, but the certificate calls a wrong literal untested. Never "
    "seen: not learned, and said to be so, tested or not.",
    "Explained: share of the distinct training steps. Precision and recall: of successor states, "
    "means over the runs.",
    "Times: processor seconds of whole processes, medians. Memory: resident, at most.",
]


def judged_figures(rows: Sequence[Row]) -> dict[str, Any]:
    """The figures of some runs, under the names of `COLUMNS`; actions and doubts are counted."""
    judged = [row for row in rows if "actions" in row]
    actions = action_outcomes(judged)
    figures = {
        "runs": len(rows),
        "failed": sum(row["failure"] is not None for row in rows),
        "explained": mean(row["explained"] for row in rows if "explained" in row),
        "right": f"{actions[RIGHT] + actions[RIGHT_DOUBTED]} of {actions.total()}",
        **{
            name: mean(row[name] for row in judged if row[name] is not None)
            for name in ("precision", "recall")
        },
        "doubts": sum(len(row.get("weak_points", ())) for row in rows),
        "right_doubted": actions[RIGHT_DOUBTED],
        "named": actions[WRONG_DOUBTED],
        "untested": actions[WRONG_UNTESTED],
        "unnamed": actions[WRONG_SILENT],
        "unseen": sum(len(row["unobserved"]) for row in judged),
        "not_tested": sum(len(row["not_tested"]) for row in judged),
        "learn_mib": max((row["learn_mib"] for row in rows if "learn_mib" in row), default=None),
    }
    for name in ("sample_cpu_s", "learn_cpu_s", "evaluate_cpu_s"):
        figures[name] = median(row[name] for row in rows if name in row)
    return figures
