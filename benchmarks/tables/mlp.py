"""The MLP table: effects that may depend on the state instead of STRIPS effects.

Paper: ``tab:mlp-baseline-results``, ``app:mlp-effects``.
"""

from __future__ import annotations

from typing import Any

from ..generators import SUITES
from ..paper import paper_figures, paper_row
from ..reports import plots
from ..reports.report import LEARNING_HEAD, LEARNING_NOTES, Report, learning_cells, out_of_time_note
from ..reports.results import Results, learning_figures
from ..reports.table import Table
from ..running.learning import LearningRun, Limits
from ..table_options import Size, table_command

SMALL = Size(1, ("blocks-3",), limits=Limits(300))
FULL = Size(10, sorted(SUITES["paper"]), limits=Limits(3600), is_full=True)


def report(results: Results) -> Report:
    """A row for each domain and method, with the paper's figures."""
    groups = []
    for (domain, method), rows in results.groups("domain", "method").items():
        group: dict[str, Any] = {"domain": domain, "labels": "names", "method": method}
        group |= learning_figures(rows)
        group["paper"] = paper_row("mlp", "names", domain)
        groups.append(group)
    n_paper = paper_figures()["mlp"]["runs"]
    head = ("domain", "method", *LEARNING_HEAD)
    cells = [[g["domain"], g["method"], *learning_cells(g, g["paper"], n_paper)] for g in groups]
    return Report(
        "MLP effects",
        results,
        [("", Table(head, cells, 2))],
        groups,
        [*LEARNING_NOTES, *out_of_time_note(groups)],
        {
            "perfect": plots.perfect_runs(results, groups, n_paper),
            "time": plots.run_times(results, lambda run: run.method),
        },
    )


@table_command("mlp", report, SMALL, FULL)
def command(size: Size) -> list[LearningRun]:
    """Effects by a network that sees the selected objects' atoms: the paper's MLP table.

    Action names only. --full: 13 domains, ten seeds.
    """
    return [
        LearningRun(domain, method="neural", effects="mlp", seed=seed, limits=size.limits)
        for seed in size.seeds
        for domain in size.domains
    ]
