"""`dias sample`: traces from a known domain."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dias.traces.sampling.samples import STRATEGIES
from dias_cli.common import (
    FILE,
    STDOUT,
    STREAM,
    FiniteRange,
    check_outputs,
    echo_json,
    is_given,
    json_option,
    seed_option,
)

if TYPE_CHECKING:
    from dias.traces.sampling.noise import Noise
    from dias.traces.sampling.samples import Sample


LIMITS = [("--min-per-action", "--max-per-action"), ("--validation-min", "--validation-max")]


@click.command("sample")
@click.argument("domain", type=FILE)
@click.argument("problems", type=FILE, nargs=-1, required=True)
@click.option(
    "-o", "output", type=STREAM, default=STDOUT, help="Trace file; .gz compresses. Default: stdout."
)
@click.option(
    "--labels",
    type=click.Choice(["names", "partial", "full"]),
    default="names",
    show_default=True,
    help="Action arguments to keep: none, those that determine the rest (STRIPS+), or all.",
)
@click.option(
    "--min-per-action",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="Samples of each action to collect in each problem.",
)
@click.option(
    "--max-per-action",
    type=click.IntRange(1),
    help="Samples of each action to keep. Default: 1000, or the minimum if larger.",
)
@click.option(
    "--strategy",
    type=click.Choice(STRATEGIES),
    default="walk",
    show_default=True,
    help="walk: begin anew when stuck; restart: also every --restart-after steps; novelty: what "
    "was tried least first; bfs: all successors, breadth first.",
)
@click.option(
    "--restart-after",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="Steps without a sample that is still needed (walk), or steps in all (restart).",
)
@click.option(
    "--engine",
    type=click.Choice(["lifted", "pyperplan", "tarski"]),
    default="lifted",
    show_default=True,
    help="How successors are computed. All give the same traces; lifted does not ground.",
)
@click.option(
    "--noise",
    type=FiniteRange(0),
    default=0.0,
    show_default=True,
    metavar="FLIPS",
    help="Expected number of atoms per transition that are observed wrongly.",
)
@click.option("--validation", type=STREAM, help="Also write a validation split to this file.")
@click.option("--validation-min", type=click.IntRange(1), help="Default: half of the minimum.")
@click.option("--validation-max", type=click.IntRange(1), help="Default: half of the maximum.")
@seed_option
@json_option
def command(
    domain: Path,
    problems: tuple[Path, ...],
    output: str,
    labels: str,
    min_per_action: int,
    max_per_action: int | None,
    strategy: str,
    restart_after: int,
    engine: str,
    noise: float,
    validation: str | None,
    validation_min: int | None,
    validation_max: int | None,
    seed: int,
    as_json: bool,
) -> None:
    """Walk at random in PROBLEMS of DOMAIN and write the transitions.

    The walk is balanced: uniform over the names of the applicable actions, then over their
    groundings. The limits per action hold for each problem.
    """
    from dias.report.text import plural
    from dias.strips.pddl.reader import read_domain, read_problem
    from dias.traces.record import LabelMode
    from dias.traces.sampling.labels import StripsPlusArguments
    from dias.traces.sampling.sample import sample_traces, trace_block
    from dias.traces.sampling.samples import SamplingConfig
    from dias.traces.writer import write_traces

    targets = [output] if validation is None else [output, validation]
    if as_json and STDOUT in targets:
        raise click.UsageError("--json prints to standard output: name trace files instead of -")
    if strategy == "bfs" and is_given("restart_after"):
        raise click.UsageError("--restart-after would do nothing with --strategy bfs")
    if validation is None and (validation_min or validation_max):
        raise click.UsageError("--validation-min and --validation-max need --validation FILE")
    upper = max_per_action or max(1000, min_per_action)
    limits = [(min_per_action, upper)]
    if validation is not None:
        low = validation_min or max(1, min_per_action // 2)
        limits.append((low, validation_max or max(low, upper // 2)))
    for (low, high), (least, most) in zip(limits, LIMITS, strict=False):
        if high < low:
            raise click.UsageError(f"{most} {high} is below {least} {low}: give one of both anew")
    splits = [SamplingConfig(low, high, strategy, restart_after) for low, high in limits]
    check_outputs(targets, [domain, *problems])
    true = read_domain(domain)
    instances = [read_problem(path, true) for path in problems]
    mode = LabelMode(labels)
    arguments = (
        StripsPlusArguments({action.name: action.arity for action in true.actions})
        if mode is LabelMode.STRIPS_PLUS
        else None
    )
    samples = list(sample_traces(true, instances, splits, random.Random(seed), arguments, engine))
    summary = []
    for number, (path, config) in enumerate(zip(targets, splits, strict=True)):
        part = [split[number] for split in samples]
        blocks = [
            trace_block(true, sample, mode, arguments, _noise(sample, noise, (seed, number, place)))
            for place, sample in enumerate(part)
        ]
        n_steps = write_traces(path, blocks)
        summary.append({"file": path, "transitions": n_steps})
        name = "standard output" if path == STDOUT else path
        click.echo(f"{name}: {plural(n_steps, 'transition')}", err=True)
        for sample in part:
            for action, count in sample.missing(true, config).items():
                click.echo(
                    f"warning: {sample.problem.name}: {count} of {config.min_per_action} samples "
                    f"of {action} (walked {sample.n_steps_walked:,} steps, began anew "
                    f"{sample.n_restarts} times)",
                    err=True,
                )
    if as_json:
        echo_json(
            {
                "files": summary,
                "problems": [
                    {
                        "problem": split[0].problem.name,
                        "samples": {a.name: split[0].counts[a.name] for a in true.actions},
                        "steps_walked": sum(sample.n_steps_walked for sample in split),
                        "restarts": sum(sample.n_restarts for sample in split),
                    }
                    for split in samples
                ],
                "arguments": {
                    action.name: [
                        action.variables[p]
                        for p in (arguments.positions(action.name) if arguments else ())
                    ]
                    for action in true.actions
                }
                if arguments
                else None,
            }
        )


def _noise(sample: Sample, flips: float, seed: tuple[int, ...]) -> Noise | None:
    """How the states of a sample are observed; None if as they are."""
    if not flips:
        return None
    from numpy.random import default_rng

    from dias.traces.sampling.noise import Noise

    return Noise(sample.problem.codes, flips, default_rng(seed))
