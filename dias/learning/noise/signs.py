"""Whether transitions look as if they had been observed with errors, at a glance."""

from __future__ import annotations

from collections.abc import Mapping

from dias.learning.examples import Examples

MAX_KINDS = 8
"""Kinds of change sets that one action may show without noise. An action changes the same relations
in every step, but for effects that hold already: three of them make eight kinds."""

MIN_TRANSITIONS = 20
"""Distinct transitions that every action must have for its noise to be judged."""


def looks_noisy(groups: Mapping[str, Examples]) -> bool:
    """Whether some action changes different relations from step to step."""
    return is_measurable(groups) and any(_n_kinds(group) > MAX_KINDS for group in groups.values())


def is_measurable(groups: Mapping[str, Examples]) -> bool:
    """Whether there are transitions enough to tell noise from effects."""
    return min(len(group.examples) for group in groups.values()) >= MIN_TRANSITIONS


def _n_kinds(group: Examples) -> int:
    """Kinds of change sets: how many atoms of which relations were added and deleted."""
    kinds = set()
    for example in group.examples:
        changes = (example.added, example.deleted)
        kinds.add(tuple(tuple(sorted(example.codes.split(c)[0] for c in own)) for own in changes))
    return len(kinds)
