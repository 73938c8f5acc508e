"""Whether transitions look as if they had been observed with errors, at a glance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from dias.learning.examples import Examples

MIN_TRANSITIONS = 20
"""Distinct transitions that every action must have for its noise to be judged."""


def looks_noisy(groups: Mapping[str, Examples]) -> bool:
    """Whether some action changes other relations in some steps than in others.

    Without noise a step shows the effects of its action, or fewer of them where some hold already.
    So all that is ever changed should be seen to change in a single step as well.
    """
    return is_measurable(groups) and any(_is_mixed(group) for group in groups.values())


def is_measurable(groups: Mapping[str, Examples]) -> bool:
    """Whether there are transitions enough to tell noise from effects."""
    return min(len(group.examples) for group in groups.values()) >= MIN_TRANSITIONS


def _is_mixed(group: Examples) -> bool:
    """Whether no step shows all the changes that the steps of an action show together.

    Changes are told apart by relation only.
    """
    kinds = {
        frozenset(
            Counter(
                (code in example.added, example.codes.split(code)[0])
                for code in example.state ^ example.next_state
            ).items()
        )
        for example in group.examples
    }
    together: Counter[tuple[bool, str]] = Counter()
    for kind in kinds:
        together |= Counter(dict(kind))
    return frozenset(together.items()) not in kinds
