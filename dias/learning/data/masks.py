"""Masks (``"applicable"``): states of which is known which ground actions are applicable in them.

A mask says of an action either that it is refused in a state, whatever its arguments, or which
first arguments an applicable ground action has: with full labels all of them, with STRIPS+ the
given ones, with names alone none. So it may speak against a schema in two ways. The schema allows a
ground action that is not listed: it is too weak. Or it allows none that begins as one that is
listed: it is too strict.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from dias.learning.data.replay import SchemaInTraces
from dias.strips.model import ActionSchema
from dias.traces.record import ActionMask, Traces


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
