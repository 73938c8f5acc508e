"""What all plots of the reports share: lines, logarithmic axes, legends, captions."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .report import counted, spans
from .results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CHARACTERS_AN_INCH = 17
"""Of captions, as wide as their widest are: digits and capitals."""


def line(
    panel: Axes, points: Sequence[tuple[float, float]], style: str, colour: str, name: str
) -> None:
    """Add a line through the points; it is in the legend even if there is none."""
    panel.plot(
        [x for x, _ in points], [y for _, y in points],
        style, color=colour, label=name, markersize=3, linewidth=1.2,
    )  # fmt: skip


def log_axis(panel: Axes, axis: str, values: Sequence[float]) -> None:
    """Make an axis, `x` or `y`, logarithmic and label it at 1, 2, 5, 10, … around the values."""
    if not values:
        return
    ticks = [m * 10.0**power for power in range(-4, 8) for m in (1, 2, 5)]
    low = max(tick for tick in ticks if tick <= min(values))
    high = min(tick for tick in ticks if tick >= max(values))
    shown = [tick for tick in ticks if low <= tick <= high]
    panel.set(**{f"{axis}scale": "log"})
    set_ticks = {"x": panel.set_xticks, "y": panel.set_yticks}[axis]
    set_ticks(shown, [f"{tick:,g}" for tick in shown])
    set_ticks([], minor=True)
    panel.set(**{f"{axis}lim": (low * 0.9, high * 1.1)})


def legend(figure: Figure, panel: Axes, columns: int = 4) -> None:
    """Put what the colours of a panel mean above all panels."""
    handles, names = panel.get_legend_handles_labels()
    if names:
        figure.legend(
            handles, names, loc="outside upper left", ncols=columns, frameon=False, fontsize=8
        )


def caption(figure: Figure, results: Results, text: str) -> None:
    """Say below the figure how many runs it shows, with what they were done, and where."""
    known = results.provenance()
    missing = f", {known['missing']} not done yet" if known["missing"] else ""
    lines = [
        *([text] if text else []),
        f"{known['done']} of {known['planned']} runs done{missing}, {known['failed']} failed. "
        f"Seeds: {spans(known['seeds'])}.",
        f"Versions: {counted(known['versions'])}. Machine: {counted(known['machines'])}.",
    ]
    width = int(figure.get_figwidth() * CHARACTERS_AN_INCH)
    wrapped = "\n".join(textwrap.fill(text, width) for text in lines)
    figure.supxlabel(wrapped, x=0.01, ha="left", fontsize=7, color="#444444")
