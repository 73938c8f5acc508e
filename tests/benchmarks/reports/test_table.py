"""A table as Markdown, CSV and LaTeX."""

from __future__ import annotations

import csv

from benchmarks.reports.report import Report
from benchmarks.reports.results import Results
from benchmarks.reports.table import Column, Table, group_table

TABLE = Table(("domain", "a, b"), (("x_1", "≤0.5"), ('say "50 %"', "–")), 1)


def test_three_forms():
    assert TABLE.markdown()[1:3] == ["| --- | --: |", "| x_1 | ≤0.5 |"]
    assert list(csv.reader(TABLE.csv().splitlines())) == [
        ["domain", "a, b"], ["x_1", "≤0.5"], ['say "50 %"', ""],
    ]  # fmt: skip
    assert TABLE.latex().splitlines() == [
        r"\begin{tabular}{lr}", r"\toprule", r"domain & a, b \\", r"\midrule",
        r"x\_1 & $\leq$0.5 \\", r'say "50 \%" & -- \\', r"\bottomrule", r"\end{tabular}",
    ]  # fmt: skip


def test_latex_has_no_character_of_its_own_left():
    cell = "\\&%$#_{}~^"
    (line,) = (li for li in Table((cell,), (), 1).latex().splitlines() if "&" in li)
    assert line == (
        r"\textbackslash{}\&\%\$\#\_\{\}\textasciitilde{}\textasciicircum{} \\"
    )  # fmt: skip


def test_cells_of_groups():
    groups = [{"n": [1.0, 1.0, 2.0], "m": None}]
    table = group_table(groups, (Column("n", "n", "{:g}"), Column("m", "m")), 0)
    assert table.rows == [["1–2", "–"]]


def test_every_table_has_a_file():
    report = Report("Title", Results("t", [], {}), [("", TABLE), ("In all: 2", TABLE)], [])
    files = report.files()
    assert set(files) == {"t.md", "t.json", "t.csv", "t-in-all-2.csv", "t.tex"}
    assert files["t.csv"] == files["t-in-all-2.csv"] == TABLE.csv()
    assert files["t.tex"].count(TABLE.latex()) == 2
    assert "% Title\n" in files["t.tex"]
    assert "% In all: 2\n" in files["t.tex"]
