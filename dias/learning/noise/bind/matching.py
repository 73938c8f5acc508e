"""The ways to match a pattern of changes in one step.

A step shows changed atoms, a pattern consists of lifted changes that share variables. A way to
match the pattern says which change of the step is which of the pattern, and so what the variables
stand for.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from dias.learning.noise.bind.changes import UNBOUND, NoiseChanges, StepChanges
from dias.learning.schema import LiftedAtom

MAX_WAYS = 12
"""Ways to match a pattern kept per transition, the likeliest."""

MAX_NOISE_RATIO = 1.3
"""Noise may be so many times as frequent as was estimated."""

MAIN = 0.5
"""A change is main if it is seen in such a share of the steps."""


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


def matched(
    step: StepChanges,
    ways: list[Way],
    candidate: Candidate,
    n_variables: int,
    theta: float,
    noise: NoiseChanges,
) -> tuple[list[Way], float, float]:
    """The ways extended by a change, the share of their weight that matches it, their sum."""
    is_main, lifted = theta >= MAIN, candidate.change
    extended = []
    for way in ways:
        binding = way.binding + (UNBOUND,) * (n_variables - len(way.binding))
        objects = tuple(binding[v] for v in lifted.atom.variables)
        expected = (
            MAX_NOISE_RATIO
            * candidate.surplus
            * noise.mean(lifted.is_add, lifted.atom.relation, objects, step.segment)
        )
        hit = math.log(theta / expected)
        miss = math.log(1 - theta)
        extended.append((False, way._replace(score=way.score + miss, binding=binding)))
        for place, change in enumerate(step.changes):
            if place in way.used or change[:2] != (lifted.is_add, lifted.atom.relation):
                continue
            bound = _bind(lifted.atom.variables, change.objects, binding)
            if bound is not None:
                extended.append(
                    (True, Way(way.score + hit, bound, way.used | {place}, way.n_main + is_main))
                )
    total = log_sum([way.score for _, way in extended])
    seen = sum(math.exp(way.score - total) for matched, way in extended if matched)
    extended.sort(key=lambda entry: (-entry[1].score, entry[1].binding))
    return [way for _, way in extended[:MAX_WAYS]], seen, total


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
    return largest + math.log(sum(math.exp(value - largest) for value in values))
