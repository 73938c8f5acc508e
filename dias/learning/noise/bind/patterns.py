"""What an action changes, found among changes most of which may be noise.

Every transition shows changed atoms. A pattern is a set of lifted changes that share variables,
``+at(x1, x2), -at(x1, x3)``; noise strikes at random, so no set of changes recurs in step after
step unless the action makes it. A pattern grows by one lifted change at a time, the one that
raises the likelihood of what was seen most, over all the ways to match it:

    p(changes | pattern) / p(changes | noise) = mean over bindings of
        ∏ matched θ/m · ∏ missed (1 - θ)

with θ the share of steps in which the change is seen (an effect may hold already, and noise may
hide it) and m how many such changes noise makes in a step on average, a little more than was
estimated (`matching`).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from dias.learning.noise.bind.matching import (
    MAIN,
    MAX_NOISE_RATIO,
    UNBOUND,
    Candidate,
    ChangedAtom,
    LiftedChange,
    NoiseChanges,
    Option,
    StepChanges,
    Way,
    log_sum,
    matched,
    options,
    weighed,
)
from dias.learning.schema import LiftedAtom
from dias.limits import check

MAX_VARIABLES = 6
N_TRIED = 5
"""Candidates, best estimates first, whose gain is computed."""

MAX_NEW = 2
"""Variables that a further change may bring in; the first one brings in all that it is about."""

MIN_FIT = 0.6
"""A step fits if it shows such a share of the main changes."""

N_LIKELY, MIN_LIKELY = 8, 0.05
"""Ways to match the pattern that are looked at for further changes, and the share in its step that
each of them must have."""

MIN_THETA, MAX_THETA = 0.02, 0.995


class _Extension(NamedTuple):
    """A pattern with one change more.

    Attributes:
        gain: What the likelihood gains.
        candidate: The change.
        assumed: The share of the steps in which it was taken to be seen.
        theta: The share that came of that.
    """

    gain: float
    candidate: Candidate
    assumed: float
    theta: float


class Pattern:
    """A growing pattern of one action.

    Args:
        steps: Transitions of the action.
        noise: What noise changes.

    Attributes:
        changes: The lifted changes so far.
        thetas: The share of the steps in which each of them is seen.
        gain: Log likelihood ratio to noise alone, penalties subtracted.
    """

    def __init__(self, steps: Sequence[StepChanges], noise: NoiseChanges) -> None:
        self._steps = steps
        self._noise = noise
        self.changes: list[LiftedChange] = []
        self.thetas: list[float] = []
        self.n_variables = len(steps[0].given)
        self.gain = 0.0
        self._ways = [[Way(0.0, step.given)] for step in steps]
        self._totals = [0.0] * len(steps)

    def grow(self, start: Candidate) -> None:
        """Add changes, this one first, as long as they raise the likelihood more than they cost."""
        ranked = [start]
        while True:
            tried = [self._extended(candidate) for candidate in ranked[:N_TRIED]]
            best = max(tried, key=lambda outcome: outcome.gain, default=None)
            if best is None or best.gain <= 0:
                return
            self._ways = [
                matched(own, best.assumed)
                for own in self._options(best.candidate, range(len(self._steps)))
            ]
            self._totals = [log_sum([way.score for way in ways]) for ways in self._ways]
            self.gain += best.gain
            self.changes.append(best.candidate.change)
            self.thetas.append(best.theta)
            self.n_variables = self._n_variables(best.candidate.change)
            ranked = self.candidates()

    def candidates(self) -> list[Candidate]:
        """Further changes, those with the best estimated gains first."""
        matches: dict[LiftedChange, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        bindings: dict[tuple[int, tuple[int, ...]], float] = defaultdict(float)  # their weights
        fitting = self._fitting()
        for number in fitting:
            check()
            step, ways, total = self._steps[number], self._ways[number], self._totals[number]
            weighted = [(math.exp(way.score - total), way) for way in ways[:N_LIKELY]]
            likely = [(weight, way) for weight, way in weighted if weight > MIN_LIKELY]
            for weight, way in likely:
                bindings[step.segment, way.binding] += weight
                variable = {o: v for v, o in enumerate(way.binding) if o != UNBOUND}
                for place, change in enumerate(step.changes):
                    if place not in way.used:
                        lifted = self._lift(change, variable)
                        if lifted is not None:
                            matches[lifted][number] += weight
        found, open_ = [], (UNBOUND,) * MAX_VARIABLES
        weighted_bindings = [
            (weight, segment, binding + open_) for (segment, binding), weight in bindings.items()
        ]
        for lifted, counts in matches.items():
            check()
            mean = self._noise.mean(lifted)
            expected = sum(
                [weight * mean(segment, own) for weight, segment, own in weighted_bindings]
            ) / len(fitting)
            surplus = 1.0
            if sum(counts.values()) < MAIN * len(fitting):
                # Noise makes an atom seem added as often as it makes it seem deleted, but not in
                # the same steps, as an action does that moves something.
                opposite = matches.get(lifted._replace(is_add=not lifted.is_add), {})
                shown = {number: min(1.0, weight) for number, weight in counts.items()}
                n_opposite = sum(
                    [weight * (1 - shown.get(number, 0.0)) for number, weight in opposite.items()]
                )
                surplus = max(1.0, n_opposite / (len(fitting) - sum(shown.values())) / expected)
            is_open = any(v >= self.n_variables for v in lifted.atom.variables)
            gain = _estimate(list(counts.values()), len(fitting), surplus * expected, is_open)
            if gain > self._cost(len(matches)):
                found.append(Candidate(gain, lifted, surplus))
        return sorted(found, key=lambda candidate: (-candidate.gain, candidate.change))

    def _fitting(self) -> list[int]:
        """The steps that show most of the pattern.

        The others say nothing about further changes: noise hit them hard, or they belong to
        another action and bear a wrong name.
        """
        n_main = sum(theta >= MAIN for theta in self.thetas)
        return [
            number for number, ways in enumerate(self._ways) if ways[0].n_main >= MIN_FIT * n_main
        ] or list(range(len(self._ways)))

    def _lift(self, change: ChangedAtom, variable: Mapping[int, int]) -> LiftedChange | None:
        known = dict(variable)
        for o in change.objects:
            known.setdefault(o, self.n_variables + len(known) - len(variable))
        n_new = len(known) - len(variable)
        is_too_wide = n_new > MAX_NEW and self.changes
        if is_too_wide or self.n_variables + n_new > MAX_VARIABLES:
            return None
        atom = LiftedAtom.lift(change.relation, change.objects, known)
        return LiftedChange(change.is_add, atom)

    def _cost(self, n_candidates: int) -> float:
        return 0.5 * math.log(len(self._steps)) + math.log(max(2, n_candidates)) + 4.0

    def _n_variables(self, change: LiftedChange) -> int:
        """How many there are if a change is added."""
        return max(self.n_variables, *(v + 1 for v in change.atom.variables), 0)

    def _options(self, candidate: Candidate, numbers: Iterable[int]) -> list[list[Option]]:
        """What becomes of the ways of some steps if a change is added."""
        change = candidate.change
        n_variables, mean = self._n_variables(change), self._noise.mean(change)
        return [
            options(self._steps[number], self._ways[number], candidate, n_variables, mean)
            for number in numbers
        ]

    def _extended(self, candidate: Candidate) -> _Extension:
        """What the likelihood gains if a change is added."""
        fitting = self._fitting()
        found, theta = self._options(candidate, fitting), 0.5
        for _ in range(2):
            assumed, outcome = theta, [weighed(own, theta) for own in found]
            share = sum(own for own, _ in outcome) / len(fitting)
            theta = min(MAX_THETA, max(MIN_THETA, share))
        before = sum(self._totals[number] for number in fitting)
        after = sum(total for _, total in outcome)
        return _Extension(after - before - self._cost(300), candidate, assumed, theta)


def _estimate(counts: list[float], n: int, expected: float, is_open: bool) -> float:
    """Gain of a change that is matched `counts` times in some of n steps, never in the others."""
    mean = sum(counts) / n
    if not is_open:
        seen, chance, share = sum(counts), min(0.3, expected), min(MAX_THETA, mean)
        if share <= MAX_NOISE_RATIO * chance:
            return 0.0
        return seen * math.log(share / chance) + (n - seen) * math.log((1 - share) / (1 - chance))
    # Poisson noise with or without one match more in a share θ of the steps.
    null = min(mean, MAX_NOISE_RATIO * expected)
    before = best = sum(counts) * math.log(null) - n * null
    for theta in (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.97):
        if theta > mean + 0.05:
            break
        noise = min(null, max(mean - theta, 0.01))
        after = -n * noise + (n - len(counts)) * math.log(1 - theta)
        matched_so = {
            m: math.log((1 - theta) * noise**m + theta * m * noise ** (m - 1)) for m in {*counts}
        }
        after += sum([matched_so[m] for m in counts])
        best = max(best, after)
    return best - before


def find_pattern(steps: Sequence[StepChanges], noise: NoiseChanges, n_starts: int = 4) -> Pattern:
    """The pattern with the largest gain, grown from each of the best single changes."""
    best = Pattern(steps, noise)
    grown: set[tuple[bool, str]] = set()
    for start in best.candidates()[:n_starts]:
        if (start.change.is_add, start.change.atom.relation) in grown:
            continue
        pattern = Pattern(steps, noise)
        pattern.grow(start)
        grown |= {(change.is_add, change.atom.relation) for change in pattern.changes}
        if pattern.gain > best.gain:
            best = pattern
    return best
