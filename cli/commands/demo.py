"""`dias demo`: Blocks-3 from traces to a validated plan, each step shown."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from importlib.resources import as_file, files
from pathlib import Path
from typing import TypeVar

import click

from dias_cli.common import check_outputs, seed_option

TRACES, DOMAIN, PLAN = "traces.jsonl", "learned.pddl", "plan.txt"
Result = TypeVar("Result")


@click.command("demo")
@click.option(
    "-o",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Keep the files here. Default: a temporary folder.",
)
@seed_option
def command(folder: Path | None, seed: int) -> int:
    """Learn Blocks-3 from action names alone, measure it, and plan with it.

    Three actions move blocks between towers. The traces say which action was taken and what
    changed, not which blocks it was applied to. The learned domain is then measured on problems
    that are two to eight times larger, and plans for one of them.
    """
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        check_outputs([str(folder / name) for name in (TRACES, DOMAIN, PLAN)])
    place = nullcontext(str(folder)) if folder else tempfile.TemporaryDirectory()
    with as_file(files("dias_benchmarks") / "domains" / "blocks-3") as source, place as target:
        return _run(source, Path(target), seed)


def _run(source: Path, target: Path, seed: int) -> int:
    from dias.config import LearningConfig
    from dias.evaluation.evaluate import evaluate
    from dias.files import write_text_atomically
    from dias.learning.learn import learn
    from dias.planning.plan import format_plan, plan
    from dias.planning.replay import replay
    from dias.report.learning import provenance
    from dias.report.text import number
    from dias.strips.pddl.reader import read_domain, read_problem
    from dias.strips.pddl.writer import format_domain
    from dias.traces.reading.reader import read_traces
    from dias.traces.record import LabelMode
    from dias.traces.sampling.sample import sample_traces, trace_block
    from dias.traces.sampling.samples import SamplingConfig
    from dias.traces.writer import write_traces

    true = read_domain(source / "domain.pddl")
    problems = [read_problem(source / f"p0{number}.pddl", true) for number in (1, 2, 3, 4)]
    sizes = [len(problem.objects) for problem in problems]

    def sample() -> int:
        walks = sample_traces(true, problems[:1], [SamplingConfig()], random.Random(seed))
        return write_traces(
            target / TRACES, [trace_block(true, walk, LabelMode.NAMES) for [walk] in walks]
        )

    _title(1, "Sample", "dias sample domain.pddl p01.pddl -o traces.jsonl")
    n_steps = _timed(sample, lambda n: f"{n} transitions, {sizes[0]} blocks, action names only")

    _title(2, "Learn", "dias learn traces.jsonl -o learned.pddl")
    learned = _timed(
        lambda: learn(read_traces(target / TRACES), LearningConfig(seed=seed)),
        lambda r: (
            f"{r.n_explained} of {r.n_distinct} distinct transitions explained, "
            f"{r.n_steps} gradient steps"
        ),
    )
    write_text_atomically(target / DOMAIN, format_domain(learned.domain, provenance(learned)))
    domain = read_domain(target / DOMAIN)

    _title(3, "Evaluate", "dias evaluate learned.pddl --gt domain.pddl")
    evaluation = _timed(
        lambda: evaluate(domain, true, problems[1:]),
        lambda e: (
            f"precision {number(e.pooled.states.precision)}, "
            f"recall {number(e.pooled.states.recall)} on {e.pooled.n_states:,} states "
            f"with {', '.join(map(str, sizes[1:]))} blocks"
        ),
    )

    _title(4, "Plan", "dias plan learned.pddl p02.pddl -o plan.txt")
    found = _timed(lambda: plan(domain, problems[1]), lambda r: r.message)
    if not found.steps:
        return 3
    write_text_atomically(target / PLAN, format_plan(found))

    _title(5, "Validate", "dias plan learned.pddl p02.pddl --gt domain.pddl")
    replayed = _timed(
        lambda: replay(found.steps, domain, true, problems[1]),
        lambda r: f"the plan is {'valid' if r.valid else 'NOT valid'} in the true domain",
    )
    is_perfect = evaluation.is_sound and evaluation.is_complete and replayed.valid
    click.echo(
        f"\nFrom {n_steps} transitions to a plan: "
        + ("sound, complete, valid." if is_perfect else "not perfect, see above.")
    )
    return 0 if is_perfect else 4


def _title(step: int, name: str, command_line: str) -> None:
    click.echo(f"{step}/5 {name:9} $ {command_line}")


def _timed(work: Callable[[], Result], describe: Callable[[Result], str]) -> Result:
    """Do the work, then say its result and its time in one line."""
    started = time.perf_counter()
    result = work()
    click.echo(f"              {describe(result)} ({time.perf_counter() - started:.1f} s)")
    return result
