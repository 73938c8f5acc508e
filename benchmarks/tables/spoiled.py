"""The spoiled table: wrong, lost and unknown atoms, confused objects; is what is wrong named?

The random suite asks the same of domains that nobody made; here are the benchmark's, and every way
in which states are seen badly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click

from dias.strips.pddl.reader import read_domain

from ..generate import DOMAINS
from ..generators import SUITES
from ..judging.folders import split_problems
from ..judging.judge import RIGHT, RIGHT_DOUBTED, WRONG_SILENT, WRONG_UNTESTED, judge
from ..judging.spoil import confuse, flip_atoms, leave_out
from ..reports import judged
from ..reports.report import Report
from ..reports.results import Results
from ..reports.table import Column, group_table, plain
from ..running.learning import Limits
from ..running.rawlines import Row
from ..running.runs import GRACE_S, Run, dias
from ..table_options import Size, several, table_command

N_SAMPLES = 200
"""Samples of each action in each training problem."""

SHARE_LOST, SHARE_CONFUSED, SHARE_UNKNOWN = 0.03, 0.3, 0.3
"""Share of the atoms that are lost; of the states in which two objects are confused; of the atoms
that actions may change and that are unknown."""

WALK_LEAST_MOST = 100, 1000
"""Samples of each action where atoms are unknown or have probabilities, in the first problem alone:
a walk without gaps, as ``dias sample`` makes it."""

ONE_FLIP, LOST, CONFUSED, UNKNOWN = "one flip in all", "3 % lost", "confused", "30 % unknown"

FLIPS = {"0.02 flips": 0.02, "0.2 flips": 0.2, "1 flip": 1.0}
"""Flips a step, of the paper's noise."""

KINDS = (ONE_FLIP, *FLIPS, LOST, CONFUSED, UNKNOWN)

HARD, SOFT = (
    {f"{n} flips, {how}": n for n in (1, 2, 4, 8)} for how in ("hard", "as probabilities")
)
"""Flips a step in the same walk: as guesses, and with the probabilities that these are right."""

SMALL = Size(1, ("library", "rail-yard"), Limits(120, 60))
FULL = Size(3, sorted(SUITES["own"] | SUITES["fresh"]), Limits(1200, 300), is_full=True)
COLUMNS = (
    Column("labels", "labels"),
    Column("seen", "kind"),
    *plain("runs", "failed"),
    Column("status 4", "unexplained"),
    Column("right", "right_domains"),
    Column("wrong, status 0, nothing named", "silent"),
    *judged.COLUMNS,
)


@dataclass(frozen=True)
class SpoiledRun(Run):
    """A domain learned from states that were seen badly.

    Attributes:
        domain: A benchmark domain.
        kind: One of `KINDS`, `HARD` and `SOFT`.
        labels: As for ``dias sample``.
        seed: That of sampling, of spoiling and of learning.
        limits: How long it may take.
    """

    domain: str
    kind: str
    labels: str = "names"
    seed: int = 0
    limits: Limits = field(default=Limits(), compare=False)

    def measure(self, row: Row, place: Path) -> None:
        """Sample, spoil, learn, evaluate; the row is that of `judge`."""
        true, training, test = split_problems(DOMAINS / self.domain)
        sampled, seen = place / "sampled.jsonl", place / "traces.jsonl"
        least, most = N_SAMPLES, N_SAMPLES
        if self.kind in (UNKNOWN, *HARD, *SOFT):
            training, (least, most) = training[:1], WALK_LEAST_MOST
        flips = (FLIPS | HARD | SOFT).get(self.kind, 0)
        if dias(
            row, "sample", true, *training, "-o", sampled, "--labels", self.labels,
            "--min-per-action", least, "--max-per-action", most, "--seed", self.seed,
            "--noise", flips, *["--soft"] * (self.kind in SOFT),
            "--unknown", SHARE_UNKNOWN if self.kind == UNKNOWN else 0,
            time_limit_s=self.limits.learn_s,
        ) is None:  # fmt: skip
            return
        if self.kind == ONE_FLIP:
            flip_atoms(sampled, seen, read_domain(true), 1, self.seed)
        elif self.kind == LOST:
            leave_out(sampled, seen, SHARE_LOST, self.seed)
        elif self.kind == CONFUSED:
            confuse(sampled, seen, SHARE_CONFUSED, self.seed)
        else:
            seen = sampled
        options = ("--seed", self.seed, "--time-limit", self.limits.learn_s)
        limits = {"learn_s": self.limits.learn_s + GRACE_S, "evaluate_s": self.limits.evaluate_s}
        judge(row, true, seen, test, options, **limits)


def report(results: Results) -> Report:
    """A row for each kind, then one for each domain and kind."""
    groups = results.figures(("labels", "kind"), _figures)
    single = results.figures(("domain", "labels", "kind"), _figures)
    by_domain = (Column("domain", "domain"), *COLUMNS)
    return Report(
        "States seen badly",
        results,
        [("", group_table(groups, COLUMNS, 2)), ("By domain", group_table(single, by_domain, 3))],
        [*groups, *single],
        [
            f"Samples: {N_SAMPLES} of each action in each training problem; where atoms are "
            f"unknown, or flips hard or probabilities, {WALK_LEAST_MOST[0]} to "
            f"{WALK_LEAST_MOST[1]:,} in the first one. "
            f"Flips: in a step, but for the first kind. Lost: {SHARE_LOST:.0%} of the true atoms. "
            f"Unknown: {SHARE_UNKNOWN:.0%} of the atoms that actions may change. "
            f"Confused: two objects of each problem are taken for each other in "
            f"{SHARE_CONFUSED:.0%} of the states.",
            *judged.NOTES,
        ],
    )


def _figures(rows: Sequence[Row]) -> Row:
    unexplained = sum(not row.get("explains_everything", True) for row in rows)
    outcomes = [row.get("outcome") for row in rows]
    return {
        "unexplained": unexplained,
        "right_domains": sum(outcome in (RIGHT, RIGHT_DOUBTED) for outcome in outcomes),
        "silent": sum(outcome in (WRONG_UNTESTED, WRONG_SILENT) for outcome in outcomes),
        **judged.judged_figures(rows),
    }


@table_command("spoiled", report, SMALL, FULL)
@several("--kind", "kinds", type=click.Choice([*KINDS, *HARD, *SOFT]), default=KINDS)
@several("--labels", "labels", type=click.Choice(["names", "full"]), default=["names"])
def command(size: Size, kinds: Sequence[str], labels: Sequence[str]) -> list[SpoiledRun]:
    """Domains learned from states that were seen badly, and whether what is wrong is named.

    --full: all domains but the paper's, three seeds.
    """
    return [
        SpoiledRun(domain, kind, said, seed, size.limits)
        for seed in size.seeds
        for said in labels
        for kind in kinds
        for domain in size.domains
    ]
