"""Changes that were seen, and how many of them noise makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

from dias.limits import check

UNBOUND = -1
"""In place of an object: any."""

MIN_MEAN = 1e-4
"""Noise changes per step of any group of atoms, at least."""


class ChangedAtom(NamedTuple):
    """An atom that was seen to change."""

    is_add: bool
    relation: str
    objects: tuple[int, ...]


class StepChanges(NamedTuple):
    """The changes of one transition.

    Attributes:
        changes: What changed.
        segment: The problem it belongs to.
        given: Object numbers of the arguments that the transition names.
    """

    changes: tuple[ChangedAtom, ...]
    segment: int
    given: tuple[int, ...]


class NoiseChanges:
    """How many changes noise makes, by kind and by the objects concerned.

    Flips are not spread evenly over all ground atoms: most can never be true, and those that are
    often true are lost often. So the changes of a relation are shared out among its atoms as they
    were seen.

    Args:
        steps: The transitions of all actions.
    """

    def __init__(self, steps: Mapping[str, Sequence[StepChanges]]) -> None:
        everything = [step for own in steps.values() for step in own]
        kinds = {change[:2] for step in everything for change in step.changes}
        self._mean = {kind: min(_noise_mean(kind, own) for own in steps.values()) for kind in kinds}
        self._rarest = 1 / len(everything)
        counts: Counter[tuple[int, str, tuple[int, ...]]] = Counter()
        total: Counter[tuple[int, str]] = Counter()
        for step in everything:
            check()
            for _, relation, objects in step.changes:
                total[step.segment, relation] += 1
                for mask in product((True, False), repeat=len(objects)):
                    shown = tuple(
                        o if keep else UNBOUND for o, keep in zip(objects, mask, strict=True)
                    )
                    counts[step.segment, relation, shown] += 1
        self._share = {key: count / total[key[:2]] for key, count in counts.items()}

    def mean(self, is_add: bool, relation: str, objects: tuple[int, ...], segment: int) -> float:
        """Expected noise changes of a kind among the atoms that fit; `UNBOUND` fits any object."""
        share = self._share.get((segment, relation, objects), 0.0)
        return max(MIN_MEAN, self._mean.get((is_add, relation), self._rarest) * share)


def _noise_mean(kind: tuple[bool, str], steps: Sequence[StepChanges]) -> float:
    """Changes of a kind per step that noise can account for.

    Noise makes a Poisson number of changes, whose variance is its mean; a change that the action
    makes every time adds to the mean only.
    """
    counts = [sum(change[:2] == kind for change in step.changes) for step in steps]
    mean = sum(counts) / len(counts)
    variance = sum((count - mean) ** 2 for count in counts) / len(counts)
    return min(mean, variance) + 1 / len(counts)
