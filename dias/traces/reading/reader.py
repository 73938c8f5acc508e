"""Reads ``dias-trace/1`` files, line by line, and the same from memory."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterable, Mapping
from itertools import chain

from dias.errors import InsufficientTracesError, TraceError
from dias.strips.model import Atom
from dias.traces.reading.assemble import Attempt, CountAndLines, assemble
from dias.traces.reading.fields import FieldError, describe
from dias.traces.reading.header import Header, parse_header
from dias.traces.reading.lines import parse_json, read_lines, source_name
from dias.traces.reading.masks import Listings
from dias.traces.reading.scope import Pool, Scope
from dias.traces.reading.vocabulary import Vocabulary
from dias.traces.record import LabelMode, Traces
from dias.traces.writer import Block, step_record

log = logging.getLogger(__name__)

HEADER_KEY = re.compile(rb'"dias"\s*:')


def read_traces(
    path: str | os.PathLike[str], *, labels: LabelMode | None = None, skip_bad_lines: bool = False
) -> Traces:
    """Read a trace file.

    Args:
        path: The file; a name ending in ``.gz`` is decompressed, ``-`` is standard input.
        labels: What the action arguments are, whatever the headers say.
        skip_bad_lines: Drop the lines that break the format; a warning is logged that says how
            many they are and what is wrong with the first. A bad header is an error all the
            same, since the lines after it depend on it.

    Returns:
        The distinct transitions with counts. Nothing in it depends on the order of keys or atoms.

    Raises:
        TraceError: The file cannot be read or breaks the format.
        InsufficientTracesError: It holds no transition.
    """
    reader = _Reader(source_name(path), labels, skip_bad_lines)
    for line, raw in read_lines(path):
        reader.read(raw, line)
    return reader.traces()


def collect_traces(blocks: Iterable[Block], source: str = "<memory>") -> Traces:
    """Traces from headers and steps in memory: what reading the file would give.

    Args:
        blocks: Headers and steps, as for `dias.traces.writer.write_traces`.
        source: The name that messages give to them; the number in a place counts header and steps.

    Raises:
        TraceError: A header or a step breaks the format.
        InsufficientTracesError: There is no step.
    """
    reader = _Reader(source, None, skip_bad_lines=False)
    records = (chain([header], map(step_record, steps)) for header, steps in blocks)
    for line, record in enumerate(chain.from_iterable(records), start=1):
        reader.take(record, line)
    return reader.traces()


class _Reader:
    """Takes in lines and keeps what is distinct in them."""

    def __init__(self, source: str, labels: LabelMode | None, skip_bad_lines: bool) -> None:
        self._source = source
        self._labels = labels
        self._skip_bad_lines = skip_bad_lines
        self._n_lines = 0
        self._n_dropped = 0
        self._first_dropped = ""
        self._vocabulary = Vocabulary()
        self._pool: Pool = {}
        self._scopes: dict[Header, Scope] = {}
        self._segments: list[Scope] = []
        self._transitions: dict[tuple[Attempt, frozenset[Atom]], CountAndLines] = {}
        self._refused: dict[Attempt, CountAndLines] = {}
        self._listings: Listings = {}
        self._scope = self._scope_of(Header())

    def read(self, raw: bytes, line: int) -> None:
        """Take in one line, wholly or not at all.

        Raises:
            TraceError: It breaks the format and is not to be dropped, or is a header.
        """
        try:
            record = parse_json(raw)
        except FieldError as error:
            self._n_lines += 1
            self._drop(error, line, HEADER_KEY.search(raw) is not None)
        else:
            self.take(record, line)

    def take(self, record: object, line: int) -> None:
        """Take in the JSON value of a line. Errors as `read`."""
        self._n_lines += 1
        is_header = isinstance(record, dict) and "dias" in record
        try:
            if not isinstance(record, dict):
                raise FieldError("", "a JSON object", describe(record))
            if is_header:
                self._read_header(record, line)
            else:
                self._read_steps(record, line)
        except FieldError as error:
            self._drop(error, line, is_header)

    def _drop(self, error: FieldError, line: int, is_header: bool) -> None:
        """Leave out a bad line if that is wanted and possible, else raise what is wrong with it."""
        place = f"{self._source}:{line}"
        if self._skip_bad_lines and not is_header:
            self._n_dropped += 1
            self._first_dropped = self._first_dropped or f"{place}: {error.problem}"
            return
        remedy = "Correct the line, or leave it out with --skip-bad-lines"
        if is_header:
            remedy = "Correct the header"
        raise TraceError(error.problem, place=place, remedy=error.remedy() or remedy) from None

    def _read_header(self, record: Mapping[str, object], line: int) -> None:
        for key in ("state", "next", "states"):
            if key in record:
                raise FieldError("", "states on lines of their own", f'"{key}" in a header')
        header = parse_header(record, line)
        log.debug("%s:%d: header of problem %s", self._source, line, header.problem or "(unnamed)")
        self._vocabulary.add(header)
        self._scope = self._scope_of(header)

    def _scope_of(self, header: Header) -> Scope:
        """The scope of a header; a header that repeats an earlier one goes on with its segment."""
        scope = self._scopes.get(header)
        if scope is None:
            labels = self._labels or header.labels
            scope = Scope(header, self._vocabulary, self._pool, labels, self._source)
            self._scopes[header] = scope
        return scope

    def _read_steps(self, record: Mapping[str, object], line: int) -> None:
        steps, masks = self._scope.steps(record, line)
        for state, listing in masks:
            self._listings.setdefault((self._segment(line), state), {}).setdefault(listing, line)
        for state, label, next_state in steps:
            attempt = (self._segment(line), state, label.name, label.arguments)
            if next_state is None:
                self._refused.setdefault(attempt, [0, line])[0] += 1
            else:
                count_and_lines = self._transitions.setdefault(
                    (attempt, next_state), [0, line, line]
                )
                count_and_lines[0] += 1
                count_and_lines[2] = line

    def _segment(self, line: int) -> int:
        """The number of the current segment, given when it is first used."""
        scope = self._scope
        if scope.index is None:
            if self._segments and self._segments[0].mode is not scope.mode:
                first = self._segments[0]
                raise TraceError(
                    f'expected labels "{first.mode.value}" as in the segment of line'
                    f' {first.header.line or 1}, found "{scope.mode.value}"',
                    place=f"{self._source}:{scope.header.line or line}",
                    remedy='Give all headers the same "labels", or pass --labels',
                )
            scope.index = len(self._segments)
            self._segments.append(scope)
        return scope.index

    def traces(self) -> Traces:
        """All that was read.

        Raises:
            InsufficientTracesError: There is no transition.
        """
        if self._n_dropped:
            log.warning(
                "%d of %d line(s) dropped, the first: %s",
                self._n_dropped, self._n_lines, self._first_dropped,
            )  # fmt: skip
        if not self._transitions:
            refused = f" but {len(self._refused)} refused attempt(s)" if self._refused else ""
            raise InsufficientTracesError(
                f"expected transitions, found no transitions{refused}",
                place=self._source,
                remedy='Each line should hold "state", "action" and "next"',
            )
        log.info(
            "%s: %d lines, %d distinct transitions, %d segment(s)",
            self._source, self._n_lines, len(self._transitions), len(self._segments),
        )  # fmt: skip
        return assemble(
            self._source, self._vocabulary, self._scopes, self._segments, self._transitions,
            self._refused, self._listings,
        )  # fmt: skip
