"""A learning result as text, as plain values, and as comments at the head of the domain file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from dias import __version__
from dias.learning.result import ActionEvidence, LearningResult
from dias.learning.train.progress import LearningProgress
from dias.report.causes import cause_json, reading
from dias.report.certificate import (
    evidence_line,
    masks_json,
    next_step,
    refusals_json,
    support_json,
)
from dias.report.doubts import counted, doubts, untested_lines
from dias.report.text import LABELS, percent, plural, undone_lines
from dias.report.to_record import trial_lines
from dias.strips.pddl.writer import format_domain

LEAST_FLIPS = 0.005
"""Wrong atoms per transition that two digits do not tell from none."""

MAX_SHOWN = 5
"""Weak points that are shown after learning; the domain file lists all."""

MAX_TRIALS = 10
"""Things to try that the domain file lists."""


def provenance(result: LearningResult) -> list[str]:
    """Comment lines for the learned domain: method, data, and the evidence for each action."""
    lines = [
        f"Learned by dias {__version__}: method {result.method}, seed {result.seed}, "
        f"preconditions {result.preconditions}"
        + (f", without {', '.join(result.without)}." if result.without else "."),
        f"Data: {result.n_transitions:,} transitions, {result.n_distinct:,} of them distinct; "
        f"labels: {LABELS[result.labels]}.",
        f"This domain explains {result.n_explained:,} of the {result.n_distinct:,} distinct "
        f"transitions ({percent(result.n_explained, result.n_distinct)}).",
        *_noise(result),
        *_uncertain(result),
        *reading(result),
        *_validation(result),
        *_variants(result),
        *undone_lines(result.undone, is_whole=True),
        "Evidence (distinct transitions):",
    ]
    lines += [f"  {evidence_line(evidence, result.method)}" for evidence in result.evidence]
    lines += [f"  {name}: never observed, no schema" for name in result.unobserved]
    tried = trial_lines(result)[:MAX_TRIALS]
    if tried:
        tried = ["What to try, and what it tells:", *(f"  {line}" for line in tried)]
    return [*lines, *_weak(result), *tried, *_untested(result)]


def _noise(result: LearningResult) -> list[str]:
    """How much noise was found, and where."""
    noise = result.noise
    if noise is None:
        return []
    flips = f"an estimated {noise.flips:.2f}" if noise.flips >= LEAST_FLIPS else "less than 0.01"
    lines = [
        f"Noise: {flips} atoms per transition were seen wrong; explained "
        "means: up to noise of that amount. Likelihoods tell it from effects, without a network."
    ]
    if noise.relations:
        shares = ", ".join(
            f"{name} {rates.lost:.1%}/{rates.invented:.1%}"
            for name, rates in sorted(noise.relations.items())
        )
        lines.append(f"True atoms not seen/false atoms seen: {shares}.")
    for relation in noise.alarms:
        lines.append(
            f"Alarm: {relation} is seen wrong out of all proportion to other relations. That is no "
            "chance: objects that are taken for one another, or an effect that is missing here?"
        )
    if noise.come_together:
        lines.append(
            "Alarm: wrong atoms come together (their number in a step varies "
            f"{noise.dispersion:.1f} times as much as by chance): objects that are taken for one "
            "another, or whole parts of a state that are not seen? Much of that passes for effects "
            "and preconditions here."
        )
    if noise.n_misnamed:
        lines.append(f"{noise.n_misnamed:,} transitions look like those of another action.")
    n_left = result.n_distinct - result.n_explained
    if n_left > noise.n_tolerated:
        lines.append(
            f"{n_left:,} transitions stay unexplained; this noise accounts for "
            f"{noise.n_tolerated:,} at most."
        )
    return lines


def _uncertain(result: LearningResult) -> list[str]:
    """What was not certain, and what was made of it."""
    own = result.uncertain
    if own is None:
        return []
    lines = [
        f"Not certain: {own.n_doubted:,} sightings of atoms, {own.n_unknown:,} of them unknown; "
        "explained means: by the states as they most likely were, along each walk "
        f"({plural(own.n_rounds, 'round')}), and against nothing that is certain."
    ]
    if own.temperatures:
        values = ", ".join(f"{name} {value:.2g}" for name, value in own.temperatures.items())
        lines.append(f"Calibration: log odds were divided by: {values}.")
    if own.n_against:
        against, verb = plural(own.n_against, "sighting"), "is" if own.n_against == 1 else "are"
        lines.append(f"{against} said to be certain {verb} against the likeliest states.")
    if own.n_untold:
        lines.append(
            f"Of {plural(own.n_untold, 'step')} too little was seen to tell what happened."
        )
    for relation in own.alarms:
        lines.append(
            f"Alarm: sightings of {relation} are wrong far more often than their probabilities say:"
            " a classifier that is too sure, or a wrong domain?"
        )
    if own.is_unsettled:
        lines.append(
            "Alarm: the likeliest states still look seen wrong, or other schemas came of them each "
            "time, so they or the domain may be wrong."
        )
    return lines


def _uncertain_json(result: LearningResult) -> dict[str, Any] | None:
    own = result.uncertain
    if own is None:
        return None
    return {
        "sightings": own.n_doubted,
        "unknown": own.n_unknown,
        "temperatures": {name: round(value, 3) for name, value in own.temperatures.items()},
        "against": own.n_against,
        "untold": own.n_untold,
        "tolerated": own.n_tolerated,
        "alarms": list(own.alarms),
        "unsettled": own.is_unsettled,
        "rounds": own.n_rounds,
    }


def _validation(result: LearningResult) -> list[str]:
    if result.validation is None:
        return []
    explained, distinct = result.validation
    return [
        f"Of {distinct:,} validation transitions, as they were seen, it explains {explained:,}."
    ]


def _variants(result: LearningResult) -> list[str]:
    return [
        f"The effects of {action} depend on the state: {', '.join(names)} stand for it."
        for action, names in result.variants.items()
    ]


def _weak(result: LearningResult, limit: int | None = None) -> list[str]:
    """The weak points under a heading, beyond a limit counted; nothing if there is none."""
    points = doubts(result)
    if not points:
        return []
    lines = [f"Weak points ({len(points)}):", *(f"  {point}" for point in points[:limit])]
    if limit is not None and (rest := points[limit:]):
        lines.append(f"  and {len(rest)} more: {counted(rest)}")
    return lines


def _untested(result: LearningResult) -> list[str]:
    """What is untested, action by action; nothing if nothing is."""
    lines = untested_lines(result)
    if not lines:
        return []
    head = f"Untested, nothing in the transitions speaks either way (actions: {len(lines)}):"
    return [head, *(f"  {line}" for line in lines)]


def learning_text(result: LearningResult, domain_file: str = "LEARNED") -> str:
    """What was learned, how well the transitions bear it out, and what to do next."""
    lines = [
        f"{result.n_explained:,} of {result.n_distinct:,} distinct transitions explained "
        f"({plural(result.n_steps, 'gradient step')}, {sum(result.seconds.values()):.1f} s)"
    ]
    lines += [f"  {evidence_line(evidence, result.method)}" for evidence in result.evidence]
    lines += [f"  {name}: never observed, no schema" for name in result.unobserved]
    lines += [*_variants(result), *_noise(result), *_uncertain(result), *reading(result)]
    lines += _validation(result)
    lines += undone_lines(result.undone)
    lines += _weak(result, MAX_SHOWN)
    if n := len(untested_lines(result)):
        lines.append(f"Untested: something in {plural(n, 'action')} (the domain file says what)")
    return "\n".join([*lines, next_step(result, domain_file)])


def learning_json(result: LearningResult) -> dict[str, Any]:
    """The same as plain values; docs/report.md says what they mean."""
    points = doubts(result)
    return {
        "dias": __version__,
        "method": result.method,
        "labels": result.labels.value,
        "preconditions": result.preconditions,
        "seed": result.seed,
        "without": list(result.without),
        "gradient_steps": result.n_steps,
        **({"sources": list(result.files)} if result.files else {}),
        "transitions": result.n_transitions,
        "distinct_transitions": result.n_distinct,
        "explained": result.n_explained,
        "explains_everything": result.explains_everything,
        "wrongly_allowed": result.n_wrongly_allowed,
        "unobserved": list(result.unobserved),
        "undone": {part: list(filter(None, actions)) for part, actions in result.undone.items()},
        "noise": _noise_json(result),
        **({"uncertain": _uncertain_json(result)} if result.uncertain else {}),
        "weak_points": list(map(str, points)),
        "doubts": [
            {"kind": point.kind, "action": point.action, "text": point.text} for point in points
        ],
        "validation": None
        if result.validation is None
        else dict(zip(("explained", "distinct_transitions"), result.validation, strict=True)),
        "seconds": {stage: round(value, 3) for stage, value in result.seconds.items()},
        "read_as_refused": dict(result.read_as_refused),
        "variants": {action: list(names) for action, names in result.variants.items()},
        "actions": {
            evidence.action: _action_json(result, evidence) for evidence in result.evidence
        },
    }


def _noise_json(result: LearningResult) -> dict[str, Any] | None:
    noise = result.noise
    if noise is None:
        return None
    return {
        "flips_per_transition": round(noise.flips, 3),
        "relations": {
            name: {"lost": round(rates.lost, 5), "invented": round(rates.invented, 5)}
            for name, rates in sorted(noise.relations.items())
        },
        "alarms": list(noise.alarms),
        "dispersion": round(noise.dispersion, 3),
        "misnamed": noise.n_misnamed,
        "tolerated": noise.n_tolerated,
    }


def _action_json(result: LearningResult, evidence: ActionEvidence) -> dict[str, Any]:
    return {
        "arity": result.domain.action(evidence.action).arity,
        "transitions": evidence.n_transitions,
        "explained": evidence.n_explained,
        "ambiguous": evidence.n_ambiguous,
        "unchanged": evidence.n_unchanged,
        "refused": refusals_json(evidence.refusals),
        **({"masks": masks_json(evidence.masks)} if evidence.masks.n_states else {}),
        "causes": [cause_json(cause) for cause in evidence.causes],
        "apart": [asdict(pair) | {"literals": list(pair.literals)} for pair in evidence.apart],
        "support": evidence.support and support_json(evidence.support),
    }


def report_json(result: LearningResult, progress: Sequence[LearningProgress]) -> dict[str, Any]:
    """All there is to say of a learning run: the above, settings, training and the domain.

    Args:
        result: What was learned.
        progress: All that was reported while training.
    """
    return {
        "format": "dias-report/1",
        **learning_json(result),
        "settings": asdict(result.config) | {"without": list(result.config.without)},
        "training": [
            {
                name: None if isinstance(value, float) and not math.isfinite(value) else value
                for name, value in asdict(look).items()
            }
            for look in progress
        ],
        "domain": format_domain(result.domain),
    }
