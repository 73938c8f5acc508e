"""How well and how fast domains are learned: sample, learn and evaluate, run by run.

``python -m benchmarks.learning [--suite paper|own|fresh|all] [--domain NAME]…
[--labels names|partial|full]… [--method hybrid|symbolic|neural] [--seeds N] [-o RESULTS.jsonl]``

Every run is the commands a user would type, in processes of their own with one thread: traces of
p01 with the domain's sample sizes, a domain from them, 1,500 states of p02 to p04. The seed is that
of sampling and of learning. A finished run is one JSON line; runs that the file has already are
not done again. A run that fails is a line too.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from .command import append_line, read_lines, run_dias
from .generate import DOMAINS
from .generators import BENCHMARKS, SUITES

RESULTS = Path(__file__).parent / "results" / "learning.jsonl"
N_SEEDS = 3
EVALUATION_LIMIT_S = 300

Run = dict[str, Any]


def run(domain: str, labels: str, method: str, seed: int) -> Run:
    """Sample, learn, evaluate; the outcome of one run."""
    key = {"domain": domain, "labels": labels, "method": method, "seed": seed}
    folder = DOMAINS / domain
    size = tomllib.loads((folder / "dias.toml").read_text(encoding="utf-8"))["sample"]
    with tempfile.TemporaryDirectory() as place:
        traces, learned = f"{place}/traces.jsonl", f"{place}/learned.pddl"
        sampled = run_dias(
            "sample", folder / "domain.pddl", folder / "p01.pddl", "-o", traces,
            "--labels", labels, "--seed", seed, "--json",
            "--min-per-action", size["min_per_action"],
            "--max-per-action", size["max_per_action"],
        )  # fmt: skip
        if sampled["status"] != 0:
            return key | {"failure": f"sample: {sampled['message']}"}
        result = run_dias(
            "learn", traces, "-o", learned, "--method", method, "--seed", seed, "--json"
        )
        if result["status"] not in (0, 4):
            return key | {"failure": f"learn: {result['message']}"}
        measured = run_dias(
            "evaluate", learned, "--gt", folder / "domain.pddl", "--json",
            "--time-limit", EVALUATION_LIMIT_S,
        )  # fmt: skip
    if measured["status"] != 0:
        return key | {"failure": f"evaluate: {measured['message']}"}
    learning, evaluation = result["json"], measured["json"]
    return key | {
        "failure": evaluation["failure"],
        "precision": evaluation["successor_states"]["precision"],
        "recall": evaluation["successor_states"]["recall"],
        "sound": evaluation["sound"],
        "complete": evaluation["complete"],
        "states": evaluation["states"],
        "transitions": learning["transitions"],
        "explained": learning["explained"] / learning["distinct_transitions"],
        "steps": learning["gradient_steps"],
        "arities": {name: action["arity"] for name, action in learning["actions"].items()},
        "sample_s": sampled["seconds"],
        "learn_s": result["seconds"],
        "evaluate_s": measured["seconds"],
        "sample_mib": sampled["peak_mib"],
        "learn_mib": result["peak_mib"],
        "evaluate_mib": measured["peak_mib"],
        "stages_s": learning["seconds"],
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python "
        f"{platform.python_version()}",
    }


def markdown(runs: Iterable[Run]) -> str:
    """A row for each domain, label mode and method: the paper's columns and the time."""
    groups: dict[tuple[str, str, str], list[Run]] = {}
    for one in runs:
        groups.setdefault((one["domain"], one["labels"], one["method"]), []).append(one)
    lines = [
        "| domain | labels | method | runs | precision | recall | N_s | N_c | N_sc | steps | "
        "sample, s | learn, s | longest, s | evaluate, s | MiB |",
        "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for (domain, labels, method), own in sorted(groups.items()):
        done = [one for one in own if "precision" in one]
        cells = [domain, labels, method, str(len(own))]
        if done:
            cells += [f"{statistics.mean(r[k] for r in done):.4f}" for k in ("precision", "recall")]
            cells += [str(sum(r["sound"] for r in done)), str(sum(r["complete"] for r in done))]
            cells.append(str(sum(r["sound"] and r["complete"] for r in done)))
            cells.append(f"{statistics.median(r['steps'] for r in done):.0f}")
            seconds = {k: [r[f"{k}_s"] for r in done] for k in ("sample", "learn", "evaluate")}
            cells.append(f"{statistics.median(seconds['sample']):.1f}")
            cells += [f"{statistics.median(seconds['learn']):.1f}", f"{max(seconds['learn']):.1f}"]
            cells.append(f"{statistics.median(seconds['evaluate']):.1f}")
            cells.append(f"{max(r['evaluate_mib'] for r in done):.0f}")
        else:
            cells += ["failed"] + [""] * 10
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


@click.command(help=__doc__)
@click.option("--suite", type=click.Choice(list(SUITES)), default="paper", show_default=True)
@click.option(
    "--domain", "domains", type=click.Choice(sorted(BENCHMARKS)), multiple=True,
    help="Repeatable; instead of a suite.",
)  # fmt: skip
@click.option(
    "--labels", type=click.Choice(["names", "partial", "full"]), multiple=True, default=["names"]
)
@click.option("--method", type=click.Choice(["hybrid", "symbolic", "neural"]), default="hybrid")
@click.option("--seeds", type=click.IntRange(1), default=N_SEEDS, show_default=True)
@click.option("-o", "output", type=click.Path(path_type=Path), default=RESULTS)
def main(
    suite: str,
    domains: tuple[str, ...],
    labels: tuple[str, ...],
    method: str,
    seeds: int,
    output: Path,
) -> None:
    """Do the missing runs, then print the table of all runs in the file."""
    keys = ("domain", "labels", "method", "seed")
    done = {tuple(one[key] for key in keys) for one in read_lines(output)}
    for seed in range(seeds):
        for domain in domains or sorted(SUITES[suite]):
            for mode in labels:
                if (domain, mode, method, seed) not in done:
                    one = run(domain, mode, method, seed)
                    append_line(output, one)
                    click.echo(json.dumps(one), err=True)
    click.echo(markdown(read_lines(output)))


if __name__ == "__main__":
    main()
