"""Planning with the learned domains of the main table against planning with the true ones.

``python -m benchmarks.tables.planning [--learned FOLDER] [--domain NAME]… [--method NAME]
[-o RESULTS.jsonl]``

The folder is one that ``dias bench main -o`` wrote: its raw lines say which run learned which
domain, and runs that learned the same text share a plan. For p01 and p02 of each domain: plan with
the true domain and, if that finds a plan, with every learned one; run the learned plan in the true
domain. A finished plan is one JSON line and is not done again.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from dias.config import METHODS
from dias.errors import DiasError

from ..generate import DOMAINS
from ..generators import BENCHMARKS
from ..running.command import run_dias
from ..running.rawlines import Row, add_rows, missing, read_rows
from ..running.suite import LEARNED

RESULTS = Path(__file__).parents[1] / "results"
PROBLEMS = ("p01", "p02")
TIME_LIMIT_S = 60
COLUMNS = (("seconds", 1), ("steps", 0))
"""Ranges over the learned domains that the table has, and their decimals."""

TRUE = "true"
"""Stands for the true domain where a row names the learned one."""


def plan(domain: str, problem: str, used: str, folder: Path) -> Row:
    """Plan with a domain, the true one or a file of `folder`; the outcome.

    Raises:
        DiasError: The file is not there.
    """
    if used != TRUE and not (folder / used).is_file():
        raise DiasError(
            "expected a learned domain, found no such file",
            place=str(folder / used),
            remedy="Run the table again in a new folder: `dias bench main -o FOLDER`.",
        )
    place = DOMAINS / domain
    true, task = place / "domain.pddl", place / f"{problem}.pddl"
    options = ["--json", "--time-limit", TIME_LIMIT_S]
    if used == TRUE:
        result = run_dias("plan", true, task, *options)
    else:
        result = run_dias("plan", folder / used, task, *options, "--gt", true)
    found = result["json"] or {"status": result["message"], "plan": []}
    return {
        "domain": domain,
        "problem": problem,
        "used": used,
        "status": found["status"],
        "steps": len(found["plan"]),
        "valid": found.get("valid"),
        "operators": found.get("operators"),
        "seconds": result["seconds"],
        "mib": result["peak_mib"],
    }


def learned_domains(rows: Iterable[Row], method: str) -> dict[str, Counter[str]]:
    """Domain to the files that the runs of a method learned, each with the number of runs.

    Args:
        rows: Of the main table; those without a file are passed over.
        method: As for ``dias learn``.
    """
    found: dict[str, Counter[str]] = {}
    for row in rows:
        if row.get("learned") and row["method"] == method:
            found.setdefault(row["domain"], Counter())[row["learned"]] += 1
    return found


def markdown(rows: Iterable[Row], learned: Mapping[str, Counter[str]]) -> str:
    """A row for each problem: in how many of the runs the learned domain solved it."""
    lines = [
        "| domain | problem | true: s | steps | runs | distinct domains | solved | valid "
        "| learned: s | steps | ratio |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    by_key = {(row["domain"], row["problem"], row["used"]): row for row in rows}
    n_runs = n_valid = n_unsolved = 0
    ratios = []
    for domain, files in sorted(learned.items()):
        for problem in PROBLEMS:
            true = by_key[domain, problem, TRUE]
            cells = [domain, problem, f"{true['seconds']:.1f}"]
            if true["status"] != "solved":
                n_unsolved += 1
                cells += [true["status"], str(files.total()), str(len(files)), *[""] * 5]
                lines.append(f"| {' | '.join(cells)} |")
                continue
            own = [(by_key[domain, problem, file], n) for file, n in files.items()]
            solved = [(row, n) for row, n in own if row["status"] == "solved"]
            valid = sum(n for row, n in solved if row["valid"])
            n_runs, n_valid = n_runs + files.total(), n_valid + valid
            cells += [str(true["steps"]), str(files.total()), str(len(files))]
            cells += [str(sum(n for _, n in solved)), str(valid)]
            cells += [_range([row[key] for row, _ in solved], n) for key, n in COLUMNS]
            if solved:
                ratio = statistics.median(row["seconds"] for row, _ in solved) / true["seconds"]
                ratios.append(ratio)
            cells.append(f"{ratio:.2f}" if solved else "")
            lines.append(f"| {' | '.join(cells)} |")
    lines.append(f"\nWhere the true domain solves the problem: {n_valid} of {n_runs} plans valid.")
    if n_unsolved:
        lines.append(f"Problems that the true domain does not solve in time: {n_unsolved}.")
    if ratios:
        lines.append(f"Median ratio {statistics.median(ratios):.2f}, largest {max(ratios):.2f}.")
    return "\n".join(lines)


def _range(values: list[float], digits: int) -> str:
    """Least and greatest, or the one value that there is."""
    texts = [f"{value:.{digits}f}" for value in (min(values), max(values))] if values else [""]
    return "–".join(dict.fromkeys(texts))


@click.command(help=__doc__)
@click.option(
    "--learned", "folder", type=click.Path(path_type=Path, file_okay=False), default=RESULTS,
    help="Default: benchmarks/results.",
)  # fmt: skip
@click.option(
    "--domain", "domains", type=click.Choice(sorted(BENCHMARKS)), multiple=True,
    help="Repeatable. Default: all that have learned domains.",
)  # fmt: skip
@click.option("--method", type=click.Choice(METHODS), default=METHODS[0], show_default=True)
@click.option("-o", "output", type=click.Path(path_type=Path), default=RESULTS / "planning.jsonl")
def main(folder: Path, domains: tuple[str, ...], method: str, output: Path) -> None:
    """Do the missing plans, then print the table."""
    learned = {
        domain: files
        for domain, files in learned_domains(read_rows(folder / "main.jsonl"), method).items()
        if not domains or domain in domains
    }
    if not learned:
        raise click.UsageError(f"{folder} has no domains that {method} learned")
    tasks = [(domain, problem) for domain in sorted(learned) for problem in PROBLEMS]
    true = [{"domain": domain, "problem": problem, "used": TRUE} for domain, problem in tasks]
    done = _do(true, folder, output)
    solved = {(row["domain"], row["problem"]) for row in done if row["status"] == "solved"}
    keys = [
        {"domain": domain, "problem": problem, "used": used}
        for domain, problem in tasks
        if (domain, problem) in solved
        for used in learned[domain]
    ]
    click.echo(markdown(_do(keys, folder, output), learned))


def _do(keys: list[Row], folder: Path, output: Path) -> list[Row]:
    """Make the plans that the file does not have; all its rows then."""
    return add_rows(output, (plan(**key, folder=folder / LEARNED) for key in missing(output, keys)))


if __name__ == "__main__":
    main()
