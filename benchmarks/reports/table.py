"""A table of a report, as Markdown, CSV and LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

NONE = "–"
"""Stands where there is no value."""

_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"≤": r"$\leq$", "–": "--"}
)


class Table(NamedTuple):
    """A head and rows of texts; the first `n_left` columns are words, the others numbers."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    n_left: int

    def markdown(self) -> list[str]:
        """Its lines in Markdown."""
        rule = ["---" if place < self.n_left else "--:" for place in range(len(self.head))]
        return [f"| {' | '.join(cells)} |" for cells in (self.head, rule, *self.rows)]

    def csv(self) -> str:
        """As CSV; a cell without a value is empty."""
        text = io.StringIO()
        lines = ([cell if cell != NONE else "" for cell in row] for row in (self.head, *self.rows))
        csv.writer(text, lineterminator="\n").writerows(lines)
        return text.getvalue()

    def latex(self) -> str:
        """As a ``tabular`` with the rules of booktabs."""
        columns = "l" * self.n_left + "r" * (len(self.head) - self.n_left)
        head, *rows = (
            " & ".join(cell.translate(_LATEX) for cell in row) + r" \\"
            for row in (self.head, *self.rows)
        )
        begin, end = rf"\begin{{tabular}}{{{columns}}}", r"\end{tabular}"
        lines = (begin, r"\toprule", head, r"\midrule", *rows, r"\bottomrule", end)
        return "".join(f"{line}\n" for line in lines)


class Column(NamedTuple):
    """A column of a table of groups.

    Attributes:
        heading: Its heading.
        name: The field of the groups that it shows; of a list of values each different one.
        form: How a value is written, as for `str.format`.
    """

    heading: str
    name: str
    form: str = "{}"

    def cell(self, group: Mapping[str, Any]) -> str:
        """The text for a group; a dash where it has no value."""
        value = group[self.name]
        values = value if isinstance(value, list) else [] if value is None else [value]
        return "–".join(dict.fromkeys(map(self.form.format, values))) or NONE


def plain(*names: str) -> list[Column]:
    """Columns whose headings are the names of what they show."""
    return [Column(name, name) for name in names]


def group_table(
    groups: Sequence[Mapping[str, Any]], columns: Sequence[Column], n_left: int
) -> Table:
    """A table with a row for each group; see `Table`."""
    cells = [[column.cell(group) for column in columns] for group in groups]
    return Table([column.heading for column in columns], cells, n_left)
