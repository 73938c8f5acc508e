"""The random table: domains that nobody designed, and whether the data decide what is wrong.

Seeds 0 to 199 are what is reported. Whoever chooses a constant by these domains takes the seeds
1000 to 1199 (``--first-seed 1000``), so that what is reported was never looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from ..generators.random_domains import VARIANTS
from ..judging.dispute import DATA_SAY, DECIDED
from ..judging.judge import (
    OUTCOMES,
    RIGHT,
    RIGHT_DOUBTED,
    WRONG_DOUBTED,
    WRONG_SILENT,
    WRONG_UNTESTED,
    action_outcomes,
)
from ..judging.literals import VERDICTS, reliability
from ..judging.random_run import RandomRun
from ..reports.report import Report, figure, share
from ..reports.results import Results, mean, median, succeeded
from ..reports.table import NONE, Column, Table, group_table, plain
from ..running.rawlines import Row
from ..table_options import Size, masks_option, several, table_command, with_masks

SMALL, FULL = Size(5), Size(200, is_full=True)
FLIPS, SMALL_FLIPS = (0, 1, 4), (0,)
COLUMNS = (
    *plain("variant", "flips", "runs", "failed", *OUTCOMES),
    *(Column(f"wrong: {word}", word) for word in DATA_SAY),
    Column("precision", "precision", "{:.3f}"),
    Column("recall", "recall", "{:.3f}"),
    Column("right actions doubted", "right_doubted"),
    Column("wrong actions not doubted", "wrong_undoubted"),
    Column("nor named untested", "wrong_unnamed"),
    Column("learning, s", "learn_s", "{:.1f}"),
    Column("longest, s", "learn_longest_s", "{:.1f}"),
)
AS_SEEN = Column("decided as seen", "decided_as_seen")
"""Shown where there are flips."""

BANDS = (Column("nats", "band"), *plain("literals", *VERDICTS))


def report(results: Results) -> Report:
    """A row for each variant and number of flips, and a list of what is wrong though decided."""
    groups = [
        {"variant": with_masks(variant, applicable), "flips": flips, **_counts(rows)}
        for (variant, flips, applicable), rows in results.groups(
            "variant", "flips", "applicable"
        ).items()
    ]
    is_asked = any(group["decided_as_seen"] is not None for group in groups)
    tables = [("", group_table(groups, [*COLUMNS, AS_SEEN] if is_asked else COLUMNS, 1))]
    done = succeeded(list(results.rows.values()))
    literals = [own for row in done for own in row.get("literals", ())]
    if literals:
        tables.append(("Nats of preconditions", group_table(reliability(literals), BANDS, 0)))
    missed = [line for rows in results.groups("seed").values() for line in _missed(rows)]
    if missed:
        head = ("seed", "variant", "flips", "outcome", "action", "nats", "precision", "recall")
        tables.append(("Wrong though the data decide", Table(head, missed, 0)))
    return Report("Random domains", results, tables, groups, _notes())


def _notes() -> list[str]:
    from dias.learning.score import MARGIN  # imports numpy

    return [
        "Flips: wrong atoms in the whole trace. Right: in the test states no action has a wrong "
        "successor or misses one. Doubted: learning named a weak point or ended with status 4. "
        "Untested: it did not, but the certificate calls a literal untested that is wrong, of each "
        "wrong action one; most right actions have untested literals, too.",
        "What the training steps without flips say of a wrong domain, by the score of learning; "
        "its worst action counts. Decided: the true schema is better by more than "
        f"{MARGIN:g} nats, or alone explains all steps; unpaid: it is wrong only by negative "
        "literals that their evidence does not pay for; rival: neither is better by more than "
        f"{MARGIN:g} nats; against: the true schema is worse. Decided as seen: the same of the "
        "steps with the flips, odd ones having their price, which is what the learner saw.",
        "Nats of preconditions, types left out: true ones stand in the true schema; idle ones do "
        "not, but no successor is missed in the test states; where one is, they count as wrong.",
        "Precision and recall: means over the domains, of successor states. Times: of "
        "`dias learn`.",
        "Seeds 0 to 199 are what is reported; constants are chosen by the seeds 1000 to 1199.",
    ]


def _counts(rows: Sequence[Row]) -> dict[str, Any]:
    """The figures of a group, under the names of `COLUMNS`."""
    done = succeeded(rows)
    outcomes = Counter(row["outcome"] for row in done)
    said = Counter(_worst(row["disputes"]) for row in done if row["wrong"])
    actions = action_outcomes(done)
    return {
        "runs": len(rows),
        "failed": len(rows) - len(done),
        **{name: outcomes[name] for name in OUTCOMES},
        **{word: said[word] for word in DATA_SAY},
        "decided_as_seen": _decided_as_seen(done),
        "precision": mean(row["precision"] for row in done),
        "recall": mean(row["recall"] for row in done),
        "right_doubted": _of(actions[RIGHT_DOUBTED], actions[RIGHT]),
        "wrong_undoubted": _of(
            actions[WRONG_SILENT] + actions[WRONG_UNTESTED], actions[WRONG_DOUBTED]
        ),
        "wrong_unnamed": actions[WRONG_SILENT],
        "learn_s": median(row["learn_s"] for row in done),
        "learn_longest_s": max((row["learn_s"] for row in done), default=None),
    }


def _decided_as_seen(done: Sequence[Row]) -> int | None:
    """Of how many wrong domains the steps with flips say so; None if that was not asked."""
    asked = [row["disputes"].values() for row in done if row["wrong"] and row["flips"]]
    said = [[own["as_seen"] for own in each] for each in asked if all("as_seen" in x for x in each)]
    return sum(DECIDED in words for words in said) if said else None


def _of(number: int, others: int) -> str:
    return f"{number} of {number + others}"


def _worst(disputes: Mapping[str, Row]) -> str:
    """What the data say of the action of which they say the worst."""
    return min((own["data"] for own in disputes.values()), key=DATA_SAY.index)


def _missed(rows: Sequence[Row]) -> Iterator[list[str]]:
    """A line for each action that is wrong though the data decide."""
    for row in succeeded(rows):
        for name, own in row.get("disputes", {}).items():
            if own["data"] == DECIDED:
                is_explained = own["learned"] is not None
                nats = figure(own["true"] - own["learned"], 1) if is_explained else NONE
                shares = (share(row["actions"][name][key]) for key in ("precision", "recall"))
                first = (row["seed"], row["variant"], row["flips"], row["outcome"], name)
                yield [*map(str, first), nats, *shares]


@table_command("random", report, SMALL, FULL)
@click.option(
    "--first-seed",
    type=click.IntRange(0),
    default=0,
    help="Where seeds begin: 0 for what is reported, 1000 for choosing constants.",
)
@several("--variant", "variants", type=click.Choice(VARIANTS), default=VARIANTS)
@several(
    "--flips",
    "flips",
    type=click.IntRange(0),
    help=f"Wrong atoms in the whole trace. Default: {', '.join(map(str, SMALL_FLIPS))}; with "
    f"--full {', '.join(map(str, FLIPS))}.",
)
@click.option(
    "--labels",
    type=click.Choice(["names", "partial", "full"]),
    default="names",
    help="Action arguments in the traces.",
)
@click.option(
    "--method",
    type=click.Choice(["symbolic", "hybrid"]),
    default="symbolic",
    help="As for dias learn.",
)
@click.option(
    "--preconditions", default="", show_default=False, help="As for dias learn. Default: its own."
)
@masks_option
def command(
    size: Size,
    first_seed: int,
    variants: Sequence[str],
    flips: Sequence[int],
    applicable: Sequence[str],
    **options: str,
) -> list[RandomRun]:
    """How well random domains are learned, and whether the data decide what is wrong.

    Action names only, about 130 samples of each action. --full: 200 domains with parameters that
    differ and 200 where they may be the same object, each without and with 1 and 4 wrong atoms in
    the trace.
    """
    return [
        RandomRun(first_seed + seed, variant, number, applicable=masks, **options)
        for seed in size.seeds
        for variant in variants
        for number in flips or (FLIPS if size.is_full else SMALL_FLIPS)
        for masks in applicable
    ]
