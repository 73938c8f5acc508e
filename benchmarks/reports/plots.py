"""The plots of the reports. Every one says how many runs it shows, and where they were done."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

from .drawing import caption, legend, line, log_axis
from .results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Group = Mapping[str, Any]

PAPER_COLOUR = "#999999"
LABEL_NAMES = {
    "names": "action names only",
    "partial": "STRIPS+ arguments",
    "full": "full arguments",
}


def perfect_runs(results: Results, groups: Sequence[Group], n_paper: int) -> Figure:
    """Share of sound and complete runs: domain by domain, a panel for each label mode.

    Args:
        results: Where the groups are from.
        groups: With `domain`, `labels`, `method`, `runs`, `both`, and the paper's row or None.
        n_paper: Runs behind each figure of the paper.
    """
    from dias.report.figures import COLOURS, new_figure

    modes = list(dict.fromkeys(group["labels"] for group in groups))
    domains = list(dict.fromkeys(group["domain"] for group in groups))
    series: dict[str, list[tuple[str, str, int, int]]] = {}
    for g in groups:
        if g["runs"]:
            series.setdefault(g["method"], []).append(
                (g["labels"], g["domain"], g["both"], g["runs"])
            )
    paper = {(g["labels"], g["domain"]): g["paper"]["both"] for g in groups if g["paper"]}
    if paper:
        series["paper"] = [(*key, both, n_paper) for key, both in paper.items()]
    colours = {name: COLOURS[place] for place, name in enumerate(series)}
    colours["paper"] = PAPER_COLOUR
    height = 0.8 / max(len(series), 1)
    size = 1.8 + 0.17 * max(len(series), 2) * len(domains)
    figure, panels = new_figure(max(5.5, 2.4 + 2.6 * len(modes)), size, 1, len(modes))
    for panel, mode in zip(panels, modes, strict=True):
        for place, (name, bars) in enumerate(series.items()):
            own = [(domains.index(d), both, n) for labels, d, both, n in bars if labels == mode]
            _bars(panel, own, (place + 0.5) * height - 0.4, height, colours[name], name)
        panel.set(title=LABEL_NAMES[mode], xlim=(0, 125), xticks=(0, 50, 100))
        panel.set_xlabel("sound and complete runs, %")
        panel.set_yticks(range(len(domains)), domains if panel is panels[0] else [])
        panel.set_ylim(len(domains) - 0.4, -0.6)
        panel.grid(visible=False, axis="y")
    legend(figure, panels[0], columns=2)
    caption(figure, results, "At each bar: sound and complete runs of all runs.")
    return figure


def _bars(
    panel: Axes,
    bars: Sequence[tuple[int, int, int]],
    shift: float,
    height: float,
    colour: str,
    name: str,
) -> None:
    """Horizontal bars of shares, (row, part, whole) each, with the numbers at their ends."""
    rows = [row + shift for row, _, _ in bars]
    shares = [100 * part / whole for _, part, whole in bars]
    panel.barh(rows, shares, height * 0.9, color=colour, label=name)
    for y, x, (_, part, whole) in zip(rows, shares, bars, strict=True):
        panel.text(x + 2, y, f"{part}/{whole}", va="center", fontsize=6)


def run_times(
    results: Results, series_of: Callable[[Any], str], seconds_in: str = "learn_s"
) -> Figure:
    """Seconds of learning of every run, by domain; a line is the median of its runs.

    Args:
        results: Of learning runs.
        series_of: What colours tell apart: the name that a run's dots have in the legend.
        seconds_in: The field of the rows, `learn_s` or `learn_cpu_s`.
    """
    from dias.report.figures import COLOURS, new_figure

    domains = [domain for (domain,) in results.groups("domain")]
    names = list(dict.fromkeys(series_of(run) for run in results.runs))
    seconds: dict[tuple[str, str], list[float]] = {}
    for run, row in results.rows.items():
        if seconds_in in row:
            seconds.setdefault((row["domain"], series_of(run)), []).append(row[seconds_in])
    figure, [panel] = new_figure(7, 1.7 + 0.16 * len(domains) * (1 + len(names)))
    step = 0.8 / len(names)
    for place, (name, colour) in enumerate(zip(names, cycle(COLOURS), strict=False)):
        dots = []
        for row_number, domain in enumerate(domains):
            y = row_number + (place + 0.5) * step - 0.4
            own = seconds.get((domain, name), [])
            dots += [(x, y) for x in own]
            if own:
                x = statistics.median(own)
                panel.plot([x, x], [y - step / 2, y + step / 2], color=colour)
        panel.scatter(
            [x for x, _ in dots], [y for _, y in dots],
            s=9, alpha=0.6, linewidths=0, color=colour, label=LABEL_NAMES.get(name, name),
        )  # fmt: skip
    for row_number in range(0, len(domains), 2):
        panel.axhspan(row_number - 0.5, row_number + 0.5, color="#f4f4f4", zorder=0)
    panel.grid(visible=False, axis="y")
    log_axis(panel, "x", [x for own in seconds.values() for x in own])
    clock = "processor seconds" if seconds_in == "learn_cpu_s" else "wall clock, one thread"
    panel.set_xlabel(f"learning, s ({clock})")
    panel.set_yticks(range(len(domains)), domains)
    panel.set_ylim(len(domains) - 0.5, -0.5)
    legend(figure, panel)
    caption(figure, results, "A dot is a run, a line the median of its row.")
    return figure


def shares_over(
    results: Results, groups: Sequence[Group], amount: str, what: str, series: str = "method"
) -> Figure:
    """Precision and recall over an amount, a panel for each domain.

    Args:
        results: Where the groups are from.
        groups: With `domain`, `precision`, `recall`, the paper's row, and the following fields.
        amount: The field of the amount.
        what: Its name.
        series: The field that colours tell apart.
    """
    from dias.report.figures import COLOURS, new_figure

    domains = list(dict.fromkeys(group["domain"] for group in groups))
    names = list(dict.fromkeys(group[series] for group in groups))
    amounts = sorted({group[amount] for group in groups})
    columns = min(4, len(domains))
    rows = -(-len(domains) // columns)
    figure, panels = new_figure(max(6.0, 2.2 * columns), 1.5 + 1.8 * rows, rows, columns)
    for panel, domain in zip(panels, domains, strict=False):
        own = [group for group in groups if group["domain"] == domain]
        for name, colour in zip(names, COLOURS, strict=False):
            at = [g for g in own if g[series] == name]
            for share, style in (("precision", "-o"), ("recall", "--s")):
                known = [(amounts.index(g[amount]), g[share]) for g in at if g[share] is not None]
                line(panel, known, style, colour, f"{name}: {share}")
        paper = [g for g in own if g["paper"] and g[series] == names[0]]
        styles = (("precision", "-"), ("recall", "--")) if any(g["paper"] for g in groups) else ()
        for share, style in styles:
            known = [(amounts.index(g[amount]), g["paper"][share]) for g in paper]
            line(panel, known, style, PAPER_COLOUR, f"paper: {share}")
        panel.set(title=domain, ylim=(-0.05, 1.08), xlim=(-0.2, len(amounts) - 0.8))
        panel.set_xticks(range(len(amounts)), [f"{number:g}" for number in amounts])
    for panel in panels[len(domains) :]:
        panel.set_axis_off()
    figure.supylabel("precision, recall", fontsize=9)
    legend(figure, panels[0], columns=3)
    caption(figure, results, f"Across: {what}. A point is a mean over the runs.")
    return figure


def over_size(results: Results, groups: Sequence[Group]) -> Figure:
    """Time of a training step and peak memory over the number of objects.

    Args:
        results: Where the groups are from.
        groups: With `objective`, `objects`, `step_s`, `peak_mib`, `failure`.
    """
    from dias.report.figures import COLOURS, new_figure

    figure, panels = new_figure(7.5, 3.6, 1, 2)
    objectives = list(dict.fromkeys(group["objective"] for group in groups))
    for panel, what, label in zip(
        panels, ("step_s", "peak_mib"), ("a training step, s", "peak memory, MiB"), strict=True
    ):
        for place, name in enumerate(objectives):
            own = [g for g in groups if g["objective"] == name]
            points = [(g["objects"], g[what]) for g in own if g["step_s"] is not None]
            line(panel, points, "-o", COLOURS[place], name)
            for x, y in points:
                # Beside the line, which rises: to the left above it, to the right below it.
                panel.annotate(
                    f"{y:.3g}" if y < 100 else f"{y:,.0f}", (x, y),
                    xytext=(-3, 4) if place else (3, -8), textcoords="offset points",
                    ha="right" if place else "left", fontsize=6, color=COLOURS[place],
                )  # fmt: skip
        sizes = sorted({group["objects"] for group in groups})
        panel.set(xlabel="objects", ylabel=label)
        values = [g[what] for g in groups if g["step_s"] is not None]
        log_axis(panel, "y", [*values, min(values) / 1.5] if values else [])
        log_axis(panel, "x", [*sizes, sizes[0] / 2, sizes[-1] * 1.7])
        panel.set_xticks(sizes, [str(size) for size in sizes])
    lost = [f"{g['objective']}, {g['objects']} objects" for g in groups if g["step_s"] is None]
    legend(figure, panels[0])
    caption(
        figure, results, f"No point, since failed or not done: {'; '.join(lost)}." if lost else ""
    )
    return figure


def over_transitions(results: Results, groups: Sequence[Group]) -> Figure:
    """Processor time and peak memory of learning over the number of distinct transitions.

    Args:
        results: Where the groups are from.
        groups: With `domain`, `distinct`, `cpu_s`, `peak_mib`; None where nothing is known.
    """
    from dias.report.figures import COLOURS, new_figure

    figure, panels = new_figure(7.5, 3.6, 1, 2)
    known = [group for group in groups if group["distinct"]]
    sizes = sorted(n for (n,) in results.groups("transitions"))
    for panel, what, label in zip(
        panels, ("cpu_s", "peak_mib"), ("learning, CPU s", "peak memory, MiB"), strict=True
    ):
        for colour, name in zip(
            cycle(COLOURS), dict.fromkeys(group["domain"] for group in groups), strict=False
        ):
            points = [(g["distinct"], g[what]) for g in known if g["domain"] == name]
            line(panel, points, "-o", colour, name)
        panel.set(xlabel="distinct transitions", ylabel=label)
        log_axis(panel, "y", [group[what] for group in known])
        log_axis(panel, "x", [sizes[0] / 2, *sizes])
        panel.set_xticks(sizes, [f"{size:,}" for size in sizes])
    legend(figure, panels[0])
    caption(figure, results, "")
    return figure


def state_space(
    results: Results,
    positions: Mapping[str, tuple[float, float]],
    moves: Sequence[tuple[str, str]],
    visited: Collection[str],
    title: str,
) -> Figure:
    """All states of a problem and the moves between them, those marked that a walk visited.

    Args:
        results: Where the walk is from.
        positions: State to place.
        moves: Pairs of states.
        visited: The states that the walk visited.
        title: Of the figure.
    """
    from matplotlib.collections import LineCollection

    from dias.report.figures import COLOURS, new_figure

    figure, [panel] = new_figure(6, 6.2)
    lines = [(positions[a], positions[b]) for a, b in moves]
    panel.add_collection(LineCollection(lines, colors="#bbbbbb", linewidths=0.5, zorder=1))
    parts = (
        ("not visited", "#dddddd", [p for state, p in positions.items() if state not in visited]),
        ("visited", COLOURS[1], [p for state, p in positions.items() if state in visited]),
    )
    for name, colour, places in parts:
        panel.scatter(
            [x for x, _ in places], [y for _, y in places],
            s=9, color=colour, linewidths=0, zorder=2, label=f"{name}: {len(places)}",
        )  # fmt: skip
    panel.set(title=title, aspect="equal")
    panel.set_axis_off()
    legend(figure, panel)
    caption(figure, results, "A point is a state, a line a move.")
    return figure
