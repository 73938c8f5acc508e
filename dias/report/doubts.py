"""What may be wrong with a learned domain, in words: its weak points, the gravest first.

- What may be behind steps that stay unexplained; a refused attempt that is allowed; states in
  which what is said to be refused is allowed, or what is said to be applicable is not.
- Effects that hardly any step shows together, so that the name may stand for several things.
- What may allow too much: changes that noise may have made, a parameter that may be missing, or may
  be a constant, a literal that was left out and that nothing could test, one or the other of two.
- What may allow too little: preconditions that may be coincidences, since other bindings would
  hardly have violated them.
- An effect that hardly any transition shows.

Beside these, what is untested: nothing in the traces speaks for it or against it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dias.learning.certificate.support import Support
from dias.learning.result import ActionEvidence, LearningResult
from dias.report.causes import cause_text
from dias.report.text import plural

MAX_LISTED = 3
"""Line numbers, actions, further parameters and literals of these that are listed."""

KINDS = CONTRADICTED, APART, UNSOUND, INCOMPLETE, THIN = {
    "contradicted": "against the domain",
    "apart": "with effects apart",
    "unsound": "may allow too much",
    "incomplete": "may allow too little",
    "thin": "hardly seen at work",
}
"""Kinds of weak points and what they are called, the gravest first."""


class WeakPoint(NamedTuple):
    """What may be wrong with a learned domain.

    Attributes:
        kind: One of `KINDS`.
        rank: Smaller is graver, among those of the same kind.
        action: The action.
        text: What it is, in one sentence.
    """

    kind: str
    rank: float
    action: str
    text: str

    def __str__(self) -> str:
        return f"{self.action}: {self.text}"


def weak_points(result: LearningResult) -> list[str]:
    """One line for each weak point, the gravest first."""
    return list(map(str, doubts(result)))


def doubts(result: LearningResult) -> list[WeakPoint]:
    """The weak points, the gravest first."""
    order = list(KINDS)
    points = [point for evidence in result.evidence for point in _points(evidence)]
    return sorted(points, key=lambda p: (order.index(p.kind), p.rank, p.action, p.text))


def untested_lines(result: LearningResult) -> list[str]:
    """One line for each action of which something is untested, what may allow too much first."""
    return [
        f"{evidence.action}: {'; '.join(parts)}"
        for evidence in result.evidence
        if evidence.support and (parts := [*_untested(evidence.support)])
    ]


def _untested(support: Support) -> Iterator[str]:
    """What no state of the traces could have told."""
    if support.further:
        queries = [first(query) for query in support.further[:MAX_LISTED]]
        if n_more := len(support.further) - len(queries):
            queries.append(f"what {n_more} more say" if n_more > 1 else "what one more says")
        yield f"a parameter with {' or one with '.join(queries)}"
    if left_out := [*support.implied, *support.open, *support.of_type]:
        yield f"left out {', '.join(left_out)}"
    yield from (f"either {own} or {other}" for own, other in support.replaceable)
    narrow = (x for x in support.literals if x.is_narrow)  # by type: parameters may be reordered
    conditions = sorted(narrow, key=lambda one: one.text.partition(" ")[2])
    conditions += (x for x in support.literals if x.role == "precondition")
    either = dict(support.replaceable)
    kept = [
        one.text for one in conditions if support.word(one) == "untested" and one.text not in either
    ]
    if kept:
        yield f"kept {', '.join(kept)}"


def counted(points: Sequence[WeakPoint]) -> str:
    """How many weak points of which kind."""
    numbers = Counter(point.kind for point in points)
    return ", ".join(f"{numbers[kind]} {words}" for kind, words in KINDS.items() if numbers[kind])


def _points(evidence: ActionEvidence) -> Iterator[WeakPoint]:
    """The weak points of a schema."""

    def point(kind: str, rank: float, text: str) -> WeakPoint:
        return WeakPoint(kind, rank, evidence.action, text)

    support, missing = evidence.support, evidence.missing
    for cause in evidence.causes:
        kind = UNSOUND if cause.kind in ("feigned", "idle") else CONTRADICTED
        yield point(kind, -cause.n_steps, cause_text(cause))
    if evidence.refusals.n_allowed:
        n, lines = evidence.refusals.n_allowed, line_numbers(evidence.refusals.lines)
        yield point(CONTRADICTED, 1 / n, f"allows {plural(n, 'refused attempt')} ({lines})")
    n, masks = evidence.masks.n_states, evidence.masks
    for rank, wrong, text in (
        (0.0, masks.too_weak, 'allows what "applicable" does not list'),
        (1.0, masks.too_strict, 'does not allow what "applicable" lists'),
    ):
        if wrong:
            where = f"in {len(wrong):,} of {plural(n, 'state')} ({line_numbers(wrong)})"
            yield point(CONTRADICTED, rank + 1 / len(wrong), f"{text} {where}")
    for pair in evidence.apart:
        text = (
            f"{' and '.join(pair.literals)} both changed something in {pair.n_together} of "
            f"{pair.n_steps} transitions only ({chance(pair.chance)})"
        )
        yield point(APART, pair.chance, text)
    if missing:
        text = f"a parameter with {', '.join(missing.literals)} may be missing "
        yield point(UNSOUND, missing.chance, f"{text}({chance(missing.chance)})")
    if support is None:
        return
    if support.either:
        text = (
            f"{' or '.join(support.either.literals)} held in all transitions, and neither alone "
            f"({chance(support.either.chance)}): several actions under one name?"
        )
        yield point(UNSOUND, support.either.chance, text)
    if support.for_all:
        text = (
            f"{support.for_all.literals[0]} held in all transitions "
            f"({chance(support.for_all.chance)}), which no precondition says: do the states leave "
            "a fact out that does?"
        )
        yield point(UNSOUND, support.for_all.chance, text)
    if odd := support.exceptions:
        text = (
            f"{', '.join(odd.literals)} may be needed, and {line_numbers(odd.lines)} seen wrong: "
            f"all others of {plural(odd.n_steps, 'transition')} obey ({chance(odd.chance)})"
        )
        yield point(UNSOUND, odd.chance, text)
    if support.may_be_needed:
        text = (
            f"{', '.join(support.may_be_needed)} may be needed: left out, since no state tests it"
        )
        yield point(UNSOUND, 1.0, text)
    for parameter, name in support.fixed:
        text = f"{parameter} was {name} in all transitions, though there are others: a constant?"
        yield point(UNSOUND, 2.0, text)
    for weak in support.weak:
        text = f"{', '.join(weak.literals)} may be a coincidence "
        if weak.instead:
            text += f"if {', '.join(weak.instead)} holds "
        yield point(INCOMPLETE, -weak.chance, f"{text}({chance(weak.chance)})")
    for effect in support.thin_effects:
        n_changed = effect.n_changed or 0
        text = (
            f"the effect {effect.text} changed something in {n_changed} of "
            f"{effect.n_samples:,} transitions"
        )
        yield point(THIN, n_changed, text)


def chance(value: float) -> str:
    """A chance with two digits.

    >>> chance(0.0123), chance(0.5), chance(1e-30)
    ('chance 0.012', 'chance 0.5', 'chance 1e-30')
    """
    return f"chance {value:.2g}"


def line_numbers(lines: tuple[int, ...]) -> str:
    """The first of some lines, as in a sentence."""
    return f"line{'s' * (len(lines) > 1)} {first(lines)}"


def first(items: Sequence[object]) -> str:
    """The first items."""
    return ", ".join(map(str, items[:MAX_LISTED])) + ", …" * (len(items) > MAX_LISTED)
