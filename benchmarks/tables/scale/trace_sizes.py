"""What learning costs over the size of the trace file: names only, many problems in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dias.strips.pddl.reader import read_domain

from ...generate import DOMAINS, problem_text
from ...reports import plots
from ...reports.report import Report
from ...reports.results import Results, medians, succeeded
from ...reports.table import Column, group_table
from ...running.rawlines import Row
from ...running.runs import dias, sample

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
"""Transitions, about."""
SMALL_SIZES = SIZES[:2]
N_PROBLEMS = 30
PROBLEMS: dict[str, tuple[dict[str, int], ...]] = {
    "driverlog": (
        {"drivers": 2, "trucks": 2, "packages": 3, "places": 3, "links": 3, "paths": 3},
        {"drivers": 2, "trucks": 2, "packages": 4, "places": 4, "links": 5, "paths": 5},
        {"drivers": 3, "trucks": 2, "packages": 5, "places": 5, "links": 6, "paths": 5},
    ),
    "gripper": (
        {"balls": 9, "rooms": 2, "grippers": 2},
        {"balls": 12, "rooms": 3, "grippers": 2},
        {"balls": 14, "rooms": 4, "grippers": 2},
    ),
    "logistics": (
        {"cities": 2, "locations": 2, "packages": 4, "airplanes": 1, "trucks": 2},
        {"cities": 2, "locations": 3, "packages": 5, "airplanes": 1, "trucks": 3},
        {"cities": 3, "locations": 3, "packages": 4, "airplanes": 1, "trucks": 3},
    ),
}
"""The sizes of the problems of a domain, taken in turns: 500 objects in all, 13 to 20 each."""
TIME_LIMIT_S = 3600
MIB = 2**20
PHASES = ("read", "prepare", "complete", "shorten", "replay", "certify")
COLUMNS = (
    Column("domain", "domain"),
    Column("transitions", "transitions", "{:,.0f}"),
    Column("distinct", "distinct", "{:,.0f}"),
    Column("file, MiB", "file_mib", "{:.1f}"),
    Column("CPU s", "cpu_s", "{:.1f}"),
    Column("ms each", "each_ms", "{:.2f}"),
    Column("peak, MiB", "peak_mib", "{:,.0f}"),
    *(Column(f"{phase}, %", phase, "{:.0f}") for phase in PHASES),
)


def measure(row: Row, place: Path, domain: str, n_transitions: int, seed: int) -> None:
    """Learn from walks in all problems, as many steps of each action in each.

    Adds to the row what the file holds, the share of each phase of learning in its time, and what
    the domain explains.
    """
    problems = []
    for number in range(N_PROBLEMS):
        sizes = PROBLEMS[domain][number % len(PROBLEMS[domain])]
        problems.append(place / f"p{number + 1:02}.pddl")
        problems[-1].write_text(problem_text(domain, sizes, number), encoding="utf-8")
    traces, actions = place / "traces.jsonl", read_domain(DOMAINS / domain / "domain.pddl").actions
    each = -(-n_transitions // (N_PROBLEMS * len(actions)))
    if not sample(row, domain, problems[0], traces, seed, (each, each), *problems[1:]):
        return
    row["file_mib"] = traces.stat().st_size / MIB
    output = place / "learned.pddl"
    command = ("learn", traces, "-o", output, "--no-infer-types")
    learned = dias(row, *command, time_limit_s=TIME_LIMIT_S)
    if learned is not None:
        seconds = learned["seconds"]
        row |= {
            "n_steps": learned["transitions"],
            "distinct": learned["distinct_transitions"],
            "explained": learned["explained"],
            "phase_s": {phase: seconds.get(phase, 0.0) for phase in PHASES},
            "peak_mib": row["learn_mib"],
        }


def report(results: Results) -> Report:
    """A row for each domain and size: medians over the seeds."""
    groups = []
    for (domain, _), rows in results.groups("domain", "transitions").items():
        done = [_figures(row) for row in succeeded(rows)]
        own: dict[str, Any] = {"domain": domain, "runs": len(rows), "failed": len(rows) - len(done)}
        groups.append(own | medians(done, *(column.name for column in COLUMNS[1:])))
    notes = [
        f"{N_PROBLEMS} problems with 500 objects in one file, action names only, one thread. "
        "Each: processor time for a distinct transition. The phases are shares of the time of "
        "learning as its JSON has it."
    ]
    table = group_table(groups, COLUMNS, 1)
    drawn = {"transitions": plots.over_transitions(results, groups)}
    return Report("The cost of a large trace file", results, [("", table)], groups, notes, drawn)


def _figures(row: Row) -> dict[str, float]:
    total = sum(row["phase_s"].values()) or 1.0
    return {
        "transitions": row["n_steps"],
        "distinct": row["distinct"],
        "file_mib": row["file_mib"],
        "cpu_s": row["learn_cpu_s"],
        "each_ms": 1000 * row["learn_cpu_s"] / row["distinct"],
        "peak_mib": row["peak_mib"],
        **{phase: 100 * seconds / total for phase, seconds in row["phase_s"].items()},
    }
