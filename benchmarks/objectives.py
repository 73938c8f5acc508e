"""What a training step costs: the dense objective of the paper against the lifted one.

``python -m benchmarks.objectives [--domain NAME]… [--steps N] [--seed N] [-o RESULTS.jsonl]``

Both objectives are trained in this process, with one thread, on the same traces of p01 (the
paper's sample sizes) from the same seed, alternating step by step so that a busy machine slows
both. Reported is the median time of a step, all but the objective being the same: making the
batch, R-GCN, Sinkhorn, gradients, AdamW. The dense objective is also measured with PCGrad, as in
the paper.
"""

from __future__ import annotations

import json
import platform
import random
import statistics
import tempfile
import time
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import torch

from dias.config import ModelConfig, TrainingConfig
from dias.learning.trainer import Trainer
from dias.strips.reader import read_domain, read_problem
from dias.tensors import TransitionTables, Vocabulary, build_tables
from dias.traces.reader import read_traces
from dias.traces.record import LabelMode
from dias.traces.samples import SamplingConfig
from dias.traces.sampling import sample_traces, trace_block
from dias.traces.writer import write_traces

from .command import append_line
from .generate import DOMAINS
from .generators import BENCHMARKS

RESULTS = Path(__file__).parent / "results" / "objectives.jsonl"
DEFAULT_DOMAINS = ("blocks-3", "logistics", "satellite", "visitall")
WARM_UP = 5
"""First steps that are not counted."""

TRAINING = {
    "lifted": TrainingConfig(objective="lifted"),
    "dense": TrainingConfig(objective="dense"),
    "dense, PCGrad": TrainingConfig(objective="dense", alpha=1.0),
}


def tables_of(domain: str, seed: int) -> TransitionTables:
    """Transitions of p01, as many as the paper has."""
    folder = DOMAINS / domain
    true = read_domain(folder / "domain.pddl")
    instance = read_problem(folder / "p01.pddl", true)
    size = tomllib.loads((folder / "dias.toml").read_text(encoding="utf-8"))["sample"]
    limits = [SamplingConfig(size["min_per_action"], size["max_per_action"])]
    [[sample]] = sample_traces(true, [instance], limits, random.Random(seed))
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "traces.jsonl"
        write_traces(path, [trace_block(true, sample, LabelMode.NAMES)])
        traces = read_traces(path)
    return build_tables(traces, Vocabulary.of(traces))


def run(domain: str, n_steps: int, seed: int) -> dict[str, Any]:
    """Median seconds of a step with each objective."""
    tables = tables_of(domain, seed)
    n_objects = int(tables.n_objects.max())
    model = replace(ModelConfig(), n_slots=min(ModelConfig().n_slots, n_objects))
    trainers = {
        name: Trainer(tables, model, replace(training, n_steps=WARM_UP + n_steps), seed)
        for name, training in TRAINING.items()
    }
    seconds: dict[str, list[float]] = {name: [] for name in trainers}
    for _ in range(WARM_UP + n_steps):
        for name, trainer in trainers.items():
            started = time.perf_counter()
            trainer.advance(1)
            seconds[name].append(time.perf_counter() - started)
    return {
        "domain": domain,
        "seed": seed,
        "steps": n_steps,
        "objects": n_objects,
        "relations": sum(map(len, tables.vocabulary.relations.values())),
        "batch": TrainingConfig().batch_size,
        "step_s": {
            name: round(statistics.median(own[WARM_UP:]), 5) for name, own in seconds.items()
        },
        "machine": f"{platform.machine()}, 1 thread, torch {torch.__version__}",
    }


def markdown(runs: list[dict[str, Any]]) -> str:
    """A row for each domain; the ratios are to the lifted objective."""
    lines = [
        f"| domain | O | R | {', ms | '.join(TRAINING)}, ms | dense / lifted |",
        f"|---|--:|--:|{'--:|' * len(TRAINING)}--:|",
    ]
    for one in runs:
        step_s = one["step_s"]
        cells = [one["domain"], str(one["objects"]), str(one["relations"])]
        cells += [f"{1000 * step_s[name]:.1f}" for name in TRAINING]
        cells.append(f"{step_s['dense'] / step_s['lifted']:.2f}")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


@click.command(help=__doc__)
@click.option("--domain", "domains", type=click.Choice(sorted(BENCHMARKS)), multiple=True)
@click.option("--steps", type=click.IntRange(1), default=50, show_default=True)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option("-o", "output", type=click.Path(path_type=Path), default=RESULTS)
def main(domains: tuple[str, ...], steps: int, seed: int, output: Path) -> None:
    """Measure, append to the file, print the table."""
    torch.set_num_threads(1)
    runs = []
    for domain in domains or DEFAULT_DOMAINS:
        one = run(domain, steps, seed)
        append_line(output, one)
        click.echo(json.dumps(one), err=True)
        runs.append(one)
    click.echo(markdown(runs))


if __name__ == "__main__":
    main()
