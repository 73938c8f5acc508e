"""Reports as Markdown, JSON, CSV and LaTeX."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dias.report.text import number

from .results import Results
from .table import NONE, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass
class Report:
    """A table of the suite, ready to be written.

    Attributes:
        title: Its heading.
        results: What it is about.
        tables: Heading (empty for none) and table, one or more.
        groups: The same figures as plain values.
        notes: Sentences below the tables.
        figures: Plots by the ending of their file names.
    """

    title: str
    results: Results
    tables: list[tuple[str, Table]]
    groups: list[dict[str, Any]]
    notes: list[str] = field(default_factory=list)
    figures: Mapping[str, Figure] = field(default_factory=dict)

    def markdown(self) -> str:
        """The report as text."""
        lines = [f"# {self.title}", "", *provenance_lines(self.results)]
        for heading, table in self.tables:
            lines += ["", *([f"## {heading}", ""] if heading else []), *table.markdown()]
        if self.notes:
            lines += ["", *(f"- {note}" for note in self.notes)]
        if self.results.failures:
            lines += ["", "## Failed runs", "", *(f"- {one}" for one in self.results.failures)]
        return "\n".join(lines) + "\n"

    def json(self) -> str:
        """The report as JSON."""
        value = {"table": self.results.name, **self.results.provenance(), "groups": self.groups}
        return json.dumps(value, indent=2, allow_nan=False) + "\n"

    def latex(self) -> str:
        """Its tables in LaTeX, with headings and where they are from as comments."""
        lines = ["needs \\usepackage{booktabs}", self.title, *provenance_lines(self.results)]
        parts = ["".join(f"% {line}\n" for line in lines)]
        parts += [f"{f'% {head}' if head else ''}\n{table.latex()}" for head, table in self.tables]
        return "\n".join(parts)

    def files(self) -> dict[str, str]:
        """What is written, by the name of the file; every table has a CSV file of its own."""
        name = self.results.name
        found = {f"{name}.md": self.markdown(), f"{name}.json": self.json()}
        for heading, table in self.tables:
            words = [name, *re.findall(r"\w+", heading.lower())]
            found["-".join(words) + ".csv"] = table.csv()
        return found | {f"{name}.tex": self.latex()}


def share(value: float | None) -> str:
    """Precision or recall with two decimals, cut off: 1.00 is 1."""
    return NONE if value is None else number(value)


def figure(value: float | None, decimals: int = 0) -> str:
    """A number, or a dash."""
    return NONE if value is None else f"{value:,.{decimals}f}"


def beside(own: str, paper: str | None) -> str:
    """Our figure with the paper's in parentheses."""
    return own if paper is None else f"{own} ({paper})"


def mean_share(own: Mapping[str, Any], paper: Mapping[str, float] | None, name: str) -> str:
    """Mean precision or recall of a group of learning runs, beside the paper's.

    With a sign where it is an upper bound, and of how many runs all states were measured, if not
    of all.
    """
    text = share(own[name])
    if own["is_bound"] and name == "precision":
        text = f"≤{text}"
    text = beside(text, f"{paper[name]:.2f}" if paper else None)
    n_whole = own["runs"] - own["failed"]
    is_whole = n_whole == own["runs"] or own[name] is None
    return text if is_whole else f"{text} [{n_whole} of {own['runs']}]"


def learning_cells(
    own: Mapping[str, Any], paper: Mapping[str, float] | None, n_paper: int
) -> list[str]:
    """The cells of a group of learning runs, for `LEARNING_HEAD`."""
    cells = [str(own["runs"]), str(own["failed"])]
    cells += [mean_share(own, paper, name) for name in ("precision", "recall")]
    for name in ("sound", "complete", "both"):
        reached = f"{own[name]}/{own['runs']}" if own["runs"] else NONE
        cells.append(beside(reached, f"{paper[name]}/{n_paper}" if paper else None))
    cells += [figure(own["steps"]), figure(own["learn_s"], 1), figure(own["learn_longest_s"], 1)]
    return cells


LEARNING_HEAD = (
    *("runs", "failed", "precision", "recall", "N_s", "N_c", "N_sc"),
    *("steps", "learning, s", "longest, s"),
)

PARTS_NOTE = (
    "In brackets: how many of the runs were measured in all states, if not all; the others count "
    "with the states that were measured, if there are any. ≤: some state has more wrong successors "
    "than were counted."
)

LEARNING_NOTES = [
    "In parentheses: the paper's figures. Precision and recall are over successor states, means "
    "over the runs, cut off (not rounded) after two decimals.",
    PARTS_NOTE,
    "N_s, N_c, N_sc: runs that are sound, complete, both, of all runs; a failed run is neither.",
    "Steps and times are medians; times are wall clock of `dias learn`, start included.",
]


def out_of_time_note(groups: Sequence[Mapping[str, Any]]) -> list[str]:
    """A sentence about the runs that ended because of their time limit, if there are any."""
    n_late = sum(group["out_of_time"] for group in groups)
    if not n_late:
        return []
    return [
        f"Runs that reached the time limit of learning: {n_late}. The best domain found by then "
        "was measured."
    ]


def provenance_lines(results: Results) -> list[str]:
    """What a reader must know to believe the figures."""
    known = results.provenance()
    n_missing = f", {known['missing']} not done yet" if known["missing"] else ""
    work = f" One after the other they would take {duration(known['work_s'])}."
    lines = [
        f"Runs: {known['done']} of {known['planned']} done{n_missing}, {known['failed']} failed. "
        f"Seeds: {spans(known['seeds'])}.{work if known['work_s'] else ''}",
        f"Machine: {counted(known['machines'])}. Versions: {counted(known['versions'])}.",
    ]
    if known["load"]:
        low, median, high = known["load"]
        lines.append(
            f"Runs at a time: {counted(known['at_a_time'])}. "
            f"Load average at the start of a run: {low} to {high}, median {median}."
        )
    return lines


def duration(seconds: float) -> str:
    """A time in a unit that suits it.

    >>> duration(75), duration(7500)
    ('1.2 min', '2.1 h')
    """
    minutes = seconds / 60
    return f"{minutes:.1f} min" if minutes < 100 else f"{minutes / 60:.1f} h"


def spans(numbers: Sequence[int]) -> str:
    """Ascending numbers in short.

    >>> spans([0, 1, 2, 5])
    '0–2, 5'
    """
    parts: list[list[int]] = []
    for one in numbers:
        if parts and one == parts[-1][-1] + 1:
            parts[-1].append(one)
        else:
            parts.append([one])
    return ", ".join(f"{p[0]}–{p[-1]}" if len(p) > 1 else str(p[0]) for p in parts)


def counted(counts: Mapping[str, int]) -> str:
    """The values, with their numbers if there is more than one."""
    if len(counts) == 1:
        return next(iter(counts))
    return "; ".join(f"{value} ({number} runs)" for value, number in counts.items()) or NONE
