"""The changes of a step, and the ways to match a pattern of changes in it.

A step shows changed atoms, some of them by noise; a pattern consists of lifted changes that share
variables. A way to match the pattern says which change of the step is which of the pattern, and so
what the variables stand for.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

from dias.learning.schema import LiftedAtom
from dias.limits import check

UNBOUND = -1
"""In place of an object: any."""

MIN_MEAN = 1e-4
"""Noise changes per step of any group of atoms, at least."""

MAX_WAYS = 12
"""Ways to match a pattern kept per transition, the likeliest."""

MAX_NOISE_RATIO = 1.3
"""Noise may be so many times as frequent as was estimated."""

MAIN = 0.5
"""A change is main if it is seen in such a share of the steps."""


class ChangedAtom(NamedTuple):
    """An atom that was seen to change."""

    is_add: bool
    relation: str
    objects: tuple[int, ...]


@dataclass(frozen=True)
class StepChanges:
    """The changes of one transition.

    Attributes:
        changes: What changed.
        segment: The problem it belongs to.
        given: Object numbers of the arguments that the transition names.
    """

    changes: tuple[ChangedAtom, ...]
    segment: int
    given: tuple[int, ...]

    @cached_property
    def kinds(self) -> dict[tuple[bool, str], list[tuple[int, tuple[int, ...]]]]:
        """Whether atoms were added and their relation to the places and objects of the changes."""
        found: dict[tuple[bool, str], list[tuple[int, tuple[int, ...]]]] = {}
        for place, (is_add, relation, objects) in enumerate(self.changes):
            found.setdefault((is_add, relation), []).append((place, objects))
        return found


Mean = Callable[[int, tuple[int, ...]], float]
"""Takes a segment and the objects of variables; `UNBOUND` fits any object."""


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
        kinds = {kind for step in everything for kind in step.kinds}
        self._mean = {kind: min(_noise_mean(kind, own) for own in steps.values()) for kind in kinds}
        self._rarest = 1 / len(everything)
        atoms = Counter(
            (step.segment, relation, objects)
            for step in everything
            for _, relation, objects in step.changes
        )
        counts: Counter[tuple[int, str, tuple[int, ...]]] = Counter()
        total: Counter[tuple[int, str]] = Counter()
        for (segment, relation, objects), n in atoms.items():
            check()
            total[segment, relation] += n
            for shown in product(*((o, UNBOUND) for o in objects)):
                counts[segment, relation, shown] += n
        self._share = {key: count / total[key[:2]] for key, count in counts.items()}

    def mean(self, change: LiftedChange) -> Mean:
        """How many changes of a kind noise makes among the atoms that fit."""
        (is_add, (relation, variables)), share = change, self._share
        mean = self._mean.get((is_add, relation), self._rarest)

        def expected(segment: int, binding: tuple[int, ...]) -> float:
            objects = tuple([binding[v] for v in variables])
            return max(MIN_MEAN, mean * share.get((segment, relation, objects), 0.0))

        return expected


def _noise_mean(kind: tuple[bool, str], steps: Sequence[StepChanges]) -> float:
    """Changes of a kind per step that noise can account for.

    Noise makes a Poisson number of changes, whose variance is its mean; a change that the action
    makes every time adds to the mean only.
    """
    counts = [len(step.kinds.get(kind, ())) for step in steps]
    mean = sum(counts) / len(counts)
    variance = sum((count - mean) ** 2 for count in counts) / len(counts)
    return min(mean, variance) + 1 / len(counts)


class LiftedChange(NamedTuple):
    """A change over variables."""

    is_add: bool
    atom: LiftedAtom


class Way(NamedTuple):
    """One way to match a pattern in a step.

    Attributes:
        score: Log weight.
        binding: The objects, `UNBOUND` where no change says.
        used: The changes that are matched.
        n_main: Matched changes that the action shows in most steps.
    """

    score: float
    binding: tuple[int, ...]
    used: frozenset[int] = frozenset()
    n_main: int = 0


class Candidate(NamedTuple):
    """A change that a pattern may be extended by.

    Attributes:
        gain: The estimated gain.
        change: The change.
        surplus: Factor by which noise makes it more often than was estimated.
    """

    gain: float
    change: LiftedChange
    surplus: float


class Option(NamedTuple):
    """What becomes of one way if a change is added to the pattern.

    Attributes:
        way: The way.
        binding: Its objects, for the variables of the change as well.
        expected: How many such changes noise makes in a step.
        hits: The changes of the step that may be it, each with the binding then.
    """

    way: Way
    binding: tuple[int, ...]
    expected: float
    hits: list[tuple[int, tuple[int, ...]]]


def options(
    step: StepChanges, ways: Sequence[Way], candidate: Candidate, n_variables: int, mean: Mean
) -> list[Option]:
    """What becomes of the ways to match a pattern in a step if a change is added."""
    check()
    is_add, (relation, variables) = candidate.change
    alike = step.kinds.get((is_add, relation), ())
    ratio, found = MAX_NOISE_RATIO * candidate.surplus, []
    for way in ways:
        binding, used = way.binding + (UNBOUND,) * (n_variables - len(way.binding)), way.used
        hits = [
            (place, bound)
            for place, objects in alike
            if place not in used and (bound := _bind(variables, objects, binding)) is not None
        ]
        found.append(Option(way, binding, ratio * mean(step.segment, binding), hits))
    return found


def weighed(found: Sequence[Option], theta: float) -> tuple[float, float]:
    """Of the ways extended by a change the share of their weight that matches it, and their sum."""
    miss, scores, hit = math.log(1 - theta), [], []
    for way, _, expected, hits in found:
        scores.append(way.score + miss)
        own = [way.score + math.log(theta / expected)] * len(hits)
        scores += own
        hit += own
    total = log_sum(scores)
    return sum([math.exp(score - total) for score in hit]), total


def matched(found: Sequence[Option], theta: float) -> list[Way]:
    """The ways extended by a change, the likeliest first."""
    is_main, miss = theta >= MAIN, math.log(1 - theta)
    extended = []
    for way, binding, expected, hits in found:
        extended.append(way._replace(score=way.score + miss, binding=binding))
        score = way.score + math.log(theta / expected)
        for place, bound in hits:
            extended.append(Way(score, bound, way.used | {place}, way.n_main + is_main))
    return sorted(extended, key=lambda way: (-way.score, way.binding))[:MAX_WAYS]


def _bind(
    variables: tuple[int, ...], objects: tuple[int, ...], binding: tuple[int, ...]
) -> tuple[int, ...] | None:
    bound = list(binding)
    for variable, o in zip(variables, objects, strict=True):
        if bound[variable] == UNBOUND:
            if o in bound:
                return None
            bound[variable] = o
        elif bound[variable] != o:
            return None
    return tuple(bound)


def log_sum(values: list[float]) -> float:
    """Log of the sum of what these are the logs of."""
    largest = max(values)
    return largest + math.log(sum([math.exp(value - largest) for value in values]))
