"""`dias bench`: the tables of the benchmark suite, one subcommand each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import click

from dias_cli.main import LazyGroup

TABLES = (
    *("main", "noise", "mlp", "ablation", "scaling", "coverage"),
    *("small_data", "planning", "planners", "successors", "reading", "random", "planner"),
    *("domains", "spoiled"),
)
"""Each is the module of that name; it is imported when it is used."""


class _Tables(LazyGroup):
    """The tables, imported when they are needed."""

    modules: ClassVar[Mapping[str, str]] = {
        name: f"dias_benchmarks.tables.{name}" for name in TABLES
    }


@click.group("bench", cls=_Tables)
def command() -> None:
    """Measure: run a table of the benchmark suite, or what is missing of it, and report.

    Every finished run is added to bench-results/TABLE.jsonl at once, so an interrupted table goes
    on where it stopped. Reports are written beside it: Markdown, JSON, plots. Small by default;
    --full is the paper's size.
    """
