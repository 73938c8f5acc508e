"""What atoms were that a step leaves alone: what it shows of them, and what its walk does.

A step shows each atom twice. Where it is seen once true and once false, the flip rates say next to
nothing of what it was. But what a step shows after its action the next one shows before its own,
and most atoms stay as they are: a few steps of the walk on either side tell. Given that a step
leaves an atom alone, all earlier and all later sightings bear on one value. What the steps on
either side do to it is known where their binding is; else it may change, at the rate of its
relation.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from dias.learning.noise.bind.binding import BoundAction
from dias.learning.noise.bind.roles import FlipRates
from dias.learning.noise.observations import Observations
from dias.limits import check

REACH = 4
"""Steps on either side that are looked at. Each shows an atom twice."""

LEAST = 1e-4
"""Share of the states in which an atom holds, of the sightings that are wrong, and of the steps
that change it, at least."""

UNKNOWN, ALONE, ADDED, DELETED = range(4)
"""What a step does to an atom."""

AFTERWARDS = np.array([0.0, 0.0, 1.0, -1.0]) * np.log(1 / LEAST)
"""Log odds of an atom after a step that does so."""


class Walks:
    """The steps before and after each, and what they do.

    Args:
        seen: What was seen; constant atoms put right.
        rates: Relation to the flip rates of the atoms that vary.
        bound: The actions, bound.
        changes: Relation to how often they change an atom, in all transitions.
    """

    def __init__(
        self,
        seen: Observations,
        rates: Mapping[str, FlipRates],
        bound: Collection[BoundAction],
        changes: Mapping[str, float],
    ) -> None:
        self._seen, self._rates, self._changes = seen, rates, changes
        self._first = np.searchsorted(seen.segment, np.arange(len(seen.blocks)))
        self._next, self._last = _neighbours(seen)
        self._does = np.zeros(len(seen.pairs), np.uint8)
        for own in bound:
            self._note(own)

    def _note(self, bound: BoundAction) -> None:
        """What the steps of an action do whose binding is beyond doubt."""
        rows, bindings = bound.sure_bindings()
        for row in rows.tolist():
            start = self._seen.start[row]
            self._does[start : start + self._seen.examples[row].codes.n_codes] = ALONE
        for atom, verdict in bound.action.verdicts.items():
            if verdict.role.is_effect:
                place = self._seen.start[rows] + self._seen.code(rows, bindings, atom)
                self._does[place] = ADDED if verdict.role.adds else DELETED

    def truth(self, rows: np.ndarray) -> list[np.ndarray]:
        """Of each of some transitions ``[C]``, whether an atom that it leaves alone is true."""
        found: dict[int, np.ndarray] = {}
        for number, (_, view) in enumerate(self._seen.blocks):
            check()
            own = rows[self._seen.segment[rows] == number]
            if len(own):
                table = view[own - self._first[number]] == 3
                varies = np.flatnonzero(self._seen.varies[number])
                table[:, varies] = self._log_odds(number, own, varies) > 0
                found.update(zip(own.tolist(), table, strict=True))
        return [found[row] for row in rows.tolist()]

    def _log_odds(self, number: int, rows: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """``[n, C]`` log odds that atoms of a block are true where transitions leave them alone."""
        example, view = self._seen.blocks[number]
        first, start = self._first[number], self._seen.start[self._first[number]]
        pairs = view[:, codes]
        does = self._does[start : start + view.size].reshape(view.shape)[:, codes]
        share = np.clip(((pairs & 1).mean(0) + (pairs >> 1).mean(0)) / 2, LEAST, 1 - LEAST)
        weights, stays = np.zeros((2, len(codes))), np.ones(len(codes))
        for relation in self._seen.arities:
            own = example.codes.of(relation)
            mine = (codes >= own.start) & (codes < own.stop)
            lost, invented = (max(LEAST, rate) for rate in self._rates[relation])
            weights[:, mine] = np.log([[lost / (1 - invented)], [(1 - lost) / invented]])
            n = max(1, int(self._seen.varies[number][own].sum())) * len(self._seen.examples)
            stays[mine] -= 2 * min(0.5, max(LEAST, self._changes.get(relation, 0.0) / n))

        def sighted(steps: np.ndarray, after: bool) -> np.ndarray:
            """Whether atoms were seen after, or before, some steps."""
            return np.asarray(pairs[np.maximum(0, steps - first)] >> (not after) & 1)

        def said(steps: np.ndarray, after: bool) -> np.ndarray:
            """What that says; nothing where there is no step."""
            found = np.where(sighted(steps, after), weights[1], weights[0])
            return np.asarray(found * (steps >= 0)[:, None])

        def across(total: np.ndarray, steps: np.ndarray, after: bool) -> np.ndarray:
            """What is known on one side of steps, given what is on the other."""
            kind = does[np.maximum(0, steps - first)]
            changed = 0.0 if after else AFTERWARDS[kind]
            known = np.where(kind == ALONE, total, changed)
            faded = 2 * np.arctanh(stays * np.tanh(total / 2))
            return np.where(kind == UNKNOWN, faded, known) * (steps >= 0)[:, None]

        def along(link: np.ndarray, after: bool) -> np.ndarray:
            """What is said of the states on one side of the transitions, from that side."""
            path = [rows]
            for _ in range(REACH):
                path.append(np.where(path[-1] >= 0, link[path[-1]], -1))
            total = said(path[-1], after)
            for near, far in zip(path[-2::-1], path[:0:-1], strict=True):
                # The far side of a step is the near side of the one beyond: one state, seen twice,
                # unless both show the same in all that varies: then it is taken for one record.
                total = across(total, far, after) + said(far, not after)
                is_one = (sighted(near, after) == sighted(far, not after)).all(1) & (far >= 0)
                total += said(near, after) * ~is_one[:, None]
            return total

        prior = np.log(share / (1 - share))
        return np.asarray(prior + along(self._last, False) + along(self._next, True))


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
