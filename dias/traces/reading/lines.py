"""The lines of a JSON Lines file: from bytes, compressed or not, to JSON values."""

from __future__ import annotations

import codecs
import gzip
import json
import math
import os
import sys
import zlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import chain, islice

from dias.errors import TraceError
from dias.file_kinds import (
    DIALECTS,
    DOMAIN,
    GZIP,
    JSON,
    N_BYTES,
    NOT_UTF_8,
    PLAN,
    PROBLEM,
    STATES,
    TRACES,
    kind_of,
    remedy_for,
)
from dias.files import similar_file
from dias.traces.reading.fields import NAME, FieldError, describe


def source_name(path: str | os.PathLike[str]) -> str:
    """What messages call the file."""
    return "<stdin>" if path == "-" else os.fspath(path)


FORMATS = "dias-trace/1, which is JSON Lines, plain or (.gz) gzip-compressed"
N_LINES = 50
"""How many lines more are looked at where the first one does not tell what the file is."""
_NOT_JSON = {b"(": "an s-expression", b";": "a comment", b"<": "markup"}
"""What a first line is that begins so."""
_SPREAD = (b"[", b"{", b"[{", b"[[")
"""First lines of a JSON value that goes on for lines."""


class Lines:
    """The lines of a trace file that are not blank, numbered from 1, one at a time.

    Args:
        path: The file; a name ending in ``.gz`` is decompressed, ``-`` is standard input.
        readable: The kinds of file that are read beside JSON Lines; None for all kinds.

    Attributes:
        kind: What the file looks like (`dias.file_kinds`); empty before the first line.
    """

    def __init__(
        self, path: str | os.PathLike[str], readable: Collection[str] | None = DIALECTS
    ) -> None:
        self.path = path
        self.kind = ""
        self._readable = readable

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        """The lines.

        Raises:
            TraceError: The file cannot be opened, read or decompressed, or is of another kind.
        """
        line = 0
        is_first = True
        try:
            with _open(self.path) as stream:
                ahead: list[bytes] = []
                for line, raw in enumerate(stream, start=1):
                    if line == 1:
                        raw = raw.removeprefix(codecs.BOM_UTF8)
                    if raw.strip():
                        if is_first:
                            ahead = self._look_at(raw, stream, line)
                            is_first = False
                        yield line, raw
                    if ahead:
                        break
                for raw in chain(ahead, stream):
                    line += 1
                    if raw.strip():
                        yield line, raw
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            if is_first and os.fspath(self.path).endswith(".gz"):
                _refuse_plain(self.path)
            raise TraceError(
                f"expected whole gzip data, found it cut off or damaged ({error})",
                place=f"{source_name(self.path)}:{line + 1}",
                remedy="Write the file again, or save what can be read with gzip -dc",
            ) from error
        except (OSError, ValueError) as error:  # ValueError: a path that holds a NUL character
            reason = getattr(error, "strerror", None) or error
            found, remedy = (
                f"none that can be read ({reason})",
                "Check the name and the permissions",
            )
            if isinstance(error, FileNotFoundError):
                found, remedy = "nothing of that name", similar_file(self.path) or "Check the path"
            elif isinstance(error, IsADirectoryError):
                found, remedy = "a folder", "Name a file in it"
            problem = f"expected a trace file, found {found}"
            raise TraceError(problem, place=source_name(self.path), remedy=remedy) from error

    def _look_at(self, raw: bytes, stream: Iterable[bytes], line: int) -> list[bytes]:
        """Find out the kind by the first line, or those after a comment; refuse what is not read.

        Returns:
            The lines that were taken from the stream for it.
        """
        ahead = []
        start = _NOT_JSON.get(raw.lstrip()[:1])
        if start or raw.strip() in _SPREAD:  # what the file is shows in the lines that follow
            ahead = list(islice(stream, N_LINES))
        self.kind = kind_of(b"".join((raw, *ahead)).lstrip())
        if self._readable is not None and self.kind not in self._readable:
            _refuse(self.kind, start, f"{source_name(self.path)}:{line}")
        return ahead


def _refuse(kind: str, start: str | None, place: str) -> None:
    """Raise if the file is of a kind that is not read; `start` says what its first line is."""
    if kind in ("", TRACES, STATES, JSON):
        if start is None:
            return
        kind = start
    if kind in (DOMAIN, PROBLEM):
        remedy = "Traces are made from a domain and its problems with `dias sample`"
    elif kind == PLAN:
        remedy = (
            "A plan shows no states; with its domain and problem `dias convert` makes a trace"
            " (dias-trace/1) of it"
        )
    elif kind == GZIP:
        remedy = "Give it a name that ends in .gz"
        if place.startswith(source_name("-")):
            remedy = "Decompress it on the way: gzip -dc FILE | dias learn -"
    elif kind in NOT_UTF_8:
        remedy = remedy_for(kind)
    else:
        remedy = f"The format that is read is {FORMATS}, others by `dias convert -f`"
    raise TraceError(
        f"expected a trace file (JSON Lines), found {kind}", place=place, remedy=remedy
    )


