"""Observation noise: atoms whose observed truth value flips.

Paper: Section "Noise model and training adjustments" (``app:noise-setup``). The amount is the
expected number of flipped atoms per transition ⟨s, s′⟩, both states together. Within a relation,
additions and removals are equally many in expectation; among relations the amount is shared in
proportion to min(true atoms, false atoms), so that very sparse and very dense relations are
disturbed less.
"""

from __future__ import annotations

import numpy as np

from dias.strips.codes import AtomCodes, State


class Noise:
    """Flips atoms of states, each state for itself.

    Args:
        codes: The numbering of the atoms; every relation in it may be disturbed.
        flips: Expected number of flipped atoms per transition, at least 0.
        rng: Source of chance.
    """

    def __init__(self, codes: AtomCodes, flips: float, rng: np.random.Generator) -> None:
        if flips < 0:
            raise ValueError("flips must not be negative")
        self._codes = codes
        self._per_state = flips / 2
        self._rng = rng
        self._ranges = [(own.start, own.stop) for own in map(codes.of, codes.arities)]

    def __call__(self, state: State) -> State:
        """The state as it is observed. It must list static atoms too."""
        true = np.array(sorted(state), dtype=np.int64)
        if not (shares := self._shares(true)):
            return state
        observed = set(state)
        for first, end, at, to, half in shares:
            own = true[at:to]
            n_false = (end - first) - len(own)
            removed = own[self._rng.random(len(own)) < half / len(own)]
            n_added = self._rng.binomial(n_false, min(1.0, half / n_false))
            observed.difference_update(removed.tolist())
            observed.update(self._false_atoms(first, end, state, int(n_added)))
        return frozenset(observed)

    def expected(self, state: State) -> list[tuple[slice, float]]:
        """The codes of each relation that is disturbed, and its expected removals, or additions."""
        true = np.array(sorted(state), dtype=np.int64)
        return [(slice(first, end), half) for first, end, _, _, half in self._shares(true)]

    def _shares(self, true: np.ndarray) -> list[tuple[int, int, int, int, float]]:
        """Per relation its codes, its place among the true atoms, its expected removals."""
        places = np.searchsorted(true, self._ranges).tolist()
        bounds = [(*own, *place) for own, place in zip(self._ranges, places, strict=True)]
        weights = [min(to - at, (end - first) - (to - at)) for first, end, at, to in bounds]
        total = sum(weights)
        return [
            (*own, self._per_state * weight / total / 2)
            for own, weight in zip(bounds, weights, strict=True)
            if weight
        ]

    def _false_atoms(self, first: int, end: int, state: State, count: int) -> set[int]:
        """`count` different atoms of one relation that are false in `state`."""
        found: set[int] = set()
        while len(found) < count:
            code = int(self._rng.integers(first, end))
            if code not in state:
                found.add(code)
        return found
