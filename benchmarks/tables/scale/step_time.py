"""What a training step costs with each objective.

Objectives are trained alternately, step by step, so that a busy machine slows all of them. A step
is everything that training does: making the batch, R-GCN, Sinkhorn, the loss, gradients, AdamW.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

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
    traces: str, objectives: Sequence[str], n_steps: int, seed: int, stop_s: float
) -> dict[str, Any]:
    """Train so many steps with each objective, or as many as are begun within `stop_s` seconds.

    Returns:
        The median seconds of a step, the sizes that it depends on, and the resident memory before
        the first step.
    """
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
    deadline = time.monotonic() + stop_s
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
