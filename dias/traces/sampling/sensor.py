"""What of a state is not certain: atoms that are unknown, flips that come as probabilities.

Which atoms of a state are unknown is drawn once for each place in a walk: what a step shows after
its action, the next step shows before.

**Flips as probabilities.** The flips are those of `dias.traces.sampling.noise`. An atom that is
seen wrong is believed with a confidence c, uniform in `CONFIDENCE`; of those that are seen right so
many are believed no more than that, that of all atoms of one c a share of c is right: the
probabilities are true, and who takes what rather holds has the flips back.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import product
from math import log

import numpy as np

from dias.strips.codes import AtomCodes, State
from dias.strips.model import Domain, is_subtype
from dias.strips.problem import CodedProblem
from dias.traces.record import HALF, Soft
from dias.traces.sampling.noise import Noise

CONFIDENCE = (0.51, 0.9)
"""From hardly more than a guess to nearly certain. Nearer to 1 nearly all would be doubted."""

N_RIGHT = (log((1 - CONFIDENCE[0]) / (1 - CONFIDENCE[1])) / (CONFIDENCE[1] - CONFIDENCE[0])) - 1
"""Atoms seen right for each that is seen wrong: the mean of c / (1 - c)."""

N_DIGITS = 4
"""Digits of a probability."""


def fluent_atoms(domain: Domain, problem: CodedProblem) -> np.ndarray:
    """``[n]`` codes of the ground atoms, of the right types, that some action may change."""
    kinds = {**problem.instance.objects, **domain.constants}
    found = []
    for name, types in domain.predicates:
        if name in problem.fluents:
            fitting = [
                [o for o in problem.codes.objects if is_subtype(kinds[o], own, domain.types)]
                for own in types
            ]
            found += [problem.codes.encode_words(name, own) for own in product(*fitting)]
    return np.array(sorted(found), dtype=np.int64)


class Sensor:
    """Says which atoms of a state are not certain.

    Args:
        codes: The numbering of the atoms.
        fluents: ``[n]`` codes of the atoms that may be unknown.
        unknown: Share of them that is unknown in each state, 0 to 1.
        noise: What flips atoms, if its flips are to come as probabilities.
        rng: Source of chance.
    """

    def __init__(
        self,
        codes: AtomCodes,
        fluents: np.ndarray,
        unknown: float,
        noise: Noise | None,
        rng: np.random.Generator,
    ) -> None:
        self._codes, self._fluents, self._share = codes, fluents, unknown
        self._noise, self._rng = noise, rng
        self._drawn: dict[tuple[int, int], Collection[int]] = {}

    def __call__(self, true: State, seen: State, walk: int, place: int) -> Soft:
        """The atoms that are not certain, with their probabilities.

        Args:
            true: The state, static atoms too if there is noise.
            seen: The state as it is observed.
            walk: The walk that it belongs to.
            place: Its place there.
        """
        soft = self._doubts(true, seen) if self._noise else {}
        soft |= dict.fromkeys(self._unknown(walk, place), HALF)
        return frozenset((self._codes.decode(code), p) for code, p in soft.items())

    def _unknown(self, walk: int, place: int) -> Collection[int]:
        if (walk, place) not in self._drawn:
            draw = self._rng.random(len(self._fluents)) < self._share
            earlier = self._drawn.get((walk, place - 1), ())
            self._drawn = {(walk, place - 1): earlier, (walk, place): self._fluents[draw].tolist()}
        return self._drawn[walk, place]

    def _doubts(self, true: State, seen: State) -> dict[int, float]:
        """The atoms that are seen wrong, and those that are doubted and right."""
        assert self._noise is not None
        low, high = CONFIDENCE
        found = {code: self._rng.uniform(low, high) for code in sorted(true ^ seen)}
        for relation, flips in self._noise.expected(true):
            ids = np.arange(relation.start, relation.stop)
            is_true, is_seen = (np.isin(ids, list(own)) for own in (true, seen))
            for value in (True, False):
                right = ids[(is_true == value) & (is_seen == value)]
                n = self._rng.binomial(len(right), min(1.0, N_RIGHT * flips / max(1, len(right))))
                doubted = self._rng.choice(right, n, replace=False).tolist()
                found |= {code: self._confidence() for code in doubted}
        return {
            code: round(float(c if code in seen else 1 - c), N_DIGITS) for code, c in found.items()
        }

    def _confidence(self) -> float:
        """That of an atom that is seen right: density in proportion to c / (1 - c)."""
        low, high = CONFIDENCE
        while True:
            c = self._rng.uniform(low, high)
            if self._rng.random() * high / (1 - high) < c / (1 - c):
                return float(c)
