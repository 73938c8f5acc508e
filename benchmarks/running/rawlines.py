"""Finished runs as JSON lines, added one by one and readable after any kind of end."""

from __future__ import annotations

import fcntl
import json
import logging
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from dias.errors import DiasError

log = logging.getLogger(__name__)

Row = dict[str, Any]
"""What is known of a finished run."""


def read_rows(path: Path) -> list[Row]:
    """The finished runs in a file; none if there is no such file.

    A last line without its line end is one that was being written when the program was killed; it
    is left out.

    Raises:
        DiasError: A line is not a JSON object.
    """
    if not path.exists():
        return []
    *lines, _torn = path.read_bytes().split(b"\n")
    rows = []
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if not isinstance(row, dict):
            raise DiasError(
                "expected a finished run as a JSON object, found something else",
                place=f"{path}:{number}",
                remedy="Delete the line; its run will be done again.",
            )
        rows.append(row)
    return rows


class RowWriter:
    """Adds finished runs to a file; used in a ``with`` statement.

    Args:
        path: The file; it and its folder are made if they are missing.

    Raises:
        DiasError: The file cannot be written, or another process is adding to it.
    """

    def __init__(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._stream = path.open("r+b" if path.exists() else "w+b")
        except OSError as cause:
            raise DiasError(
                f"the file cannot be written: {cause.strerror}",
                place=str(path),
                remedy="Choose another folder with -o.",
            ) from cause
        try:
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as cause:
            self._stream.close()
            raise DiasError(
                "another process is adding runs to this file",
                place=str(path),
                remedy="Wait for it, or choose another folder with -o.",
            ) from cause
        except OSError:
            log.info("%s: no lock, the file system has none", path)
        self._stream.seek(self._stream.read().rfind(b"\n") + 1)
        self._stream.truncate()  # what a killed process left unfinished

    def add(self, row: Row) -> None:
        """Write the row as a line; it is in the file when this returns."""
        self._stream.write(json.dumps(row, allow_nan=False).encode() + b"\n")
        self._stream.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stream.close()
