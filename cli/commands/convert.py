"""`dias convert`: traces of other projects, and plans, to trace files, and back."""

from __future__ import annotations

import os
import re
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dias.errors import PlanError, TraceError
from dias_cli.common import (
    FILE,
    STDIN,
    STDOUT,
    STREAM,
    check_outputs,
    echo_json,
    json_option,
    labels_option,
    output_option,
    skip_bad_lines_option,
)
from dias_cli.convert_problem import PROBLEM, convert_problem

if TYPE_CHECKING:
    from dias.strips.model import Domain, Instance
    from dias.traces.record import LabelMode
    from dias.traces.writer import Block

PLAN = "plan"
DIALECTS = ("amlgym", "sam", "l1", "nolam", "offlam", "fama", "planminer", "pddlgym", PLAN, PROBLEM)
JSONL = "jsonl"
TARGETS = (JSONL, "amlgym", "sam")


@click.command("convert")
@click.argument("inputs", metavar="IN...", type=STREAM, nargs=-1, required=True)
@output_option("File; .gz compresses.")
@click.option(
    "-f",
    "--from",
    "dialect",
    type=click.Choice(DIALECTS),
    help="What the files are, whatever they look like. Without it that is found out, and said.",
)
@click.option(
    "--to",
    "target",
    type=click.Choice(TARGETS),
    default=JSONL,
    help="jsonl: a trace file (dias-trace/1); amlgym, sam: trajectories of s-expressions.",
)
@click.option("--domain", type=FILE, help="The domain: types, predicates, constants.")
@click.option(
    "--problem",
    "problems",
    type=FILE,
    multiple=True,
    help="The problem, for its objects; once for all files, or once for each, in their order.",
)
@labels_option
@skip_bad_lines_option
@json_option
def command(
    inputs: tuple[str, ...],
    output: str,
    dialect: str | None,
    target: str,
    domain: Path | None,
    problems: tuple[Path, ...],
    labels: str,
    skip_bad_lines: bool,
    as_json: bool,
) -> None:
    """Make a trace file of IN: traces of other projects, plans with their problem, trace files.

    A problem without types gets those of --domain, which may be a learned one.

    Read are the formats of AMLGym, SAM, L1, NOLAM, OffLAM, FAMA and PlanMiner, literals as PDDLGym
    prints them, plans (with --domain and --problem). --to amlgym and --to sam are the way back.
    """
    from dias.report.text import plural
    from dias.strips.pddl.reader import read_domain, read_problem
    from dias.traces.record import LabelMode
    from dias.traces.writer import write_traces

    if problems and domain is None:
        raise click.UsageError("--problem needs --domain: its objects have the types of that")
    if len(problems) not in (0, 1, len(inputs)):
        raise click.UsageError(
            f"--problem is given {len(problems)} times for {len(inputs)} files: give it once, or "
            "once for each"
        )
    if inputs.count(STDIN) > 1:
        raise click.UsageError("standard input can be read once")
    if as_json and output == STDOUT:
        raise click.UsageError("--json prints to standard output: name a file with -o")
    if dialect == PROBLEM or (domain and any(_is(PROBLEM, path, dialect) for path in inputs)):
        convert_problem(inputs, output, domain, as_json)
        return
    files = [path for path in inputs if path != STDIN]
    check_outputs([output], [*files, *([domain] if domain else []), *problems])
    mode = None if labels == "auto" else LabelMode(labels)
    # What happens in them and where they begin is asked for by plans alone.
    has_plan = any(_is(PLAN, path, dialect) for path in inputs)
    true = read_domain(domain, has_plan) if domain else None
    instances: list[Instance | None] = [None] * len(inputs)
    if true and problems:
        read = [read_problem(path, true, False, has_plan) for path in problems]
        instances = [*(read * len(inputs) if len(read) == 1 else read)]
    parts: list[tuple[str, list[Block]]] = []
    summary = []
    for path, instance in zip(inputs, instances, strict=True):
        own, found, notes = _read(path, dialect, true, instance, mode, skip_bad_lines)
        for note in notes:
            click.echo(f"note: {note}", err=True)
        parts.append((path, own))
        summary.append(
            {"file": path, "dialect": found, "transitions": _n_transitions(own), "notes": notes}
        )
    if len(parts) > 1:
        _check_fit(parts)
    blocks = [block for _, own in parts for block in own]
    if target == JSONL:
        merged = [
            (header, [step for _, steps in same for step in steps])
            for header, same in groupby(blocks, key=lambda block: block[0])
        ]
        write_traces(output, merged)
        written = [output]
    else:
        written = _write_trajectories(output, blocks, target, files)
    n_transitions = _n_transitions(blocks)
    name = "standard output" if output == STDOUT else ", ".join(written[:3])
    more = f" and {len(written) - 3} more" if len(written) > 3 else ""
    click.echo(f"{name}{more}: {plural(n_transitions, 'transition')}", err=True)
    if as_json:
        echo_json({"files": written, "to": target, "transitions": n_transitions, "inputs": summary})


