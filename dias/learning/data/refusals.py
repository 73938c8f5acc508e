"""What is known not to be applicable: refused attempts and masks, and what they say of a schema.

A refused attempt (``"next": null``) names a state, an action, and the arguments that the labels let
through. A schema that allows one is too weak.

- All arguments: this one ground action is not applicable.
- The leading arguments (STRIPS+): they say all that was asked for, so no completion is applicable.
- Names only: the arguments were not recorded. Some ground action was refused, which one is not
  known. It contradicts a schema only if that has no parameter.

A mask (``"applicable"``) says of an action either that it is refused in a state, whatever its
arguments, or which first arguments an applicable ground action has: with full labels all of them,
with STRIPS+ the given ones, with names alone none. So it may speak against a schema in two ways.
The schema allows a ground action that is not listed: it is too weak. Or it allows none that begins
as one that is listed: it is too strict.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from dias.learning.data.replay import SchemaInTraces
from dias.strips.model import ActionSchema
from dias.traces.record import ActionMask, LabelMode, RefusedAction, Traces


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


class MaskCheck(NamedTuple):
    """What a schema says of the states with a mask.

    Attributes:
        n_states: How many there are.
        too_weak: Lines of those in which it allows what is refused.
        too_strict: Lines of those in which it does not allow what is applicable.
    """

    n_states: int = 0
    too_weak: tuple[int, ...] = ()
    too_strict: tuple[int, ...] = ()

    @property
    def n_against(self) -> int:
        """In how many of them it is wrong."""
        return len({*self.too_weak, *self.too_strict})


NO_MASKS = MaskCheck()
"""Nothing is said of what is applicable."""


def allows_unlisted(applied: SchemaInTraces, own: ActionMask) -> bool:
    """Whether a schema allows a ground action that is not listed."""
    if not own.n_known:
        return not own.listed and applied.is_applicable(own.mask)
    return any(
        found.binding[: own.n_known] not in own.listed for found in applied.successors(own.mask)
    )


def lacks_listed(applied: SchemaInTraces, own: ActionMask) -> bool:
    """Whether a schema allows none of the ground actions that begin as one that is listed."""
    if not own.n_known:
        return bool(own.listed) and not applied.is_applicable(own.mask)
    return not own.listed <= {
        found.binding[: own.n_known] for found in applied.successors(own.mask)
    }


def check_masks(schema: ActionSchema, traces: Traces) -> MaskCheck:
    """Where the masks speak against a finished schema."""
    applied = SchemaInTraces(schema, traces)
    masks = traces.masks_of(schema.name)
    return MaskCheck(
        len(masks),
        tuple(own.mask.line for own in masks if allows_unlisted(applied, own)),
        tuple(own.mask.line for own in masks if lacks_listed(applied, own)),
    )


def price_of_mask(traces: Traces) -> float:
    """What it takes to say that a mask is wrong, in nats: which one, and in which action."""
    return math.log(max(1, len(traces.masks))) + math.log(max(1, len(traces.actions)))
