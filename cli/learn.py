"""`dias learn`: a domain from traces."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from dias.config import (
    EFFECTS,
    METHODS,
    OBJECTIVES,
    PAPER_ALPHA,
    PRECONDITIONS,
    LearningConfig,
    ModelConfig,
    TrainingConfig,
    mlp_training,
    paper_training,
)
from dias_cli.common import (
    SECONDS,
    STDOUT,
    check_outputs,
    echo_json,
    json_option,
    seed_option,
    write_result,
)

if TYPE_CHECKING:
    from dias.learning.progress import LearningProgress

_DEFAULT = LearningConfig()
_TRAINING = {"hybrid": TrainingConfig(), "neural": paper_training(), "mlp": mlp_training()}
"""By method; `mlp` where --effects mlp is trained by --method neural."""

_IDLE = {
    ("mlp", "neural"): ("restarts",),
    ("mlp", "hybrid"): ("restarts", "objective", "alpha", "checkpoint"),
}
"""Options that would do nothing with these effects and method."""


@click.command("learn")
@click.argument("traces")
@click.option(
    "-o", "output", default=STDOUT, help="Domain (--effects mlp: network) file. Default: stdout."
)
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
    help="hybrid: the network proposes, the transitions decide; symbolic: single transitions "
    "propose, no network; neural: the network alone. Default: hybrid; with --effects mlp neural.",
)
@click.option(
    "--effects",
    type=click.Choice(EFFECTS),
    default=_DEFAULT.effects,
    show_default=True,
    help="strips: the same in every state; conditional: where that explains an action badly, "
    "several actions for it; mlp: a network says them state by state, and a checkpoint is written "
    "instead of a domain.",
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
    f"{PAPER_ALPHA} for --method neural with --objective dense or --effects mlp; else the losses "
    "are added up.",
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
    + ", ".join(f"{t.n_steps:,} for {method}" for method, t in _TRAINING.items())
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
    "--time-limit",
    type=SECONDS,
    help="Seconds of training at most; the best domain found by then is written.",
)
@click.option(
    "--validation",
    help="Transitions that are not learned from; how many of them are explained is said.",
)
@click.option(
    "--checkpoint",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep the state of training in this file, every 50 steps, and go on from it if it is "
    "there.",
)
@click.option(
    "--read-out",
    help="With --effects mlp: also write the domain that the network amounts to, if it has "
    "learned few kinds of effects.",
)
@click.option("--skip-bad-lines", is_flag=True, help="Drop unreadable lines and say how many.")
@seed_option
@json_option
@click.pass_context
def command(
    context: click.Context,
    traces: str,
    output: str,
    labels: str,
    method: str | None,
    effects: str,
    objective: str,
    alpha: float | None,
    preconditions: str,
    slots: int,
    steps: int | None,
    restarts: int,
    threads: int,
    time_limit: float | None,
    validation: str | None,
    checkpoint: Path | None,
    read_out: str | None,
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
    if effects == "mlp" and output == STDOUT:
        raise click.UsageError("--effects mlp writes a checkpoint: name a file for it with -o")
    if read_out is not None and effects != "mlp":
        raise click.UsageError("--read-out needs --effects mlp: other effects are a domain anyway")
    method = method or ("neural" if effects == "mlp" else _DEFAULT.method)
    for option in _IDLE.get((effects, method), ()):
        if context.get_parameter_source(option) is not ParameterSource.DEFAULT:
            raise click.UsageError(
                f"--{option} would do nothing with --effects {effects} --method {method}"
            )
    inputs = [path for path in (traces, validation) if path not in (None, "-")]
    outputs = [str(path) for path in (output, checkpoint, read_out) if path is not None]
    check_outputs(outputs, inputs)
    try:
        config = LearningConfig(
            method=method,
            effects=effects,
            preconditions=preconditions,
            seed=seed,
            restarts=restarts,
            threads=threads,
            time_limit_s=time_limit,
            model=ModelConfig(n_slots=slots),
            training=_training(method, objective, alpha, steps, effects),
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    mode = None if labels == "auto" else LabelMode(labels)
    read = read_traces(traces, labels=mode, skip_bad_lines=skip_bad_lines)
    held_out = (
        read_traces(validation, labels=mode, skip_bad_lines=skip_bad_lines) if validation else None
    )
    for finding in read.findings:
        click.echo(f"note: {finding}", err=True)
    on_terminal = sys.stderr.isatty()
    show = _show if on_terminal else None
    if effects == "mlp":
        from dias.learning.mlp import learn_mlp
        from dias.learning.mlp_checkpoint import save_dynamics

        dynamics, result = learn_mlp(read, config, show, checkpoint, held_out)
    else:
        result = learn(read, config, show, checkpoint, held_out)
    if on_terminal:
        click.echo(err=True)
    if effects == "mlp":
        save_dynamics(output, dynamics)
    else:
        write_result(output, format_domain(result.domain, provenance(result)))
    if as_json:
        echo_json(learning_json(result))
    click.echo(learning_text(result), err=True)
    if read_out is not None:
        from dias.learning.read_out import read_out_domain

        found = read_out_domain(dynamics, read, result)
        write_result(read_out, format_domain(found.domain, provenance(found)))
        click.echo(f"{read_out}: {learning_text(found)}", err=True)
    return 0 if result.explains_everything else 4


def _training(
    method: str,
    objective: str,
    alpha: float | None,
    steps: int | None,
    effects: str = _DEFAULT.effects,
) -> TrainingConfig:
    """The settings of the method, with what was asked for put in."""
    training = _TRAINING.get(method, _TRAINING["hybrid"])  # symbolic trains nothing
    if (method, effects, objective) == ("neural", "mlp", "lifted"):
        training = _TRAINING["mlp"]
    if alpha is None and method == "neural" and (objective == "dense" or effects == "mlp"):
        alpha = PAPER_ALPHA
    n_steps = training.n_steps if steps is None else steps
    try:
        return replace(training, objective=objective, alpha=alpha, n_steps=n_steps)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def _show(progress: LearningProgress) -> None:
    explained = "" if progress.explained is None else f", {progress.explained:.1%} explained"
    click.echo(
        f"\rrun {progress.restart + 1}, step {progress.step:,} of {progress.n_steps:,}: "
        f"loss {progress.main_loss:.3f}{explained} ",
        nl=False,
        err=True,
    )
