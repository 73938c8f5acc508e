"""Writes ``dias-trace/1`` files, one step at a time."""

from __future__ import annotations

import gzip
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from typing import IO, NamedTuple

from dias.errors import TraceError
from dias.files import open_atomically
from dias.strips.model import Atom, Domain, Instance, Predicate
from dias.traces.reading.header import STATES_VERSION, VERSION
from dias.traces.record import HALF, LabelMode, Segment, Soft, Traces

GZIP_LEVEL = 6


class Step(NamedTuple):
    """One line to write.

    Attributes:
        state: The atoms true before, without the static ones of the header.
        action: The action name.
        arguments: The arguments that the labels let through.
        next_state: The atoms true after; None if the action was refused.
        trace: The walk that the step belongs to.
        step: Its place in the walk.
        applicable: Name and arguments of what is applicable in the state; None: nothing is said.
        soft: The atoms of the state that are not certain, and those of an open header that are
            false for sure, with their probabilities.
        next_soft: The same of the state after.
    """

    state: Iterable[Atom]
    action: str
    arguments: tuple[str, ...]
    next_state: Iterable[Atom] | None
    trace: str | int | None = None
    step: int | None = None
    applicable: Iterable[tuple[str, tuple[str, ...]]] | None = None
    soft: Soft = frozenset()
    next_soft: Soft = frozenset()


Block = tuple[Mapping[str, object], Iterable[Step]]
"""A header, as `trace_header` makes it, and the steps that it holds for."""


def trace_header(
    *,
    domain: str,
    problem: str,
    labels: LabelMode,
    types: Mapping[str, str],
    predicates: Iterable[Predicate],
    objects: Mapping[str, str],
    actions: Iterable[str],
    static: Iterable[Atom] = (),
    constants: Iterable[str] = (),
    one_of: Iterable[Iterable[Atom]] = (),
    is_open: bool = False,
) -> dict[str, object]:
    """The JSON object of a header line; everything in it is sorted.

    An empty domain or problem name is left out, and so are ``constants`` (the objects that are
    constants of the domain) and ``one-of`` if there are none, and ``unlisted`` unless the header is
    open: what is not listed is unknown. A parameter with several types (``either``) becomes an
    array of them.
    """
    header: dict[str, object] = {"dias": VERSION}
    if domain:
        header["domain"] = domain
    if problem:
        header["problem"] = problem
    known, groups = sorted(constants), [[str(atom) for atom in group] for group in one_of]
    return header | {
        "labels": labels.value,
        "types": dict(sorted(types.items())),
        "predicates": {
            name: [either[0] if len(either) == 1 else sorted(either) for either in parameters]
            for name, parameters in sorted(predicates)
        },
        "objects": dict(sorted(objects.items())),
        **({"constants": known} if known else {}),
        "actions": sorted(actions),
        "static": _texts(static),
        **({"one-of": groups} if groups else {}),
        **({"unlisted": "unknown"} if is_open else {}),
    }


def problem_header(
    domain: Domain, instance: Instance, static: frozenset[Atom]
) -> dict[str, object]:
    """The header that declares a problem of a domain, with labels ``names``."""
    return trace_header(
        domain=domain.name,
        problem=instance.name,
        labels=LabelMode.NAMES,
        types=domain.types,
        predicates=domain.predicates,
        objects={**instance.objects, **domain.constants},
        constants=domain.constants,
        actions=[action.name for action in domain.actions],
        static=static,
    )


def segment_header(traces: Traces, segment: Segment, is_open: bool) -> dict[str, object]:
    """The header of a segment of traces; `is_open`: what its states do not list is unknown."""
    return trace_header(
        domain=traces.domain,
        problem=segment.problem,
        labels=traces.labels,
        types=traces.types,
        predicates=traces.predicates,
        objects=segment.objects,
        actions=traces.actions,
        static=segment.static,
        constants=traces.constants,
        one_of=segment.one_of,
        is_open=is_open,
    )


def write_traces(path: str | os.PathLike[str], blocks: Iterable[Block]) -> int:
    """Write a trace file, whole or not at all.

    The same blocks give the same bytes, compressed or not. Blocks and steps are taken one at a
    time, so they may come from generators.

    Args:
        path: The file; a name ending in ``.gz`` is compressed, ``-`` is standard output.
        blocks: Headers with their steps.

    Returns:
        The number of steps written.

    Raises:
        TraceError: The file cannot be written.
    """
    return _write(path, ((header, map(step_record, steps)) for header, steps in blocks))


def write_states(
    path: str | os.PathLike[str],
    problems: Iterable[tuple[Mapping[str, object], Iterable[Iterable[Atom]]]],
) -> int:
    """Write states: for each problem a header line (``"dias": "states/1"``), then a state a line.

    Args:
        path: As for `write_traces`.
        problems: Headers, as `trace_header` makes them, and the states that they hold for.

    Returns:
        The number of states written.

    Raises:
        TraceError: The file cannot be written.
    """
    return _write(
        path,
        (
            ({**header, "dias": STATES_VERSION}, ({"state": _texts(state)} for state in states))
            for header, states in problems
        ),
    )


@contextmanager
def open_whole(path: str | os.PathLike[str]) -> Iterator[IO[bytes] | gzip.GzipFile]:
    """A stream whose content becomes the file `path` at the end, and only if nothing goes wrong.

    ``-`` and what is not a regular file (a pipe, a device) are written directly; a name ending in
    ``.gz`` is compressed.

    Raises:
        TraceError: The file cannot be written.
    """
    if path == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with open_atomically(path, TraceError) as file:
        if os.fspath(path).endswith(".gz"):
            # No name and no time in the gzip header: the same content gives the same bytes.
            with gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0) as compressed:
                yield compressed
        else:
            yield file


def step_record(step: Step) -> dict[str, object]:
    """The JSON object of a transition line."""
    record: dict[str, object] = {
        "state": _values(step.state, step.soft),
        "action": str(Atom(step.action, step.arguments)),
        "next": None if step.next_state is None else _values(step.next_state, step.next_soft),
    }
    for key, soft in (("unknown", step.soft), ("next-unknown", step.next_soft)):
        if unknown := [atom for atom, probability in soft if probability == HALF]:
            record[key] = _texts(unknown)
    if step.applicable is not None:
        record["applicable"] = _texts(Atom(*action) for action in step.applicable)
    if step.trace is not None:
        record["trace"] = step.trace
    if step.step is not None:
        record["step"] = step.step
    return record


def line(record: Mapping[str, object]) -> bytes:
    """A JSON object as a line of a file."""
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode() + b"\n"


def _values(state: Iterable[Atom], soft: Soft) -> list[object]:
    """The atoms that hold for sure, then pairs; those that are unknown stand elsewhere."""
    if not soft:
        return [*_texts(state)]
    pairs = sorted((str(atom), probability) for atom, probability in soft)
    certain = set(state).difference(atom for atom, _ in soft)
    return [*_texts(certain), *([text, p] for text, p in pairs if p != HALF)]


def _texts(atoms: Iterable[Atom]) -> list[str]:
    return sorted(map(str, atoms))


def _write(
    path: str | os.PathLike[str],
    blocks: Iterable[tuple[Mapping[str, object], Iterable[Mapping[str, object]]]],
) -> int:
    """Write headers, each with the lines after it; how many those are, all headers together."""
    n_lines = 0
    with open_whole(path) as stream:
        for header, records in blocks:
            n_lines -= 1
            for record in chain([header], records):
                stream.write(line(record))
                n_lines += 1
    return n_lines
