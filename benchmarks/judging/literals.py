"""Literals of a learned schema: which wrong ones are named, and what speaks for them all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dias.diff.domains import ActionDiff
from dias.diff.literals import PRECONDITION, PlacedLiteral

LEFT_OUT = ("implied", "open", "may_be_needed")
"""The keys of literals over the parameters that the certificate says were left out."""

TRUE, IDLE, WRONG = VERDICTS = "true", "idle", "wrong"
"""The true schema asks for it; it does not, but nothing is ruled out in the test states; else."""

BANDS = ((0.0, 3.0), (3.0, 7.0), (7.0, 14.0), (14.0, float("inf")))
"""Nats, from and to. Below `dias.learning.score.MARGIN` a literal is no better than none."""


def named_differences(
    diff: ActionDiff, support: Mapping[str, Any], *, too_much: bool, too_little: bool
) -> list[str]:
    """The wrong preconditions that the certificate calls untested or doubtful, as it spells them.

    Args:
        diff: The learned schema on the left, the true one on the right.
        support: What `dias learn` says in JSON of what stands behind the schema.
        too_much: Whether the schema allows too much: what it lacks counts. Of a parameter that it
            lacks, one literal has to be said; one that alignment puts in the place of a parameter
            of which nothing else is the same is lacking, too.
        too_little: Whether it allows too little: what only it has counts.
    """
    found = []
    known = set(diff.left.variables) if diff.left else set()
    if too_little:
        open_ones = [x["literal"] for x in support["literals"] if x["word"] != "decided"]
        for literal in _conditions(diff.only_left):
            found += [text for text in open_ones if _says(text, literal, known)][:1]
    if too_much:
        missing = [x.rename(diff.to_left, {}) for x in _conditions(diff.only_right)]
        left_out = [text for key in LEFT_OUT for text in support[key]]
        further = [text for own in support["further_parameters"] for text in own]
        same = {term for x in diff.literals if x.left and x.right for term in x.left.atom.terms}
        for literal in missing:
            said = [text for text in left_out if _says(text, literal, known)]
            said += [text for text in further if _says(text, literal, known & same)]
            found += said[:1]
    return sorted(set(found))


def _conditions(literals: Sequence[PlacedLiteral]) -> list[PlacedLiteral]:
    return [literal for literal in literals if literal.part == PRECONDITION]


def _says(text: str, literal: PlacedLiteral, known: set[str]) -> bool:
    """Whether a text is a literal, whatever a parameter that the schema lacks is called."""

    def words(own: str) -> tuple[bool, list[str]]:
        predicate, *terms = own.replace("(", " ").replace(")", " ").replace("not ", " ").split()
        terms = [term if term in known or not term.startswith("?") else "?" for term in terms]
        return "(not " in own, [predicate, *(sorted(terms) if predicate == "=" else terms)]

    return text.startswith("(") and words(text) == words(str(literal))


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
