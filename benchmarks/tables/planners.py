"""The planners table: one problem, two domains, several planners.

Each run learns a domain from p01 as the main table does, then plans in larger problems with the
true domain and with the learned one, and runs the plans of the latter in the true one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

from ..generate import DOMAINS
from ..generators import PAPER
from ..reports.report import Report
from ..reports.results import Results, median, succeeded
from ..reports.table import Column, group_table
from ..running.command import stopped_after
from ..running.learning import LearningRun, Limits
from ..running.rawlines import Row
from ..running.runs import Run, dias
from ..table_options import Size, several, table_command

SMALL = Size(1, ("gripper", "logistics"), Limits(120))
FULL = Size(1, sorted(PAPER), Limits(1200), is_full=True)
PLANNERS = ("pyperplan", "fast-downward")
PROBLEMS = ("p03", "p04")
USED = ("true", "learned")
TIME_LIMIT_S = 60


@dataclass(frozen=True)
class PlannersRun(Run):
    """Plans of one planner with a true and with a learned domain.

    Attributes:
        domain: A benchmark domain.
        planner: As for ``dias plan``.
        seed: That of sampling and of learning, from action names only.
        limits: How long learning may take.
    """

    domain: str
    planner: str
    seed: int = 0
    limits: Limits = field(default=Limits(), compare=False)
    timed: ClassVar[tuple[str, ...]] = ("sample_s", "learn_s", "plans_s")

    def measure(self, row: Row, place: Path) -> None:
        """Learn, then plan; ``plans`` of the row has an entry for each problem and domain."""
        learned = place / "learned.pddl"
        learning = LearningRun(self.domain, seed=self.seed, limits=self.limits)
        if not learning.learn(row, place, learned):
            return
        true = DOMAINS / self.domain / "domain.pddl"
        row |= {"plans": [], "plans_s": 0.0}
        for problem, used in product(PROBLEMS, USED):
            words = [true.with_name(f"{problem}.pddl"), "--planner", self.planner]
            words += ["--gt", true] if used == "learned" else []
            done: Row = {"failure": None}
            domain = true if used == "true" else learned
            # Not --time-limit, which is by the clock and would fail runs on a busy machine.
            found = dias(
                done, "plan", domain, *words, time_limit_s=TIME_LIMIT_S, successes=(0, 3, 4)
            )
            is_late = done["failure"] == f"plan: {stopped_after(TIME_LIMIT_S)}"
            own: Row = {"problem": problem, "used": used} | done
            own["status"] = "out of time" if is_late else "failed"
            if found is not None:
                own |= {name: found[name] for name in ("status", "valid")}
                own["steps"] = len(found["plan"])
            row["plans"].append(own)
            row["plans_s"] += own["plan_s"]


def report(results: Results) -> Report:
    """A row for each problem, with seconds and steps of each planner side by side."""
    planners = list(dict.fromkeys(planner for (planner,) in results.groups("planner")))
    rows = results.groups("domain", "planner")
    plans = {
        (domain, problem, planner, used): [
            own
            for row in succeeded(rows[domain, planner])
            for own in row["plans"]
            if (own["problem"], own["used"]) == (problem, used)
        ]
        for (domain, planner), problem, used in product(rows, PROBLEMS, USED)
    }
    columns = [Column("domain", "domain"), Column("problem", "problem")]
    for planner, used in product(planners, USED):
        columns += [
            Column(f"{planner}, {used}: CPU s", f"{planner}_{used}_cpu_s", "{:.1f}"),
            Column("steps", f"{planner}_{used}_steps"),
        ]
    groups: dict[tuple[str, str], dict[str, Any]] = {}
    for (domain, problem, planner, used), own in plans.items():
        group = groups.setdefault((domain, problem), {"domain": domain, "problem": problem})
        group[f"{planner}_{used}_cpu_s"] = median(one["plan_cpu_s"] for one in own)
        group[f"{planner}_{used}_steps"] = list(map(_ending, own))
    notes = [
        "CPU s: processor seconds of the whole `dias plan`, Python's start included; medians. "
        f"Out of time: a process needed more than {TIME_LIMIT_S}.",
        *(_verdict(planner, plans) for planner in planners),
        *(
            f"{', '.join(key)}: {one['failure']}"
            for key, own in plans.items()
            for one in own
            if one["status"] == "failed"
        ),
    ]
    table = group_table(list(groups.values()), columns, 2)
    return Report("Planners", results, [("", table)], list(groups.values()), notes)


def _ending(plan: Mapping[str, Any]) -> str:
    """The length of a plan, or why it is none."""
    if plan["status"] != "solved":
        return str(plan["status"])
    return str(plan["steps"]) if plan["valid"] is not False else "not valid"


def _verdict(planner: str, plans: Mapping[tuple[Any, ...], Sequence[Row]]) -> str:
    """How many plans a planner found with each domain, and how many are valid."""
    own = {
        used: [one for key, found in plans.items() if key[2:] == (planner, used) for one in found]
        for used in USED
    }
    n_solved = {
        used: sum(one["status"] == "solved" for one in found) for used, found in own.items()
    }
    n_valid = sum(one.get("valid") is True for one in own["learned"])
    return (
        f"{planner}: plans for {n_solved['true']} of {len(own['true'])} problems with the true "
        f"domain, for {n_solved['learned']} of {len(own['learned'])} with the learned one, of "
        f"which {n_valid} are valid in the true domain."
    )


@table_command("planners", report, SMALL, FULL, n_workers=1)
@several("--planner", "planners", default=PLANNERS, help="As for `dias plan`.")
def command(size: Size, planners: Sequence[str]) -> list[PlannersRun]:
    """How long planners take with learned domains and with the true ones, and how long plans are.

    Domains learned from p01, action names only; plans in p03 and p04, 60 processor seconds each.
    fast-downward needs the extra `planners`. --full: 13 domains.
    """
    return [
        PlannersRun(domain, planner, seed, size.limits)
        for seed in size.seeds
        for domain in size.domains
        for planner in planners
    ]
