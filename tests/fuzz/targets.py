"""What must hold whatever a file contains: it is read, or refused in the way that is documented.

Each target takes one input and raises AssertionError, or what the library should not have raised.
"""

from __future__ import annotations

import gzip
import tempfile
from collections import Counter
from pathlib import Path

from dias.errors import DiasError, PDDLInputError, PlanError, TraceError
from dias.planning.plan_file import parse_plan
from dias.strips.pddl.reader import parse_domain, parse_problem
from dias.strips.pddl.writer import format_domain, format_problem
from dias.traces.dialects.write import write_trajectories
from dias.traces.reading.reader import read_blocks, read_traces
from dias.traces.record import LabelMode, Traces
from dias.traces.writer import Step, trace_header, write_traces
from tests.cli.helpers import DOMAIN
from tests.fuzz.inputs import PORT

HOMES = [parse_domain(DOMAIN), parse_domain(PORT)]


def is_documented(error: DiasError) -> None:
    """A message of one printable line with place, expectation, finding and remedy."""
    assert error.place
    assert error.remedy
    assert "expected " in error.problem
    assert str(error).isprintable(), str(error)
    assert len(str(error)) < 3000


def traces(
    data: bytes,
    labels: LabelMode | None,
    skip_bad_lines: bool,
    compress: bool,
    damage: tuple[int, bytes] | None = None,
) -> None:
    """A trace file, plain or compressed; `damage` is put over bytes of the compressed file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("t.jsonl.gz" if compress else "t.jsonl")
        if compress:
            data = gzip.compress(data, 1, mtime=0)
            if damage is not None:
                place, other = damage
                data = data[:place] + other + data[place + len(other) :]
        path.write_bytes(data)
        try:
            read = read_traces(path, labels=labels, skip_bad_lines=skip_bad_lines)
        except TraceError as error:
            is_documented(error)
            return
        are_whole(read)
        back = again(read, Path(folder) / "again.jsonl")
        assert (content(back), back.constants) == (content(read), read.constants)


def dialects(text: str, dialect: str | None, skip_bad_lines: bool) -> None:
    """A trace of another project, found out or asked for, that is then written as AMLGym's."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.txt"
        path.write_bytes(text.encode(errors="surrogatepass"))
        try:
            found = read_blocks(path, dialect=dialect, skip_bad_lines=skip_bad_lines)
        except TraceError as error:
            is_documented(error)
            return
        are_whole(found.traces)
        assert all(note.isprintable() for note in found.notes)
        assert content(again(found.traces, Path(folder) / "again.jsonl")) == content(found.traces)
        try:
            texts = write_trajectories(found.blocks, "amlgym").texts
        except TraceError as error:  # there is no word for an atom that is not certain
            assert "expected states in which every atom is certain" in error.problem
            assert found.traces.is_soft
            return
        path.write_text("".join(texts), "utf-8")
        back = read_traces(path, labels=found.traces.labels)
        assert back.n_steps == found.traces.n_steps


def plan(text: str) -> None:
    """A plan file."""
    try:
        steps = parse_plan(text, "p.txt")
    except PlanError as error:
        is_documented(error)
        return
    written = "".join(f"{step.action}\n" for step in steps)
    assert [step.action for step in parse_plan(written)] == [step.action for step in steps]


def are_whole(read: Traces) -> None:
    """Every name is declared, every count is right, every message can be shown."""
    assert read.n_steps >= len(read.transitions) >= 1
    assert all(finding.isprintable() for finding in read.findings)
    assert all(read.constants.items() <= segment.objects.items() for segment in read.segments)
    arities = {predicate.name: predicate.arity for predicate in read.predicates}
    for step in read.transitions:
        segment = read.segments[step.segment]
        assert step.action in read.actions
        assert set(step.arguments) <= segment.objects.keys()
        assert not (step.state | step.next_state) & segment.static
        for atom in step.state | step.next_state | segment.static:
            assert arities[atom.predicate] == len(atom.terms)
            assert set(atom.terms) <= segment.objects.keys()


def content(read: Traces) -> Counter[object]:
    """The transitions with all that they mean, whatever lines and segments they stand in."""
    found: Counter[object] = Counter()
    for step in read.transitions:
        segment = read.segments[step.segment]
        home = (segment.problem, tuple(segment.objects.items()), segment.static)
        found[home, step.state, step.action, step.arguments, step.next_state] += step.count
    return found


def again(read: Traces, path: Path) -> Traces:
    """The traces written and read."""
    blocks = [
        (
            trace_header(
                domain=read.domain,
                problem=segment.problem,
                labels=read.labels,
                types=read.types,
                predicates=read.predicates,
                objects=segment.objects,
                constants=read.constants,
                actions=read.actions,
                static=segment.static,
            ),
            [
                Step(step.state, step.action, step.arguments, step.next_state)
                for step in read.transitions
                if step.segment == number
                for _ in range(step.count)
            ],
        )
        for number, segment in enumerate(read.segments)
    ]
    write_traces(path, blocks)
    return read_traces(path)


def domain(text: str) -> None:
    """A domain file."""
    try:
        read = parse_domain(text, "d.pddl")
    except PDDLInputError as error:
        is_documented(error)
        return
    written = format_domain(read)
    assert code(format_domain(parse_domain(written))) == code(written)


def problem(text: str) -> None:
    """A problem file of one of two domains."""
    for home in HOMES:
        try:
            read = parse_problem(text, home, "p.pddl")
        except PDDLInputError as error:
            is_documented(error)
            continue
        written = format_problem(read, home)
        assert code(format_problem(parse_problem(written, home), home)) == code(written)


def code(text: str) -> list[str]:
    """The lines that are no comments: a name that was respelled is said in one, the first time."""
    return [line for line in text.splitlines() if not line.startswith(";")]
