"""The planner table: traces of plans in place of random walks, and whether what is wrong is named.

A plan shows what serves a goal and hardly anything else, so literals that hold along all plans are
learned, and what no plan needs is never seen. The question is what the certificate says of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click

from ..generate import DOMAINS
from ..generators import BENCHMARKS
from ..judging.folders import domain_folders, split_problems
from ..judging.judge import judge
from ..reports import judged, plots
from ..reports.report import Report
from ..reports.results import Results
from ..reports.table import NONE, Column, Table, group_table, plain
from ..running.learning import Limits
from ..running.rawlines import Row
from ..running.runs import GRACE_S, Run, call
from ..table_options import Size, several, table_command

SMALL = Size(1, ("blocks-3", "logistics"), Limits(120, 60))
FULL = Size(3, sorted(BENCHMARKS), Limits(1200, 300), is_full=True)
STEPS, PRECONDITIONS = (5, 10, 20, 40), ("concise", "safe")
N_PROBLEMS = 2
"""Problems that are planned in; heuristics take seconds to set up in larger ones."""
COLUMNS = (
    *plain("labels", "preconditions"),
    Column("steps", "samples"),
    *plain("runs", "failed"),
    *judged.COLUMNS,
)


@dataclass(frozen=True)
class PlannerRun(Run):
    """A domain learned from plans in its small problems and judged in larger ones.

    Attributes:
        domain: A benchmark domain, or the name of a folder.
        samples: Steps of each action, in all training problems together.
        preconditions: As for ``dias learn``.
        labels: `names` or `full`: which action arguments the traces have.
        seed: That of the goals and of learning.
        folder: Where its files are.
        limits: How long it may take.
    """

    domain: str
    samples: int
    preconditions: str = PRECONDITIONS[0]
    labels: str = "names"
    seed: int = 0
    folder: Path = field(default=Path(), compare=False)
    limits: Limits = field(default=Limits(), compare=False)

    def measure(self, row: Row, place: Path) -> None:
        """Plan, learn, evaluate; the row is that of `judge`, with what `plan_traces` returns."""
        from ..judging.plan_traces import plan_traces  # imports pyperplan

        true, training, test = split_problems(self.folder)
        traces = place / "traces.jsonl"
        arguments = {
            "domain": true,
            "problems": list(map(str, training[:N_PROBLEMS])),
            "output": traces,
            "n_samples": self.samples,
            "labels": self.labels,
            "seed": self.seed,
        }
        if call(row, plan_traces, arguments, stage="sample"):
            options = (
                *("--preconditions", self.preconditions, "--seed", self.seed),
                *("--time-limit", self.limits.learn_s),
            )
            limits = {"learn_s": self.limits.learn_s + GRACE_S}
            judge(row, true, traces, test, options, **limits, evaluate_s=self.limits.evaluate_s)


def report(results: Results) -> Report:
    """A row for each label mode, kind of preconditions and number of steps; then by domain."""
    names = ("labels", "preconditions", "samples")
    groups = results.figures(names, judged.judged_figures)
    single = results.figures(("domain", *names), judged.judged_figures)
    by_domain: dict[tuple[str, ...], list[str]] = {}
    for one in single:
        cell = f"{one['right']}, {one['unnamed']}" if one["runs"] > one["failed"] else NONE
        by_domain.setdefault((one["domain"], one["labels"], one["preconditions"]), []).append(cell)
    steps = sorted({one["samples"] for one in single})
    head = ("domain", "labels", "preconditions", *(f"{number} steps" for number in steps))
    lines = [[*key, *cells] for key, cells in by_domain.items()]
    shown = [
        one | {"series": f"{one['labels']}, {one['preconditions']}", "paper": None}
        for one in single
    ]
    return Report(
        "Domains from plans",
        results,
        [
            ("", group_table(groups, COLUMNS, 2)),
            ("Right actions, and wrong ones that are not named", Table(head, lines, 3)),
        ],
        [*groups, *single],
        [
            "Steps: of each action, in all training problems together; fewer where plans have no "
            "more, twice as many at most.",
            *judged.NOTES,
        ],
        {"steps": plots.shares_over(results, shown, "samples", "steps of each action", "series")},
    )


@table_command("planner", report, SMALL, FULL)
@several(
    "--folder",
    "folders",
    type=click.Path(path_type=Path),
    help="Domains of a folder, as for `dias bench domains`, in place of the benchmark's.",
)
@several("--steps", "steps", type=click.IntRange(1), default=STEPS, help="Steps of each action.")
@several("--labels", "labels", type=click.Choice(["names", "full"]), default=["names"])
@several("--preconditions", type=click.Choice(PRECONDITIONS), default=PRECONDITIONS)
def command(
    size: Size,
    folders: Sequence[Path],
    steps: Sequence[int],
    labels: Sequence[str],
    preconditions: Sequence[str],
) -> list[PlannerRun]:
    """Domains learned from plans in place of random walks, and whether what is wrong is named.

    Plans in p01 and p02 for goals that random walks reach; judged on the largest problems.
    --full: all domains, three seeds.
    """
    places = [own for folder in folders for own in domain_folders(folder)]
    return [
        PlannerRun(place.name, number, kept, mode, seed, place, size.limits)
        for seed in size.seeds
        for kept in preconditions
        for number in steps
        for mode in labels
        for place in places or [DOMAINS / domain for domain in size.domains]
    ]
