"""State-dependent effects as several STRIPS actions that together do the same.

PDDL would say ``(when (on ?lamp) (not (on ?lamp)))``. One action for each case says the same, and
every planner reads it: ``press-1`` for lamps that are on, ``press-2`` for those that are off.

The transitions of an action that no STRIPS effects explain are divided
(`dias.learning.state_dependent.division`) and each part is given a name of its own. After that they
are traces like any others, and all that is known about learning from traces applies: the schema of
a part is completed, checked and measured like that of any action.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from dias.learning.data.coding import examples_by_action
from dias.learning.state_dependent.division import MAX_PARTS, divide
from dias.strips.variants import variant_names
from dias.traces.record import Mask, Traces, Transition

log = logging.getLogger(__name__)


class DividedTraces(NamedTuple):
    """Traces in which the actions with state-dependent effects have become several.

    Attributes:
        traces: The traces; only action names differ.
        variants: Action of the original traces to the names that stand for it, several of them.
    """

    traces: Traces
    variants: Mapping[str, tuple[str, ...]]


def divide_actions(traces: Traces) -> DividedTraces:
    """Give the parts of actions with state-dependent effects names of their own.

    The most frequent part comes first, and takes in what nothing explains. An action with more than
    `MAX_PARTS` kinds of effects is left as it is, with a warning. An attempt that was refused is
    one at every part: none of them was applicable. So is an action that a mask does not list; where
    it lists one, which part is applicable is not known.
    """
    taken = set(traces.actions)
    variants: dict[str, tuple[str, ...]] = {}
    renamed: dict[Transition, str] = {}
    for action, examples in examples_by_action(traces).items():
        parts = divide(examples)
        if parts is None:
            log.warning(
                "%s: more than %d kinds of effects, so it is left as one action", action, MAX_PARTS
            )
        elif len(parts) > 1:
            parts.sort(key=lambda part: (-len(part), part.effects))
            names = variants[action] = variant_names(action, len(parts), taken)
            taken |= set(names)
            renamed |= dict.fromkeys((e.transition for e in examples.examples), names[0])
            for name, part in zip(names, parts, strict=True):
                renamed |= dict.fromkeys((e.transition for e in part.examples.examples), name)
    actions = [name for action in traces.actions for name in variants.get(action, (action,))]
    transitions = tuple(replace(t, action=renamed.get(t, t.action)) for t in traces.transitions)
    refused = tuple(
        replace(attempt, action=name)
        for attempt in traces.refused
        for name in variants.get(attempt.action, (attempt.action,))
    )
    divided = replace(
        traces,
        actions=tuple(sorted(actions)),
        transitions=transitions,
        refused=refused,
        masks=tuple(_divided(mask, variants) for mask in traces.masks),
    )
    return DividedTraces(divided, variants)


def _divided(mask: Mask, variants: Mapping[str, tuple[str, ...]]) -> Mask:
    """A mask over the parts of actions: nothing is known of those of an action that it lists."""
    listed = frozenset(own for own in mask.listed if own[0] not in variants)
    names = {name for name, _ in mask.listed} | mask.unclear
    parts = {part for name in names for part in variants.get(name, ())}
    return replace(mask, listed=listed, unclear=mask.unclear.difference(variants) | parts)
