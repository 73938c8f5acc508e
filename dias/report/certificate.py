"""The certificate of a learned domain in words: what it rests on, and what would help."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from dias.learning.certificate.support import Doubt, LiteralSupport, Support
from dias.learning.data.refusals import MaskCheck, Refusals
from dias.learning.result import ActionEvidence, LearningResult
from dias.learning.schema import NETWORK
from dias.methods import METHODS, NETWORK_BESIDE_OTHERS
from dias.report.doubts import first, line_numbers
from dias.report.to_record import gravest_trial
from dias.traces.findings import FEW_SAMPLES
from dias.traces.places import as_value


def evidence_line(evidence: ActionEvidence, method: str = METHODS[0]) -> str:
    """One action's evidence in one line; that a network proposed is news only beside others."""
    parts = [f"{evidence.n_explained:,} of {evidence.n_transitions:,} explained"]
    support = evidence.support
    if support and support.unexplained_lines:
        parts[0] += f" (not {line_numbers(support.unexplained_lines)})"
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
    if evidence.masks.n_states:
        n = evidence.masks.n_states - evidence.masks.n_against
        parts.append(f"{n:,} of {evidence.masks.n_states:,} masks agree")
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
    if origin.source == NETWORK.source and method in NETWORK_BESIDE_OTHERS:
        yield "effects proposed by the network"


def is_contradicted(result: LearningResult) -> bool:
    """Whether what was seen speaks against the domain, by more than any noise accounts for."""
    return not replace(result, unobserved=(), undone={}).explains_everything


def next_step(result: LearningResult, domain_file: str) -> str:
    """One line: what to do now."""
    if result.undone:
        text = "Next: allow more time (--time-limit), or give fewer steps or smaller problems"
        if is_contradicted(result):
            text += "; what contradicts the domain (lines above) may be gone then"
        return text
    if is_contradicted(result):
        kinds = {cause.kind for evidence in result.evidence for cause in evidence.causes}
        arguments = "arguments that are wrong or missing (--labels partial, or names), "
        text = (
            "Next: find out what contradicts the domain (lines above): "
            f"{arguments if 'unnamed' in kinds else ''}facts that the states leave "
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
            f"Next: find out whether {first(apart)} does several things (weak points above): "
            "--effects conditional takes them apart"
        )
    if either := [e.action for e in result.evidence if e.support and e.support.either]:
        return (
            f"Next: find out whether {first(either)} stands for several actions (weak points "
            "above), give them names of their own and learn again"
        )
    if general := [e for e in result.evidence if e.support and e.support.for_all]:
        return (
            f"Next: record a fact that says what {general[0].action} seems to ask of all objects "
            "(weak points above) and learn again"
        )
    doubted = {e.action for e in result.evidence if e.n_transitions < FEW_SAMPLES or e.has_doubts}
    if trial := gravest_trial(result):
        return f"Next: {trial}; then learn again, or measure: {measure}"
    if actions := sorted(doubted.union(result.unobserved)):
        return f"Next: record more of {first(actions)} and learn again, or measure: {measure}"
    text = f"Next: {measure}"
    return text if result.is_network else f"{text}, or dias plan {name} PROBLEM.pddl"


def support_json(support: Support) -> dict[str, Any]:
    """What stands behind a schema as plain values."""
    missing, exceptions = support.missing, support.exceptions
    return {
        "origin": support.origin._asdict(),
        "extra_parameters": support.n_extra,
        "untested": support.n_untested,
        "weak": [_doubt_json(weak) for weak in support.weak],
        "missing": missing and _doubt_json(missing),
        "either": support.either and _doubt_json(support.either),
        "for_all": support.for_all and _doubt_json(support.for_all),
        "doubtful_parameter": support.doubtful and _doubt_json(support.doubtful),
        "left_out": list(support.left_out),
        "may_be_needed": list(support.may_be_needed),
        "implied": list(support.implied),
        "open": list(support.open),
        "of_type": list(support.of_type),
        "replaceable": [list(own) for own in support.replaceable],
        "further_parameters": list(map(list, support.further)),
        "thin_effects": [effect.text for effect in support.thin_effects],
        "fixed": dict(support.fixed),
        "exceptions": exceptions
        and {
            "literals": list(exceptions.literals),
            "lines": list(map(as_value, exceptions.lines)),
            "chance": exceptions.chance,
        },
        "trials": [
            {
                "literals": list(own.literals),
                "line": as_value(own.line),
                "objects": dict(own.objects),
            }
            for own in support.trials
        ],
        "unexplained_lines": list(map(as_value, support.unexplained_lines)),
        "successors": {
            "states": support.outcomes.n_states,
            "allowed": support.outcomes.n_allowed,
            "observed": support.outcomes.n_observed,
        },
        "literals": [_literal_json(literal, support.word(literal)) for literal in support.literals],
    }


def refusals_json(refusals: Refusals) -> dict[str, Any]:
    """What a schema says of the refused attempts as plain values."""
    return {
        "ruled_out": refusals.n_ruled_out,
        "allowed": refusals.n_allowed,
        "undecided": refusals.n_open,
        "allowed_lines": list(map(as_value, refusals.lines)),
    }


def masks_json(masks: MaskCheck) -> dict[str, Any]:
    """What a schema says of the states with a mask as plain values."""
    return {
        "states": masks.n_states,
        "too_weak": len(masks.too_weak),
        "too_strict": len(masks.too_strict),
        "too_weak_lines": list(map(as_value, masks.too_weak)),
        "too_strict_lines": list(map(as_value, masks.too_strict)),
    }


def _doubt_json(doubt: Doubt) -> dict[str, Any]:
    found = {"literals": list(doubt.literals), "chance": doubt.chance}
    return found | ({"instead": list(doubt.instead)} if doubt.instead else {})


def _literal_json(literal: LiteralSupport, word: str) -> dict[str, Any]:
    return {
        "role": literal.role,
        "literal": literal.text,
        "samples": literal.n_samples,
        "changed": literal.n_changed,
        "instances": literal.n_instances,
        "chance": literal.chance,
        "nats": -math.log(literal.chance) if literal.chance else None,
        "alone": literal.chance is not None and literal.is_alone,
        "word": word,
    }
