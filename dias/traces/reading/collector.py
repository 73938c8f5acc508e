"""Takes in the lines of trace files and keeps what is distinct in them."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite

from dias.errors import InsufficientTracesError, TimeLimitError, TraceError, did_you_mean
from dias.limits import OutOfTimeError, check
from dias.strips.model import Atom
from dias.traces.dialects.seen import Entry
from dias.traces.places import Line, names, place_of
from dias.traces.reading.assemble import Attempt, Beliefs, CountAndLine, Occurrences, assemble
from dias.traces.reading.beliefs import Seen
from dias.traces.reading.fields import FieldError, describe
from dias.traces.reading.header import VERSION, Header, parse_header
from dias.traces.reading.lines import parse_json
from dias.traces.reading.masks import Listings
from dias.traces.reading.scope import KEYS, Pool, Scope
from dias.traces.reading.vocabulary import Vocabulary
from dias.traces.reading.walks import WalkChecks
from dias.traces.record import LabelMode, Soft, Traces
from dias.traces.writer import Step

log = logging.getLogger(__name__)

HEADER_KEY = re.compile(rb'"dias"\s*:')


class Collector:
    """Takes in lines, one after another.

    Args:
        sources: The files, as they are named in messages; `begin` says which of them is read.
        labels: What the action arguments are, whatever the headers say.
        skip_bad_lines: Whether to drop lines that break the format.
        ordered: Where segment and step of each line are added, in their order.
        keep_walks: Whether steps say their place in a walk even where all is certain; equal ones at
            different places then stay apart.

    Attributes:
        dialect: What the file that was read last is.
        notes: What is worth knowing of how the files were read; they become findings.
    """

    def __init__(
        self,
        sources: Sequence[str],
        labels: LabelMode | None,
        skip_bad_lines: bool,
        ordered: list[tuple[int, Step]] | None = None,
        keep_walks: bool = False,
    ) -> None:
        self._sources = sources
        self._source = sources[0]
        self._last = self._n_before = 0
        self._ordered = ordered
        self.dialect = VERSION
        self.notes: list[str] = []
        self._labels = labels
        self._skip_bad_lines = skip_bad_lines
        self._keep_walks = keep_walks
        self._n_lines = 0
        self._n_dropped = 0
        self._first_dropped = ""
        self._vocabulary = Vocabulary()
        self._pool: Pool = {}
        self._scopes: dict[Header, Scope] = {}
        self._segments: list[Scope] = []
        self._transitions: dict[tuple[Attempt, frozenset[Atom], Beliefs], Occurrences] = {}
        self._refused: dict[tuple[Attempt, Soft], CountAndLine] = {}
        self._listings: Listings = {}
        self._walks = WalkChecks()
        self._odd_keys: dict[str, tuple[str, int]] = {}

    def begin(self, source: str) -> None:
        """Go on with another file: lines are numbered anew, and its headers are its own."""
        self._source = source
        self._n_before = self._last
        self._scope: Scope | None = None
        self._is_idle = True

    def check_steps(self) -> None:
        """Refuse a file that adds nothing to the others.

        Raises:
            InsufficientTracesError: It holds no step.
        """
        if self._is_idle:
            raise InsufficientTracesError(
                "expected transitions, found none in this file",
                place=self._source,
                remedy="Leave it out, if that is right",
            )

    def read(self, raw: bytes, line: int) -> None:
        """Take in one line, wholly or not at all.

        Raises:
            TraceError: It breaks the format and is not to be dropped, or is a header.
        """
        try:
            record = parse_json(raw)
        except FieldError as error:
            self._n_lines += 1
            self._drop(error, self._line(line), HEADER_KEY.search(raw) is not None)
        else:
            self.take(record, line)

    def take(self, record: object, line: int, entry: Entry | None = None) -> None:
        """Take in the JSON value of a line, or what stands for one (`entry`). Errors as `read`."""
        self._n_lines += 1
        line = self._line(line)
        is_header = isinstance(record, dict) and "dias" in record
        try:
            if not isinstance(record, dict):
                raise FieldError("", "a JSON object", describe(record))
            if is_header:
                self._read_header(record, line)
            else:
                self._read_steps(record, line, entry)
        except FieldError as error:
            self._drop(error, line, is_header, entry)

    def _line(self, number: int) -> int:
        """The line of this number in the file that is being read."""
        if len(self._sources) == 1:
            return number
        self._last = max(self._last, self._n_before + number)
        return Line(self._n_before + number, self._source, number)

    def _drop(
        self, error: FieldError, line: int, is_header: bool, entry: Entry | None = None
    ) -> None:
        """Leave out a bad line if that is wanted and possible, else raise what is wrong with it."""
        problem = error.problem
        remedy = error.remedy() or "Correct the line, or leave it out with --skip-bad-lines"
        if is_header:
            remedy = error.remedy() or "Correct the header"
        elif entry:
            number, part = entry.place(error.field)
            line = self._line(number)
            problem = f"step {entry.step}, {part}: {error.finding}"
            remedy = error.suggestion() or "Correct the step, or leave it out with --skip-bad-lines"
        where = place_of(self._source, line)
        if self._skip_bad_lines and not is_header:
            self._n_dropped += 1
            self._first_dropped = self._first_dropped or f"{where}: {problem}"
            return
        raise TraceError(problem, place=where, remedy=remedy) from None

    def _read_header(self, record: Mapping[str, object], line: int) -> None:
        for key in ("state", "next", "states"):
            if key in record:
                raise FieldError("", "states on lines of their own", f'"{key}" in a header')
        header = parse_header(record, line)
        log.debug(
            "%s: header of problem %s",
            place_of(self._source, line), header.problem or "(unnamed)",
        )  # fmt: skip
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

    def _check_time(self, line: int) -> None:
        try:
            check()
        except OutOfTimeError:
            raise TimeLimitError(
                "the time limit ended before the file was read",
                place=f"{self._source}:{line}",
                remedy="Allow more time (--time-limit), or give a shorter file",
            ) from None

    def _read_steps(
        self, record: Mapping[str, object], line: int, entry: Entry | None = None
    ) -> None:
        own = entry.lines if entry else {}
        lines = {key: self._line(numbers[0]) for key, numbers in own.items()}
        if self._scope is None:  # no header stands before the first step
            first = self._line(1) if len(self._sources) > 1 else 0
            self._scope = self._scope_of(Header(line=first))
        scope, self._is_idle = self._scope, False
        trace, said = _walk(record)
        for odd in record.keys() - KEYS:
            where, n_lines = self._odd_keys.get(odd, (place_of(self._source, line), 0))
            self._odd_keys[odd] = where, n_lines + 1
        steps, masks = scope.steps(record, line, lines)
        for state, listing in masks:
            key = self._segment(scope, line), state
            self._listings.setdefault(key, {}).setdefault(listing, line)
        for place, (seen, label, after) in enumerate(steps):
            self._check_time(line)
            attempt = (self._segment(scope, line), seen.atoms, label.name, label.arguments)
            number = place if said is None and "states" in record else said
            if self._ordered is not None:
                step = _step(attempt, seen, after, trace, number)
                self._ordered.append((attempt[0], step))
            if after is None:
                self._refused.setdefault((attempt, seen.soft), [0, line])[0] += 1
            else:
                own_trace = trace
                if "states" in record and trace is None:
                    own_trace = f"line {line}"
                elif trace is not None and len(self._sources) > 1:
                    own_trace = f"{self._source}: {trace}"  # each file counts its own
                is_certain = not (seen.soft or after.soft or scope.rules.is_open)
                if own_trace is not None and number is not None and is_certain:
                    walk = attempt[0], own_trace
                    self._walks.add(walk, number, line, seen.atoms, after.atoms)
                beliefs: Beliefs = ()
                # Where one step is not certain, what is seen in others of its walk says more of it.
                self._keep_walks |= not is_certain
                if self._keep_walks:
                    beliefs = (seen.soft, after.soft, own_trace, number)
                distinct = attempt, after.atoms, beliefs
                occurrences = self._transitions.get(distinct)
                if occurrences is None:
                    occurrences = self._transitions[distinct] = Occurrences(line, own_trace, number)
                occurrences.count += 1
                occurrences.last_line = line

    def _segment(self, scope: Scope, line: int) -> int:
        """The number of a segment, given when it is first used."""
        if scope.index is None:
            if self._segments and self._segments[0].mode is not scope.mode:
                first = self._segments[0]
                raise TraceError(
                    f'expected labels "{first.mode.value}" as in the segment of line'
                    f' {first.header.line or 1}, found "{scope.mode.value}"',
                    place=place_of(self._source, scope.header.line or line),
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
                place=names(self._sources),
                remedy='Each line should hold "state", "action" and "next"',
            )
        log.info(
            "%s: %d lines, %d distinct transitions, %d segment(s)",
            names(self._sources), self._n_lines, len(self._transitions), len(self._segments),
        )  # fmt: skip
        traces = assemble(
            self._sources, self._vocabulary, self._scopes, self._segments, self._transitions,
            self._refused, self._listings,
        )  # fmt: skip
        own = (*self.notes, *self._key_findings(), *self._walks.findings(names(self._sources)))
        return replace(traces, findings=(*own, *traces.findings))

    def _key_findings(self) -> Iterator[str]:
        """Keys of lines that mean nothing, but look much like one that does."""
        for key, (place, n_lines) in sorted(self._odd_keys.items()):
            if close := did_you_mean(key, KEYS):
                yield f"{place}: {describe(key)} means nothing here ({n_lines} line(s)). {close}"


def _walk(record: Mapping[str, object]) -> tuple[str | int | None, int | None]:
    """The walk of a line and its place there, as far as it says them."""
    trace, number = record.get("trace"), record.get("step")
    if isinstance(trace, float) and isfinite(trace):
        trace = int(trace) if trace.is_integer() else str(trace)
    if isinstance(trace, bool) or not isinstance(trace, str | int | None):
        raise FieldError("trace", "a string or a number", describe(trace))
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    if isinstance(number, bool) or not isinstance(number, int | None):
        raise FieldError("step", "a whole number, the place in the walk", describe(number))
    return trace, number


def _step(
    attempt: Attempt, seen: Seen, after: Seen | None, trace: str | int | None, number: int | None
) -> Step:
    """A step as it is written."""
    next_state = None if after is None else after.atoms
    step = Step(*attempt[1:], next_state, trace, number)
    return step._replace(soft=seen.soft, next_soft=after.soft if after else frozenset())
