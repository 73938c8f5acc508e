"""What was made of the states of traces, as text and as plain values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dias.learning.soft.denoise import Denoised
from dias.report.text import percent, plural
from dias.traces.record import Traces


def denoised_text(found: Denoised, traces: Traces) -> Iterator[str]:
    """What changed, what is left in doubt, and how well the steps follow the domain."""
    yield (
        f"{plural(found.n_states, 'state')}; {plural(found.n_unknown, 'atom')} unknown or seen both"
        f" ways, {plural(found.n_changed, 'sighting')} rather wrong, now"
        f" {plural(found.n_doubted, 'atom')} not certain"
    )
    for action, n in found.n_steps.items():
        n_following = found.n_following[action]
        share = percent(n_following, n)
        yield f"  {action}: {n_following:,} of {n:,} steps follow the domain ({share})"
    if traces.refused:
        yield f"note: {plural(len(traces.refused), 'refused attempt')} left out"
    if traces.masks:
        yield "note: what is applicable in the states is left out"


def denoised_json(found: Denoised) -> dict[str, Any]:
    """The same as plain values."""
    return {
        "states": found.n_states,
        "unknown": found.n_unknown,
        "changed": found.n_changed,
        "doubted": found.n_doubted,
        "actions": {
            action: {"steps": n, "following": found.n_following[action]}
            for action, n in found.n_steps.items()
        },
        "temperatures": {
            relation: round(own.temperature, 3)
            for relation, own in sorted(found.trust.items())
            if own.n_doubted
        },
    }
