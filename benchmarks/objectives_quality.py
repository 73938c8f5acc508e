"""What both objectives come to when they are trained to the end: precision and recall.

``python -m benchmarks.objectives_quality [--domain NAME]… [--steps N] [--seeds N] [-o RESULTS]``

``--method neural`` with the lifted objective, with and without early stop, and with the dense one
as in the paper (PCGrad, the domain's own α), on the same traces of p01, from the same seed and for
as many steps; then 1,500 states of p02 to p04. The steps are as many as `--steps` says, not the
paper's 10,000: that many take the dense objective hours on a processor. A run is one JSON line;
runs that the file has already are not done again.
"""

from __future__ import annotations

import platform
import statistics
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path

import click

from .command import run_dias
from .generate import DOMAINS
from .generators import BENCHMARKS
from .rawlines import Row, add_rows, missing

RESULTS = Path(__file__).parent / "results" / "objectives_quality.jsonl"
DEFAULT_DOMAINS = ("blocks-3", "gripper")
LIMIT_S = 7200
EVALUATION_LIMIT_S = 300

TRAINING = {
    "lifted": "early_stop = true\n",
    "lifted to the end": "early_stop = false\n",
    "dense": "",
}
"""What is trained, and its settings beside objective and steps."""


def run(domain: str, training: str, max_steps: int, seed: int) -> Row:
    """Sample, train one objective and evaluate; the outcome."""
    key = {"domain": domain, "training": training, "max_steps": max_steps, "seed": seed}
    folder = DOMAINS / domain
    known = tomllib.loads((folder / "dias.toml").read_text(encoding="utf-8"))
    alpha = f"alpha = {known['learn']['alpha']}\n" if training == "dense" else ""
    with tempfile.TemporaryDirectory() as place:
        traces, learned, settings = (Path(place) / name for name in ("t.jsonl", "d.pddl", "s.toml"))
        settings.write_text(f"[training]\n{TRAINING[training]}{alpha}", encoding="utf-8")
        sampled = run_dias(
            "sample", folder / "domain.pddl", folder / "p01.pddl", "-o", traces, "--seed", seed,
            "--min-per-action", known["sample"]["min_per_action"],
            "--max-per-action", known["sample"]["max_per_action"],
        )  # fmt: skip
        if sampled["status"] != 0:
            return key | {"failure": f"sample: {sampled['message']}"}
        result = run_dias(
            "learn", traces, "-o", learned, "--json", "--method", "neural", "--seed", seed,
            "--objective", training.partition(" ")[0], "--steps", max_steps, "--config", settings,
            time_limit_s=LIMIT_S,
        )  # fmt: skip
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
        "states": evaluation["states"],
        "explained": learning["explained"] / learning["distinct_transitions"],
        "steps": learning["gradient_steps"],
        "arities": {name: action["arity"] for name, action in learning["actions"].items()},
        "learn_s": result["seconds"],
        "learn_mib": result["peak_mib"],
        "machine": f"{platform.machine()}, 1 thread",
    }


def markdown(runs: Iterable[Row]) -> str:
    """A row for each domain, number of steps and training."""
    groups: dict[tuple[str, int, str], list[Row]] = {}
    for one in runs:
        groups.setdefault((one["domain"], one["max_steps"], one["training"]), []).append(one)
    lines = [
        "| domain | steps at most | objective | runs | steps | precision | recall | explained | "
        "arguments | learn, s | not measured to the end |",
        "|---|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for (domain, max_steps, training), own in sorted(groups.items()):
        done = [one for one in own if "precision" in one]
        cells = [domain, f"{max_steps:,}", training, str(len(own))]
        if done:
            cells.append(f"{statistics.median(one['steps'] for one in done):.0f}")
            for key in ("precision", "recall", "explained"):
                cells.append(f"{statistics.mean(one[key] for one in done):.4f}")
            n_arguments = [sum(one["arities"].values()) for one in done]
            cells.append(f"{statistics.mean(n_arguments):.1f}")
            cells.append(f"{statistics.median(one['learn_s'] for one in done):.0f}")
        else:
            cells += [""] * 6
        cells.append(str(sum(bool(one["failure"]) for one in own)))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


@click.command(help=__doc__)
@click.option(
    "--domain", "domains", type=click.Choice(sorted(BENCHMARKS)), multiple=True,
    default=DEFAULT_DOMAINS, help="Repeatable.",
)  # fmt: skip
@click.option("--steps", type=click.IntRange(1), default=2000, show_default=True)
@click.option("--seeds", type=click.IntRange(1), default=1, show_default=True)
@click.option("-o", "output", type=click.Path(path_type=Path), default=RESULTS)
def main(domains: tuple[str, ...], steps: int, seeds: int, output: Path) -> None:
    """Do the missing runs, then print the table of all runs in the file."""
    keys = [
        {"domain": domain, "training": training, "max_steps": steps, "seed": seed}
        for seed in range(seeds)
        for domain in domains
        for training in TRAINING
    ]
    click.echo(markdown(add_rows(output, (run(**key) for key in missing(output, keys)))))


if __name__ == "__main__":
    main()
