"""Divides the transitions of an action with state-dependent effects, so that STRIPS says each part.

Every transition shows what changed. Transitions in which the same lifted atoms changed are one
part; parts are joined again where the effects of one explain the other too, since STRIPS effects
may change nothing. No part is a guess: its effects explain each of its transitions. Then the parts
have to exclude one another (`dias.learning.state_dependent.parts`).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

from dias.learning.data.transitions import Example, Examples
from dias.learning.explain.bindings import is_explained
from dias.learning.propose.single_steps import lift, propose
from dias.learning.schema import Effects
from dias.learning.state_dependent.parts import Part, exclusive, n_misapplied

MAX_PARTS = 16
"""Parts of one action at most; with more its effects are no small function of the state."""


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
