"""Reads trace files: ``dias-trace/1``, those of other projects, and the same from memory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import chain, groupby
from typing import TYPE_CHECKING, NamedTuple

from dias.errors import TraceError
from dias.file_kinds import DIALECTS
from dias.traces.reading.collector import Collector
from dias.traces.reading.header import VERSION
from dias.traces.reading.lines import Lines, source_name, text_of
from dias.traces.record import LabelMode, Traces
from dias.traces.writer import Block, Step, segment_header, step_record

if TYPE_CHECKING:
    from dias.traces.dialects.home import Home


class OrderedTraces(NamedTuple):
    """A trace file with its steps in their order.

    Attributes:
        traces: What `read_traces` returns.
        blocks: Headers with their steps, repeats and refused ones included.
        dialect: What the file is: one of `dias.traces.dialects.read.NAMES`, or ``trace/1``.
        notes: What is worth knowing of how it was read.
    """

    traces: Traces
    blocks: list[Block]
    dialect: str
    notes: list[str]


def read_traces(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    labels: LabelMode | None = None,
    skip_bad_lines: bool = False,
    keep_walks: bool = False,
) -> Traces:
    """Read trace files, of this format or of other projects.

    Args:
        path: The file; a name ending in ``.gz`` is decompressed, ``-`` is standard input. Of
            several files all is returned that one would hold in which they stand one after
            another, but for headers, which end with their file.
        labels: What the action arguments are, whatever the headers say.
        skip_bad_lines: Drop the lines that break the format; a warning is logged that says how
            many they are and what is wrong with the first. A bad header is an error all the
            same, since the lines after it depend on it.
        keep_walks: Let all transitions say their place in a walk; else those alone do that come
            after the first that is not certain. Equal ones at different places stay apart.

    Returns:
        The distinct transitions with counts. Nothing in it depends on the order of keys or atoms.

    Raises:
        TraceError: A file cannot be read, breaks the format, does not fit those before it, or is
            named twice.
        InsufficientTracesError: A file holds no transition.
    """
    paths = [path] if isinstance(path, str | os.PathLike) else list(path)
    sources = list(map(source_name, paths))
    _refuse_repeats(paths, sources)
    collector = Collector(sources, labels, skip_bad_lines, keep_walks=keep_walks)
    for own in paths:
        _read(own, collector)
        if len(paths) > 1:
            collector.check_steps()
    return collector.traces()


def _refuse_repeats(paths: Sequence[str | os.PathLike[str]], sources: Sequence[str]) -> None:
    """Raise unless there is a file, and each is named once: a step in it would count twice."""
    if not paths:
        raise TraceError("expected a trace file, found none", remedy="Name one")
    seen: dict[str | os.PathLike[str], str] = {}
    for path, source in zip(paths, sources, strict=True):
        file = path
        if path != "-":
            with suppress(ValueError):  # it holds a NUL character, which reading it says
                file = os.path.realpath(path)
        if file in seen:
            raise TraceError(
                f"expected each file once, found it twice (before as {seen[file]})",
                place=source,
                remedy="Name it once: repeats would count as further samples",
            )
        seen[file] = source


def read_blocks(
    path: str | os.PathLike[str],
    *,
    labels: LabelMode | None = None,
    skip_bad_lines: bool = False,
    dialect: str | None = None,
    home: Home | None = None,
) -> OrderedTraces:
    """Read a trace file, and keep its steps in their order, to be written in another format.

    Args:
        path: As for `read_traces`.
        labels: As for `read_traces`.
        skip_bad_lines: As for `read_traces`.
        dialect: One of `dias.traces.dialects.read.NAMES`; None to find out.
        home: The domain, or the problem too, that the traces are of.

    Raises:
        TraceError: As for `read_traces`.
        InsufficientTracesError: As for `read_traces`.
    """
    ordered: list[tuple[int, Step]] = []
    collector = Collector([source_name(path)], labels, skip_bad_lines, ordered)
    _read(path, collector, dialect, home)
    traces = collector.traces()
    headers = [segment_header(traces, own, own.is_open) for own in traces.segments]
    blocks: list[Block] = [
        (headers[number], [step for _, step in steps])
        for number, steps in groupby(ordered, key=lambda entry: entry[0])
    ]
    return OrderedTraces(traces, blocks, collector.dialect, collector.notes)


def _read(
    path: str | os.PathLike[str],
    reader: Collector,
    dialect: str | None = None,
    home: Home | None = None,
) -> None:
    """Have all of a file taken in; `dialect` and `home` as for `read_blocks`."""
    name = source_name(path)
    reader.begin(name)
    lines = Lines(path, None if dialect else DIALECTS)
    numbered = iter(lines)
    first = next(numbered, None)  # with it the kind of the file is known
    content = () if first is None else chain([first], numbered)
    if dialect or lines.kind in DIALECTS:
        from dias.traces.dialects.read import read_dialect  # few files need it

        found = read_dialect(text_of(content, name), name, lines.kind, dialect, home)
        reader.dialect = found.dialect
        reader.notes += found.findings
        for entry in found.entries:
            reader.take(entry.value, entry.line, entry)
        return
    if home is not None:
        reader.take({"dias": VERSION} | home.header(), 0)
    for line, raw in content:
        reader.read(raw, line)


def collect_traces(blocks: Iterable[Block], source: str = "<memory>") -> Traces:
    """Traces from headers and steps in memory: what reading the file would give.

    Args:
        blocks: Headers and steps, as for `dias.traces.writer.write_traces`.
        source: The name that messages give to them; the number in a place counts header and steps.

    Raises:
        TraceError: A header or a step breaks the format.
        InsufficientTracesError: There is no step.
    """
    reader = Collector([source], None, False)
    reader.begin(source)
    records = (chain([header], map(step_record, steps)) for header, steps in blocks)
    for line, record in enumerate(chain.from_iterable(records), start=1):
        reader.take(record, line)
    return reader.traces()
