"""Does the certificate say so before the test does? Few samples, and what is doubted then.

``python -m benchmarks.tables.small_data [--domain NAME]… [--samples N]… [--seeds N]
[--method hybrid|symbolic] [-o RESULTS.jsonl]``

Every run is `dias sample`, `learn` and `evaluate`, as in `benchmarks.tables.main`, with N samples
of each action. Of each run it is noted which actions the certificate doubts (weak preconditions, a
parameter that may be missing, effects that one transition shows, fewer than 20 distinct
transitions), and which are wrong in the test states. What counts is the last column: actions that
are wrong and were not doubted. A finished run is one JSON line; runs that the file has already are
not done again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

import click

from dias.traces.findings import FEW_SAMPLES

from ..generate import DOMAINS
from ..generators import BENCHMARKS
from ..running.command import run_dias
from ..running.rawlines import Row, add_rows, missing

RESULTS = Path(__file__).parents[1] / "results" / "small_data.jsonl"
SUBJECTS = ("blocks-3", "delivery", "logistics", "satellite", "spanner")
SAMPLES = (10, 20, 50, 100)
N_SEEDS = 5
EVALUATION_LIMIT_S = 120


def run(domain: str, samples: int, method: str, seed: int) -> Row:
    """Sample, learn, evaluate; what was doubted and what was wrong."""
    key = {"domain": domain, "samples": samples, "method": method, "seed": seed}
    folder = DOMAINS / domain
    with tempfile.TemporaryDirectory() as place:
        traces, learned = f"{place}/traces.jsonl", f"{place}/learned.pddl"
        sampled = run_dias(
            "sample", folder / "domain.pddl", folder / "p01.pddl", "-o", traces, "--seed", seed,
            "--json", "--min-per-action", samples, "--max-per-action", 2 * samples,
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
        "weak_points": learning["weak_points"],
        "weak": [name for name, action in learning["actions"].items() if _is_weak(action)],
        "few": [
            n for n, action in learning["actions"].items() if action["transitions"] < FEW_SAMPLES
        ],
        "wrong": [
            name
            for name, score in evaluation["actions"].items()
            if score["false_positives"] or score["false_negatives"]
        ],
        "n_actions": len(evaluation["actions"]),
    }


def _is_weak(action: Row) -> bool:
    """Whether the certificate doubts the schema, few samples not counted."""
    support = action["support"]
    if support is None:  # learned as from noisy transitions
        return False
    doubts = support["weak"], support["missing"], support["thin_effects"]
    return any(doubts) or support["refused"]["allowed"] > 0


def markdown(runs: Iterable[Row]) -> str:
    """A row for each domain and number of samples; actions are counted over all its runs."""
    groups: dict[tuple[str, str, int], list[Row]] = {}
    for one in runs:
        groups.setdefault((one["domain"], one["method"], one["samples"]), []).append(one)
    lines = [
        "| domain | method | samples | runs | failed | perfect runs | actions | weak | few "
        "| wrong | wrong, not weak | wrong, neither weak nor few |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for (domain, method, samples), own in sorted(groups.items()):
        done = [one for one in own if not one["failure"]]
        cells = [domain, method, samples, len(own), len(own) - len(done)]
        cells += [sum(not one["wrong"] for one in done), sum(one["n_actions"] for one in done)]
        cells += [sum(len(one[key]) for one in done) for key in ("weak", "few", "wrong")]
        cells.append(sum(len({*one["wrong"]} - {*one["weak"]}) for one in done))
        cells.append(sum(len({*one["wrong"]} - {*one["weak"], *one["few"]}) for one in done))
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


@click.command(help=__doc__)
@click.option(
    "--domain", "domains", type=click.Choice(sorted(BENCHMARKS)), multiple=True, default=SUBJECTS,
    show_default=True, help="Repeatable.",
)  # fmt: skip
@click.option(
    "--samples", type=click.IntRange(1), multiple=True, default=SAMPLES, show_default=True,
    help="Samples of each action; repeatable.",
)  # fmt: skip
@click.option("--method", type=click.Choice(["hybrid", "symbolic"]), default="hybrid")
@click.option("--seeds", type=click.IntRange(1), default=N_SEEDS, show_default=True)
@click.option("-o", "output", type=click.Path(path_type=Path), default=RESULTS)
def main(
    domains: tuple[str, ...], samples: tuple[int, ...], method: str, seeds: int, output: Path
) -> None:
    """Do the missing runs, then print the table of all runs in the file."""
    keys = [
        {"domain": domain, "samples": n, "method": method, "seed": seed}
        for seed in range(seeds)
        for domain in domains
        for n in samples
    ]
    click.echo(markdown(add_rows(output, (run(**key) for key in missing(output, keys)))))


if __name__ == "__main__":
    main()
