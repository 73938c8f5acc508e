"""Sets of literals, as bit masks and, where there are many, as words of 64 bits."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from dias.arrays import WORD, different_rows, mask_of
from dias.limits import check

MAX_FRONTIER = 500
"""Maximal literal sets kept at a time; beyond it the largest stay."""

FEW = 64
"""Sets that are faster compared one by one than as arrays."""

ROWS = 4096
"""Sets compared with the kept ones at a time: it limits the memory."""


def packed(truth: np.ndarray, places: list[int]) -> np.ndarray:
    """Literal sets as words of 64 bits.

    Args:
        truth: ``[n, L]`` which literals hold.
        places: ``[L]`` their bits.

    Returns:
        ``[W, n]`` the words, the lowest bits first.
    """
    n_words = 1 + max(places, default=0) // WORD
    bits = np.zeros((len(truth), n_words * WORD), dtype=bool)
    bits[:, places] = truth
    words = np.packbits(bits, axis=1, bitorder="little").view("<u8")
    return np.ascontiguousarray(words.T)


def contains(words: np.ndarray, masks: list[int]) -> np.ndarray:
    """Which of n packed sets contain all of each of m masks: ``[m, n]``."""
    return _within(_words(masks, len(words)), words)


def masks_of(words: np.ndarray) -> set[int]:
    """Packed sets as bit masks: ``[W, n]``."""
    if len(words) == 1:
        return set(words[0].tolist())
    different = different_rows(words.T) if words.shape[1] > FEW else words.T
    return set(map(mask_of, different.tolist()))


def meet(frontier: list[int], offered: list[int]) -> list[int]:
    """The maximal intersections of a kept set with an offered one."""
    if not frontier or not offered:
        return []
    if len(frontier) * len(offered) <= FEW:
        return maximal(mask & own for mask in frontier for own in offered)
    n_words = 1 + max(map(int.bit_length, (*frontier, *offered))) // WORD
    kept, new = _words(frontier, n_words), _words(offered, n_words)
    is_whole = np.asarray(_within(kept, new).any(1))
    met = masks_of((kept[:, ~is_whole, None] & new[:, None]).reshape(n_words, -1))
    whole = [mask for mask, stays in zip(frontier, is_whole.tolist(), strict=True) if stays]
    return maximal([*whole, *met])


def maximal(masks: Iterable[int]) -> list[int]:
    """The masks that no other one contains, the largest first, `MAX_FRONTIER` at most."""
    found = sorted(set(masks), key=lambda m: (-m.bit_count(), m))
    if len(found) <= FEW:
        largest: list[int] = []
        for mask in found:
            for other in largest:
                if mask & other == mask:
                    break
            else:
                largest.append(mask)
        return largest[:MAX_FRONTIER]
    words = _words(found, 1 + max(map(int.bit_length, found)) // WORD)
    sizes = np.array([mask.bit_count() for mask in found])
    kept = np.zeros(0, dtype=np.int64)
    # Of equal size none contains another: all of a size are compared with the larger ones at once.
    for begin, end in pairwise([0, *(np.flatnonzero(np.diff(sizes)) + 1).tolist(), len(found)]):
        larger = words[:, kept]
        for first in range(begin, end, ROWS):
            check()
            if len(kept) < MAX_FRONTIER:
                is_new = ~_within(words[:, first : min(first + ROWS, end)], larger).any(1)
                kept = np.concatenate([kept, first + np.flatnonzero(is_new)])[:MAX_FRONTIER]
    return [found[place] for place in kept]


def _within(small: np.ndarray, large: np.ndarray) -> np.ndarray:
    """Which of n packed sets lie within each of m others: ``[n, m]``."""
    within = np.ones((small.shape[1], large.shape[1]), dtype=bool)
    for own, other in zip(small[:, :, None], large, strict=True):
        within &= own & ~other == 0
    return within


def _words(masks: list[int], n_words: int) -> np.ndarray:
    """``[W, n]`` the masks as words, the lowest bits first."""
    data = b"".join(mask.to_bytes(8 * n_words, "little") for mask in masks)
    return np.ascontiguousarray(np.frombuffer(data, "<u8").reshape(len(masks), n_words).T)
