"""What a row keeps of the results that `dias learn` and `dias evaluate` print."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .rawlines import Row

BOUNDED_STAGES = ("train", "check")
"""The stages of ``dias learn`` that its time limit ends; reading and certifying are not."""

MEASURED = (
    *("precision", "recall", "sound", "complete", "states", "capped_states"),
    *("evaluate_s", "evaluate_mib"),
)
"""What of a row comes from the evaluation."""


def learned(result: dict[str, Any], limit_s: float) -> Row:
    """What `dias learn` says, under the names of the rows."""
    noise = result.get("noise") or {}
    trained_s = sum(result["seconds"].get(stage, 0.0) for stage in BOUNDED_STAGES)
    return {
        "transitions": result["transitions"],
        "explained": result["explained"] / result["distinct_transitions"],
        "steps": result["gradient_steps"],
        "arities": {name: action["arity"] for name, action in result.get("actions", {}).items()},
        "stages_s": result["seconds"],
        "out_of_time": trained_s >= limit_s,
        "estimated_flips": noise.get("flips_per_transition"),
    }


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
    }
