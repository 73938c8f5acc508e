"""The table of successors: how many a second the engines find, in the largest problem of a domain.

Every engine expands the same states, those of one random walk, in one thread. Its output is what
a search needs: the ground action and the next state. Set-up is all that is done once a problem:
compiling the schemas (lifted), grounding and building operators (pyperplan, Tarski).

pyperplan is `Task.get_successor_states` on the operators of
`dias.strips.engines.pyperplan_grounding`, as many as its own grounder finds; Tarski is its
`GroundForwardSearchModel`.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from dias.strips.codes import State
from dias.strips.joins.successors import SuccessorGenerator
from dias.strips.model import Domain
from dias.strips.pddl.reader import read_domain, read_problem
from dias.strips.problem import CodedProblem
from dias.traces.sampling.samples import SamplingConfig
from dias.traces.sampling.walk import Walk

from ..generate import DOMAINS
from ..reports.report import Report
from ..reports.results import Results, median, succeeded
from ..reports.table import Column, group_table
from ..running.rawlines import Row
from ..running.runs import Run, call
from ..table_options import Size, several, table_command

SMALL = Size(1, ("logistics", "spanner"))
FULL = Size(1, ("logistics", "satellite", "spanner"), is_full=True)
PROBLEM = "p04"
N_STATES = 20
ROUNDS = {"lifted": 11, "pyperplan": 5, "tarski": 1}
"""Times that an engine expands all states; Tarski takes seconds for one of them."""
COLUMNS = (
    Column("domain", "domain"),
    Column("engine", "engine"),
    Column("set-up s", "setup_s", "{:.3f}"),
    Column("ms a state", "state_ms", "{:.3g}"),
    Column("successors/s", "rate", "{:,.0f}"),
    Column("slower", "rate_slower", "{:.1f}x"),
    Column("with set-up", "rate_with_setup", "{:,.0f}"),
    Column("slower", "rate_with_setup_slower", "{:.1f}x"),
)

Engine = tuple[Callable[[Any], Sequence[object]], Callable[[State], Any]]
"""What expands a state, and what turns ours into its own, which is not measured."""


def lifted(known: Domain, problem: CodedProblem) -> Engine:
    """Our joins."""
    generator = SuccessorGenerator(known, problem)

    def expand(state: State) -> list[object]:
        return [(s, s.next_state(state)) for s in generator.successors(state)]

    return expand, frozenset


def pyperplan(known: Domain, problem: CodedProblem) -> Engine:
    """Ground operators, enumerated by pyperplan."""
    from dias.strips.engines.pyperplan_grounding import PyperplanEngine

    engine = PyperplanEngine(known, problem)
    return engine.task.get_successor_states, frozenset


def tarski(known: Domain, problem: CodedProblem) -> Engine:
    """Tarski's search model over the actions that it finds reachable."""
    from tarski.search import GroundForwardSearchModel
    from tarski.syntax.transform.action_grounding import (
        ground_schema_into_plain_operator_from_grounding as bind,
    )

    from dias.strips.engines.tarski_grounding import TarskiTask

    own = TarskiTask(known, problem.instance)
    operators = [bind(own.problem.get_action(name), args) for name, args in own.groundings()]
    model = GroundForwardSearchModel(own.problem, operators)
    codes, static = problem.codes, problem.static.atoms
    return (
        lambda state: list(model.successors(state)),
        lambda state: own.model(codes.decode_state(static | state)),
    )


ENGINES = {"lifted": lifted, "pyperplan": pyperplan, "tarski": tarski}


def expand_all(domain: str, problem: str, engine: str, states: int, seed: int) -> Row:
    """Let an engine expand the first states of a walk, `ROUNDS` times; how many follow them."""
    known = read_domain(DOMAINS / domain / "domain.pddl")
    instance = read_problem(DOMAINS / domain / f"{problem}.pddl", known)
    config = SamplingConfig(states, sys.maxsize)
    walk = Walk(known, instance, config, random.Random(seed))
    visited = [step.state for step in walk.collect(config).steps[:states]]
    start = time.perf_counter()
    expand, convert = ENGINES[engine](known, walk.problem)
    setup_s = time.perf_counter() - start
    own = [convert(state) for state in visited]
    seconds, n_successors = [], 0
    for _ in range(ROUNDS[engine]):
        start = time.perf_counter()
        n_successors = sum(len(expand(state)) for state in own)
        seconds.append(time.perf_counter() - start)
    return {"successors": n_successors, "setup_s": setup_s, "seconds": seconds}


@dataclass(frozen=True)
class ExpandRun(Run):
    """An engine that expands so many states of a walk in a problem of a benchmark domain."""

    domain: str
    engine: str
    problem: str = PROBLEM
    states: int = N_STATES
    seed: int = 0

    def measure(self, row: Row, place: Path) -> None:
        """Expand them in a process of its own."""
        call(row, expand_all, self.key)


def report(results: Results) -> Report:
    """A row for each domain and engine: medians over rounds, then seeds."""
    groups: list[dict[str, Any]] = []
    first: dict[str, dict[str, Any]] = {}
    for (domain, engine), rows in results.groups("domain", "engine").items():
        group = {"domain": domain, "engine": engine, **_figures(succeeded(rows))}
        base = first.setdefault(domain, group)
        for name in ("rate", "rate_with_setup"):
            is_known = base[name] and group[name]
            group[f"{name}_slower"] = base[name] / group[name] if is_known else None
        groups.append(group)
    notes = [
        f"{N_STATES} states of a random walk in {PROBLEM}, the same for every engine. Slower: than "
        "the domain's first engine. With set-up: of the problem, once."
    ]
    for (domain, seed), rows in results.groups("domain", "seed").items():
        if len({row["successors"] for row in succeeded(rows)}) > 1:
            notes.append(f"The engines disagree about the successors in {domain}, seed {seed}.")
    table = group_table(groups, COLUMNS, 2)
    return Report("Successors a second", results, [("", table)], groups, notes)


def _figures(rows: Sequence[Row]) -> dict[str, float | None]:
    """Medians over runs; the seconds of a run are the median of its rounds."""
    taken = [(row, statistics.median(row["seconds"])) for row in rows]
    return {
        "setup_s": median(row["setup_s"] for row in rows),
        "state_ms": median(1000 * s / row["states"] for row, s in taken),
        "rate": median(row["successors"] / s for row, s in taken),
        "rate_with_setup": median(row["successors"] / (s + row["setup_s"]) for row, s in taken),
    }


@table_command("successors", report, SMALL, FULL, n_workers=1)
@several("--engine", "engines", type=click.Choice(list(ENGINES)), default=list(ENGINES))
def command(size: Size, engines: Sequence[str]) -> list[ExpandRun]:
    """Successors a second: our joins, pyperplan's operators, Tarski's.

    The others are compared with the first engine. --full: three domains.
    """
    return [
        ExpandRun(domain, engine, seed=seed)
        for seed in size.seeds
        for domain in size.domains
        for engine in engines
    ]
