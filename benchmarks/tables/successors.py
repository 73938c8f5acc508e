"""How many successors a second the engines find, in the largest problem of a domain.

``python -m benchmarks.tables.successors [--domain NAME]… [--engine NAME]… [--states N]
[-o FILE.jsonl]``

Every engine expands the same states, those of one random walk, in one thread. Its output is what
a search needs: the ground action and the next state. Set-up is all that is done once a problem:
compiling the schemas (lifted), grounding and building operators (pyperplan, Tarski).

pyperplan is `Task.get_successor_states` on the operators of
`dias.strips.engines.pyperplan_grounding`, as many as its own grounder finds; Tarski is its
`GroundForwardSearchModel`. The table gives medians over the rounds; the raw figures are JSON lines.
"""

from __future__ import annotations

import json
import platform
import random
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
from tarski.search import GroundForwardSearchModel
from tarski.syntax.transform.action_grounding import (
    ground_schema_into_plain_operator_from_grounding as bind,
)

from dias.files import write_text_atomically
from dias.strips.codes import AtomCodes, State
from dias.strips.engines.pyperplan_grounding import PyperplanEngine
from dias.strips.engines.tarski_grounding import TarskiTask
from dias.strips.joins.successors import SuccessorGenerator, codes_for, split_static
from dias.strips.model import Domain, Instance
from dias.strips.pddl.reader import read_domain, read_problem

from ..generate import DOMAINS
from ..generators import BENCHMARKS

DEFAULT_DOMAINS = ("logistics", "satellite", "spanner")
PROBLEM = "p04"
N_STATES = 20
SEED = 0
ROUNDS = {"lifted": 11, "pyperplan": 5, "tarski": 1}
"""Times that an engine expands all states; Tarski takes seconds for one of them."""

Run = dict[str, Any]
Expand = Callable[[Any], Sequence[object]]
Convert = Callable[[State], Any]
"""A state in the form that the engine expands; not part of what is measured."""


class Task(NamedTuple):
    """A problem with its atoms numbered."""

    domain: Domain
    instance: Instance
    codes: AtomCodes
    static: State
    init: State


def read_task(name: str) -> Task:
    """The problem `PROBLEM` of a benchmark domain."""
    domain = read_domain(DOMAINS / name / "domain.pddl")
    instance = read_problem(DOMAINS / name / f"{PROBLEM}.pddl", domain)
    codes = codes_for(instance, domain)
    return Task(domain, instance, codes, *split_static(instance.init, codes, domain.fluents))


def lifted(task: Task) -> tuple[Expand, Convert]:
    """Our joins."""
    generator = _generator(task)

    def expand(state: State) -> list[object]:
        return [(s, (state - s.deleted) | s.added) for s in generator.successors(state)]

    return expand, frozenset


def pyperplan(task: Task) -> tuple[Expand, Convert]:
    """Ground operators, enumerated by pyperplan."""
    engine = PyperplanEngine(
        task.domain, task.instance, task.codes, task.static, task.domain.fluents
    )
    return engine.task.get_successor_states, frozenset


def tarski(task: Task) -> tuple[Expand, Convert]:
    """Tarski's search model over the actions that it finds reachable."""
    own = TarskiTask(task.domain, task.instance)
    operators = [bind(own.problem.get_action(name), args) for name, args in own.groundings()]
    model = GroundForwardSearchModel(own.problem, operators)
    return (
        lambda state: list(model.successors(state)),
        lambda state: own.model(task.codes.decode_state(task.static | state)),
    )


ENGINES: dict[str, Callable[[Task], tuple[Expand, Convert]]] = {
    "lifted": lifted,
    "pyperplan": pyperplan,
    "tarski": tarski,
}


def walk(task: Task, n_states: int) -> list[State]:
    """The states of a balanced random walk that begins anew where it ends."""
    generator = _generator(task)
    rng = random.Random(SEED)
    states = [task.init]
    while len(states) < n_states:
        found = generator.successors(states[-1])
        if found:
            action = rng.choice(sorted({successor.action for successor in found}))
            step = rng.choice([successor for successor in found if successor.action == action])
            states.append((states[-1] - step.deleted) | step.added)
        else:
            states.append(task.init)
    return states


def _generator(task: Task) -> SuccessorGenerator:
    return SuccessorGenerator(
        task.domain, task.instance.objects, task.codes, task.static, task.domain.fluents
    )


def measure(name: str, engines: Iterable[str], n_states: int) -> list[Run]:
    """The engines on the same states of one domain's problem."""
    task = read_task(name)
    states = walk(task, n_states)
    runs = []
    for engine in engines:
        start = time.perf_counter()
        expand, convert = ENGINES[engine](task)
        setup_s = time.perf_counter() - start
        own = [convert(state) for state in states]
        seconds, counts = [], []
        for _ in range(ROUNDS[engine]):
            start = time.perf_counter()
            counts = [len(expand(state)) for state in own]
            seconds.append(time.perf_counter() - start)
        run = {"domain": name, "problem": PROBLEM, "engine": engine, "states": n_states}
        run |= {"successors": sum(counts), "setup_s": setup_s, "seconds": seconds}
        runs.append(run | {"python": platform.python_version(), "machine": platform.machine()})
    if len({run["successors"] for run in runs}) != 1:
        raise AssertionError(f"the engines disagree in {name}: {runs}")
    return runs


def table(runs: Iterable[Run]) -> str:
    """The runs as a Markdown table; "slower" is against the first engine of the domain."""
    lines = [
        "| domain | engine | set-up s | ms a state | successors/s | slower |"
        " with set-up | slower |",
        "|---|---|--:|--:|--:|--:|--:|--:|",
    ]
    base: dict[str, tuple[float, float]] = {}
    for run in runs:
        seconds = statistics.median(run["seconds"])
        rates = run["successors"] / seconds, run["successors"] / (seconds + run["setup_s"])
        first = base.setdefault(run["domain"], rates)
        ratios = [best / own for best, own in zip(first, rates, strict=True)]
        lines.append(
            f"| {run['domain']} | {run['engine']} | {run['setup_s']:.3f} "
            f"| {1000 * seconds / run['states']:.3g} "
            f"| {rates[0]:,.0f} | {ratios[0]:.1f}x | {rates[1]:,.0f} | {ratios[1]:.1f}x |"
        )
    return "\n".join(lines)


@click.command()
@click.option(
    "--domain", "domains", type=click.Choice(sorted(BENCHMARKS)), multiple=True,
    default=DEFAULT_DOMAINS, show_default=True, help="Repeatable.",
)  # fmt: skip
@click.option(
    "--engine", "engines", type=click.Choice(list(ENGINES)), multiple=True,
    default=list(ENGINES), show_default=True, help="Repeatable; compared with the first one.",
)  # fmt: skip
@click.option("--states", "n_states", type=click.IntRange(1), default=N_STATES, show_default=True)
@click.option("-o", "output", type=click.Path(path_type=Path), help="JSON lines.")
def main(
    domains: Sequence[str], engines: Sequence[str], n_states: int, output: Path | None
) -> None:
    """Measure the engines and print a Markdown table."""
    runs: list[Run] = []
    for name in domains:
        click.echo(f"{name} …", err=True)
        runs += measure(name, engines, n_states)
    if output is not None:
        write_text_atomically(output, "".join(f"{json.dumps(run)}\n" for run in runs))
    click.echo(table(runs))


if __name__ == "__main__":
    main()
