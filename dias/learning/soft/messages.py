"""Forward and backward along walks, for all atoms at once.

Given what each step does, atoms are independent of each other: each is a chain of two values. What
a step does to an atom is a *kernel*, ``[2, 2]``: how well each value before goes with each after.
An atom that no step touches keeps its value, but for a small rate.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dias.learning.soft.sightings import Sightings
from dias.limits import check

TINY = 1e-6
"""Nothing is more certain."""

UNMADE = 0.01
"""Chance that an atom is not what a step makes of it, at most, for it to be made so for sure."""


class Kernels(NamedTuple):
    """What the steps do to the atoms that they touch.

    Attributes:
        begin: ``[R + 1]`` where those of the step that begins in each state are.
        codes: ``[k]`` the atoms.
        tables: ``[k, 2, 2]`` before, after.
    """

    begin: np.ndarray
    codes: np.ndarray
    tables: np.ndarray

    def of(self, row: int) -> tuple[np.ndarray, np.ndarray]:
        """Atoms and tables of the step that begins in a state."""
        own = slice(self.begin[row], self.begin[row + 1])
        return self.codes[own], self.tables[own]

    def made(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What steps make of atoms whatever they were.

        Returns:
            ``[k]`` the states that the steps begin in, ``[k]`` the atoms, ``[k]`` what they are
            afterwards.
        """
        rows = np.repeat(np.arange(len(self.begin) - 1), np.diff(self.begin))
        afterwards = self.tables / self.tables.sum(2, keepdims=True)
        kept = (afterwards > 1 - UNMADE).all(1)
        at, value = np.nonzero(kept)
        return rows[at], self.codes[at], value.astype(bool)

    def numbered(self, place: np.ndarray) -> Kernels:
        """These with new numbers, ``[C]``, for the atoms; those of -1 are left out."""
        codes = place[self.codes]
        begin = np.concatenate([[0], np.cumsum(codes >= 0)])[self.begin]
        return Kernels(begin, codes[codes >= 0], self.tables[codes >= 0].astype(np.float32))

    def replaced(self, other: Kernels, rows: np.ndarray) -> Kernels:
        """These, but others for the steps that begin in some rows."""
        n_rows = len(self.begin) - 1
        at, at_other = (np.repeat(np.arange(n_rows), np.diff(k.begin)) for k in (self, other))
        kept = ~np.isin(at, rows)
        every = np.concatenate([at[kept], at_other])
        order = np.argsort(every, kind="stable")
        codes = np.concatenate([self.codes[kept], other.codes])[order]
        tables = np.concatenate([self.tables[kept], other.tables])[order]
        return Kernels(np.searchsorted(every[order], np.arange(n_rows + 1)), codes, tables)


class Messages(NamedTuple):
    """What is known of each atom in each state: ``[R, C]`` probabilities that it is true.

    Attributes:
        before: By all that was seen earlier.
        until: The same with what is seen in the state itself.
        since: By what is seen in the state itself and later, each value alike beforehand.
        after: By all that is seen later, each value alike beforehand.
    """

    before: np.ndarray
    until: np.ndarray
    since: np.ndarray
    after: np.ndarray

    def whole(self) -> np.ndarray:
        """By all that was seen."""
        return joined(self.until, self.after)

    def others(self) -> np.ndarray:
        """By all that was seen in other states."""
        return joined(self.before, self.after)


def joined(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """What two independent probabilities say together."""
    true = one * other
    return np.asarray(true / (true + (1 - one) * (1 - other)))


def no_kernels(sightings: Sightings) -> Kernels:
    """Nothing is known of what the steps do."""
    n_rows = len(sightings.first)
    return Kernels(np.zeros(n_rows + 1, np.int64), np.zeros(0, np.int64), np.zeros((0, 2, 2)))


def pass_messages(
    sightings: Sightings, log_odds: np.ndarray, kernels: Kernels, rates: np.ndarray
) -> Messages:
    """Forward and backward along all walks.

    Args:
        sightings: The walks.
        log_odds: ``[R, C]`` what was seen.
        kernels: What the steps do.
        rates: ``[C]`` chance that an atom changes in a step that does not touch it.
    """
    active = _active(log_odds, kernels)
    place = np.full(log_odds.shape[1], -1)
    place[active] = np.arange(len(active))
    found = np.where(log_odds.max(0) > 0, 1 - TINY, TINY).astype(np.float32)
    every = tuple(np.repeat(found[None], len(log_odds), 0) for _ in Messages._fields)
    odds = _pass(
        np.exp(log_odds[:, active]),
        sightings,
        kernels.numbered(place),
        rates[active].astype(np.float32),
        odds_of(sightings.prior()[active]),
    )
    for whole, own in zip(every, odds, strict=True):
        whole[:, active] = own / (1 + own)
    return Messages(*every)


def odds_of(probabilities: np.ndarray) -> np.ndarray:
    """True to false."""
    return np.asarray(probabilities / (1 - probabilities))


def _active(log_odds: np.ndarray, kernels: Kernels) -> np.ndarray:
    """``[A]`` the atoms of which it is not all the same in all states what they are.

    What is seen alike in each of them is so throughout; what is seen alike in some, if no step
    touches it.
    """
    is_true, is_false = (log_odds > 0).any(0), (log_odds < 0).any(0)
    changes = is_true == is_false
    changes[kernels.codes] = True
    return np.flatnonzero(changes & ~((log_odds > 0).all(0) | (log_odds < 0).all(0)))


def _pass(
    seen: np.ndarray, sightings: Sightings, kernels: Kernels, rates: np.ndarray, prior: np.ndarray
) -> tuple[np.ndarray, ...]:
    """The fields of `Messages`, all as odds (true to false), as what was seen and the prior."""
    before, until, since, after = (np.empty_like(seen) for _ in range(4))
    least, most = np.float32(TINY), np.float32(1 / TINY)
    stays, n = 1 - rates, len(seen)

    def across(true: np.ndarray, row: int, is_back: bool) -> np.ndarray:
        """What is known on one side of a step, given what is on the other."""
        value = np.asarray((rates + stays * true) / (stays + rates * true))
        codes, tables = kernels.of(row)
        if len(codes):
            own, part = true[codes], tables.swapaxes(1, 2) if is_back else tables
            value[codes] = (part[:, 0, 1] + own * part[:, 1, 1]) / (
                part[:, 0, 0] + own * part[:, 1, 0]
            )
        return value

    for row in range(n):
        check()
        value = prior if sightings.first[row] else across(until[row - 1], row - 1, False)
        np.minimum(np.maximum(value, least), most, out=before[row])
        np.minimum(np.maximum(before[row] * seen[row], least), most, out=until[row])
    for row in range(n - 1, -1, -1):
        check()
        if row == n - 1 or sightings.first[row + 1]:
            after[row] = 1
        else:
            np.minimum(np.maximum(across(since[row + 1], row, True), least), most, out=after[row])
        np.minimum(np.maximum(after[row] * seen[row], least), most, out=since[row])
    return before, until, since, after
