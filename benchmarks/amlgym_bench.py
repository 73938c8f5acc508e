"""AMLGym's benchmark of learners that are given all arguments: SAM, OffLAM, NOLAM and this one.

    python -m dias_benchmarks.amlgym_bench -o amlgym.jsonl

in an environment that has amlgym and dias. Every run is a process of its own, in a folder of its
own since AMLGym's learners write into the one they are started in. Its own trajectories,
states, problems and metrics are taken as they are; what fails is a row that says why. Finished runs
are kept: the same command goes on where it was stopped. The table is printed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

DOMAINS = ("blocksworld", "ferry", "grippers", "miconic", "spanner")
LEARNERS = ("SAM", "OffLAM", "NOLAM", "dias")
N_PROBLEMS = 10
"""Problems whose states are tested, and problems to be solved, of each domain."""
N_STATES = 10
"""States of each problem at most."""
SOLVING_TIMEOUT_S = 60
"""Seconds to solve a problem, as AMLGym has it; of the clock, so a busy machine solves fewer."""
RUN_TIMEOUT_S = 900
CODE = """
import json, sys
from pathlib import Path
from dias_benchmarks.amlgym_bench import measure
Path("row.json").write_text(json.dumps(measure(*sys.argv[1:])))
"""
"""Standard output is not ours: planners and learners print there."""
FIGURES = {
    "learn_s": "CPU s",
    "syntax_precision": "syntax: precision",
    "syntax_recall": "recall",
    "applicable_precision": "applicable: precision",
    "applicable_recall": "recall",
    "effects_precision": "effects: precision",
    "effects_recall": "recall",
    "solved": "solved",
    "false_plans": "false plans",
    "unsolvable": "unsolvable",
    "timed_out": "timed out",
}
"""Key of a row to the head of its column."""


def cpu_s() -> float:
    """Processor seconds of this process and its children so far."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def measure(domain: str, learner: str) -> dict[str, Any]:
    """Learn a domain of the benchmark and take its metrics, in this process and folder."""
    from amlgym import benchmarks, metrics
    from amlgym.algorithms import get_algorithm
    from amlgym.modeling.UPEnv import UPEnv

    from dias.adapters.amlgym import register

    register()
    truth = benchmarks.get_domain_path(domain)
    trajectories = benchmarks.get_trajectories_path(domain)
    algorithm = get_algorithm(learner)
    start = cpu_s()
    text = algorithm.learn(truth, trajectories)
    row: dict[str, Any] = {"learn_s": round(cpu_s() - start, 2)}
    learned = Path("learned.pddl")
    learned.write_text(text, encoding="utf-8")
    row["syntax_precision"] = float(metrics.syntactic_precision(str(learned), truth)["mean"])
    row["syntax_recall"] = float(metrics.syntactic_recall(str(learned), truth)["mean"])
    # The same way as AMLGym's own test: one pair of simulators a problem, and its stored states.
    stored = benchmarks.get_test_states(domain, kind="predictive_power_fast")
    problems = benchmarks.get_problems_path(domain, kind="predictive_power")
    problems = [path for path in problems if Path(path).name in stored][:N_PROBLEMS]
    states = [
        [state["fluents"] for state in list(stored[Path(path).name].values())[:N_STATES]]
        for path in problems
    ]
    power = metrics.predictive_power(
        [UPEnv(str(learned), path) for path in problems],
        [UPEnv(truth, path) for path in problems],
        states,
        show_progress=False,
    )
    for key, name in (("applicability", "applicable"), ("predicted_effects", "effects")):
        row[f"{name}_precision"] = round(float(power[key]["mean_precision"]), 3)
        row[f"{name}_recall"] = round(float(power[key]["mean_recall"]), 3)
    to_solve = benchmarks.get_problems_path(domain, kind="solving")[:N_PROBLEMS]
    solving = metrics.problem_solving(
        str(learned), truth, to_solve, timeout=SOLVING_TIMEOUT_S, show_progress=False
    )
    return row | {
        "solved": solving["solving_ratio"],
        "false_plans": solving["false_plans_ratio"],
        "unsolvable": solving["unsolvable_ratio"],
        "timed_out": solving["timed_out"],
    }


def run(domain: str, learner: str) -> dict[str, Any]:
    """Measure in a process and a folder of its own."""
    row = {"domain": domain, "learner": learner, "amlgym": version("amlgym")}
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                [sys.executable, "-W", "ignore", "-c", CODE, domain, learner],
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=RUN_TIMEOUT_S,
            )
        except subprocess.TimeoutExpired:
            return row | {"failure": f"stopped after {RUN_TIMEOUT_S} s"}
        if done.returncode:
            said = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
            return row | {"failure": said[-1]}
        return row | json.loads((Path(folder) / "row.json").read_text(encoding="utf-8"))


def table(rows: Iterable[dict[str, Any]]) -> str:
    """The rows as Markdown, all figures as they are."""
    heads = ["domain", "learner", *FIGURES.values()]
    lines = [f"| {' | '.join(heads)} |", f"|---|---|{'--:|' * len(FIGURES)}"]
    for row in rows:
        cells = [f"{row[key]:g}" if key in row else "–" for key in FIGURES]
        if "failure" in row:
            cells[-1] = f"failed: {row['failure']}"
        lines.append(f"| {row['domain']} | {row['learner']} | {' | '.join(cells)} |")
    return "\n".join(lines)


@click.command()
@click.argument("domains", nargs=-1)
@click.option("--learner", "learners", multiple=True, default=LEARNERS, show_default=True)
@click.option("-o", "output", type=click.Path(path_type=Path), required=True, help="Raw rows.")
def main(domains: tuple[str, ...], learners: tuple[str, ...], output: Path) -> None:
    """Measure LEARNERS on DOMAINS of AMLGym and print the table."""
    kept = output.read_text(encoding="utf-8").splitlines() if output.exists() else []
    rows = {(row["domain"], row["learner"]): row for row in map(json.loads, kept)}
    wanted = [(domain, learner) for domain in domains or DOMAINS for learner in learners]
    for domain, learner in wanted:
        if (domain, learner) in rows:
            continue
        rows[domain, learner] = row = run(domain, learner)
        click.echo(json.dumps(row), err=True)
        with output.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(row) + "\n")
    click.echo(table(rows[pair] for pair in wanted))


if __name__ == "__main__":
    main()
