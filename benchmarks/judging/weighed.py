"""Whether the literals that a schema asks for are true, beside the nats that speak for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dias.diff.domains import ActionDiff
from dias.diff.literals import PRECONDITION

TRUE, IDLE, WRONG = VERDICTS = "true", "idle", "wrong"
"""The true schema asks for it; it does not, but nothing is ruled out in the test states; else."""

BANDS = ((0.0, 3.0), (3.0, 7.0), (7.0, 14.0), (14.0, float("inf")))
"""Nats, from and to. Below `dias.learning.score.MARGIN` a literal is no better than none."""


def weighed_literals(
    diff: ActionDiff, support: Mapping[str, Any], recall: float
) -> list[tuple[float | None, str]]:
    """Of each precondition but types its nats, None where nothing tests it, and one of `VERDICTS`.

    Args:
        diff: The learned schema on the left, the true one on the right.
        support: What `dias learn` says in JSON of what stands behind the learned schema.
        recall: Share of the true successors in the test states that it has.
    """
    other = IDLE if recall == 1 else WRONG
    only_learned = {str(x) for x in diff.only_left if x.part == PRECONDITION}
    return [
        (
            None if literal["word"] == "untested" else literal["nats"],
            other if literal["literal"] in only_learned else TRUE,
        )
        for literal in support["literals"]
        if literal["role"] == "precondition"
    ]


def reliability(literals: Iterable[tuple[float | None, str]]) -> list[dict[str, Any]]:
    """How many literals of each band of nats have which verdict; first those that nothing tests."""
    found = list(literals)
    rows = []
    for band in (None, *BANDS):
        own = [
            verdict
            for nats, verdict in found
            if (nats is None if band is None else nats is not None and band[0] <= nats < band[1])
        ]
        counts = {verdict: own.count(verdict) for verdict in VERDICTS}
        rows.append({"band": _text(band), "literals": len(own), **counts})
    return rows


def _text(band: tuple[float, float] | None) -> str:
    if band is None:
        return "untested"
    first, last = band
    return f"{first:g} to {last:g}" if last < BANDS[-1][1] else f"{first:g} and more"
