"""State-dependent effects as several STRIPS actions that together do the same.

PDDL would say ``(when (on ?lamp) (not (on ?lamp)))``. One action for each case says the same, and
every planner reads it: ``press-1`` for lamps that are on, ``press-2`` for those that are off.

The transitions of an action that no STRIPS effects explain are divided (`dias.learning.parts`)
and each part is given a name of its own. After that they are traces like any others, and all that
is known about learning from traces applies: the schema of a part is completed, checked and
measured like that of any action.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from dias.learning.bindings import Effects
from dias.learning.examples import examples_by_action
from dias.learning.parts import MAX_PARTS, divide
from dias.strips.variants import variant_names
from dias.traces.record import Traces, Transition

log = logging.getLogger(__name__)


class DividedTraces(NamedTuple):
    """Traces in which the actions with state-dependent effects have become several.

    Attributes:
        traces: The traces; only action names differ.
        variants: Action of the original traces to the names that stand for it, several of them.
    """

    traces: Traces
    variants: Mapping[str, tuple[str, ...]]


def divide_actions(
    traces: Traces, proposals: Mapping[str, Sequence[Effects]] | None = None
) -> DividedTraces:
    """Give the parts of actions with state-dependent effects names of their own.

    Args:
        traces: The transitions.
        proposals: Per action effects that a network has found in single states.
    """
    taken = set(traces.actions)
    variants: dict[str, tuple[str, ...]] = {}
    renamed: dict[Transition, str] = {}
    for action, examples in examples_by_action(traces).items():
        parts = divide(examples, (proposals or {}).get(action, ()))
        if parts is None:
            log.warning(
                "%s: more than %d kinds of effects, so it is left as one action", action, MAX_PARTS
            )
        elif len(parts) > 1:
            parts.sort(key=lambda part: (-len(part), part.effects))
            names = variants[action] = variant_names(action, len(parts), taken)
            taken |= set(names)
            for name, part in zip(names, parts, strict=True):
                renamed |= {example.transition: name for example in part.examples.examples}
    actions = [name for action in traces.actions for name in variants.get(action, (action,))]
    transitions = tuple(replace(t, action=renamed.get(t, t.action)) for t in traces.transitions)
    refused = tuple(r for r in traces.refused if r.action not in variants)
    divided = replace(
        traces, actions=tuple(sorted(actions)), transitions=transitions, refused=refused
    )
    return DividedTraces(divided, variants)
