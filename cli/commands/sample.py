"""`dias sample`: traces from a known domain."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from dias.errors import InsufficientTracesError
from dias.traces.sampling.samples import STRATEGIES
from dias_cli.common import (
    FILE,
    SECONDS,
    STDOUT,
    STREAM,
    FiniteRange,
    check_outputs,
    echo_json,
    is_given,
    json_option,
    output_option,
    seed_option,
)

if TYPE_CHECKING:
    from dias.strips.model import Domain
    from dias.strips.problem import CodedProblem
    from dias.traces.sampling.deadline import Deadline
    from dias.traces.sampling.noise import Noise
    from dias.traces.sampling.sample import ListActions
    from dias.traces.sampling.samples import WalkStep
    from dias.traces.sampling.sensor import Sensor

    Observers = Callable[..., tuple[Noise | None, Sensor | None]]
    """How the states of a problem are observed, and which atoms are not certain; with a seed."""


LIMITS = [("--min-per-action", "--max-per-action"), ("--validation-min", "--validation-max")]
OF_WALKS = (
    "min_per_action", "max_per_action", "strategy", "restart_after", "engine", "validation",
    "validation_min", "validation_max", "time_limit",
)  # fmt: skip


@click.command("sample")
@click.argument("domain", type=FILE)
@click.argument("problems", type=FILE, nargs=-1, required=True)
@output_option("Trace file; .gz compresses.")
@click.option(
    "--labels",
    type=click.Choice(["names", "partial", "full"]),
    default="names",
    help="Action arguments to keep: none, those that determine the rest (STRIPS+), or all.",
)
@click.option(
    "--min-per-action",
    type=click.IntRange(1),
    default=100,
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
    help="walk: begin anew when stuck; restart: also every --restart-after steps; novelty: what "
    "was tried least first; bfs: all successors, breadth first.",
)
@click.option(
    "--restart-after",
    type=click.IntRange(1),
    default=100,
    help="Steps without a sample that is still needed (walk), or steps in all (restart).",
)
@click.option(
    "--engine",
    type=click.Choice(["lifted", "pyperplan", "tarski"]),
    default="lifted",
    help="How successors are computed. All give the same traces; lifted does not ground.",
)
@click.option(
    "--noise",
    type=FiniteRange(0),
    default=0.0,
    metavar="FLIPS",
    help="Expected number of atoms per transition that are observed wrongly.",
)
@click.option(
    "--soft",
    is_flag=True,
    help="Give the flips of --noise as probabilities: what is seen wrong is believed less.",
)
@click.option(
    "--unknown",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.0,
    metavar="SHARE",
    help="Share of the atoms that actions may change that are unknown in each state.",
)
@click.option(
    "--plan",
    "plans",
    type=FILE,
    multiple=True,
    help="Take the states along this plan instead of walking; repeatable.",
)
@click.option(
    "--applicable",
    type=click.Choice(["names", "ground"]),
    help="Also say of each state which actions are applicable, as action masks do: their names, or "
    "ground actions with the arguments that are kept (with --labels names: all).",
)
@click.option("--validation", type=STREAM, help="Also write a validation split to this file.")
@click.option("--validation-min", type=click.IntRange(1), help="Default: half of the minimum.")
@click.option("--validation-max", type=click.IntRange(1), help="Default: half of the maximum.")
@click.option(
    "--time-limit", type=SECONDS, help="Seconds in all; what is sampled by then is written."
)
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
    soft: bool,
    unknown: float,
    plans: tuple[Path, ...],
    applicable: str | None,
    validation: str | None,
    validation_min: int | None,
    validation_max: int | None,
    time_limit: float | None,
    seed: int,
    as_json: bool,
) -> None:
    """Walk at random in PROBLEMS of DOMAIN and write the transitions.

    The walk is balanced: uniform over the names of the applicable actions, then over their
    groundings. The limits per action hold for each problem. With --plan: the states along plans.
    """
    end = perf_counter() + time_limit if time_limit else None
    from dias.planning.plan_file import read_plan
    from dias.planning.plan_sample import plan_sample
    from dias.report.sampling import missing_lines, plans_json, problem_json
    from dias.report.text import plural
    from dias.strips.pddl.reader import read_domain, read_problem
    from dias.traces.record import LabelMode
    from dias.traces.sampling.labels import StripsPlusArguments
    from dias.traces.sampling.sample import check_not_empty, sample_traces, trace_block
    from dias.traces.sampling.samples import SamplingConfig
    from dias.traces.writer import write_traces

    targets = [output] if validation is None else [output, validation]
    if as_json and STDOUT in targets:
        raise click.UsageError("--json prints to standard output: name trace files instead of -")
    if plans:
        _check_plan_options(problems)
    if strategy == "bfs" and is_given("restart_after"):
        raise click.UsageError("--restart-after would do nothing with --strategy bfs")
    if soft and not noise:
        raise click.UsageError("--soft needs --noise FLIPS: without flips all is certain")
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
    check_outputs(targets, [domain, *problems, *plans])
    true = read_domain(domain)
    instances = [read_problem(path, true, needs_goal=False) for path in problems]
    mode = LabelMode(labels)
    arguments = (
        StripsPlusArguments({action.name: action.arity for action in true.actions})
        if mode is LabelMode.STRIPS_PLUS
        else None
    )
    listing = applicable or ""

    observers = _observers(true, noise, soft, unknown)
    deadline = _deadline(end, true, observers, listing, output.endswith(".gz")) if end else None
    rng = random.Random(seed)
    if plans:
        steps = [(str(path), read_plan(path)) for path in plans]
        samples = [[plan_sample(true, instances[0], steps, arguments)]]
    else:
        samples = list(sample_traces(true, instances, splits, rng, arguments, engine, deadline))
    summary = []
    for number, (path, config) in enumerate(zip(targets, splits, strict=True)):
        part = [split[number] for split in samples]
        name = "standard output" if path == STDOUT else path
        try:
            check_not_empty(part)
        except InsufficientTracesError as error:
            error.place = name
            raise
        blocks = []
        for place, sample in enumerate(part):
            flips, sensor = observers(sample.problem, seed, number, place)
            blocks.append(trace_block(true, sample, mode, arguments, flips, listing, sensor))
        n_steps = write_traces(path, blocks)
        summary.append({"file": path, "transitions": n_steps})
        click.echo(f"{name}: {plural(n_steps, 'transition')}", err=True)
        for sample in part if not plans else []:
            for line in missing_lines(sample, true, config):
                click.echo(f"warning: {line}", err=True)
    if as_json:
        echo_json(
            {
                "files": summary,
                "problems": [plans_json(split[0], true) for split in samples]
                if plans
                else [problem_json(split, true, splits) for split in samples],
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


def _check_plan_options(problems: tuple[Path, ...]) -> None:
    """Refuse, beside --plan, what is about walks."""
    if len(problems) > 1:
        raise click.UsageError("--plan needs the one problem that the plans are for")
    for option in OF_WALKS:
        if is_given(option):
            raise click.UsageError(f"--{option.replace('_', '-')} would do nothing with --plan")


def _observers(domain: Domain, flips: float, soft: bool, unknown: float) -> Observers:
    """How the states of problems are observed: as they are without flips, all atoms certain."""

    def observers(problem: CodedProblem, *seed: int) -> tuple[Noise | None, Sensor | None]:
        from numpy.random import default_rng

        from dias.traces.sampling.noise import Noise
        from dias.traces.sampling.sensor import Sensor, fluent_atoms

        noise = Noise(problem.codes, flips, default_rng(seed)) if flips else None
        if not (soft or unknown):
            return noise, None
        fluents, rng = fluent_atoms(domain, problem), default_rng((*seed, 1))
        return noise, Sensor(problem.codes, fluents, unknown, noise if soft else None, rng)

    return observers


def _deadline(
    end: float, domain: Domain, observers: Observers, applicable: str, is_compressed: bool
) -> Deadline:
    """What ends the walks early enough; steps are written as a trial with all their arguments."""
    import zlib

    from dias.traces.record import LabelMode
    from dias.traces.sampling.deadline import Deadline
    from dias.traces.sampling.sample import action_lister, trace_step
    from dias.traces.writer import line, step_record

    kept = {action.name: range(action.arity) for action in domain.actions}

    listers: dict[int, ListActions] = {}

    def write(problem: CodedProblem, step: WalkStep) -> None:
        if applicable and id(problem) not in listers:
            listers[id(problem)] = action_lister(domain, problem, kept, LabelMode.FULL, applicable)
        flips, sensor = observers(problem, 0)
        list_actions = listers.get(id(problem))
        text = line(step_record(trace_step(problem, step, kept, flips, list_actions, sensor)))
        if is_compressed:
            zlib.compress(text)

    return Deadline(end, write)
