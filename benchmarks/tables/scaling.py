"""The scaling table: what a training step costs, over size and with each objective.

Or, ``--over transitions``, what learning costs over the size of the trace file (`trace_sizes`).

The paper has no such table; its objective is dense, over all ground atoms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ..generate import DOMAINS, problem_text
from ..reports import plots
from ..reports.report import Report, figure
from ..reports.results import Results, median, medians, succeeded
from ..reports.table import NONE, Table
from ..running.rawlines import Row
from ..running.runs import GRACE_S, Run, call, sample
from ..table_options import Size, table_command
from .scale import step_time, trace_sizes

SMALL = Size(1, ("blocks-3",))
FULL = Size(3, ("blocks-3", "logistics", "satellite", "visitall"), is_full=True)
GROWING = "logistics"
SIZES: dict[int, dict[str, int]] = {
    15: {"cities": 2, "locations": 3, "packages": 2, "airplanes": 2, "trucks": 3},
    50: {"cities": 6, "locations": 4, "packages": 8, "airplanes": 4, "trucks": 8},
    150: {"cities": 15, "locations": 5, "packages": 30, "airplanes": 10, "trucks": 20},
    500: {"cities": 40, "locations": 6, "packages": 110, "airplanes": 40, "trucks": 70},
}
"""Objects to the sizes of a Logistics problem that has so many."""
SMALL_SIZES = (15, 50)
ALONE = ("lifted", "dense")
"""Measured each in a process of its own, which shows the memory."""
TOGETHER = "lifted dense dense-pcgrad"
"""Measured alternately in one process, which makes the ratio fair."""
N_STEPS = 30
MEASURE_S = 300
"""Seconds after which no further step is begun, if there are a few."""
MEMORY_LIMIT_MIB = 12 * 1024
PROBLEM_SEED = 1


@dataclass(frozen=True)
class StepRun(Run):
    """The time of a training step with one or more objectives, or of learning from a large file.

    Attributes:
        domain: A benchmark domain.
        objectives: Names as in `step_time.TRAINING`, in one text; empty for learning.
        objects: Size of a problem of `GROWING`; 0 for p01 of the domain.
        seed: That of sampling and of training.
        transitions: Of learning: how many, about.
    """

    domain: str
    objectives: str
    objects: int = 0
    seed: int = 0
    transitions: int = 0

    def measure(self, row: Row, place: Path) -> None:
        """Sample and train a few steps, or learn."""
        if self.transitions:
            trace_sizes.measure(row, place, self.domain, self.transitions, self.seed)
            return
        problem, traces = DOMAINS / self.domain / "p01.pddl", place / "traces.jsonl"
        if self.objects:
            problem = place / "problem.pddl"
            text = problem_text(self.domain, SIZES[self.objects], PROBLEM_SEED)
            problem.write_text(text, encoding="utf-8")
        if sample(row, self.domain, problem, traces, self.seed):
            names = self.objectives.split()
            arguments = {"traces": traces, "objectives": names, "seed": self.seed}
            call(
                row,
                step_time.measure,
                arguments | {"n_steps": N_STEPS, "stop_s": MEASURE_S},
                time_limit_s=5 * MEASURE_S + GRACE_S,  # of the slowest the least steps
                memory_limit_mib=MEMORY_LIMIT_MIB,
            )
            row["peak_mib"] = row["measure_mib"]


def report(results: Results) -> Report:
    """Two tables: over size, and with each objective; or that of `trace_sizes`."""
    if any(n_transitions for (n_transitions,) in results.groups("transitions")):
        return trace_sizes.report(results)
    sizes, ratios = [], []
    for (domain, objectives, objects), rows in results.groups(
        "domain", "objectives", "objects"
    ).items():
        group = {"domain": domain, "runs": len(rows)}
        group["failure"] = next((row["failure"] for row in rows if row["failure"]), None)
        group["failed"] = sum(row["failure"] is not None for row in rows)
        measured = succeeded(rows)
        if objects:
            group |= {"objective": objectives, "objects": objects}
            group["step_s"] = median(row["step_s"][objectives] for row in measured)
            group |= medians(measured, "peak_mib", "before_mib")
            sizes.append(group)
        else:
            names = objectives.split()
            group["objects"] = median(row["n_objects"] for row in measured)
            group["relations"] = median(row["relations"] for row in measured)
            group["step_s"] = {
                name: median(row["step_s"][name] for row in measured) for name in names
            }
            group["dense_by_lifted"] = median(
                row["step_s"]["dense"] / row["step_s"]["lifted"] for row in measured
            )
            ratios.append(group)
    ratio = median(g["dense_by_lifted"] for g in ratios if g["dense_by_lifted"])
    return Report(
        "The cost of a training step",
        results,
        [
            (f"Over size: {GROWING}", _by_size(sizes)),
            ("Dense against lifted, p01", _by_domain(ratios)),
        ],
        [*sizes, *ratios],
        [
            f"Median ratio dense / lifted over these domains: {figure(ratio, 2)}.",
            "A step is all of training's work on a batch of about 200 transitions, in one thread. "
            "Step times are medians over the steps of a run, then over the seeds.",
            "Memory is the peak of the whole process, Python and torch included; before the first "
            f"step it has {figure(median(g['before_mib'] for g in sizes if g['before_mib']))} "
            f"MiB. A run may reserve {MEMORY_LIMIT_MIB:,} MiB.",
            "The objectives of the second table are trained alternately in one process.",
        ],
        {"size": plots.over_size(results, sizes)},
    )


def _by_size(groups: Sequence[dict[str, Any]]) -> Table:
    by_key = {(group["objects"], group["objective"]): group for group in groups}
    lines = []
    for objects in dict.fromkeys(group["objects"] for group in groups):
        own = [by_key[objects, name] for name in ALONE]
        cells = [str(objects)]
        for group in own:
            is_lost = group["failed"] and group["step_s"] is None
            cells.append("failed" if is_lost else _ms(group["step_s"]))
            cells.append(figure(group["peak_mib"]))
        lifted, dense = (group["step_s"] for group in own)
        cells.append(f"{dense / lifted:.1f}" if lifted and dense else NONE)
        lines.append(cells)
    head = ["objects", *(f"{name}: {what}" for name in ALONE for what in ("ms", "MiB"))]
    return Table([*head, "dense / lifted"], lines, 1)


def _by_domain(groups: Sequence[dict[str, Any]]) -> Table:
    names = TOGETHER.split()
    lines = [
        [
            group["domain"], figure(group["objects"]), figure(group["relations"]),
            *(_ms(group["step_s"][name]) for name in names), figure(group["dense_by_lifted"], 2),
        ]
        for group in groups
    ]  # fmt: skip
    head = ["domain", "O", "R", *(f"{name}, ms" for name in names), "dense / lifted"]
    return Table(head, lines, 1)


def _ms(seconds: float | None) -> str:
    return NONE if seconds is None else f"{1000 * seconds:,.1f}"


@table_command("scaling", report, SMALL, FULL, n_workers=1)
@click.option(
    "--over",
    type=click.Choice(["objects", "transitions"]),
    default="objects",
    help="transitions: what learning costs over the size of the trace file instead.",
)
def command(size: Size, over: str) -> list[StepRun]:
    """Time and memory of a training step, over size and with each objective.

    Logistics with 15 to 500 objects, lifted and dense; dense against lifted in single domains.
    --over transitions: learning from one file with 30 problems of Driverlog, Gripper or Logistics,
    up to 3,000 transitions; --full: 100,000.
    """
    if over == "transitions":
        is_preset = size.domains in (SMALL.domains, FULL.domains)
        domains = list(trace_sizes.PROBLEMS) if is_preset else size.domains
        if unknown := set(domains) - set(trace_sizes.PROBLEMS):
            known = ", ".join(trace_sizes.PROBLEMS)
            raise click.UsageError(f"--over transitions has {known}, not {', '.join(unknown)}")
        steps = trace_sizes.SIZES if size.is_full else trace_sizes.SMALL_SIZES
        return [
            StepRun(domain, "", seed=seed, transitions=n)
            for seed in size.seeds
            for domain in domains
            for n in steps
        ]
    sizes = SIZES if size.is_full else SMALL_SIZES
    growing = [(GROWING, name, objects) for objects in sizes for name in ALONE]
    single = [(domain, TOGETHER, 0) for domain in size.domains]
    return [StepRun(*run, seed=seed) for seed in size.seeds for run in (*single, *growing)]
