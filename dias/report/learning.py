"""A learning result as text, as plain values, and as comments at the head of the domain file."""

from __future__ import annotations

from typing import Any

from dias import __version__
from dias.learning.pipeline import ActionEvidence, LearningResult
from dias.report.text import percent

FEW = 20
"""Below so many distinct transitions a literal may never have been violated by mere chance."""


def provenance(result: LearningResult) -> list[str]:
    """Comment lines for the learned domain: method, data, and the evidence for each action."""
    labels = {
        "names": "action names only",
        "full": "all action arguments",
        "partial": "some action arguments (STRIPS+)",
    }
    lines = [
        f"Learned by dias {__version__}: method {result.method}, seed {result.seed}, "
        f"preconditions {result.preconditions}.",
        f"Data: {result.n_transitions:,} transitions, {result.n_distinct:,} of them distinct; "
        f"labels: {labels[result.labels.value]}.",
        f"This domain explains {result.n_explained:,} of the {result.n_distinct:,} distinct "
        f"transitions ({percent(result.n_explained, result.n_distinct)}).",
        *_validation(result),
        *_variants(result),
        "Evidence (distinct transitions):",
    ]
    lines += [f"  {evidence_line(evidence)}" for evidence in result.evidence]
    lines += [f"  {name}: never observed, no schema" for name in result.unobserved]
    return [*lines, "Parameters are bound to pairwise different objects."]


def _validation(result: LearningResult) -> list[str]:
    if result.validation is None:
        return []
    explained, distinct = result.validation
    return [f"Of {distinct:,} validation transitions it explains {explained:,}."]


def _variants(result: LearningResult) -> list[str]:
    return [
        f"The effects of {action} depend on the state: {', '.join(names)} stand for it."
        for action, names in result.variants.items()
    ]


def evidence_line(evidence: ActionEvidence) -> str:
    """One action's evidence in one line."""
    parts = [f"{evidence.n_explained:,} of {evidence.n_transitions:,} explained"]
    if evidence.n_unchanged == evidence.n_transitions:
        parts.append("no effect was ever observed")
    elif evidence.n_unchanged:
        parts.append(f"{evidence.n_unchanged:,} change nothing")
    if evidence.n_ambiguous:
        parts.append(f"{evidence.n_ambiguous:,} with more than one possible binding")
    if evidence.n_transitions < FEW:
        parts.append("few samples: under-determined")
    return f"{evidence.action}: {', '.join(parts)}"


def learning_text(result: LearningResult) -> str:
    """What was learned and how well the transitions bear it out."""
    lines = [
        f"{result.n_explained:,} of {result.n_distinct:,} distinct transitions explained "
        f"({result.n_steps:,} gradient steps, {sum(result.seconds.values()):.1f} s)"
    ]
    lines += [f"  {evidence_line(evidence)}" for evidence in result.evidence]
    lines += [f"  {name}: never observed, no schema" for name in result.unobserved]
    return "\n".join(lines + _variants(result) + _validation(result))


def learning_json(result: LearningResult) -> dict[str, Any]:
    """The same as plain values."""
    return {
        "method": result.method,
        "labels": result.labels.value,
        "seed": result.seed,
        "gradient_steps": result.n_steps,
        "transitions": result.n_transitions,
        "distinct_transitions": result.n_distinct,
        "explained": result.n_explained,
        "explains_everything": result.explains_everything,
        "unobserved": list(result.unobserved),
        "validation": None
        if result.validation is None
        else dict(zip(("explained", "distinct_transitions"), result.validation, strict=True)),
        "seconds": {stage: round(value, 3) for stage, value in result.seconds.items()},
        "variants": {action: list(names) for action, names in result.variants.items()},
        "actions": {
            evidence.action: {
                "arity": result.domain.action(evidence.action).arity,
                "transitions": evidence.n_transitions,
                "explained": evidence.n_explained,
                "ambiguous": evidence.n_ambiguous,
                "unchanged": evidence.n_unchanged,
            }
            for evidence in result.evidence
        },
    }
