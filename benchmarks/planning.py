"""Planning with learned domains against planning with the true ones.

``python -m benchmarks.planning [--suite paper|own|fresh|all] [--domain NAME]… [-o RESULTS.jsonl]``

For p01 and p02 of each domain: plan with the true domain, and with the domain learned from full
labels ("keep what always holds"), whose schemas have every literal that was never violated. The
learned plan is run in the true domain. Finished runs are JSON lines and are not done again.
"""

from __future__ import annotations

import statistics
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from dias.errors import DiasError

from .command import run_dias
from .generate import DOMAINS
from .generators import BENCHMARKS, SUITES
from .rawlines import add_rows, missing

RESULTS = Path(__file__).parent / "results" / "planning.jsonl"
PROBLEMS = ("p01", "p02")
TIME_LIMIT_S = 60


def runs_of(domain: str, problems: Sequence[str]) -> list[dict[str, Any]]:
    """Plan in these problems of a domain."""
    folder = DOMAINS / domain
    size = tomllib.loads((folder / "dias.toml").read_text(encoding="utf-8"))["sample"]
    with tempfile.TemporaryDirectory() as place:
        traces, learned = f"{place}/traces.jsonl", f"{place}/learned.pddl"
        _succeed(
            "sample", folder / "domain.pddl", folder / "p01.pddl", "-o", traces,
            "--labels", "full", "--min-per-action", size["min_per_action"],
            "--max-per-action", size["max_per_action"],
        )  # fmt: skip
        _succeed("learn", traces, "-o", learned)
        return [_compare(domain, problem, folder, learned) for problem in problems]


def _succeed(*arguments: object) -> None:
    done = run_dias(*arguments)
    if done["status"] != 0:
        raise DiasError(f"dias {arguments[0]} ended with {done['status']}: {done['message']}")


def _compare(domain: str, problem: str, folder: Path, learned: str) -> dict[str, Any]:
    outcome: dict[str, Any] = {"domain": domain, "problem": problem}
    for kind, used, extra in (
        ("true", folder / "domain.pddl", ()),
        ("learned", learned, ("--gt", folder / "domain.pddl")),
    ):
        result = run_dias(
            "plan", used, folder / f"{problem}.pddl", "--json", "--time-limit", TIME_LIMIT_S, *extra
        )
        found = result["json"] or {"status": result["message"], "plan": []}
        outcome[kind] = {
            "status": found["status"],
            "steps": len(found["plan"]),
            "valid": found.get("valid"),
            "operators": found.get("operators"),
            "seconds": result["seconds"],
            "mib": result["peak_mib"],
        }
    return outcome


def markdown(runs: list[dict[str, Any]]) -> str:
    """A row for each problem, and the median of the ratios."""
    lines = [
        "| domain | problem | true: s | steps | learned: s | steps | valid | ratio |",
        "|---|---|--:|--:|--:|--:|---|--:|",
    ]
    ratios = []
    for run in sorted(runs, key=lambda r: (r["domain"], r["problem"])):
        true, learned = run["true"], run["learned"]
        cells = [run["domain"], run["problem"]]
        for one in (true, learned):
            solved = one["status"] == "solved"
            cells += [f"{one['seconds']:.1f}", str(one["steps"]) if solved else one["status"]]
        cells.append({True: "yes", False: "no", None: ""}[learned["valid"]])
        if true["status"] == learned["status"] == "solved":
            ratios.append(learned["seconds"] / true["seconds"])
            cells.append(f"{ratios[-1]:.2f}")
        else:
            cells.append("")
        lines.append(f"| {' | '.join(cells)} |")
    if ratios:
        lines.append(f"\nMedian ratio {statistics.median(ratios):.2f}, largest {max(ratios):.2f}.")
    return "\n".join(lines)


@click.command(help=__doc__)
@click.option("--suite", type=click.Choice(list(SUITES)), default="paper", show_default=True)
@click.option(
    "--domain", "domains", type=click.Choice(sorted(BENCHMARKS)), multiple=True,
    help="Repeatable; instead of a suite.",
)  # fmt: skip
@click.option("-o", "output", type=click.Path(path_type=Path), default=RESULTS)
def main(suite: str, domains: tuple[str, ...], output: Path) -> None:
    """Do the missing runs, then print the table."""
    keys = [
        {"domain": domain, "problem": problem}
        for domain in domains or sorted(SUITES[suite])
        for problem in PROBLEMS
    ]
    to_do: dict[str, list[str]] = {}
    for key in missing(output, keys):
        to_do.setdefault(key["domain"], []).append(key["problem"])
    rows = (row for domain, problems in to_do.items() for row in runs_of(domain, problems))
    click.echo(markdown(add_rows(output, rows)))


if __name__ == "__main__":
    main()
