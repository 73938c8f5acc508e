"""`dias bench`: the tables of the benchmark suite, one subcommand each."""

from __future__ import annotations

from importlib import import_module

import click

TABLES = {
    "main": "main_table",
    "noise": "noise_table",
    "mlp": "mlp_table",
    "ablation": "ablation_table",
    "scaling": "scaling_table",
    "coverage": "coverage_table",
}
"""Subcommand to the module that has it; it is imported when it is used."""


class _Tables(click.Group):
    """The tables, imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(TABLES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in TABLES:
            return None
        command: click.Command = import_module(f"dias_benchmarks.{TABLES[cmd_name]}").command
        return command


@click.group("bench", cls=_Tables)
def command() -> None:
    """Measure: run a table of the benchmark suite, or what is missing of it, and report.

    Every finished run is added to bench-results/TABLE.jsonl at once, so an interrupted table goes
    on where it stopped. Reports are written beside it: Markdown, JSON, plots. Small by default;
    --full is the paper's size.
    """
