"""What the tests of the tables share."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

from click import Command
from click.testing import CliRunner, Result

from benchmarks.running.rawlines import Row, RowWriter


def invoke(command: Command, folder: Path, *options: str) -> Result:
    """Run a table's command with its files in a folder."""
    done = CliRunner().invoke(command, [*options, "-o", str(folder)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done


def report(command: Command, folder: Path, rows: list[Row], *options: str) -> Result:
    """What a table's command makes of rows, added to those that there are; no plot is written."""
    with RowWriter(folder / f"{command.name}.jsonl") as writer:
        for one in rows:
            writer.add(one)
    with patch("dias.report.figures.save_figure"):
        return invoke(command, folder, *options, "--report-only")


def cells(text: str, *start: str) -> list[str]:
    """The cells after those with which a row of a Markdown table begins."""
    (line,) = (li for li in text.splitlines() if li.startswith("| " + " | ".join(start) + " |"))
    return [cell.strip() for cell in line.strip("|").split("|")][len(start) :]
