"""Figures with matplotlib: drawn without a display, the same bytes for the same data."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backend_bases import get_registered_canvas_class
from matplotlib.figure import Figure

from dias.files import open_atomically

STYLE: dict[Any, Any] = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "text.parse_math": False,  # a `$` in a name is a `$`
    "svg.hashsalt": "dias",
    "svg.fonttype": "none",
}
"""The look of every figure. The salt makes the ids inside an SVG the same every time."""

NOT_IN_A_PAGE = re.compile(
    r'(?s) id="[\w.]+_\d+"| clip-path="[^"]*"| font-family: [^;]*;|\s*<defs>\s*<clipPath.*?</defs>'
)
"""In an SVG: the names of its parts, clipping, and fonts."""

RESOLUTION = 150
"""Dots an inch, where there are dots."""

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's palette: told apart with colour-blind eyes and in print."""


def new_figure(
    width: float, height: float, rows: int = 1, columns: int = 1
) -> tuple[Figure, list[Axes]]:
    """An empty figure and its axes, row by row.

    Args:
        width: In inches.
        height: In inches.
        rows: Rows of axes.
        columns: Columns of axes.
    """
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        axes = figure.subplots(rows, columns, squeeze=False)
    return figure, list(axes.flat)


def new_mosaic(
    width: float, height: float, mosaic: list[list[Any]], width_ratios: list[float]
) -> tuple[Figure, dict[str, Axes]]:
    """An empty figure and its axes by name.

    Args:
        width: In inches.
        height: In inches.
        mosaic: Rows of names; axes extend over all places that have their name.
        width_ratios: One a column.
    """
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        axes = figure.subplot_mosaic(mosaic, width_ratios=width_ratios)
    return figure, axes


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure, whole or not at all.

    The ending of the name (``.png``, ``.svg``, ``.pdf``) says how.

    Raises:
        DiasError: The file cannot be written.
        ValueError: The ending is not known.
    """
    drawn = _drawn(figure, path.suffix.lower().lstrip(".") or None)
    with open_atomically(path) as stream:
        stream.write(drawn)


def inline_svg(figure: Figure, title: str, colours: Mapping[str, str]) -> str:
    """A figure as an element of an HTML page, without background or a font of its own.

    Nothing in it is named but markers, whose names no figure of another title has.

    Args:
        figure: The figure; nothing may extend beyond its axes, since nothing is cut off.
        title: What it shows, for those who do not see it.
        colours: What stands in the page for a colour (``#rrggbb``).
    """
    for axes in figure.axes:
        axes.patch.set_visible(False)
    figure.patch.set_visible(False)
    _, _, drawing = _drawn(figure, "svg", salt=title).decode().partition("</defs>")
    drawing = NOT_IN_A_PAGE.sub("", drawing)
    for colour, replacement in colours.items():
        drawing = drawing.replace(colour.lower(), replacement)
    width, height = (round(72 * inches, 1) for inches in figure.get_size_inches())
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{drawing.rstrip()}"
    )


def _drawn(figure: Figure, kind: str | None, salt: str = "dias") -> bytes:
    """The bytes of a picture file; the salt makes the names inside an SVG."""
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    picture = BytesIO()
    with matplotlib.rc_context(STYLE | {"svg.hashsalt": salt}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph", UserWarning)  # no font has all scripts
        figure.set_dpi(RESOLUTION)
        if canvas := get_registered_canvas_class(kind or ""):
            # To lay it out `savefig` would draw it once more, to no avail.
            canvas(figure)
            if layout := figure.get_layout_engine():
                layout.execute(figure)
            figure.set_layout_engine("none")
        figure.savefig(picture, format=kind, dpi=RESOLUTION, metadata=metadata.get(kind or ""))
    return picture.getvalue()
