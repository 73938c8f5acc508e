"""The certificate of a learned domain in words: what it rests on, and what would help.

Weak points, the first being the gravest:

- what may be behind steps that stay unexplained;
- a refused attempt that is allowed;
- effects that hardly any step shows together, so that the name may stand for several things;
- preconditions that may be coincidences, since other bindings would hardly have violated them;
- a parameter that may be missing, or may be a constant;
- an effect that a single transition shows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from dias.learning.certificate.coincidence import LOG_WEAK
from dias.learning.certificate.support import LiteralSupport, Support
from dias.learning.data.refusals import Refusals
from dias.learning.extend.evidence import LOG_CHANCE
from dias.learning.result import ActionEvidence, LearningResult
from dias.report.causes import cause_text
from dias.report.text import plural
from dias.traces.findings import FEW_SAMPLES

MAX_LISTED = 3
"""Line numbers and actions listed."""


def evidence_line(evidence: ActionEvidence, method: str = "hybrid") -> str:
    """One action's evidence in one line; with `symbolic`, lifting is nothing to mention."""
    parts = [f"{evidence.n_explained:,} of {evidence.n_transitions:,} explained"]
    support = evidence.support
    if support and support.unexplained_lines:
        parts[0] += f" (not {_lines(support.unexplained_lines)})"
    if evidence.n_unchanged == evidence.n_transitions:
        parts.append("no effect was ever observed")
    elif evidence.n_unchanged:
        parts.append(f"{evidence.n_unchanged:,} change nothing")
    if evidence.n_ambiguous:
        parts.append(f"{evidence.n_ambiguous:,} with more than one possible binding")
    if support:
        parts += _history(support, method)
    refusals = evidence.refusals
    if refusals.n_attempts:
        parts.append(
            f"{refusals.n_ruled_out:,} of {refusals.n_attempts:,} refused attempts ruled out"
        )
    if refusals.n_open:
        parts.append(f"{refusals.n_open:,} of them undecided, since their arguments are not known")
    if evidence.n_transitions < FEW_SAMPLES:
        parts.append("few samples: under-determined")
    return f"{evidence.action}: {', '.join(parts)}"


def _history(support: Support, method: str) -> Iterator[str]:
    """What is out of the ordinary in how the schema came about."""
    origin = support.origin
    if origin.restart:
        yield f"effects found in run {origin.restart + 1}"
    if origin.is_repaired:
        yield "effects repaired"
    if origin.source == "network" and method == "hybrid":
        yield "effects proposed by the network"


def _lines(lines: tuple[int, ...]) -> str:
    return f"line{'s' * (len(lines) > 1)} {_first(lines)}"


def _first(items: Sequence[object]) -> str:
    return ", ".join(map(str, items[:MAX_LISTED])) + ", …" * (len(items) > MAX_LISTED)


def weak_points(result: LearningResult) -> list[str]:
    """One line for each weak point, the gravest first."""
    points = [(*key, f"{e.action}: {text}") for e in result.evidence for key, text in _points(e)]
    return [text for *_, text in sorted(points)]


def _points(evidence: ActionEvidence) -> Iterator[tuple[tuple[int, float], str]]:
    """Sort key and text of a schema's weak points."""
    support, missing = evidence.support, evidence.missing
    for cause in evidence.causes:
        yield (-1, -cause.n_steps), cause_text(cause)
    if missing:
        text = f"a parameter with {', '.join(missing.literals)} may be missing "
        yield (3, missing.chance), f"{text}({chance(missing.chance)})"
    if evidence.refusals.n_allowed:
        n, lines = evidence.refusals.n_allowed, _lines(evidence.refusals.lines)
        yield (0, -n), f"allows {plural(n, 'refused attempt')} ({lines})"
    for pair in evidence.apart:
        text = (
            f"{' and '.join(pair.literals)} both changed something in {pair.n_together} of "
            f"{pair.n_steps} transitions only ({chance(pair.chance)})"
        )
        yield (1, pair.chance), text
    if support is None:
        return
    for weak in support.weak:
        text = f"{', '.join(weak.literals)} may be a coincidence ({chance(weak.chance)})"
        yield (2, -weak.chance), text
    for parameter, name in support.fixed:
        text = f"{parameter} was {name} in all transitions, though there are others: a constant?"
        yield (3, 1.0), text
    for effect in support.thin_effects:
        n_changed = effect.n_changed or 0
        text = (
            f"the effect {effect.text} changed something in {n_changed} of "
            f"{effect.n_samples:,} transitions"
        )
        yield (4, n_changed), text


def chance(value: float) -> str:
    """A chance with two digits.

    >>> chance(0.0123), chance(0.5), chance(1e-30)
    ('chance 0.012', 'chance 0.5', 'chance 1e-30')
    """
    return f"chance {value:.2g}"


