"""State-dependent effects as several STRIPS actions that together do the same.

PDDL would say ``(when (on ?lamp) (not (on ?lamp)))``. One action for each case says the same, and
every planner reads it: ``press-1`` for lamps that are on, ``press-2`` for those that are off.

Every transition shows what changed. The transitions of an action that no STRIPS effects explain are
divided: those in which the same lifted atoms changed are one part; parts are joined again where the
effects of one explain the other too, since STRIPS effects may change nothing. No part is a guess:
its effects explain each of its transitions. Then the parts have to exclude one another
(`dias.learning.state_dependent.parts`), and each is given a name of its own. After that they are
traces like any others, and all that is known about learning from traces applies: the schema of a
part is completed, checked and measured like that of any action.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations
from typing import NamedTuple

from dias.learning.data.coding import examples_by_action
from dias.learning.data.transitions import Example, Examples
from dias.learning.explain.bindings import is_explained
from dias.learning.propose.single_steps import lift, propose
from dias.learning.schema import Effects
from dias.learning.state_dependent.parts import Part, exclusive, n_misapplied
from dias.strips.variants import variant_names
from dias.traces.record import Mask, Traces, Transition

log = logging.getLogger(__name__)

MAX_PARTS = 16
"""Parts of one action at most; with more its effects are no small function of the state."""


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


def divide(examples: Examples) -> list[Part] | None:
    """The transitions of an action in parts that STRIPS effects explain.

    Args:
        examples: The transitions.

    Returns:
        One part if STRIPS effects explain the action entirely; None if more than `MAX_PARTS`
        would be needed. Transitions that no effects explain (too many atoms change) are in none.
    """
    own = [example for example in examples.examples if is_explained(lift(example), example)]
    if len(own) < len(examples.examples):
        examples = replace(examples, examples=own)
    if not own:
        return [Part(Effects(0, (), ()), examples)]
    effects, n_explained = propose(examples)
    if n_explained == len(examples.examples):
        return [Part(effects, examples)]
    parts = _by_change(examples)
    if parts is None:
        return None
    parts = exclusive(_join(parts), MAX_PARTS)
    return parts if len(parts) <= MAX_PARTS else None


def _by_change(examples: Examples) -> list[Part] | None:
    """Transitions in which the same lifted atoms changed; None if there are too many kinds."""
    found: dict[Effects, list[Example]] = {}
    for example in examples.examples:
        for effects, own in found.items():
            if _is_exact(effects, example):
                own.append(example)
                break
        else:
            if len(found) == MAX_PARTS:
                return None
            found[lift(example)] = [example]
    return [Part(e, replace(examples, examples=own)) for e, own in found.items()]


def _is_exact(effects: Effects, example: Example) -> bool:
    """Whether the effects explain the transition and each of them changed something."""
    return (
        len(effects.add) == len(example.added)
        and len(effects.delete) == len(example.deleted)
        and is_explained(effects, example)
    )


def _join(parts: list[Part]) -> list[Part]:
    """Join parts as long as no part then applies where it did not before."""
    parts = sorted(parts, key=lambda part: -len(part.effects.add) - len(part.effects.delete))
    pending = permutations(range(len(parts)), 2)
    while (pair := next(pending, None)) is not None:
        larger, smaller = (parts[place] for place in pair)
        if not all(is_explained(larger.effects, e) for e in smaller.examples.examples):
            continue
        rest = [part for place, part in enumerate(parts) if place not in pair]
        joined = larger.joined(smaller)
        if n_misapplied([joined], rest) <= n_misapplied([larger, smaller], rest):
            parts = [joined, *rest]
            parts.sort(key=lambda part: -len(part.effects.add) - len(part.effects.delete))
            pending = permutations(range(len(parts)), 2)
    return parts
