"""What may be behind steps that stay unexplained, and what was read otherwise, in words."""

from __future__ import annotations

from typing import Any

from dias.learning.certificate.causes import Cause
from dias.learning.result import LearningResult
from dias.report.text import plural
from dias.traces.places import as_value


def cause_text(cause: Cause) -> str:
    """One cause, with what would help."""
    steps, names = plural(cause.n_steps, "step"), ", ".join(cause.objects)
    line, s = f"(line {cause.line})", "s" * (cause.n_steps == 1)
    changes = f"{steps} that stay{s} unexplained change{s} atoms of"
    texts = {
        "constant": f"{changes} {names}, which is none of the arguments {line}: if it is a "
        "constant of the domain, name it in the header (constants)",
        "unnamed": f"{changes} objects that are none of the arguments {line}: are they all "
        "recorded, and right?",
        "repeated": f"{steps}, all that stay{s} unexplained, give{s} one object as several "
        f"arguments {line}: does the action do something else then?",
        "odd": f"{steps} do{'es' * (cause.n_steps == 1)} not fit what all the others show {line}: "
        "seen wrong, or wrongly named?",
        "feigned": f"noise may have made the change of {names} that about {steps} are bound by: "
        "preconditions may be missing",
        "idle": f"has no effect: what {steps} change{s} {line} is taken for noise",
        "noise": f"{steps} stay{s} unexplained, more than noise accounts for {line}: does it do "
        "what hardly any step shows, or several things?",
        "unchanged": f"{steps} change{s} nothing {line}: if they were refused, learn with "
        "--unchanged refused",
    }
    return texts[cause.kind]


def cause_json(cause: Cause) -> dict[str, Any]:
    """The same as plain values."""
    return {**cause._asdict(), "line": as_value(cause.line), "objects": list(cause.objects)}


def reading(result: LearningResult) -> list[str]:
    """Which steps were read as refused attempts; nothing if none were."""
    if not result.read_as_refused:
        return []
    counts = ", ".join(f"{n:,} of {action}" for action, n in result.read_as_refused.items())
    return [
        f"Distinct steps that change nothing, read as refused attempts: {counts} "
        "(--unchanged happened takes them as they stand)."
    ]
