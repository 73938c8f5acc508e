"""The charts of the page: SVG that takes the page's colours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite

from dias.learning.train.progress import LearningProgress
from dias.report.figures import COLOURS, STYLE, inline_svg, new_figure
from dias.report.text import plural

WIDTH = 9.5
"""In inches; letters of 9 points then look like those of the page."""

MAX_MARKED = 40
"""Points of a line that are marked one by one."""

MAX_LETTERS = 100
"""Letters that a row of the legend has room for; a name takes five more for its line."""

LINES = COLOURS[:-1]  # without black, which a dark page swallows
IN_PAGE = {colour: f"var(--s{number})" for number, colour in enumerate(LINES, start=1)} | {
    STYLE["grid.color"]: "var(--line)"
}
"""What stands in the style sheet for a colour."""

Points = Sequence[tuple[float, float]]
"""(x, y), ascending in x."""


def training_charts(progress: Sequence[LearningProgress]) -> Iterator[tuple[str, str]]:
    """SVG and caption: the losses, and the share explained if any look saw it."""
    losses: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    shares: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    n_runs = len({look.restart for look in progress})
    for look in progress:
        suffix = f", run {look.restart + 1}" if n_runs > 1 else ""
        losses[f"main{suffix}"].append((look.step, look.main_loss))
        losses[f"aux{suffix}"].append((look.step, look.aux_loss))
        if look.explained is not None:
            shares[f"explained{suffix}"].append((look.step, 100 * look.explained))
    yield (
        line_chart("Loss by gradient step", losses, "gradient step", "loss", logarithmic=True),
        f"Loss at each of the {len(progress)} looks in {plural(n_runs, 'training run')}, on a "
        "logarithmic scale.",
    )
    if shares:
        yield (
            line_chart("Share of transitions explained", shares, "gradient step", "% explained"),
            "Share of the distinct transitions that the proposed effects reproduce. Training ends "
            "when it is all of them.",
        )


def line_chart(
    title: str, lines: Mapping[str, Points], x_name: str, y_name: str, logarithmic: bool = False
) -> str:
    """Lines over a common axis, with a legend of their colours and dashes.

    Args:
        title: What it shows, for those who do not see it.
        lines: By name; points that the axis has no place for are left out.
        x_name: What the x axis counts, from 0.
        y_name: What the y axis measures.
        logarithmic: Whether the y axis is; else it begins at 0.
    """
    figure, (axes,) = new_figure(WIDTH, 3)
    axes.set_prop_cycle(color=LINES * 2, linestyle=["-"] * len(LINES) + ["--"] * len(LINES))
    values = []
    for name, points in lines.items():
        shown = [(x, y) for x, y in points if isfinite(y) and (y > 0 or not logarithmic)]
        if shown:
            marker = "o" if len(shown) <= MAX_MARKED else ""
            axes.plot(*zip(*shown, strict=True), label=name, marker=marker, markersize=4)
            values += [y for _, y in shown]
    if values:
        n_columns = MAX_LETTERS // (5 + max(map(len, lines)))
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=n_columns, frameon=False)
    if logarithmic:  # steps of 1, 2 and 5 where there is room for them
        is_wide = bool(values) and max(values) > 300 * min(values)
        axes.set_yscale("log", subs=[1] if is_wide else [2, 5])
        axes.yaxis.set_minor_formatter("{x:g}")
    else:
        axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_major_formatter("{x:,g}")
    axes.set_xlim(left=0)
    axes.set_xlabel(x_name)
    axes.set_title(y_name, loc="left", fontsize=10, pad=12)
    axes.grid(False, axis="x")
    axes.grid(True, axis="y", which="both")
    axes.tick_params(which="both", left=False, bottom=False)
    axes.spines["left"].set_visible(False)
    axes.spines["bottom"].set_color(STYLE["grid.color"])
    return inline_svg(figure, title, IN_PAGE)


def bar(title: str, shares: Mapping[str, float]) -> str:
    """One bar that is divided by shares; a table beside it should name them.

    Args:
        title: What it shows, for those who do not see it.
        shares: Sizes by name; those below a two-hundredth are not drawn.
    """
    figure, (axes,) = new_figure(WIDTH, 0.5)
    total = sum(shares.values()) or 1.0
    start = 0.0
    for number, (name, size) in enumerate(shares.items()):
        if size > total / 200:
            axes.barh(0, size - total / 700, left=start, color=LINES[number % len(LINES)])
            if size > total / 100 * (len(name) + 1):  # there is room for the name
                axes.text(start, -0.6, name, verticalalignment="top")
        start += size
    axes.set_xlim(0, total)
    axes.set_axis_off()
    return inline_svg(figure, title, IN_PAGE)
