"""What a row keeps of the results that `dias learn` and `dias evaluate` print."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dias.traces.findings import FEW_SAMPLES

from .rawlines import Row

BOUNDED_STAGES = ("train", "check")
"""The stages of ``dias learn`` that its time limit ends; reading and certifying are not."""

MEASURED = (
    *("precision", "recall", "sound", "complete", "states", "capped_states"),
    *("wrong", "n_actions", "evaluate_s", "evaluate_mib"),
)
"""What of a row comes from the evaluation."""


def learned(result: dict[str, Any], limit_s: float) -> Row:
    """What `dias learn` says, under the names of the rows."""
    noise = result.get("noise") or {}
    actions = result.get("actions", {})
    trained_s = sum(result["seconds"].get(stage, 0.0) for stage in BOUNDED_STAGES)
    return {
        "transitions": result["transitions"],
        "explained": result["explained"] / result["distinct_transitions"],
        "steps": result["gradient_steps"],
        "arities": {name: action["arity"] for name, action in actions.items()},
        "stages_s": result["seconds"],
        "out_of_time": trained_s >= limit_s,
        "estimated_flips": noise.get("flips_per_transition"),
        "weak_points": result.get("weak_points", []),
        "weak": [name for name, action in actions.items() if _is_weak(action)],
        "few": [name for name, action in actions.items() if action["transitions"] < FEW_SAMPLES],
    }


def _is_weak(action: dict[str, Any]) -> bool:
    """Whether the certificate doubts the schema, few samples not counted."""
    support = action["support"]
    if support is None:  # learned as from noisy transitions
        return False
    kinds = ("weak", "missing", "either", "thin_effects", "may_be_needed", "exceptions")
    return any(support[kind] for kind in kinds) or action["refused"]["allowed"] > 0


def schemas(path: Path) -> str:
    """The learned domain without the comments, which differ from run to run."""
    from dias.strips.pddl.reader import read_domain
    from dias.strips.pddl.writer import format_domain

    return format_domain(read_domain(path))


def measured(evaluation: dict[str, Any]) -> Row:
    """What `dias evaluate` says, under the names of the rows."""
    failure = evaluation["failure"]
    return {
        "failure": f"evaluate: {failure}" if failure else None,
        "precision": evaluation["successor_states"]["precision"],
        "recall": evaluation["successor_states"]["recall"],
        "sound": evaluation["sound"],
        "complete": evaluation["complete"],
        "states": evaluation["states"],
        "capped_states": evaluation["capped_states"],
        "wrong": [
            name
            for name, score in evaluation["actions"].items()
            if score["false_positives"] or score["false_negatives"]
        ],
        "n_actions": len(evaluation["actions"]),
    }
