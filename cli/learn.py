"""`dias learn`: a domain from traces."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from dias.config import METHODS, LearningConfig, ModelConfig, TrainingConfig
from dias_cli.common import (
    STDOUT,
    check_outputs,
    echo_json,
    json_option,
    seed_option,
    write_result,
)

if TYPE_CHECKING:
    from dias.learning.pipeline import LearningProgress

_DEFAULT = LearningConfig()


@click.command("learn")
@click.argument("traces")
@click.option("-o", "output", default=STDOUT, help="Domain file. Default: stdout.")
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
    help="hybrid: the network proposes, the transitions decide; neural: the network alone.",
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
    default=_DEFAULT.training.n_steps,
    show_default=True,
    help="Gradient steps of one training run at most.",
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
@click.option("--skip-bad-lines", is_flag=True, help="Drop unreadable lines and say how many.")
@seed_option
@json_option
def command(
    traces: str,
    output: str,
    labels: str,
    method: str,
    slots: int,
    steps: int,
    restarts: int,
    threads: int,
    skip_bad_lines: bool,
    seed: int,
    as_json: bool,
) -> int:
    """Learn the domain that explains TRACES (a dias-trace/1 file, - for standard input).

    Exit status 4: a domain was written, but some transition is not explained by it.
    """
    from dias.learning.pipeline import learn
    from dias.report.learning import learning_json, learning_text, provenance
    from dias.strips.writer import format_domain
    from dias.traces.reader import read_traces
    from dias.traces.record import LabelMode

    if as_json and output == STDOUT:
        raise click.UsageError("--json prints to standard output: name a domain file with -o")
    check_outputs([output], [] if traces == "-" else [traces])
    config = LearningConfig(
        method=method,
        seed=seed,
        restarts=restarts,
        threads=threads,
        model=ModelConfig(n_slots=slots),
        training=TrainingConfig(n_steps=steps),
    )
    mode = None if labels == "auto" else LabelMode(labels)
    read = read_traces(traces, labels=mode, skip_bad_lines=skip_bad_lines)
    for finding in read.findings:
        click.echo(f"note: {finding}", err=True)
    on_terminal = sys.stderr.isatty()
    result = learn(read, config, _show if on_terminal else None)
    if on_terminal:
        click.echo(err=True)
    write_result(output, format_domain(result.domain, provenance(result)))
    if as_json:
        echo_json(learning_json(result))
    click.echo(learning_text(result), err=True)
    return 0 if result.explains_everything else 4


def _show(progress: LearningProgress) -> None:
    explained = "" if progress.explained is None else f", {progress.explained:.1%} explained"
    click.echo(
        f"\rrun {progress.restart + 1}, step {progress.step:,} of {progress.n_steps:,}: "
        f"loss {progress.main_loss:.3f}{explained} ",
        nl=False,
        err=True,
    )
