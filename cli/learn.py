"""`dias learn`: a domain from traces."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from dias.config import (
    DEVICES,
    METHODS,
    OBJECTIVES,
    PAPER_ALPHA,
    PARTS,
    PRECONDITIONS,
    LearningConfig,
    default_training,
)
from dias.settings import learning_config, read_settings
from dias_cli.common import (
    SECONDS,
    STDOUT,
    STREAM,
    check_outputs,
    echo_json,
    json_option,
    seed_option,
    write_result,
)
from dias_cli.progress import learning_progress

if TYPE_CHECKING:
    from dias.learning.progress import LearningProgress
    from dias.learning.result import LearningResult
    from dias.traces.record import Traces

_DEFAULT = LearningConfig()
_SETTINGS = {
    "alpha": "training.alpha",
    "device": "device",
    "method": "method",
    "objective": "training.objective",
    "preconditions": "preconditions",
    "restarts": "restarts",
    "seed": "seed",
    "slots": "model.n_slots",
    "steps": "training.n_steps",
    "threads": "threads",
    "time_limit": "time_limit_s",
    "without": "without",
}
"""Parameter of the command to the setting that it stands for."""


@click.command("learn")
@click.argument("traces", type=STREAM)
@click.option("-o", "output", type=STREAM, default=STDOUT, help="Domain file. Default: stdout.")
@click.option(
    "--labels",
    type=click.Choice(["auto", "full", "partial", "names"]),
    default="auto",
    show_default=True,
    help="What the action arguments in the file are; auto: what the file says.",
)
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default=_DEFAULT.method,
    show_default=True,
    help="hybrid: the network proposes, the transitions decide; symbolic: single transitions "
    "propose, no network; neural: the network alone.",
)
@click.option(
    "--objective",
    type=click.Choice(OBJECTIVES),
    default=_DEFAULT.training.objective,
    show_default=True,
    help="lifted: the loss over slots, fast; dense: the paper's, over all ground atoms.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0),
    help="Weight of the auxiliary gradient, projected as in the paper. Default: "
    f"{PAPER_ALPHA} for --method neural --objective dense; else the losses are added up.",
)
@click.option(
    "--preconditions",
    type=click.Choice(PRECONDITIONS),
    default=_DEFAULT.preconditions,
    show_default=True,
    help="safe: every literal that was never violated; minimal: only those that the training "
    "states ask for.",
)
@click.option(
    "--without",
    type=click.Choice(PARTS),
    multiple=True,
    help="Leave a part of the method out, to see what it contributes; repeatable. Where all "
    "arguments are given there is none of them.",
)
@click.option(
    "--slots",
    type=click.IntRange(1),
    default=_DEFAULT.model.n_slots,
    show_default=True,
    help="M, the number of objects that one action may change. More are taken if a step needs "
    "them.",
)
@click.option(
    "--steps",
    type=click.IntRange(1),
    help="Gradient steps of one training run at most. Default: "
    + ", ".join(
        f"{default_training(method, _DEFAULT.training.objective).n_steps:,} for {method}"
        for method in ("hybrid", "neural")
    )
    + ".",
)
@click.option(
    "--restarts",
    type=click.IntRange(1),
    default=_DEFAULT.restarts,
    show_default=True,
    help="Training runs at most; a further one begins while transitions stay unexplained.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, 256),
    default=_DEFAULT.threads,
    show_default=True,
    help="Threads.",
)
@click.option(
    "--device",
    type=click.Choice(DEVICES),
    default=_DEFAULT.device,
    show_default=True,
    help="Where the network is trained.",
)
@click.option(
    "--time-limit",
    type=SECONDS,
    help="Seconds of training at most; the best domain found by then is written.",
)
@click.option(
    "--validation",
    type=STREAM,
    help="Transitions that are not learned from; how many of them are explained is said.",
)
@click.option(
    "--checkpoint",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep the state of training in this file, every 50 steps, and go on from it if it is "
    "there.",
)
@click.option(
    "--report",
    "reports",
    multiple=True,
    help="Also write a report: FILE.html, a page to read or print, or FILE.json, all of it as "
    "plain values. Repeatable.",
)
@click.option(
    "--config",
    "config_file",
    help="Settings in a TOML file. What is given on the command line goes before it.",
)
@click.option("--skip-bad-lines", is_flag=True, help="Drop unreadable lines and say how many.")
@seed_option
@json_option
def command(
    traces: str,
    output: str,
    labels: str,
    validation: str | None,
    checkpoint: Path | None,
    reports: tuple[str, ...],
    config_file: str | None,
    skip_bad_lines: bool,
    as_json: bool,
    **_: Any,
) -> int:
    """Learn the domain that explains TRACES (a dias-trace/1 file, - for standard input).

    Exit status 4: a domain was written, but it does not fit all that was seen: some transition is
    not explained by it, or some refused attempt is allowed, or some action was never observed.
    """
    from dias.learning.pipeline import learn
    from dias.learning.progress import timed
    from dias.report.learning import learning_json, learning_text, provenance
    from dias.strips.writer import format_domain
    from dias.traces.reader import read_traces
    from dias.traces.record import LabelMode

    if as_json and output == STDOUT:
        raise click.UsageError("--json prints to standard output: name a domain file with -o")
    inputs = [path for path in (traces, validation, config_file) if path not in (None, "-")]
    _check_endings(reports)
    check_outputs([output, *([str(checkpoint)] if checkpoint else []), *reports], inputs)
    config = _config(config_file)
    mode = None if labels == "auto" else LabelMode(labels)
    seconds: dict[str, float] = {}
    with timed(seconds, "read"):
        read = read_traces(traces, labels=mode, skip_bad_lines=skip_bad_lines)
    held_out = (
        read_traces(validation, labels=mode, skip_bad_lines=skip_bad_lines) if validation else None
    )
    for finding in read.findings:
        click.echo(f"note: {finding}", err=True)
    progress: list[LearningProgress] = []
    with learning_progress() as show:

        def note(look: LearningProgress) -> None:
            progress.append(look)
            show(look)

        result = learn(read, config, note, checkpoint, held_out)
    result = replace(result, seconds=seconds | dict(result.seconds))
    write_result(output, format_domain(result.domain, provenance(result)))
    for path in reports:
        write_result(path, _report(path, result, read, progress))
    if as_json:
        echo_json(learning_json(result))
    click.echo(learning_text(result, output), err=True)
    return 0 if result.explains_everything else 4


def _config(file: str | None) -> LearningConfig:
    """The command line's settings, then those of the file, then the method's own."""
    context = click.get_current_context()
    given = {
        setting: context.params[name]
        for name, setting in _SETTINGS.items()
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT
    }
    settings = read_settings(file) if file else {}
    try:
        return learning_config(settings | given)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def _check_endings(reports: tuple[str, ...]) -> None:
    for path in reports:
        if Path(path).suffix.lower() not in (".html", ".json"):
            raise click.UsageError(f"--report {path}: the name must end in .html or in .json")


def _report(
    path: str, result: LearningResult, traces: Traces, progress: list[LearningProgress]
) -> str:
    """The report that the ending of the name asks for."""
    if Path(path).suffix.lower() == ".html":
        from dias.report.html import html_report

        return html_report(result, traces, progress)
    from dias.report.learning import report_json

    return json.dumps(report_json(result, progress), indent=2, allow_nan=False) + "\n"