def text_of(lines: Iterable[tuple[int, bytes]], source: str) -> str:
    """The text that lines come from: those that are left out are blank.

    Raises:
        TraceError: It is not UTF-8.
    """
    parts: list[str] = []
    for number, raw in lines:
        parts += [""] * (number - 1 - len(parts))
        try:
            parts.append(raw.decode().rstrip("\r\n"))
        except UnicodeDecodeError as error:
            raise TraceError(
                f"expected UTF-8 text, found 0x{raw[error.start]:02x} as byte {error.start + 1}"
                " of the line",
                place=f"{source}:{number}",
                remedy="Save the file as UTF-8",
            ) from None
    return "\n".join(parts)


def _refuse_plain(path: str | os.PathLike[str]) -> None:
    """Raise if a file that is called gzip is none."""
    with open(path, "rb") as stream:
        kind = kind_of(stream.read(N_BYTES))
    if kind != GZIP:
        raise TraceError(
            f"expected gzip data, since the name ends in .gz, found {kind or 'other data'}",
            place=source_name(path),
            remedy="Rename the file, or compress it",
        )


def _open(path: str | os.PathLike[str]) -> AbstractContextManager[Iterable[bytes]]:
    if path == "-":
        return nullcontext(sys.stdin.buffer)
    if os.fspath(path).endswith(".gz"):
        return gzip.open(path, "rb")
    return open(path, "rb")


CUT_SHORT = "unexpected end of data"
"""What Python says of UTF-8 that ends within a character."""


class _NotFiniteError(ValueError):
    """NaN or Infinity, which Python's parser takes and JSON does not have."""


class _RepeatedKeyError(Exception):
    """A key that stands twice in one object; Python's parser takes the last one."""


def _refuse_constant(constant: str) -> None:
    raise _NotFiniteError(constant)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object of its keys and values."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _RepeatedKeyError(next(key for key in keys if keys.count(key) > 1))
    return found


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_object)


def parse_json(raw: bytes) -> object:
    """The JSON value of a line.

    Raises:
        FieldError: Not UTF-8, not JSON, cut off, NaN, Infinity, or a key twice in one object.
    """
    try:
        text = raw.decode().rstrip("\r\n")
        try:
            return _DECODER.decode(text)
        except _NotFiniteError as error:
            constant = str(error)
            line = json.loads(text)  # an error in the JSON that follows goes first
    except _RepeatedKeyError as error:
        key = describe(str(error))
        raise FieldError("", "each key once", f"{key} twice", "Keep one of the two") from None
    except (ValueError, RecursionError) as error:
        reason = error.reason if isinstance(error, UnicodeDecodeError) else CUT_SHORT
        if reason == CUT_SHORT and not raw.endswith(b"\n"):  # only the last line can lack its end
            raise FieldError("", "a whole line", "one that is cut off (truncated file)") from None
        if isinstance(error, UnicodeDecodeError):
            raise FieldError(
                "",
                "UTF-8 text",
                f"0x{raw[error.start]:02x} as byte {error.start + 1} of the line",
                "Save the file as UTF-8; the name of a gzip file must end in .gz",
            ) from None
        if isinstance(error, json.JSONDecodeError):
            found = f'something else at column {error.pos + 1} ("{error.msg}")'
        else:
            found = "a number too long or a nesting too deep"
        is_spread = raw.strip() in _SPREAD
        remedy = "Write each object on one line, without an array around them" if is_spread else ""
        raise FieldError("", "one JSON object a line", found, remedy) from None
    raise FieldError(_not_finite_field(line), "a name or a finite number", constant)


def _not_finite_field(line: object) -> str:
    """Where in a line NaN or Infinity stands."""
    stack = [("", line)]
    while stack:
        place, value = stack.pop()
        if isinstance(value, float) and not math.isfinite(value):
            return place
        if isinstance(value, list):
            stack += [(f"{place}[{number}]", item) for number, item in enumerate(value)]
        elif isinstance(value, dict):
            for key, item in value.items():
                name = key if NAME.fullmatch(key) and key.isprintable() else describe(key)
                stack.append((f"{place}.{name}" if place else name, item))
    return ""
