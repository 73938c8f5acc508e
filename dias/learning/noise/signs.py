"""Whether noise can be told at all, and whether transitions look disturbed at a glance."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Mapping

from dias.learning.data.transitions import Examples

log = logging.getLogger(__name__)

FREQUENT, MAX_KINDS = 0.05, 8
"""A kind of steps with at least such a share of them is none of noise, unless there are more kinds
than three effects that may hold already can make."""

Kind = frozenset[tuple[tuple[bool, str], int]]
"""How many atoms of which relations a step added (True) and deleted."""

MAX_TABLE = 10**9
"""Ground atoms times transitions: bytes of the table of all sightings."""

MIN_TRANSITIONS = 20
"""Distinct transitions that every action must have for its noise to be judged."""


def looks_noisy(groups: Mapping[str, Examples]) -> bool:
    """Whether some action changes other relations in a few steps than in the others.

    Without noise a step shows the effects of its action, or fewer of them where some hold already.
    So all that is ever changed should be seen to change in a single step as well. (If the frequent
    kinds of steps do not fulfil that, effects exclude each other, and it is no sign of noise.)
    """
    return is_measurable(groups) and any(_has_odd_steps(group) for group in groups.values())


def is_measurable(groups: Mapping[str, Examples]) -> bool:
    """Whether there are transitions enough to tell noise from effects, and memory for them."""
    if min(len(group.examples) for group in groups.values()) < MIN_TRANSITIONS:
        return False
    size = sum(e.codes.n_codes for group in groups.values() for e in group.examples)
    if size > MAX_TABLE:
        log.warning("%d atoms times transitions are too many to look for noise", size)
    return size <= MAX_TABLE


def _has_odd_steps(group: Examples) -> bool:
    """Whether rare steps of an action show changes that do not go together with the others.

    Changes are told apart by relation only.
    """
    kinds = Counter(
        frozenset(
            Counter(
                (code in example.added, example.codes.split(code)[0])
                for code in example.state ^ example.next_state
            ).items()
        )
        for example in group.examples
    )
    frequent = [kind for kind, n in kinds.items() if n >= FREQUENT * len(group.examples)]
    exclude_each_other = frequent and _together(frequent) not in kinds
    if exclude_each_other and len(kinds) <= MAX_KINDS:
        return False
    return _together(kinds) not in kinds


def _together(kinds: Iterable[Kind]) -> Kind:
    """All the changes that steps of these kinds show."""
    union: Counter[tuple[bool, str]] = Counter()
    for kind in kinds:
        union |= Counter(dict(kind))
    return frozenset(union.items())
