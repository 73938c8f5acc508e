"""Runs on this machine, several at a time."""

from __future__ import annotations

import time
import traceback
from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

from .command import stop_children
from .rawlines import Row
from .runs import Run


def in_processes(runs: Sequence[Run], n_workers: int) -> Generator[Row]:
    """Do the runs, `n_workers` at a time; yields the rows as the runs end.

    The work is done by the processes that a run starts, so threads are enough to wait for them.
    Where the iteration is left early (an interrupt, too), what is under way is killed.
    """
    executor = ThreadPoolExecutor(n_workers)
    waiting = [executor.submit(attempt, run) for run in runs]
    try:
        while waiting:
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in [own for own in waiting if own in done]:
                waiting.remove(future)
                yield future.result() | {"workers": n_workers}
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        while not all(future.done() for future in waiting):
            stop_children()  # again, since a run may just be starting its next process
            time.sleep(0.02)


def attempt(run: Run) -> Row:
    """The outcome of the run; an error of ours is an outcome as well, so that others go on."""
    try:
        return run.execute()
    except Exception as error:
        return failed(run, error)


def failed(run: Run, error: Exception) -> Row:
    """The row of a run that did not come to its own end."""
    trace = "".join(traceback.format_exception(error))
    return {**run.key, "failure": f"{type(error).__name__}: {error}", "traceback": trace}
