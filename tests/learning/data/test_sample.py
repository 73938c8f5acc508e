"""Evenly spread samples against the definition."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from dias.arrays import spread


@given(st.integers(0, 40), st.integers(1, 12))
@example(0, 1)
@example(6, 6)
@example(7, 6)
@example(12, 6)
@example(13, 6)
def test_every_so_many_as_few_apart_as_the_limit_lets(n_items, limit):
    items = list(range(n_items))
    steps = (items[::step] for step in range(1, n_items + 2))
    assert spread(items, limit) == next(found for found in steps if len(found) <= limit)
