"""The domains table: every domain of a folder, learned from small problems, judged on larger ones.

The folder may be anyone's; rows name its domains and not where they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import click

from ..judging.folders import domain_folders, split_problems
from ..judging.judge import judge
from ..reports import judged, plots
from ..reports.report import Report
from ..reports.results import Results
from ..reports.table import Column, group_table, plain
from ..running.learning import Limits
from ..running.rawlines import Row
from ..running.runs import GRACE_S, Run, dias
from ..table_options import Size, several, table_command

SMALL = Size(1, limits=Limits(120, 120))
FULL = Size(3, limits=Limits(1200, 300), is_full=True)
N_SAMPLES = 100
"""Steps of each action in each training problem."""

SAMPLE_S, PLAN_S = 300, 30
"""Time limits of sampling and of a plan."""

COLUMNS = (*plain("domain", "labels", "status"), *judged.COLUMNS, Column("valid plans", "plans"))
NOTES = [
    *judged.NOTES,
    "Valid plans: with the learned domain, run in the true one, for the training problems that "
    f"the true one solves in {PLAN_S} s.",
]


@dataclass(frozen=True)
class FolderRun(Run):
    """A domain of a folder, learned, judged and planned with.

    Attributes:
        domain: The name of its folder.
        labels: `names` or `full`: which action arguments the traces have.
        seed: That of sampling and of learning.
        folder: Where its files are.
        limits: How long it may take.
    """

    domain: str
    labels: str = "names"
    seed: int = 0
    folder: Path = field(default=Path(), compare=False)
    limits: Limits = field(default=Limits(), compare=False)
    timed: ClassVar[tuple[str, ...]] = ("sample_s", "learn_s", "evaluate_s", "plans_s")

    def measure(self, row: Row, place: Path) -> None:
        """Sample, learn, evaluate; plan with both domains where the true one finds a plan.

        The row is that of `judge`, and ``plans``: of each training problem, how planning ended.
        """
        true, training, test = split_problems(self.folder)
        traces = place / "traces.jsonl"
        if dias(
            row, "sample", true, *training, "-o", traces, "--labels", self.labels,
            "--min-per-action", N_SAMPLES, "--max-per-action", N_SAMPLES, "--seed", self.seed,
            "--time-limit", SAMPLE_S, time_limit_s=SAMPLE_S + GRACE_S,
        ) is None:  # fmt: skip
            return
        options = ("--time-limit", self.limits.learn_s, "--seed", self.seed)
        limits = {"learn_s": self.limits.learn_s + GRACE_S, "evaluate_s": self.limits.evaluate_s}
        learned = judge(row, true, traces, test, options, **limits)
        if learned is not None:
            row |= {"plans": [], "plans_s": 0.0}
            for problem in training:
                own = {"problem": problem.stem, "true": _planned(row, true, problem)["status"]}
                if own["true"] == "solved":
                    own |= _planned(row, learned, problem, "--gt", true)
                row["plans"].append(own)


def _planned(row: Row, domain: Path, problem: Path, *options: object) -> Row:
    """How planning ended: ``status``, and whether the plan is ``valid``, if that was asked."""
    done: Row = {"failure": None}
    command = ("plan", domain, problem, "--time-limit", PLAN_S, *options)
    found = dias(done, *command, time_limit_s=PLAN_S + GRACE_S, successes=(0, 3, 4))
    row["plans_s"] += done["plan_s"]
    if found is None:
        return {"status": done["failure"], "valid": None}
    return {name: found[name] for name in ("status", "valid")}


def report(results: Results) -> Report:
    """A row for each domain and label mode: counts over its runs, means, medians of times."""
    groups = results.figures(("domain", "labels"), _figures)
    totals = results.figures(("labels",), _figures)
    columns = (*plain("labels", "runs", "failed"), *COLUMNS[3:])
    return Report(
        "Domains of a folder",
        results,
        [("", group_table(groups, COLUMNS, 3)), ("In all", group_table(totals, columns, 1))],
        groups,
        NOTES,
        {"time": plots.run_times(results, lambda run: run.labels, "learn_cpu_s")},
    )


def _figures(rows: Sequence[Row]) -> dict[str, Any]:
    """The figures of some runs, under the names of `COLUMNS`."""
    plans = [own for row in rows for own in row.get("plans", ()) if own["true"] == "solved"]
    return judged.judged_figures(rows) | {
        "status": [_status(row) for row in rows],
        "plans": f"{sum(bool(own['valid']) for own in plans)} of {len(plans)}",
    }


def _status(row: Row) -> str:
    """One of `OUTCOMES`, or which command failed."""
    stage, _, _ = (row["failure"] or "").partition(":")
    return f"{stage} failed" if stage else str(row["outcome"])


@table_command("domains", report, SMALL, FULL, n_workers=1)
@click.argument("folder", type=click.Path(path_type=Path))
@several("--labels", "labels", type=click.Choice(["names", "full"]), default=["names"])
def command(size: Size, folder: Path, labels: Sequence[str]) -> list[FolderRun]:
    """Every domain of FOLDER: learned from p01 to p03, judged on p04 and p05, planned with.

    FOLDER has a subfolder for each domain, or is one, with domain.pddl, p01.pddl, p02.pddl, …
    The last problem, at least, is for judging. 100 samples of each action and problem.
    --full: longer limits, three seeds.
    """
    return [
        FolderRun(own.name, mode, seed, own, size.limits)
        for seed in size.seeds
        for own in domain_folders(folder)
        for mode in labels
    ]
