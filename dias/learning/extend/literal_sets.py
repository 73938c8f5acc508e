"""Sets of literals, as bit masks and, where there are many, as words of 64 bits."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

MAX_FRONTIER = 500
"""Maximal literal sets kept at a time; beyond it the largest stay."""

WORD = 64
"""Bits of a word."""


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


def contains(words: np.ndarray, mask: int) -> np.ndarray:
    """Which of the packed sets contain all of `mask`: ``[n]``."""
    holds = np.ones(words.shape[1], dtype=bool)
    for number, word in enumerate(words):
        part = np.uint64(mask >> number * WORD & (1 << WORD) - 1)
        if part:
            holds &= word & part == part
    return holds


def mask_of(words: list[int]) -> int:
    """One packed set as a bit mask."""
    return sum(word << number * WORD for number, word in enumerate(words))


def meet(frontier: list[int], offered: list[int]) -> list[int]:
    """The maximal intersections of a kept set with an offered one."""
    kept = {mask for mask in frontier if any(mask & other == mask for other in offered)}
    rest = [mask for mask in frontier if mask not in kept]
    return maximal([*kept, *{mask & other for mask in rest for other in offered}])


def maximal(masks: Iterable[int]) -> list[int]:
    """The masks that no other one contains, the largest first, `MAX_FRONTIER` at most."""
    kept: list[int] = []
    for mask in sorted(set(masks), key=lambda m: (-m.bit_count(), m)):
        if len(kept) == MAX_FRONTIER:
            break
        if not any(mask & other == mask for other in kept):
            kept.append(mask)
    return kept
