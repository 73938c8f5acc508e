"""Where something stands in what was read: in which line and, of several files, in which one."""

from __future__ import annotations

from collections.abc import Sequence

N_NAMED = 3
"""Files that are named where all are meant."""


class Line(int):
    """The line of one of several files, shown with its file: ``b.jsonl:12``.

    As a number it counts on from file to file, so that lines are in the order in which they were
    read. Where there is one file, lines are plain numbers.

    Args:
        place: Its number in all that was read.
        file: The file, as it is named in messages.
        number: Its number in the file.
    """

    def __new__(cls, place: int, file: str, number: int) -> Line:
        """The line; arguments as above."""
        line = super().__new__(cls, place)
        line._own = file, number
        return line

    def __getnewargs__(self) -> tuple[int, str, int]:  # type: ignore[override]
        """What a copy is made of."""
        return int(self), *self._own

    def __str__(self) -> str:
        """File and line."""
        return "{}:{}".format(*self._own)

    _own: tuple[str, int]


def place_of(source: str, line: int) -> str:
    """File and line, as messages name them; `source` is the file where there is one only."""
    return str(line) if isinstance(line, Line) else f"{source}:{line}"


def as_value(line: int) -> int | str:
    """A line as a plain value: its number, or of several files file and number."""
    return str(line) if isinstance(line, Line) else line


def names(sources: Sequence[str]) -> str:
    """What messages call the files together."""
    more = len(sources) - N_NAMED
    return ", ".join(sources[:N_NAMED]) + (f" and {more} more" if more > 0 else "")
