"""What a training step costs with each objective, in a process of its own.

``python -m dias_benchmarks.tables.step_time TRACES --objective NAME… [--steps N] [--seed N]``

Objectives are trained alternately, step by step, so that a busy machine slows all of them. A step
is everything that training does: making the batch, R-GCN, Sinkhorn, the loss, gradients, AdamW.
Prints JSON: the median seconds of a step, and the sizes that it depends on.
"""

from __future__ import annotations

import json
import resource
import statistics
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from dias.config import ModelConfig, TrainingConfig, paper_training
from dias.limits import resident_mb

BATCH_SIZE = paper_training().batch_size
TRAINING = {
    "lifted": TrainingConfig(batch_size=BATCH_SIZE, objective="lifted"),
    "dense": TrainingConfig(batch_size=BATCH_SIZE, objective="dense"),
    "dense-pcgrad": TrainingConfig(batch_size=BATCH_SIZE, objective="dense", alpha=1.0),
}
"""The objectives; the last one is trained as in the paper."""

WARM_UP = 3
"""First steps, which are not counted."""
N_STEPS_LEAST = 3
"""Counted steps without which there is no median."""


def measure(
    traces: Path, objectives: tuple[str, ...], n_steps: int, seed: int, time_limit_s: float
) -> dict[str, Any]:
    """Train `n_steps` steps with each objective, or as many as the time allows."""
    import torch

    from dias.learning.train.trainer import Trainer
    from dias.nn.tables import Symbols, build_tables
    from dias.traces.reading.reader import read_traces

    torch.set_num_threads(1)
    read = read_traces(traces)
    tables = build_tables(read, Symbols.of(read))
    n_objects = int(tables.n_objects.max())
    model = replace(ModelConfig(), n_slots=min(ModelConfig().n_slots, n_objects))
    trainers = {
        name: Trainer(tables, model, replace(TRAINING[name], n_steps=WARM_UP + n_steps), seed)
        for name in objectives
    }
    before_mib = resident_mb()
    seconds: dict[str, list[float]] = {name: [] for name in objectives}
    deadline = time.monotonic() + time_limit_s
    for step in range(WARM_UP + n_steps):
        if step >= WARM_UP + N_STEPS_LEAST and time.monotonic() >= deadline:
            break
        for name, trainer in trainers.items():
            started = time.perf_counter()
            trainer.advance(1)
            seconds[name].append(time.perf_counter() - started)
    counted = {name: own[WARM_UP:] for name, own in seconds.items()}
    return {
        "n_objects": n_objects,
        "relations": sum(map(len, tables.vocabulary.relations.values())),
        "batch": BATCH_SIZE,
        "steps": len(counted[objectives[0]]),
        "step_s": {name: round(statistics.median(own), 5) for name, own in counted.items()},
        "before_mib": round(before_mib),
    }


@click.command(help=__doc__)
@click.argument("traces", type=click.Path(path_type=Path))
@click.option(
    "--objective", "objectives", type=click.Choice(list(TRAINING)), multiple=True, required=True
)
@click.option("--steps", type=click.IntRange(N_STEPS_LEAST), default=30, show_default=True)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option("--time-limit", type=float, default=300, show_default=True)
@click.option("--memory-limit", type=int, help="MiB that the process may reserve.")
def main(
    traces: Path,
    objectives: tuple[str, ...],
    steps: int,
    seed: int,
    time_limit: float,
    memory_limit: int | None,
) -> None:
    """Measure and print."""
    if memory_limit:
        resource.setrlimit(resource.RLIMIT_AS, (memory_limit * 2**20, memory_limit * 2**20))
    try:
        click.echo(json.dumps(measure(traces, objectives, steps, seed, time_limit)))
    except (MemoryError, RuntimeError) as error:  # torch's allocator raises RuntimeError
        if isinstance(error, RuntimeError) and "alloc" not in str(error):
            raise
        raise click.ClickException(f"more than {memory_limit} MiB needed") from error


if __name__ == "__main__":
    main()
