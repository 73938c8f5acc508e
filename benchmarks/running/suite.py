"""Does the runs of a table that its file does not have yet."""

from __future__ import annotations

import hashlib
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from dias.errors import DiasError
from dias.files import write_text_atomically

from .pool import in_processes
from .progress import progress
from .rawlines import Row, RowWriter, read_rows
from .runs import Run

LEARNED = "learned"
"""Folder beside the rows with the domains that were learned."""


def rows_of(runs: Sequence[Run], path: Path) -> dict[Run, Row]:
    """The rows that a file has for these runs, in the order of the runs.

    Where a run was done twice the later row counts; an older row that says no failure has none.

    Raises:
        DiasError: The file is damaged, or has rows of other runs.
    """
    if not runs:
        return {}
    try:
        found = {type(runs[0]).of(row): {"failure": None} | row for row in read_rows(path)}
    except TypeError as cause:
        raise DiasError(
            f"expected runs of this table, found others: {cause}",
            place=str(path),
            remedy="Choose another folder with -o.",
        ) from cause
    return {run: found[run] for run in runs if run in found}


def do_missing(
    title: str,
    runs: Sequence[Run],
    path: Path,
    *,
    n_workers: int,
    scheduler: str | None = None,
    retry_failed: bool = False,
) -> None:
    """Do the runs that the file does not have, and add each to it as it ends.

    Learned domains go to files in the folder `LEARNED` beside it.

    An interrupt (SIGINT, SIGTERM) kills what is under way; finished runs stay in the file.

    Args:
        title: For the display.
        runs: All runs of the table.
        path: The file of the rows.
        n_workers: Runs at a time on this machine, or workers of a cluster started for it.
        scheduler: None: processes on this machine; otherwise see `cluster.on_cluster`.
        retry_failed: Do failed runs again, from where they failed if what they learned was kept.

    Raises:
        DiasError: The file is damaged or cannot be written, or the cluster is out of reach.
    """
    with RowWriter(path) as writer:
        rows = rows_of(runs, path)
        learned = path.parent / LEARNED
        missing = [
            run.resumed(rows[run], learned) if run in rows else run
            for run in runs
            if run not in rows or (retry_failed and rows[run]["failure"])
        ]
        if not missing:
            return
        if scheduler is None:
            finished = in_processes(missing, n_workers)
        else:
            from .cluster import on_cluster

            finished = on_cluster(missing, scheduler, n_workers)
        with (
            _terminated_like_interrupted(),
            closing(finished),
            progress(title, len(missing)) as show,
        ):
            for row in finished:
                writer.add(_with_domain_kept(row, learned))
                show(str(type(missing[0]).of(row)), row)


def _with_domain_kept(row: Row, folder: Path) -> Row:
    """Write the learned domain to a file, the same one for the same text; the row names it."""
    text = row.get("learned")
    if text is None:
        return row
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    name = f"{row['domain']}-{digest}.pddl"
    folder.mkdir(exist_ok=True)
    write_text_atomically(folder / name, text)
    return row | {"learned": name}


@contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    """SIGTERM, which batch systems send, raises KeyboardInterrupt, too."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
