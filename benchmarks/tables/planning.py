"""The planning table: plans with learned domains against plans with the true ones.

For p01 and p02 of each domain: plan with the true domain and, if that finds a plan, with every
domain that the main table's runs learned; run the learned plan in the true domain. Runs that
learned the same text share a plan.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, product
from pathlib import Path
from typing import Any, ClassVar

import click

from dias.methods import METHODS

from ..generate import DOMAINS
from ..generators import BENCHMARKS
from ..reports.report import Report
from ..reports.results import Results, median
from ..reports.table import Column, group_table
from ..running.learning import LearningRun
from ..running.rawlines import Row, read_rows
from ..running.runs import Run, dias
from ..running.suite import LEARNED
from ..table_options import Size, table_command
from .main import SMALL as MAIN

SMALL, FULL = Size(MAIN.n_seeds, MAIN.domains), Size(10, sorted(BENCHMARKS), is_full=True)
PROBLEMS = ("p01", "p02")
TIME_LIMIT_S = 60
TRUE = "true"
"""Stands for the true domain where a row names the learned one."""
COLUMNS = (
    Column("domain", "domain"),
    Column("problem", "problem"),
    Column("true: s", "true_s", "{:.1f}"),
    Column("steps", "true_plan"),
    Column("runs", "runs"),
    Column("distinct domains", "domains"),
    Column("solved", "solved"),
    Column("valid", "valid"),
    Column("learned: s", "learned_seconds", "{:.1f}"),
    Column("steps", "learned_steps"),
    Column("ratio", "ratio", "{:.2f}"),
)


@dataclass(frozen=True)
class PlanRun(Run):
    """A plan for a problem.

    Attributes:
        domain: A benchmark domain.
        problem: One of `PROBLEMS`.
        used: The file of the learned domain that is planned with, or `TRUE`.
        seeds: Of the runs that learned it; `TRUE`: of those that learned any.
        n_domains: How many they learned.
        folder: Where the files are.
    """

    domain: str
    problem: str
    used: str
    seeds: Sequence[int] = field(default=(), compare=False)
    n_domains: int = field(default=1, compare=False)
    folder: Path = field(default=Path(LEARNED), compare=False)
    timed: ClassVar[tuple[str, ...]] = ("seconds",)

    def measure(self, row: Row, place: Path) -> None:
        """Plan, and with a learned domain run the plan in the true one."""
        true = DOMAINS / self.domain / "domain.pddl"
        words = ["plan", true, true.with_name(f"{self.problem}.pddl"), "--time-limit", TIME_LIMIT_S]
        if self.used != TRUE:
            words = ["plan", self.folder / self.used, *words[2:], "--gt", true]
        found = dias(row, *words, successes=(0, 3, 4))
        row |= {"seconds": row.pop("plan_s"), "mib": row.pop("plan_mib")}
        if found is not None:
            row |= {name: found.get(name) for name in ("status", "valid", "operators")}
            row["steps"] = len(found["plan"])


def report(results: Results) -> Report:
    """A row for each problem: in how many of the runs the learned domain solved it."""
    parts: dict[tuple[str, str], list[PlanRun]] = {}
    for run in results.runs:
        assert isinstance(run, PlanRun)
        parts.setdefault((run.domain, run.problem), []).append(run)
    groups = [_group(true, learned, results.rows) for true, *learned in parts.values()]
    n_runs, n_valid = (sum(group[name] or 0 for group in groups) for name in ("done", "valid"))
    n_unsolved = sum(isinstance(group["true_plan"], str) for group in groups)
    ratios = [group["ratio"] for group in groups if group["ratio"] is not None]
    notes = [f"Where the true domain solves the problem: {n_valid} of {n_runs} plans valid."]
    if n_unsolved:
        notes.append(f"Problems that the true domain does not solve in time: {n_unsolved}.")
    if ratios:
        notes.append(f"Median ratio {median(ratios):.2f}, largest {max(ratios):.2f}.")
    table = group_table(groups, COLUMNS, 2)
    return Report("Planning with learned domains", results, [("", table)], groups, notes)


def _group(true: PlanRun, learned: Sequence[PlanRun], rows: Mapping[Run, Row]) -> dict[str, Any]:
    """A problem's figures; runs are counted, not domains. None where the true domain fails."""
    row = rows.get(true, {})
    group: dict[str, Any] = dict.fromkeys(("done", *(column.name for column in COLUMNS)))
    group |= {"domain": true.domain, "problem": true.problem, "true_s": row.get("seconds")}
    group |= {"runs": len(true.seeds), "domains": true.n_domains}
    if row.get("status") != "solved":
        return group | {"true_plan": row.get("status")}
    own = {run: rows[run] for run in learned if run in rows}
    solved = {run: own[run] for run in own if own[run].get("status") == "solved"}
    for name in ("seconds", "steps"):
        values = sorted(found[name] for found in solved.values())
        group[f"learned_{name}"] = [*values[:1], *values[-1:]]
    seconds = median(found["seconds"] for found in solved.values())
    return group | {
        "true_plan": row["steps"],
        "done": sum(len(run.seeds) for run in own),
        "solved": sum(len(run.seeds) for run in solved),
        "valid": sum(len(run.seeds) for run, found in solved.items() if found["valid"]),
        "ratio": seconds and seconds / row["seconds"],
    }


@table_command("planning", report, SMALL, FULL, n_workers=1)
@click.option("--method", type=click.Choice(METHODS), default=METHODS[0])
def command(size: Size, method: str) -> list[PlanRun]:
    """Plans with the domains that the main table learned, in the same folder, and the true ones.

    p01 and p02, 60 seconds each. --full: all domains, ten seeds.
    """
    folder = click.get_current_context().params["output"]
    rows = {LearningRun.of(row): row for row in read_rows(folder / "main.jsonl")}
    learned: dict[str, dict[str, list[int]]] = {domain: {} for domain in size.domains}
    for run, row in rows.items():
        if row.get("learned") and run.method == method and run.seed in size.seeds:
            learned.get(run.domain, {}).setdefault(row["learned"], []).append(run.seed)
    if not any(learned.values()):
        raise click.UsageError(f"{folder} has no domains that {method} learned")
    solved = {
        (row["domain"], row["problem"])
        for row in read_rows(folder / "planning.jsonl")
        if row["used"] == TRUE and row.get("status") == "solved"
    }
    runs = []
    for domain, problem in product(filter(learned.get, learned), PROBLEMS):
        files = learned[domain]
        seeds = list(chain.from_iterable(files.values()))
        runs.append(PlanRun(domain, problem, TRUE, seeds, len(files)))
        if (domain, problem) in solved:
            runs += [
                PlanRun(domain, problem, file, own, folder=folder / LEARNED)
                for file, own in files.items()
            ]
    return runs
