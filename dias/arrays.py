"""What numpy lacks: ranges one after another, sets of numbers, and even samples."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")

MAX_BITS = 1 << 24
"""Numbers that get a bit each, however few of them are in the set: 2 MiB."""

MAX_BYTES = 1 << 16
"""Numbers that get a byte each: a few thousand atoms are looked up several times as fast."""

MIN_HASHED, MAX_HASH_BITS = 64, 22
"""Numbers beyond which a hash table tells first which are not there, and the bits of its places."""

MAX_KEY = 1 << 62
"""Rows that are fewer than this, of all that there may be, are sorted as numbers."""

WORD = 64
"""Bits of a word."""

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""2⁶⁴ over the golden ratio: multiples of it are spread evenly."""


def ranges(start: np.ndarray, length: np.ndarray) -> np.ndarray:
    """start, start + 1, …, start + length - 1 of every pair, one after another."""
    shift = start - np.cumsum(length) + length
    return np.arange(int(length.sum())) + np.repeat(shift, length)


def first_of_each(numbers: np.ndarray) -> np.ndarray:
    """Where each of some numbers, which ascend, stands first."""
    return runs(numbers)[0]


def begins_anew(numbers: np.ndarray) -> np.ndarray:
    """``[n]`` which of some numbers differ from the one before; the first does."""
    begins = np.ones(len(numbers), dtype=bool)
    np.not_equal(numbers[1:], numbers[:-1], out=begins[1:])
    return begins


def runs(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where each of some numbers, which ascend, stands first, and how often it is there."""
    begins = np.ones(len(numbers) + 1, dtype=bool)
    np.not_equal(numbers[1:], numbers[:-1], out=begins[1:-1])
    place = begins.nonzero()[0]
    return place[:-1], place[1:] - place[:-1]


def distinct(numbers: np.ndarray) -> np.ndarray:
    """The different ones of some numbers, ascending: numpy's own imports masked arrays for it."""
    ordered = np.sort(numbers)
    return ordered[first_of_each(ordered)]


def is_row_of(rows: np.ndarray, table: np.ndarray) -> np.ndarray:
    """``[n]`` which of some rows are in a table, too; all rows are of equal length, 1 at least."""
    number = row_numbers(np.concatenate([rows, table]))
    is_there = np.zeros(len(number), dtype=bool)
    is_there[number[len(rows) :]] = True
    return is_there[number[: len(rows)]]


def row_numbers(table: np.ndarray) -> np.ndarray:
    """``[n]`` numbers from 0 for the rows of a table, the same for equal rows."""
    order, begins = _sorted_rows(table)
    number = np.zeros(len(table), np.int64)
    number[order] = np.cumsum(begins) - 1
    return number


def _sorted_rows(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The order of rows, and where in it a row begins that differs from the one before.

    Rows of numbers that are small enough are one number each, which sorts several times as fast.
    """
    begins = np.ones(len(table), dtype=bool)
    if not table.shape[1]:
        begins[1:] = False
        return np.arange(len(table)), begins
    if len(table) and table.dtype == np.int64:
        low = table.min(0)
        sizes = (table.max(0) - low + 1).tolist()
        if all(size > 0 for size in sizes) and prod(sizes) < MAX_KEY:
            key = table[:, 0] - low[0]
            for column, size in enumerate(sizes[1:], 1):
                key = key * size + (table[:, column] - low[column])
            order = np.argsort(key, kind="stable")
            return order, begins_anew(key[order])
    order = np.lexsort(table.T[::-1])
    begins[1:] = (table[order[1:]] != table[order[:-1]]).any(1)
    return order, begins


def median(values: np.ndarray) -> float:
    """The median, as numpy's, which imports masked arrays for it; NaN if any of them is."""
    ordered = np.sort(values)
    n, last = len(ordered), float(ordered[-1])
    return last if np.isnan(last) else float(ordered[(n - 1) // 2] + ordered[n // 2]) / 2


def different_rows(table: np.ndarray) -> np.ndarray:
    """The different rows of a table, in order."""
    order, begins = _sorted_rows(table)
    return table[order[begins]]


def n_bits(words: np.ndarray) -> np.ndarray:
    """How many bits are set in each of some words of 64 bits."""
    pairs, fours, bytes_, ones = (np.uint64(int(x * 8, 16)) for x in ("55", "33", "0f", "01"))
    one, two, four, last = map(np.uint64, (1, 2, 4, 56))
    words = words - (words >> one & pairs)
    words = (words & fours) + (words >> two & fours)
    words = (words + (words >> four)) & bytes_
    return (words * ones >> last).astype(np.int64)


def mask_of(words: Sequence[int]) -> int:
    """Words as one number, the lowest bits first."""
    return sum(word << number * WORD for number, word in enumerate(words))


class NumberSet:
    """Non-negative numbers below a bound: a bit for each, or if that is too much a sorted array.

    Up to `MAX_BYTES` it is a byte for each. Too much is more than `MAX_BITS`, and more memory than
    the array takes. A bit is looked up at once; in a large array most steps of the search for a
    number wait for memory. So only numbers are searched for there that share a byte with one in the
    set, which hardly any other does.

    Args:
        numbers: ``[n]`` the numbers, ascending.
        bound: One more than the largest number that can be asked about.
    """

    def __init__(self, numbers: np.ndarray, bound: int) -> None:
        self.numbers = numbers
        self._bytes: np.ndarray | None = None
        self._bits: np.ndarray | None = None
        self._hashed: np.ndarray | None = None
        if bound <= min(MAX_BYTES, MAX_BITS):
            self._bytes = np.zeros(bound, dtype=bool)
            self._bytes[numbers] = True
        elif bound <= max(MAX_BITS, 8 * numbers.nbytes):
            place, bit = numbers >> 3, np.left_shift(1, numbers & 7).astype(np.uint8)
            first = first_of_each(place)
            self._bits = np.zeros((bound + 7) // 8, dtype=np.uint8)
            if len(numbers):
                self._bits[place[first]] = np.bitwise_or.reduceat(bit, first)
        elif len(numbers) > MIN_HASHED:
            n_bits = min(MAX_HASH_BITS, len(numbers).bit_length() + 4)
            self._shift = np.uint64(64 - n_bits)
            self._hashed = np.zeros(1 << n_bits, dtype=bool)
            self._hashed[self._hash(numbers)] = True

    def contains(self, asked: np.ndarray) -> np.ndarray:
        """Which of some numbers, in an array of any shape, belong to the set."""
        if self._bytes is not None:
            return np.asarray(self._bytes[asked])
        if self._bits is not None:
            return np.asarray(self._bits[asked >> 3] >> (asked & 7).astype(np.uint8) & 1 > 0)
        if not len(self.numbers):
            return np.zeros(asked.shape, dtype=bool)
        if self._hashed is not None:
            found = self._hashed[self._hash(asked)]
            found[found] = self._searched(asked[found])
            return found
        return self._searched(asked)

    def _hash(self, numbers: np.ndarray) -> np.ndarray:
        """The place of numbers in a table of a power of two (Fibonacci hashing)."""
        return (numbers.astype(np.uint64) * GOLDEN >> self._shift).astype(np.int64)

    def _searched(self, asked: np.ndarray) -> np.ndarray:
        """`contains`, by search in the array."""
        place = np.minimum(np.searchsorted(self.numbers, asked), len(self.numbers) - 1)
        return np.asarray(self.numbers[place] == asked)


def spread(items: Sequence[Item], n: int) -> Sequence[Item]:
    """At most n of the items, every so many of them; all of them where there are no more."""
    return items[:: -(-len(items) // n) or 1]
