"""Charts as SVG inside the page: they take its colours and need no library."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from dias.report.page import text

MAX_TICKS = 7
N_COLOURS = 6
WIDTH = 720


class Series(NamedTuple):
    """A named line.

    Attributes:
        name: For the legend.
        points: (x, y), ascending in x; y above 0 on a logarithmic scale.
    """

    name: str
    points: Sequence[tuple[float, float]]


def line_chart(
    title: str, series: Sequence[Series], x_name: str, y_name: str, logarithmic: bool = False
) -> str:
    """Lines over a common axis, with a legend beside their colours and dashes.

    Args:
        title: What it shows, for those who do not see it.
        series: The lines; points that are not finite are left out.
        x_name: What the x axis counts, from 0.
        y_name: What the y axis measures.
        logarithmic: Whether the y axis is; else it begins at 0.
    """
    left, right, top, bottom, height = 62, 14, 30, 44, 260
    lines = [Series(s.name, [(x, y) for x, y in s.points if _fits(y, logarithmic)]) for s in series]
    x_ticks = _linear_ticks(max((x for s in lines for x, _ in s.points), default=1))
    values = [y for s in lines for _, y in s.points]
    y_ticks = _log_ticks(values) if logarithmic else _linear_ticks(max(values, default=1))
    scale = math.log10 if logarithmic else float
    low, high = scale(y_ticks[0]), scale(y_ticks[-1])

    def place(x: float, y: float) -> tuple[float, float]:
        across = (WIDTH - left - right) * x / x_ticks[-1]
        up = (height - top - bottom) * (scale(y) - low) / (high - low)
        return round(left + across, 1), round(height - bottom - up, 1)

    parts = [
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{text(title)}">',
        f"<title>{text(title)}</title>",
    ]
    for tick in y_ticks:
        _, y = place(0, tick)
        parts.append(_rule(left, y, WIDTH - right, y))
        parts.append(_label(left - 8, y + 4, f"{tick:g}", "end"))
    for tick in x_ticks:
        x, _ = place(tick, y_ticks[0])
        parts.append(_rule(x, height - bottom, x, height - bottom + 5))
        parts.append(_label(x, height - bottom + 19, f"{tick:,g}", "middle"))
    parts.append(_label((left + WIDTH - right) / 2, height - 8, x_name, "middle"))
    parts.append(_label(left - 54, 16, y_name, "start"))
    legend = WIDTH - right
    for number, one in reversed(list(enumerate(lines))):
        colour, dash = _look(number)
        path = " ".join(f"{x},{y}" for x, y in (place(*point) for point in one.points))
        shape = f'fill="none" stroke="{colour}" stroke-width="2"{dash}'
        parts.append(f'<polyline points="{path}" {shape}/>')
        if len(one.points) <= 40:
            for x, y in (place(*point) for point in one.points):
                parts.append(f'<circle cx="{x}" cy="{y}" r="2.5" fill="{colour}"/>')
        parts.append(_label(legend, 16, one.name, "end"))
        legend -= 7 * len(one.name) + 8
        parts.append(f'<path d="M{legend - 22} 12h20" {shape}/>')
        legend -= 38
    return "\n".join([*parts, "</svg>"])


def bar(title: str, shares: Sequence[tuple[str, float]]) -> str:
    """One bar that is divided by shares; a table beside it should name them.

    Args:
        title: What it shows, for those who do not see it.
        shares: Names and sizes; those below a two-hundredth are not drawn.
    """
    total = sum(size for _, size in shares)
    parts = [
        f'<svg viewBox="0 0 {WIDTH} 40" role="img" aria-label="{text(title)}">',
        f"<title>{text(title)}</title>",
    ]
    x = 0.0
    for number, (name, size) in enumerate(shares):
        width = WIDTH * size / total if total else 0.0
        if width > WIDTH / 200:
            colour, _ = _look(number)
            parts.append(
                f'<rect x="{x:.1f}" y="0" width="{width - 1:.1f}" height="18" fill="{colour}"/>'
            )
            if width > 7 * len(name) + 6:
                parts.append(_label(round(x, 1), 34, name, "start"))
        x += width
    return "\n".join([*parts, "</svg>"])


def _look(number: int) -> tuple[str, str]:
    """Colour and dashes of a line; colours come again with dashes."""
    dash = ' stroke-dasharray="6 4"' if number // N_COLOURS % 2 else ""
    return f"var(--s{number % N_COLOURS + 1})", dash


def _rule(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<path d="M{x1} {y1}L{x2} {y2}" stroke="var(--line)"/>'


def _label(x: float, y: float, content: str, anchor: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{text(content)}</text>'


def _fits(value: float, logarithmic: bool) -> bool:
    return math.isfinite(value) and (value > 0 or not logarithmic)


def _linear_ticks(largest: float) -> list[float]:
    """0 and up to six round numbers, the last of them at least `largest`.

    >>> _linear_ticks(600), _linear_ticks(0.7)
    ([0, 100, 200, 300, 400, 500, 600], [0.0, 0.2, 0.4, 0.6, 0.8])
    """
    if largest <= 0:
        return [0, 1]
    power = 10.0 ** math.floor(math.log10(largest / 6))
    step = next(power * m for m in (1, 2, 2.5, 5, 10, 20) if power * m * 6 >= largest * (1 - 1e-9))
    step = round(step, 12)
    ticks = [round(step * n, 12) for n in range(math.ceil(largest / step - 1e-9) + 1)]
    return [int(t) for t in ticks] if step >= 1 and step == int(step) else ticks


def _log_ticks(values: Sequence[float]) -> list[float]:
    """Round numbers around the values, at least two: 1, 2, 5, 10, … or powers of ten.

    >>> _log_ticks([0.3, 8]), _log_ticks([0.0005, 30])
    ([0.2, 0.5, 1.0, 2.0, 5.0, 10.0], [0.0001, 0.001, 0.01, 0.1, 1.0, 10.0, 100.0])
    """
    if not values:
        return [1, 10]
    smallest, largest = min(values), max(values)
    powers = range(math.floor(math.log10(smallest)), math.ceil(math.log10(largest)) + 2)
    for steps in ((1, 2, 5), (1,)):
        ticks = [float(f"{step}e{power}") for power in powers for step in steps]
        first = max(place for place, tick in enumerate(ticks) if tick <= smallest)
        last = min(place for place, tick in enumerate(ticks) if tick >= largest)
        ticks = ticks[first : max(last, first + 1) + 1]
        if len(ticks) <= MAX_TICKS:
            break
    return ticks
