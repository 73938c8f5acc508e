"""What atoms were that a step leaves alone: what it shows of them, and what its walk does.

A step shows each atom twice. Where it is seen once true and once false, the flip rates say next to
nothing of what it was. But what a step shows after its action the next one shows before its own,
and most atoms stay as they are: a few steps of the walk on either side tell. Given that a step
leaves an atom alone, all earlier and all later sightings bear on one value.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dias.learning.noise.bind.roles import FlipRates
from dias.learning.noise.observations import Observations
from dias.limits import check

REACH = 4
"""Steps on either side that are looked at. Each shows an atom twice."""

LEAST = 1e-4
"""Share of the states in which an atom holds, of the sightings that are wrong, and of the steps
that change it, at least."""


class Walks:
    """The steps before and after each.

    Args:
        seen: What was seen; constant atoms put right.
        rates: Relation to the flip rates of the atoms that vary.
        changes: Relation to how often effects change an atom, in all transitions.
    """

    def __init__(
        self, seen: Observations, rates: Mapping[str, FlipRates], changes: Mapping[str, float]
    ) -> None:
        self._seen, self._rates, self._changes = seen, rates, changes
        self._next, self._last = _neighbours(seen)

    def truth(self, rows: np.ndarray) -> list[np.ndarray]:
        """Of each of some transitions ``[C]``, whether an atom it leaves alone is true."""
        found: dict[int, np.ndarray] = {}
        for number, (_, view) in enumerate(self._seen.blocks):
            check()
            own = rows[self._seen.segment[rows] == number]
            if not len(own):
                continue
            table = view[own - np.searchsorted(self._seen.segment, number)] == 3
            varies = np.flatnonzero(self._seen.varies[number])
            table[:, varies] = self._log_odds(number, own, varies) > 0
            found.update(zip(own.tolist(), table, strict=True))
        return [found[row] for row in rows.tolist()]

    def _log_odds(self, number: int, rows: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """``[n, C]`` that atoms of a block are true, before and after transitions."""
        example, view = self._seen.blocks[number]
        first = int(np.searchsorted(self._seen.segment, number))
        pairs = view[:, codes]
        share = np.clip(((pairs & 1).mean(0) + (pairs >> 1).mean(0)) / 2, LEAST, 1 - LEAST)
        prior = np.log(share / (1 - share))
        weights, rest = np.zeros((2, len(codes))), np.ones(len(codes))
        for relation in self._seen.arities:
            mine = np.isin(codes, np.arange(view.shape[1])[example.codes.of(relation)])
            lost, invented = (max(LEAST, rate) for rate in self._rates[relation])
            weights[:, mine] = np.log([[lost / (1 - invented)], [(1 - lost) / invented]])
            n = max(1, int(mine.sum())) * len(self._seen.examples)
            rest[mine] -= 2 * min(0.5, max(LEAST, self._changes.get(relation, 0.0) / n))

        def sighted(steps: np.ndarray, after: bool) -> np.ndarray:
            """Whether atoms were seen after, or before, some steps."""
            return np.asarray(pairs[np.maximum(0, steps - first)] >> (not after) & 1)

        def said(steps: np.ndarray, after: bool) -> np.ndarray:
            """What that says; nothing where there is no step."""
            return np.where(sighted(steps, after), *weights[::-1]) * (steps >= 0)[:, None]

        def along(link: np.ndarray, after: bool) -> np.ndarray:
            """What is said of the states on one side of the transitions, from that side."""
            path = [rows]
            for _ in range(REACH):
                path.append(np.where(path[-1] >= 0, link[path[-1]], -1))
            total = said(path[-1], after)
            for near, far in zip(path[-2::-1], path[:0:-1], strict=True):
                # The far side of a step is the near side of the one beyond: one state, seen twice,
                # unless it is one record.
                total = _faded(total, rest) + said(far, not after)
                is_one = (sighted(near, after) == sighted(far, not after)).all(1) & (far >= 0)
                total += said(near, after) * ~is_one[:, None]
            return total

        return prior + along(self._last, False) + along(self._next, True)


def _faded(log_odds: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """Log odds of an atom a step later, 1 - 2·rate being given at which it changes."""
    return np.asarray(2 * np.arctanh(rest * np.tanh(log_odds / 2)))


def _neighbours(seen: Observations) -> tuple[np.ndarray, np.ndarray]:
    """``[T]`` the transition after each in its walk, and the one before; -1 if there is none."""
    after, before = np.full(len(seen.examples), -1), np.full(len(seen.examples), -1)
    place = {
        (t.segment, t.walk, t.step): row
        for row, t in enumerate(example.transition for example in seen.examples)
        if t.walk is not None and t.step is not None
    }
    for (segment, walk, step), row in place.items():
        other = place.get((segment, walk, step + 1))
        if other is not None:
            after[row], before[other] = other, row
    return after, before
