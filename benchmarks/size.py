"""What a training step costs as problems grow: Logistics with 15 to 500 objects.

``python -m benchmarks.size [--objects N]… [--steps N] [--objective NAME] [-o RESULTS.jsonl]``

Each size is measured in a process of its own with one thread: traces of a generated problem, then
gradient steps on batches of 200. Reported are the true atoms of a state, static ones and types
included, the median CPU and wall-clock time of a step, the seconds for reading the transitions
into tables and graphs, and the peak memory of the process, torch's own 250 MiB or so included.
"""

from __future__ import annotations

import json
import platform
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Iterable
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import click
import torch

from dias.config import OBJECTIVES, ModelConfig, TrainingConfig
from dias.learning.trainer import Trainer
from dias.strips.reader import read_domain, read_problem
from dias.tensors import TransitionTables, Vocabulary, build_tables
from dias.traces.reader import read_traces
from dias.traces.record import LabelMode, Traces
from dias.traces.samples import SamplingConfig
from dias.traces.sampling import sample_traces, trace_block
from dias.traces.writer import write_traces

from .command import append_line
from .generate import DOMAINS, problem_text

RESULTS = Path(__file__).parent / "results" / "size.jsonl"

SIZES = {
    15: {"cities": 2, "locations": 3, "packages": 4, "airplanes": 1, "trucks": 2},
    50: {"cities": 5, "locations": 4, "packages": 16, "airplanes": 4, "trucks": 5},
    150: {"cities": 15, "locations": 4, "packages": 50, "airplanes": 10, "trucks": 15},
    500: {"cities": 50, "locations": 4, "packages": 160, "airplanes": 40, "trucks": 50},
}
"""Number of objects to what there is of each kind, in about the same proportions."""

N_SAMPLES = 100
"""Transitions of each action."""

WARM_UP = 3
"""First steps that are not counted."""


def measure(n_objects: int, objective: str, n_steps: int, seed: int) -> dict[str, Any]:
    """The costs at one size, in this process."""
    torch.set_num_threads(1)
    traces = _traces(n_objects, seed)
    started = time.process_time()
    tables = build_tables(traces, Vocabulary.of(traces))
    config = TrainingConfig(n_steps=WARM_UP + n_steps, objective=objective)
    trainer = Trainer(tables, ModelConfig(), config, seed)
    trainer.advance(1)  # prepares the graphs
    prepared = time.process_time() - started
    trainer.advance(WARM_UP - 1)
    cpu_s, wall_s = [], []
    for _ in range(n_steps):
        cpu, wall = time.process_time(), time.perf_counter()
        trainer.advance(1)
        cpu_s.append(time.process_time() - cpu)
        wall_s.append(time.perf_counter() - wall)
    return {
        "domain": "logistics",
        "objective": objective,
        "objects": n_objects,
        "atoms": round(_mean_atoms(tables)),
        "transitions": len(tables),
        "batch": config.batch_size,
        "seed": seed,
        "steps": n_steps,
        "prepare_cpu_s": round(prepared, 3),
        "step_cpu_s": round(statistics.median(cpu_s), 5),
        "step_s": round(statistics.median(wall_s), 5),
        "peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "machine": f"{platform.machine()}, 1 thread, torch {torch.__version__}",
    }


def _traces(n_objects: int, seed: int) -> Traces:
    true = read_domain(DOMAINS / "logistics" / "domain.pddl")
    with tempfile.TemporaryDirectory() as folder:
        problem = Path(folder) / "problem.pddl"
        problem.write_text(problem_text("logistics", SIZES[n_objects], seed), encoding="utf-8")
        instance = read_problem(problem, true)
        limits = [SamplingConfig(N_SAMPLES, N_SAMPLES)]
        [[sample]] = sample_traces(true, [instance], limits, random.Random(seed))
        path = Path(folder) / "traces.jsonl"
        write_traces(path, [trace_block(true, sample, LabelMode.NAMES)])
        return read_traces(path)


def _mean_atoms(tables: TransitionTables) -> float:
    """True atoms of a state, in the mean."""
    varying = sum(len(table.rows) for table in tables.state.values()) / len(tables)
    return varying + sum(len(table.rows) for table in tables.static.values())


def markdown(lines: Iterable[dict[str, Any]]) -> str:
    """A row for each measurement; growth is against the one above it."""
    table = [
        "| objective | objects | atoms | prepare, s | step, CPU ms | step, ms | growth / growth of "
        "atoms | MiB |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    before: dict[str, Any] | None = None
    for one in lines:
        growth = ""
        if before and before["objective"] == one["objective"]:
            ratio = one["step_cpu_s"] / before["step_cpu_s"] * before["atoms"] / one["atoms"]
            growth = f"{ratio:.2f}"
        table.append(
            f"| {one['objective']} | {one['objects']} | {one['atoms']} "
            f"| {one['prepare_cpu_s']:.2f} | {1000 * one['step_cpu_s']:.1f} "
            f"| {1000 * one['step_s']:.1f} | {growth} | {one['peak_mib']} |"
        )
        before = one
    return "\n".join(table)


@click.command(help=__doc__)
@click.option(
    "--objects", "sizes", type=click.Choice([str(n) for n in SIZES]), multiple=True,
    help="Repeatable. Default: all.",
)  # fmt: skip
@click.option("--objective", type=click.Choice(OBJECTIVES), default="lifted", show_default=True)
@click.option("--steps", type=click.IntRange(1), default=20, show_default=True)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option("-o", "output", type=click.Path(path_type=Path), default=RESULTS)
def main(sizes: tuple[str, ...], objective: str, steps: int, seed: int, output: Path) -> None:
    """Measure, append to the file, print the table."""
    lines = []
    for size in map(int, sizes or SIZES):
        with get_context("spawn").Pool(1) as fresh:
            one = fresh.apply(measure, (size, objective, steps, seed))
        append_line(output, one)
        click.echo(json.dumps(one), err=True)
        lines.append(one)
    click.echo(markdown(lines))


if __name__ == "__main__":
    main()
