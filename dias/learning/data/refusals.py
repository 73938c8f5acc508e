"""Refused attempts (``"next": null``): negative examples, and what they say about a schema.

An attempt names a state, an action, and the arguments that the labels let through.

- All arguments: this one ground action is not applicable.
- The leading arguments (STRIPS+): they say all that was asked for, so no completion is applicable.
- Names only: the arguments were not recorded. Some ground action was refused, which one is not
  known. It contradicts a schema only if that has no parameter.

A schema that allows a refused attempt is too weak.
"""

from __future__ import annotations

from typing import NamedTuple

from dias.learning.data.replay import SchemaInTraces
from dias.strips.model import ActionSchema
from dias.traces.record import LabelMode, RefusedAction, Traces


class Refusals(NamedTuple):
    """The distinct refused attempts at one action, by what its schema says of them.

    Attributes:
        n_ruled_out: The schema does not allow them either.
        n_allowed: It allows them, which is wrong.
        n_open: It allows some ground action of that name; whether it was the one that was refused
            is not known.
        lines: Where the allowed ones occur first.
    """

    n_ruled_out: int = 0
    n_allowed: int = 0
    n_open: int = 0
    lines: tuple[int, ...] = ()

    @property
    def n_attempts(self) -> int:
        """All of them."""
        return self.n_ruled_out + self.n_allowed + self.n_open


NO_ATTEMPTS = Refusals()
"""Nothing was refused."""


def is_decisive(arity: int, labels: LabelMode) -> bool:
    """Whether a schema of that arity must not allow refused attempts; see above."""
    return labels is not LabelMode.NAMES or arity == 0


def has_refusals(action: str, traces: Traces) -> bool:
    """Whether anything tells of an action where it is not applicable."""
    return bool(traces.masks_of(action)) or any(own.action == action for own in traces.refused)


def attempts_at(action: str, traces: Traces) -> list[RefusedAction]:
    """The distinct refused attempts at an action."""
    return [attempt for attempt in traces.refused if attempt.action == action]


def count_refusals(schema: ActionSchema, traces: Traces) -> Refusals:
    """What the finished schema says of the refused attempts at its action."""
    applied = SchemaInTraces(schema, traces)
    ruled_out = unknown = 0
    lines = []
    for attempt in attempts_at(schema.name, traces):
        if not applied.allows(attempt):
            ruled_out += 1
        elif is_decisive(schema.arity, traces.labels):
            lines.append(attempt.line)
        else:
            unknown += 1
    return Refusals(ruled_out, len(lines), unknown, tuple(lines))