def _n_transitions(blocks: list[Block]) -> int:
    """How many steps there are, without the refused attempts."""
    return sum(step.next_state is not None for _, steps in blocks for step in steps)


def _check_fit(parts: list[tuple[str, list[Block]]]) -> None:
    """Refuse files that say different things of the same names.

    Raises:
        TraceError: They do; it names the first file that does not fit those before it.
    """
    from dias.traces.reading.reader import collect_traces

    def collect(n_files: int) -> None:
        collect_traces(block for _, own in parts[:n_files] for block in own)

    try:
        collect(len(parts))
    except TraceError:
        for number, (path, _) in enumerate(parts, start=1):
            try:
                collect(number)
            except TraceError as error:
                earlier = re.compile(r" as in (the segment of )?line \d+")
                raise TraceError(
                    earlier.sub(" as in the files before", error.problem),
                    place=path,
                    remedy="Convert files apart that do not belong together",
                ) from error


def _read(
    path: str,
    dialect: str | None,
    domain: Domain | None,
    instance: Instance | None,
    mode: LabelMode | None,
    skip_bad_lines: bool,
) -> tuple[list[Block], str, list[str]]:
    """Headers with their steps, the dialect, and what is worth knowing of how they were read."""
    from dias.traces.dialects.home import Home
    from dias.traces.findings import unchanging_findings
    from dias.traces.reading.reader import read_blocks
    from dias.traces.record import LabelMode

    if _is(PLAN, path, dialect):
        if domain is None or instance is None:
            raise PlanError(
                "expected a file that shows states, found a plan",
                place=path,
                remedy="With --domain and --problem a trace (dias-trace/1) is made of it",
            )
        from dias.planning.plan_sample import plan_block

        block = plan_block(path, domain, instance, mode or LabelMode.FULL)
        return [block], PLAN, [f"{path}: read as a plan"]
    home = Home(domain, instance) if domain else None
    read = read_blocks(path, labels=mode, skip_bad_lines=skip_bad_lines, dialect=dialect, home=home)
    return read.blocks, read.dialect, [*read.notes, *unchanging_findings(read.traces)]


def _is(what: str, path: str, dialect: str | None) -> bool:
    """Whether a file is said to be a plan, or a problem, or looks like one."""
    from dias import file_kinds

    if dialect is not None or not os.path.isfile(path):
        return dialect == what
    with open(path, "rb") as stream:
        kind = file_kinds.kind_of(stream.read(file_kinds.N_BYTES))
    return kind == {PLAN: file_kinds.PLAN, PROBLEM: file_kinds.PROBLEM}[what]


def _write_trajectories(
    output: str, blocks: list[Block], target: str, inputs: list[str]
) -> list[str]:
    """Write trajectories, to one file or, where there are several, to numbered ones."""
    from dias.traces.dialects.write import write_trajectories
    from dias.traces.writer import open_whole

    if any(header["labels"] != "full" for header, _ in blocks):
        note = "some action arguments are not in the traces, and other learners need all"
        click.echo(f"note: {note}", err=True)
    if any(header.get("types") for header, _ in blocks):
        note = "types are not part of these files: whoever reads them needs the domain or problem"
        click.echo(f"note: {note}", err=True)
    try:
        texts, n_refused = write_trajectories(blocks, target)
    except TraceError as error:
        error.place = inputs[0] if len(inputs) == 1 else output
        raise
    if n_refused:
        click.echo(f"note: {n_refused} refused attempt(s) are left out", err=True)
    folder, name = os.path.split(output)
    paths = [output]
    if len(texts) > 1:
        if output == STDOUT:
            raise TraceError(
                f"expected one trajectory for standard output, found {len(texts)}",
                place=inputs[0] if inputs else "<stdin>",
                remedy="Name a file with -o: each gets one, with a number before the name",
            )
        paths = [os.path.join(folder, f"{number}_{name}") for number in range(len(texts))]
        check_outputs(paths, inputs)
    for path, text in zip(paths, texts, strict=True):
        with open_whole(path) as stream:
            stream.write(text.encode())
    return paths
