"""What to record next, and what it would decide."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dias.learning.certificate.coincidence import LOG_WEAK
from dias.learning.certificate.support import Support, Trial
from dias.learning.extend.evidence import LOG_CHANCE
from dias.learning.result import ActionEvidence, LearningResult
from dias.report.doubts import doubts, line_numbers
from dias.report.text import plural
from dias.traces.findings import FEW_SAMPLES
from dias.traces.record import LabelMode

REFUSED = {
    LabelMode.NAMES: 'A refused try is recorded by what is applicable in that state ("applicable")',
    LabelMode.STRIPS_PLUS: 'A refused try is recorded with "next": null',
    LabelMode.FULL: 'A refused try is recorded with "next": null',
}
"""How a try that fails comes into the traces."""


def advice(result: LearningResult) -> list[str]:
    """What to record next, and what it would decide; the most useful first."""
    found = [f"{name}: record it at all; it was never observed." for name in result.unobserved]
    for evidence in result.evidence:
        found += [f"{evidence.action}: {text}" for text in _advice(evidence)]
    if any(own.support and own.support.trials for own in result.evidence):
        found.append(f"{REFUSED[result.labels]}; one that works as any other step.")
    return found


def gravest_trial(result: LearningResult) -> str | None:
    """What to try for the gravest weak point for which some state seen offers it; None for none."""
    return next((f"try {line}" for line in trial_lines(result)), None)


def trial_lines(result: LearningResult) -> list[str]:
    """What to try for each weak point for which some state seen offers it, the gravest first."""
    support = {own.action: own.support for own in result.evidence}
    found: dict[str, None] = {}
    for point in doubts(result):
        backed = support[point.action]
        for own in backed.trials if backed else ():
            if backed and all(text in point.text for text in own.literals):
                said = f"{', '.join(own.literals)} is needed"
                if _is_for_missing(own, backed):
                    said = "a parameter is missing"
                found[f"{point.action} {_where(own)}, which tells whether {said}"] = None
    return [*found]


def _is_for_missing(own: Trial, support: Support) -> bool:
    """Whether a trial is about the parameter that may be missing."""
    return support.missing is not None and own.literals == support.missing.literals


def _where(own: Trial) -> str:
    objects = ", ".join(f"{variable} {name}" for variable, name in own.objects)
    return f"{f'with {objects} ' * bool(objects)}in the state of line {own.line}"


def _settles(own: Trial, support: Support) -> str:
    """What to try, and what comes of it."""
    said = ", ".join(own.literals)
    if _is_for_missing(own, support):
        return (
            f"try it {_where(own)}, where nothing is {said}: if it works, it has no such parameter."
        )
    if own.literals[0] in support.may_be_needed:
        return (
            f"try it {_where(own)}, where {said} fails, which was left out: if it works, that is "
            "not needed; if it is refused, it is."
        )
    return (
        f"try it {_where(own)}, where of its preconditions {said} alone fails: if it works, that "
        "is not needed; if it is refused, it is."
    )


def _advice(evidence: ActionEvidence) -> Iterator[str]:
    n, support, missing = evidence.n_transitions, evidence.support, evidence.missing
    if evidence.n_explained < n:
        yield (
            f"look at the {n - evidence.n_explained:,} transitions that stay unexplained: do the "
            "states leave facts out, does the action do several things, is there noise?"
        )
    if n < FEW_SAMPLES:
        yield f"record {FEW_SAMPLES - n} more different transitions at least; {n} are few."
    for cause in evidence.causes:
        if cause.kind == "feigned":
            yield (
                f"record more steps in which it changes {', '.join(cause.objects)}: where that "
                "holds already, noise decides what it seems to change."
            )
    if evidence.apart:
        yield (
            "does it do several things, or what depends on the state? Give them names of their "
            "own, or learn with --effects conditional."
        )
    if evidence.refusals.n_allowed:
        yield "find out why attempts were refused that nothing seen forbids."
    if evidence.masks.n_against:
        yield (
            "look at the states whose masks contradict it: do they leave facts out, or are the "
            "masks those of other states?"
        )
    if support:
        yield from (_settles(own, support) for own in support.trials)
        tried = {own.literals for own in support.trials}
        if alone := [own for own in support.weak if own.literals not in tried]:
            more = _more_samples(n, math.log(alone[0].chance), LOG_WEAK)
            yield (
                f"no state seen has objects that violate {', '.join(alone[0].literals)} and "
                f"nothing else: one would tell whether that is a coincidence; {more} would settle "
                "it by numbers."
            )
        if support.either:
            yield (
                "give what needs the one and what needs the other names of their own: "
                f"{' or '.join(support.either.literals)}; no precondition can say that."
            )
        if support.for_all:
            yield f"record a fact that says so: {support.for_all.literals[0]}; no precondition can."
        if odd := support.exceptions:
            yield (
                f"look at {line_numbers(odd.lines)}: was it seen right? One more step that "
                f"violates {', '.join(odd.literals)} would show that not all of that is needed."
            )
        if texts := [text for text in support.may_be_needed if (text,) not in tried]:
            yield (
                f"no state seen has objects that violate {', '.join(texts)} and nothing else: one "
                "would tell whether that is needed."
            )
    if missing:
        more = _more_samples(n, math.log(missing.chance), LOG_CHANCE)
        yield (
            f"{more} would show whether it has a parameter with "
            f"{', '.join(missing.literals)}; one step without such an object shows that not all "
            "of that is needed."
        )
    if support and support.thin_effects:
        yield (
            f"record steps that change {', '.join(e.text for e in support.thin_effects)}: "
            "so far hardly any shows it."
        )


def _more_samples(n: int, log_chance: float, wanted: float) -> str:
    """Samples needed beyond n until a chance bⁿ falls from e^log_chance to e^wanted."""
    if log_chance > -0.01:
        return "far more samples from other states"
    more = max(1, math.ceil(n * (wanted / log_chance - 1)))
    return f"about {plural(more, 'more sample')} of this kind"
