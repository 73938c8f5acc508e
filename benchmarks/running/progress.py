"""How far the runs are, on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from .rawlines import Row


@contextmanager
def progress(title: str, n_runs: int) -> Iterator[Callable[[str, Row], None]]:
    """A function to be called with the name and the row of each finished run.

    On a terminal a bar shows the share that is done, the time so far and the time left; elsewhere
    (a log file) each finished run is a line.
    """
    if not sys.stderr.isatty():
        n_done = 0

        def print_line(name: str, row: Row) -> None:
            nonlocal n_done
            n_done += 1
            click.echo(f"{n_done}/{n_runs} {name}: {row['failure'] or 'done'}", err=True)

        yield print_line
        return

    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[last]}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), speed_estimate_period=3600) as bar:
        task = bar.add_task(title, total=n_runs, last="")

        def advance(name: str, row: Row) -> None:
            if row["failure"]:
                bar.console.print(f"{name}: {row['failure']}", markup=False, highlight=False)
            bar.update(task, advance=1, last=name)

        yield advance
