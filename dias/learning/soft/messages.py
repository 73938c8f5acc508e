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

    def replaced(self, other: Kernels, parity: int) -> Kernels:
        """These, but for every other step: those that begin in the rows of a parity."""
        n_rows, parts = len(self.begin) - 1, []
        for own, is_taken in ((self, lambda rows: rows % 2 != parity), (other, None)):
            rows = np.repeat(np.arange(n_rows), np.diff(own.begin))
            kept = slice(None) if is_taken is None else is_taken(rows)
            parts.append((rows[kept], own.codes[kept], own.tables[kept]))
        rows, codes, tables = (np.concatenate(part) for part in zip(*parts, strict=True))
        order = np.argsort(rows, kind="stable")
        begin = np.searchsorted(rows[order], np.arange(n_rows + 1))
        return Kernels(begin, codes[order], tables[order])


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
    seen = (1 / (1 + np.exp(-log_odds))).astype(np.float32)
    prior, n = sightings.prior(), len(seen)
    before, until, since, after = (np.empty_like(seen) for _ in range(4))
    rates = rates.astype(np.float32)
    value = prior
    for row in range(n):
        check()
        if sightings.first[row]:
            value = prior
        else:
            value = rates + (1 - 2 * rates) * until[row - 1]
            codes, tables = kernels.of(row - 1)
            if len(codes):
                true = until[row - 1, codes]
                became = [(1 - true) * tables[:, 0, y] + true * tables[:, 1, y] for y in (0, 1)]
                value[codes] = became[1] / (became[0] + became[1])
        before[row] = np.clip(value, TINY, 1 - TINY)
        until[row] = np.clip(joined(before[row], seen[row]), TINY, 1 - TINY)
    for row in range(n - 1, -1, -1):
        check()
        if row == n - 1 or sightings.first[row + 1]:
            after[row] = 0.5
        else:
            value = rates + (1 - 2 * rates) * since[row + 1]
            codes, tables = kernels.of(row)
            if len(codes):
                true = since[row + 1, codes]
                fits = [(1 - true) * tables[:, x, 0] + true * tables[:, x, 1] for x in (0, 1)]
                value[codes] = fits[1] / (fits[0] + fits[1])
            after[row] = np.clip(value, TINY, 1 - TINY)
        since[row] = np.clip(joined(after[row], seen[row]), TINY, 1 - TINY)
    return Messages(before, until, since, after)
