"""`dias inspect`: what a trace file holds and what it is worth."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from dias.errors import TraceError
from dias_cli.common import (
    FILE,
    SECONDS,
    STDOUT,
    STREAM,
    check_outputs,
    echo_json,
    is_given,
    json_option,
    labels_option,
    skip_bad_lines_option,
    write_result,
)

PICTURES = (".png", ".svg")


@click.command("inspect")
@click.argument("traces", type=STREAM, nargs=-1, required=True)
@labels_option
@click.option("--domain", type=FILE, help="The domain that the traces come from.")
@click.option(
    "--problem",
    "problems",
    type=FILE,
    multiple=True,
    help="A problem that the traces come from, to compare with its state space; repeatable.",
)
@click.option(
    "--states",
    "max_states",
    type=click.IntRange(1),
    default=10_000,
    help="Reachable states to compare with at most, in breadth-first order.",
)
@click.option(
    "--time-limit",
    type=SECONDS,
    help="Seconds in all; what was looked at by then is shown, and what was not is said.",
)
@click.option("--plot", type=FILE, help="Draw a picture: FILE.png, FILE.svg.")
@skip_bad_lines_option
@json_option
@click.pass_context
def command(
    context: click.Context,
    traces: tuple[str, ...],
    labels: str,
    domain: Path | None,
    problems: tuple[Path, ...],
    max_states: int,
    time_limit: float | None,
    plot: Path | None,
    skip_bad_lines: bool,
    as_json: bool,
) -> None:
    """Say what TRACES (dias-trace/1, or what convert reads; - is stdin) hold and are worth.

    Counts samples, states and steps without effect for each action, and shows contradictions,
    states that no step leaves, and static predicates. With --domain and --problem also which
    share of the state space and of each action's transitions was seen.
    """
    from dias.coverage.coverage import coverage
    from dias.limits import Attempts, within
    from dias.report.inspect import inspection_json, inspection_text
    from dias.report.text import undone_lines
    from dias.strips.pddl.reader import read_domain, read_problem
    from dias.traces.inspect import inspect_traces
    from dias.traces.reading.reader import read_traces
    from dias.traces.record import LabelMode

    if (domain is None) != (not problems):
        raise click.UsageError("--domain and --problem go together: give both or none")
    if domain is None and is_given("max_states"):
        raise click.UsageError("--states needs --domain and --problem: there is no state space")
    if plot is not None:
        if plot.suffix.lower() not in PICTURES:
            raise click.UsageError(
                f"--plot {plot}: expected a name ending in {' or '.join(PICTURES)}"
            )
        check_outputs([str(plot)], [*traces, *([domain] if domain else []), *problems])
    attempts = Attempts(time_limit)
    context.with_resource(within(time_limit))
    mode = None if labels == "auto" else LabelMode(labels)
    read = read_traces(traces, labels=mode, skip_bad_lines=skip_bad_lines)
    if domain is not None and read.is_soft:
        raise TraceError(
            "expected states in which every atom is certain, to compare them with those of"
            " --domain and --problem, found others",
            place=read.source,
            remedy="`dias denoise` writes the states as they most likely were",
        )
    inspection = inspect_traces(read)
    coverages = []
    if domain is not None:
        true = read_domain(domain)
        instances = [read_problem(path, true, needs_goal=False) for path in problems]
        coverages = coverage(read, true, instances, max_states, attempts)
    if plot is not None:
        from dias.report.figures import save_figure
        from dias.report.inspect_plot import MAX_DRAWN, can_be_drawn, inspection_figure

        for own in coverages:
            if not can_be_drawn(own):
                click.echo(
                    f"note: the state space of {own.space.problem.name} is not drawn, since it has"
                    f" more than {min(MAX_DRAWN, max_states):,} states",
                    err=True,
                )
        with attempts.at("picture"):
            save_figure(inspection_figure(inspection, coverages), plot)
    for text in undone_lines(attempts.undone):
        click.echo(f"note: {text}", err=True)
    if as_json:
        echo_json(inspection_json(inspection, coverages))
    else:
        width = shutil.get_terminal_size().columns
        write_result(STDOUT, inspection_text(inspection, coverages, width) + "\n")
