"""The progress of `dias learn` on a terminal: a bar and two lines that are drawn anew."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dias_cli.main import LOGGERS

if TYPE_CHECKING:
    from dias.learning.train.progress import LearningProgress

log = logging.getLogger(__name__)

Report = Callable[["LearningProgress"], None]


@contextmanager
def learning_progress() -> Iterator[Report]:
    """A function to be called with the progress. Elsewhere than on a terminal it logs a line.

    Colours follow the terminal and the variable NO_COLOR. What is drawn goes away at the end.
    """
    if not sys.stderr.isatty():
        yield _log
        return

    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("steps, time left at most"),
        TimeRemainingColumn(compact=True),
        speed_estimate_period=600,
    )
    task = bar.add_task("")
    run = -1
    # Drawn when there is something new, so without a thread of its own.
    live = Live(console=Console(stderr=True), transient=True, auto_refresh=False)

    def show(progress: LearningProgress) -> None:
        nonlocal run
        if progress.restart != run:
            run = progress.restart
            description = f"run {run + 1} of {progress.n_restarts}"
            bar.reset(task, total=progress.n_steps, description=description)
        bar.update(task, completed=progress.step)
        live.update(Group(bar, *map(Text, _lines(progress))), refresh=True)

    with live, _logged_above():
        yield show


def _log(progress: LearningProgress) -> None:
    where = f"run {progress.restart + 1}, step {progress.step:,} of {progress.n_steps:,}"
    log.info("%s: %s", where, "; ".join(_lines(progress)))


def _lines(progress: LearningProgress) -> list[str]:
    """What there is to say beside the bar."""
    explained = "" if progress.explained is None else f", explained {progress.explained:.1%}"
    slots = ", ".join(f"{name} {n}" for name, n in progress.active_slots.items())
    return [
        f"L_main {progress.main_loss:.4g}, L_aux {progress.aux_loss:.4g}, "
        f"p_pre {progress.p_pre:.3f}{explained}",
        f"active slots: {slots}",
    ]


@contextmanager
def _logged_above() -> Iterator[None]:
    """Send what is logged to where Live listens, which prints it above what is drawn."""
    handlers = {
        handler
        for name in LOGGERS
        for handler in logging.getLogger(name).handlers
        if isinstance(handler, logging.StreamHandler)
    }
    streams = [(handler, handler.stream) for handler in handlers]
    for handler, _ in streams:
        handler.setStream(sys.stderr)
    try:
        yield
    finally:
        for handler, stream in streams:
            handler.setStream(stream)
