"""Figures with matplotlib: drawn without a display, the same bytes for the same data."""

from __future__ import annotations

import warnings
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dias.files import write_bytes_atomically

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
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    kind = path.suffix.lower().lstrip(".")
    picture = BytesIO()
    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph", UserWarning)  # no font has all scripts
        figure.savefig(picture, format=kind or None, dpi=150, metadata=metadata.get(kind))
    write_bytes_atomically(path, picture.getvalue())
