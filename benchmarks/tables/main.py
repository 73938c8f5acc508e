"""The main table: how well and how fast domains are learned, by domain and label mode.

Paper: ``tab:main-results``; beside it ``tab:l1-results``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from dias.config import OBJECTIVES
from dias.files import read_text
from dias.methods import method_named
from dias.settings import read_settings

from ..generators import SUITES
from ..paper import paper_figures, paper_row
from ..reports import plots
from ..reports.report import (
    LEARNING_HEAD,
    LEARNING_NOTES,
    Report,
    beside,
    learning_cells,
    out_of_time_note,
    share,
)
from ..reports.results import Results, learning_figures
from ..reports.table import Table
from ..running.learning import LearningRun, Limits
from ..table_options import Size, several, table_command

SMALL = Size(2, ("blocks-3", "gripper", "logistics"), limits=Limits(300))
FULL = Size(10, sorted(SUITES["paper"]), limits=Limits(1200), is_full=True)
LABELS = ("names", "partial", "full")
METHODS = ("hybrid", "symbolic", "neural")


def report(results: Results) -> Report:
    """A row for each domain, label mode and method, with the paper's and L1's figures."""
    groups = []
    for key, rows in results.groups("domain", "labels", "method", "objective").items():
        domain, labels, method, objective = key
        if objective != "lifted":
            method = f"{method}, {objective}"
        group: dict[str, Any] = {"domain": domain, "labels": labels, "method": method}
        group |= learning_figures(rows)
        group["paper"] = paper_row("main", labels, domain)
        group["l1"] = paper_row("l1", labels, domain)
        groups.append(group)
    n_paper = paper_figures()["main"]["runs"]
    has_methods = len({group["method"] for group in groups}) > 1
    head = ("domain", "labels", "method", *LEARNING_HEAD)
    cells = [
        [g["domain"], g["labels"], g["method"], *learning_cells(g, g["paper"], n_paper)]
        for g in groups
    ]
    tables = [("", Table(head, cells, 3)), ("In all", _totals(groups, n_paper))]
    if any(group["l1"] for group in groups):
        tables.append(("Beside L1, which had one trace", _beside_l1(groups)))
    return Report(
        "Domains from traces",
        results,
        tables,
        groups,
        [*LEARNING_NOTES, *out_of_time_note(groups)],
        {
            "perfect": plots.perfect_runs(results, groups, n_paper),
            "time": plots.run_times(results, lambda run: _series(run, has_methods)),
        },
    )


def _series(run: LearningRun, has_methods: bool) -> str:
    """What the colours of the times tell apart."""
    return f"{run.labels}, {run.method}" if has_methods else run.labels


def _totals(groups: Sequence[dict[str, Any]], n_paper: int) -> Table:
    """Perfect runs and perfect domains, by label mode and method."""
    parts: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for group in groups:
        parts.setdefault((group["labels"], group["method"]), []).append(group)
    rows = []
    for names, own in parts.items():
        paper = [group["paper"]["both"] for group in own if group["paper"]]
        n_runs = sum(group["runs"] for group in own)
        n_perfect = sum(group["both"] == group["runs"] > 0 for group in own)
        is_comparable = len(paper) == len(own)
        rows.append(
            [
                *names,
                beside(
                    f"{sum(group['both'] for group in own)}/{n_runs}",
                    f"{sum(paper)}/{n_paper * len(paper)}" if is_comparable else None,
                ),
                beside(
                    f"{n_perfect}/{len(own)}",
                    f"{paper.count(n_paper)}/{len(paper)}" if is_comparable else None,
                ),
            ]
        )
    return Table(("labels", "method", "N_sc", "domains perfect in every run"), rows, 2)


def _beside_l1(groups: Sequence[dict[str, Any]]) -> Table:
    """Precision and recall of our method, of the paper's and of L1, which had one trace only."""
    rows = [
        [group["domain"], group["method"]]
        + [
            text
            for name in ("precision", "recall")
            for text in (
                share(group[name]),
                f"{group['paper'][name]:.2f}",
                f"{group['l1'][name]:.4f}",
            )
        ]
        for group in groups
        if group["l1"]
    ]
    head = [
        f"{name}: {whose}" for name in ("precision", "recall") for whose in ("ours", "paper", "L1")
    ]
    return Table(("domain", "method", *head), rows, 2)


@table_command("main", report, SMALL, FULL)
@several(
    "--labels",
    "labels",
    type=click.Choice(LABELS),
    help="Action arguments in the traces. Default: names; with --full all three.",
)
@several("--method", "methods", type=click.Choice(METHODS), default=METHODS[:1])
@several(
    "--objective",
    "objectives",
    type=click.Choice(OBJECTIVES),
    default=OBJECTIVES[:1],
    help="What is trained; neural with dense is the paper's learner, with its α per domain.",
)
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="Settings for `dias learn --config`. The rows do not say them, so name a folder of their "
    "own with -o.",
)
def command(
    size: Size,
    labels: tuple[str, ...],
    methods: tuple[str, ...],
    objectives: tuple[str, ...],
    config: Path | None,
) -> list[LearningRun]:
    """How well and how fast domains are learned: the paper's main table.

    Traces of p01 with the paper's sample sizes, a domain from them, 1,500 states of p02 to p04.
    --full: 13 domains, three label modes, ten seeds.
    """
    settings = read_text(config) if config else ""
    if config:
        read_settings(config)  # before the runs, which would all fail
    return [
        LearningRun(
            domain,
            labels=mode,
            method=method,
            objective=objective if method_named(method).trains else "lifted",
            seed=seed,
            settings=settings,
            limits=size.limits,
        )
        for seed in size.seeds
        for domain in size.domains
        for method in methods
        for objective in objectives
        for mode in labels or (LABELS if size.is_full else LABELS[:1])
    ]
