"""`dias learn`: a domain from traces."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dias_cli.common import STDIN, STDOUT, STREAM, check_outputs, echo_json, is_given, write_result
from dias_cli.learn_options import learn_options
from dias_cli.learn_settings import learning_settings
from dias_cli.progress import learning_progress

if TYPE_CHECKING:
    from dias.learning.result import LearningResult
    from dias.learning.train.progress import LearningProgress
    from dias.traces.record import Traces


@click.command("learn")
@click.argument("traces", type=STREAM, nargs=-1, required=True)
@learn_options
@click.pass_context
def command(
    context: click.Context,
    traces: tuple[str, ...],
    output: str,
    labels: str,
    validation: str | None,
    checkpoint: Path | None,
    reports: tuple[str, ...],
    reference: Path | None,
    infer_types: bool,
    config_file: str | None,
    skip_bad_lines: bool,
    as_json: bool,
    **_: Any,
) -> int:
    """Learn the domain that explains TRACES (dias-trace/1, or what convert reads; - is stdin).

    Exit status 4: a domain was written, but it does not fit all that was seen: some transition is
    not explained by it, or some refused attempt is allowed, or some action was never observed.
    """
    from dias.learning.data.check import check_changes
    from dias.learning.learn import FINISHING_S, learn
    from dias.learning.train.progress import timed
    from dias.limits import suspended, within
    from dias.report.learning import learning_json, learning_text, provenance
    from dias.strips.pddl.writer import format_domain
    from dias.traces.findings import validation_findings
    from dias.traces.reading.reader import read_traces
    from dias.traces.record import LabelMode

    if validation == STDIN and STDIN in traces:
        raise click.UsageError("standard input can be read once: name a file for --validation")
    if as_json and output == STDOUT:
        raise click.UsageError("--json prints to standard output: name a domain file with -o")
    config = learning_settings(context, config_file)
    is_network = config.effects == "mlp"
    if is_network and output == STDOUT:
        raise click.UsageError("--effects mlp writes a checkpoint: name a file for it with -o")
    if is_network and reports:
        raise click.UsageError("--report is about a domain, and --effects mlp writes a network")
    if is_network and reference:
        raise click.UsageError("--names-from is about a domain, and --effects mlp writes a network")
    if is_network and infer_types and is_given("infer_types"):
        raise click.UsageError("--infer-types is about a domain; --effects mlp writes a network")
    given = (*traces, validation, config_file, reference)
    inputs = [path for path in given if path not in (None, STDIN)]
    _check_endings(reports)
    outputs = [str(path) for path in (output, checkpoint) if path is not None]
    check_outputs([*outputs, *reports], inputs)
    mode = None if labels == "auto" else LabelMode(labels)
    names = None
    if reference:  # what is wrong with it is said at once
        from dias.strips.pddl.reader import read_domain

        names = read_domain(reference)
    seconds: dict[str, float] = {}
    own = config.time_limit_s and config.time_limit_s + FINISHING_S
    context.with_resource(within(own))
    with timed(seconds, "read"):
        read = read_traces(traces, labels=mode, skip_bad_lines=skip_bad_lines)
    held_out = (
        read_traces(validation, labels=mode, skip_bad_lines=skip_bad_lines) if validation else None
    )
    findings = read.findings
    if held_out is not None:
        findings += validation_findings(read, held_out)
    for finding in findings:
        click.echo(f"note: {finding}", err=True)
    if config.unchanged == "auto":
        check_changes(read)
    progress: list[LearningProgress] = []
    with learning_progress() as show:

        def note(look: LearningProgress) -> None:
            progress.append(look)
            show(look)

        if is_network:
            from dias.learning.mlp.checkpoint import save_dynamics
            from dias.learning.mlp.learn import learn_mlp

            dynamics, result = learn_mlp(read, config, note, checkpoint, held_out)
        else:
            result = learn(read, config, note, checkpoint, held_out)
    context.with_resource(suspended())  # the rest is short
    result = replace(result, seconds=seconds | dict(result.seconds))
    if infer_types and not is_network:
        result = _typed(result, read)
    if names:
        from dias.learning.finish.reference_names import with_names_of

        result = with_names_of(result, names)
    if is_network:
        save_dynamics(output, dynamics)
    else:
        write_result(output, format_domain(result.domain, provenance(result)))
    if as_json:
        echo_json(learning_json(result))
    click.echo(learning_text(result, output), err=True)
    for path in reports:
        write_result(path, _report(path, result, read, progress))
    return 0 if result.explains_everything else 4


def _typed(result: LearningResult, traces: Traces) -> LearningResult:
    """The result with types if relations divide the objects; says so, or why not if asked to."""
    from dias.learning.finish.types import with_inferred_types

    result, types = with_inferred_types(result, traces)
    if types.parents:
        click.echo(
            f"note: {traces.source}: types inferred: {', '.join(types.parents)} (other planners "
            "want them in problems: dias convert, or learn with --no-infer-types)",
            err=True,
        )
    elif is_given("infer_types"):
        click.echo(f"note: {traces.source}: no types inferred: {types.obstacle}", err=True)
    return result


def _check_endings(reports: tuple[str, ...]) -> None:
    for path in reports:
        if Path(path).suffix.lower() not in (".html", ".json"):
            raise click.UsageError(f"--report {path}: the name must end in .html or in .json")


def _report(
    path: str, result: LearningResult, traces: Traces, progress: list[LearningProgress]
) -> str:
    """The report that the ending of the name asks for."""
    if Path(path).suffix.lower() == ".html":
        from dias.report.page.render import html_report

        return html_report(result, traces, progress)
    from dias.report.learning import report_json

    return json.dumps(report_json(result, progress), indent=2, allow_nan=False) + "\n"
