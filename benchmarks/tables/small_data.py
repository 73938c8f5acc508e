"""The small-data table: few samples, and whether what is wrong then was doubted before any test.

Of each run it is noted which actions the certificate doubts (weak preconditions, a parameter that
may be missing, effects that one transition shows, refused attempts that are allowed), which have
fewer than 20 distinct transitions, and which are wrong in the test states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import click

from ..reports.report import Report
from ..reports.results import Results, succeeded
from ..reports.table import Table
from ..running.learning import LearningRun, Limits
from ..running.rawlines import Row
from ..table_options import Size, masks_option, several, table_command, with_masks

SMALL = Size(1, ("blocks-3", "logistics"), Limits(300, 120))
FULL = Size(
    5,
    ("blocks-3", "delivery", "logistics", "satellite", "spanner"),
    Limits(1200, 120),
    is_full=True,
)
SAMPLES, SMALL_SAMPLES = (10, 20, 50, 100), (10, 50)
METHODS = ("hybrid", "symbolic")
HEAD = (
    *("domain", "method", "samples", "runs", "failed", "perfect runs", "actions", "weak", "few"),
    *("wrong", "wrong, not weak", "wrong, neither weak nor few"),
)


def report(results: Results) -> Report:
    """A row for each domain, method and number of samples; actions are counted over its runs."""
    groups = [
        {"domain": domain, "method": with_masks(method, masks), "samples": n} | _counts(rows)
        for (domain, method, n, masks), rows in results.groups(
            "domain", "method", "samples", "applicable"
        ).items()
    ]
    cells = [list(map(str, group.values())) for group in groups]
    return Report(
        "Few samples, and what is doubted then",
        results,
        [("", Table(HEAD, cells, 2))],
        groups,
        [
            "Samples: of each action; twice as many at most. Weak: actions that the certificate "
            "doubts; few: actions with fewer than 20 distinct transitions; wrong: actions that add "
            "or miss successors in the test states."
        ],
    )


def _counts(rows: Sequence[Row]) -> dict[str, int]:
    """What is counted of the runs of a group, in the order of `HEAD`."""
    done = succeeded(rows)
    counts = {"runs": len(rows), "failed": len(rows) - len(done), "perfect": 0, "actions": 0}
    total = Counter(counts | dict.fromkeys(("weak", "few", "wrong", "not_weak", "undoubted"), 0))
    for row in done:
        weak, few, wrong = (set(row[name]) for name in ("weak", "few", "wrong"))
        total.update(perfect=not wrong, actions=row["n_actions"])
        total.update(weak=len(weak), few=len(few), wrong=len(wrong))
        total.update(not_weak=len(wrong - weak), undoubted=len(wrong - weak - few))
    return dict(total)


@table_command("small_data", report, SMALL, FULL)
@several(
    "--samples",
    "samples",
    type=click.IntRange(1),
    help=f"Samples of each action. Default: {', '.join(map(str, SMALL_SAMPLES))}; with --full "
    f"{', '.join(map(str, SAMPLES))}.",
)
@several("--method", "methods", type=click.Choice(METHODS), default=METHODS[:1])
@masks_option
def command(
    size: Size, samples: Sequence[int], methods: Sequence[str], applicable: Sequence[str]
) -> list[LearningRun]:
    """Few samples: does the certificate doubt what is wrong, before any test?

    Action names only. --full: five domains, 10 to 100 samples of each action, five seeds.
    """
    return [
        LearningRun(
            domain, method=method, samples=number, applicable=masks, seed=seed, limits=size.limits
        )
        for seed in size.seeds
        for domain in size.domains
        for method in methods
        for number in samples or (SAMPLES if size.is_full else SMALL_SAMPLES)
        for masks in applicable
    ]
