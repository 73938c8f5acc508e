"""One figure of all rows: reading, precision and recall against labels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dias.report.figures import COLOURS, new_figure, save_figure

NAMES = {
    "apart": "classifier, then learn",
    "denoised": "self-training on denoised states",
    "together": "trained together",
}
LOOKS = ({}, {"linewidth": 5, "alpha": 0.4}, {"linestyle": "--"})
"""Lines of which one hides another are told apart all the same."""


def draw(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """A row of panels for each world; lines are means over the seeds, dots are runs."""
    worlds = list(dict.fromkeys(row["world"] for row in rows))
    figure, axes = new_figure(9, 2.6 * len(worlds), len(worlds), 3)
    for number, world in enumerate(worlds):
        line = axes[3 * number : 3 * number + 3]
        own = [row for row in rows if row["world"] == world]
        for panel, what in zip(line, ("reading", "precision", "recall"), strict=True):
            for colour, look, way in zip(COLOURS, LOOKS, NAMES, strict=False):
                points = [(r["labels"], r[what]) for r in own if r["way"] == way]
                _line(panel, points, NAMES[way], color=colour, **look)
            if what == "reading":
                _line(
                    panel,
                    [(r["labels"], r["all_labels"]) for r in own],
                    "all labels",
                    color="#888888",
                    linestyle=":",
                )
            least = 0.4 if what == "reading" else -0.03
            panel.set(xscale="log", ylim=(least, 1.03), title=f"{world}: {what}")
            ticks = sorted({row["labels"] for row in own})
            panel.set_xticks(ticks, map(str, ticks))
            panel.minorticks_off()
            panel.set_xlabel("labelled pictures of each thing")
    axes[0].legend(fontsize=7, loc="lower right")
    save_figure(figure, path)


def _line(panel: Any, points: list[tuple[int, float]], name: str, **look: Any) -> None:
    """Dots, and a line through their means."""
    if not points:
        return
    by_labels = defaultdict(list)
    for labels, value in points:
        by_labels[labels].append(value)
    x = sorted(by_labels)
    panel.plot(x, [np.mean(by_labels[labels]) for labels in x], label=name, **look)
    panel.scatter(*zip(*points, strict=True), color=look["color"], s=8)
