"""Pictures of what traces hold: the state space with what was visited, and bars per action.

Paper: Figure "State space of Hanoi" (``fig:hanoi-walk``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from dias.coverage.coverage import Coverage
from dias.coverage.state_space import Edge, distances, state_graph
from dias.report.figures import COLOURS, new_mosaic
from dias.report.layout import stress_layout
from dias.report.text import percent
from dias.traces.inspect import Inspection

if TYPE_CHECKING:
    from dias.report.figures import Axes, Figure

MAX_DRAWN = 2_000
"""States of a graph at most; more are a blot, and take long to lay out."""

MIN_BARS = 3
"""Bars that there is room for at least, so that one alone is no thicker than others."""

GRAPH_SIZE, BARS_WIDTH = 7.0, 5.5
"""In inches."""

BLUE, ORANGE, SKY = COLOURS[0], COLOURS[1], COLOURS[5]
GREY, PALE = "#888888", "#c8c8c8"


def can_be_drawn(coverage: Coverage) -> bool:
    """Whether the whole state space is small enough for a legible graph."""
    return coverage.space.is_whole and len(coverage.space.number) <= MAX_DRAWN


def inspection_figure(inspection: Inspection, coverages: Sequence[Coverage]) -> Figure:
    """Samples per action; where problems are known, the coverage and the small state spaces too.

    Args:
        inspection: The counts.
        coverages: What the traces show of state spaces, one a problem.
    """
    drawn = [coverage for coverage in coverages if can_be_drawn(coverage)]
    graphs = [f"graph {number}" for number in range(len(drawn))]
    bars = ["samples", "coverage"] if coverages else ["samples"]
    height = max(0.35 * len(inspection.actions) + 1.4, 2.0) * len(bars)
    size = GRAPH_SIZE
    figure, axes = new_mosaic(
        width=size * len(graphs) + BARS_WIDTH,
        height=max(height, size if graphs else 0),
        mosaic=[[*graphs, name] for name in bars],
        width_ratios=[size] * len(graphs) + [BARS_WIDTH],
    )
    for name, coverage in zip(graphs, drawn, strict=True):
        draw_state_space(axes[name], coverage)
    _draw_samples(axes["samples"], inspection)
    if coverages:
        _draw_coverage(axes["coverage"], coverages)
    return figure


def draw_state_space(axes: Axes, coverage: Coverage) -> None:
    """The states and transitions of a problem, with those that the traces show.

    States are so far apart as they are in steps, as well as a plane allows.
    """
    space = coverage.space
    positions = stress_layout(distances(state_graph(space)))
    n_states = len(positions)
    size = float(np.clip(9000 / n_states, 6, 60))
    width = float(np.clip(60 / np.sqrt(n_states), 0.6, 2.0))
    visited = sorted(coverage.visited)
    others = sorted(set(range(n_states)) - coverage.visited)
    # Only filled or hollow, dark or pale: to be told apart without colours, too.
    for edges, states, word, colours, scale, level in (
        (set(space.edges) - coverage.seen, others, "not ", (PALE, "white", GREY), 0.6, 1),
        (coverage.seen, visited, "", (BLUE, BLUE, BLUE), 1.0, 2),
    ):
        axes.plot(
            *_segments(edges, positions), color=colours[0], linewidth=width * scale, zorder=level,
            label=f"{len(edges):,} transitions {word}seen",
        )  # fmt: skip
        axes.scatter(
            positions[states, 0], positions[states, 1], s=size, c=colours[1],
            edgecolors=colours[2], linewidths=0.6, zorder=level + 0.5,
            label=f"{len(states):,} states {word}visited",
        )  # fmt: skip
    x, y = positions[:1].T
    axes.scatter(
        x, y, s=4 * size + 40, c=ORANGE, marker="*", edgecolors="black", linewidths=0.6, zorder=3,
        label="initial state",
    )  # fmt: skip
    axes.set_axis_off()
    axes.set_aspect("equal")
    share = percent(len(visited), n_states)
    axes.set_title(
        f"{space.problem.name}: {len(visited):,} of {n_states:,} states visited ({share})"
    )
    handles, _ = axes.get_legend_handles_labels()
    axes.legend(
        handles=[*handles[2:], *handles[:2]], loc="upper center", bbox_to_anchor=(0.5, 0.0),
        ncols=2, frameon=False,
    )  # fmt: skip


def _segments(edges: Iterable[Edge], positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The coordinates of lines from state to state, with a gap after each."""
    ends = np.array(sorted({(edge.source, edge.target) for edge in edges}), dtype=int)
    lines = positions[ends.reshape(-1, 2)]
    with_gaps = np.concatenate([lines, np.full((len(lines), 1, 2), np.nan)], axis=1)
    return with_gaps[..., 0].ravel(), with_gaps[..., 1].ravel()


def _draw_samples(axes: Axes, inspection: Inspection) -> None:
    """Stacked bars: steps that tell something new, repeats, and steps that change nothing."""
    names = [action.name for action in inspection.actions]
    unchanged = np.array([action.n_unchanged for action in inspection.actions])
    new = np.array([sum(n for _, n in action.changes) for action in inspection.actions])
    steps = np.array([action.n_steps for action in inspection.actions])
    start = np.zeros(len(names))
    for counts, colour, hatch, label in (
        (new, BLUE, "", "distinct changes"),
        (steps - new - unchanged, SKY, "//", "repeats"),
        (unchanged, ORANGE, "xx", "change nothing"),
    ):
        if counts.any():
            axes.barh(
                names, counts, left=start, color=colour, hatch=hatch, edgecolor="white",
                label=label,
            )  # fmt: skip
        start = start + counts
    axes.set_title("Steps per action")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=3, frameon=False)
    _label_bars(axes, steps, [f"{count:,}" for count in steps])


def _draw_coverage(axes: Axes, coverages: Sequence[Coverage]) -> None:
    """Bars: the share of each action's reachable transitions that was seen, all problems."""
    rows: dict[str, tuple[int, int]] = {}
    for action in sorted((a for c in coverages for a in c.actions), key=lambda a: a.name):
        seen, reachable = rows.get(action.name, (0, 0))
        rows[action.name] = (seen + action.n_seen, reachable + action.n_reachable)
    axes.barh(list(rows), 100, color="white", edgecolor=GREY)
    axes.barh(list(rows), [100 * s / r if r else 0 for s, r in rows.values()], color=BLUE)
    is_whole = all(coverage.space.is_whole for coverage in coverages)
    axes.set_title(f"Transitions seen of {'all' if is_whole else 'the first'} reachable ones")
    axes.set_xlim(0, 100)
    axes.xaxis.set_major_formatter("{x:.0f} %")
    texts = [f"{s:,} of {r:,} ({percent(s, r)})" if r else "none" for s, r in rows.values()]
    _label_bars(axes, np.full(len(rows), 100), texts)


def _label_bars(axes: Axes, ends: np.ndarray, texts: Sequence[str]) -> None:
    """Write a text behind the end of each bar, and put the first action on top."""
    for place, (end, text) in enumerate(zip(ends, texts, strict=True)):
        axes.annotate(text, (end, place), (4, 0), textcoords="offset points", va="center")
    axes.set_ylim(max(len(texts), MIN_BARS) - 0.5, -0.5)
    axes.grid(False, axis="y")