def advice(result: LearningResult) -> list[str]:
    """What to record next, and what it would decide; the most useful first."""
    found = [f"{name}: record it at all; it was never observed." for name in result.unobserved]
    for evidence in result.evidence:
        found += [f"{evidence.action}: {text}" for text in _advice(evidence)]
    return found


def _advice(evidence: ActionEvidence) -> Iterator[str]:
    n, support, missing = evidence.n_transitions, evidence.support, evidence.missing
    if evidence.n_explained < n:
        yield (
            f"look at the {n - evidence.n_explained:,} transitions that stay unexplained: do the "
            "states leave facts out, does the action do several things, is there noise?"
        )
    if n < FEW_SAMPLES:
        yield f"record {FEW_SAMPLES - n} more different transitions at least; {n} are few."
    if evidence.apart:
        yield (
            "does it do several things, or what depends on the state? Give them names of their "
            "own, or learn with --effects conditional."
        )
    if evidence.refusals.n_allowed:
        yield "find out why attempts were refused that nothing seen forbids."
    if support and support.weak:
        worst = support.weak[0]
        more = _more_samples(n, math.log(worst.chance), LOG_WEAK)
        yield (
            f"a step that violates {', '.join(worst.literals)} and nothing else would show a "
            f"coincidence, a refused attempt at one would confirm a precondition; {more} would "
            "settle it by numbers."
        )
    if missing:
        more = _more_samples(n, math.log(missing.chance), LOG_CHANCE)
        yield (
            f"{more} would show whether it has a parameter with "
            f"{', '.join(missing.literals)}; one step without such an object disproves it."
        )
    if support and support.thin_effects:
        yield (
            f"record steps that change {', '.join(e.text for e in support.thin_effects)}: "
            "so far one shows it at most."
        )


def _more_samples(n: int, log_chance: float, wanted: float) -> str:
    """Samples needed beyond n until a chance bⁿ falls from e^log_chance to e^wanted."""
    if log_chance > -0.01:
        return "far more samples from other states"
    more = max(1, math.ceil(n * (wanted / log_chance - 1)))
    return f"about {plural(more, 'more sample')} of this kind"


def is_contradicted(result: LearningResult) -> bool:
    """Whether what was seen speaks against the domain, by more than any noise accounts for."""
    return not replace(result, unobserved=()).explains_everything


def next_step(result: LearningResult, domain_file: str) -> str:
    """One line: what to do now."""
    if is_contradicted(result):
        text = (
            "Next: find out what contradicts the domain (lines above): facts that the states leave "
            "out, one name for several actions, noise"
        )
        if result.config.effects == "strips":
            text += ", effects that depend on the state (--effects conditional)"
        return text
    name = domain_file if domain_file != "-" else "LEARNED"
    variants = " --variants" * bool(result.variants)
    measure = f"dias evaluate {name} --gt TRUE.pddl{variants}"
    if apart := [evidence.action for evidence in result.evidence if evidence.apart]:
        return (
            f"Next: find out whether {_first(apart)} does several things (weak points above): "
            "--effects conditional takes them apart"
        )
    doubted = {e.action for e in result.evidence if e.n_transitions < FEW_SAMPLES or e.has_doubts}
    if actions := sorted(doubted.union(result.unobserved)):
        return f"Next: record more of {_first(actions)} and learn again, or measure: {measure}"
    text = f"Next: {measure}"
    return text if result.is_network else f"{text}, or dias plan {name} PROBLEM.pddl"


def support_json(support: Support) -> dict[str, Any]:
    """What stands behind a schema as plain values."""
    missing = support.missing
    return {
        "origin": support.origin._asdict(),
        "extra_parameters": support.n_extra,
        "untested": support.n_untested,
        "weak": [{"literals": list(w.literals), "chance": w.chance} for w in support.weak],
        "missing": missing and {"literals": list(missing.literals), "chance": missing.chance},
        "thin_effects": [effect.text for effect in support.thin_effects],
        "fixed": dict(support.fixed),
        "unexplained_lines": list(support.unexplained_lines),
        "successors": {
            "states": support.n_states,
            "allowed": support.n_allowed,
            "observed": support.n_observed,
        },
        "literals": [_literal_json(literal) for literal in support.literals],
    }


def refusals_json(refusals: Refusals) -> dict[str, Any]:
    """What a schema says of the refused attempts as plain values."""
    return {
        "ruled_out": refusals.n_ruled_out,
        "allowed": refusals.n_allowed,
        "undecided": refusals.n_open,
        "allowed_lines": list(refusals.lines),
    }


def _literal_json(literal: LiteralSupport) -> dict[str, Any]:
    return {
        "role": literal.role,
        "literal": literal.text,
        "samples": literal.n_samples,
        "changed": literal.n_changed,
        "instances": literal.n_instances,
        "chance": literal.chance,
    }
