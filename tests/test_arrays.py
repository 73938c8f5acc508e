from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dias import arrays as facts
from dias.arrays import (
    NumberSet,
    begins_anew,
    different_rows,
    distinct,
    first_of_each,
    is_row_of,
    median,
    n_bits,
    ranges,
    row_numbers,
    runs,
    spread,
)


@pytest.mark.parametrize(
    ("max_bytes", "max_bits"), [(0, 0), (0, facts.MAX_BITS), (facts.MAX_BYTES, facts.MAX_BITS)]
)
@given(members=st.sets(st.integers(0, 99)))
def test_says_of_every_number_whether_it_belongs(max_bytes, max_bits, members):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(facts, "MAX_BYTES", max_bytes)
        patch.setattr(facts, "MAX_BITS", max_bits)
        known = NumberSet(np.array(sorted(members), dtype=np.int64), 100)
    asked = np.arange(100).reshape(4, 25)
    assert known.contains(asked).tolist() == [[x in members for x in row] for row in asked.tolist()]


@pytest.mark.parametrize("hash_bits", [2, 22])
@given(members=st.sets(st.integers(0, 10**12), min_size=1))
def test_a_hash_table_before_the_search_changes_nothing(hash_bits, members):
    """Whether it tells all numbers apart or hardly any."""
    numbers = np.array(sorted(members), dtype=np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(facts, "MIN_HASHED", 0)
        patch.setattr(facts, "MAX_HASH_BITS", hash_bits)
        known = NumberSet(numbers, 10**12 + 2)
    assert known._hashed is not None
    assert len(known._hashed) == min(1 << hash_bits, 1 << len(members).bit_length() + 4)
    asked = np.concatenate([numbers, numbers + 1, [0]])
    assert known.contains(asked).tolist() == [x in members for x in asked.tolist()]


@pytest.mark.parametrize("apart", [1, 8, 63, 64, 65, 1000])
@given(members=st.sets(st.integers(0, 60), min_size=1))
def test_a_set_is_the_same_with_bits_and_without(apart, members):
    """There are bits as long as they take no more room than the numbers."""
    numbers, bound = apart * np.array(sorted(members), dtype=np.int64), 60 * apart + 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(facts, "MAX_BITS", 0)
        known = NumberSet(numbers, bound)
    has_bits = known._bits is not None
    assert has_bits == (bound <= 64 * len(members))
    if has_bits:
        assert known._bits.nbytes <= numbers.nbytes + 1
    asked = np.arange(bound)
    assert known.contains(asked).tolist() == np.isin(asked, numbers).tolist()


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 6))))
def test_ranges_one_after_another(pairs):
    start, length = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    expected = [number for begin, n in pairs for number in range(begin, begin + n)]
    assert ranges(start, length).tolist() == expected


@given(n_items=st.integers(0, 40), n=st.integers(1, 45))
def test_a_sample_is_even_and_as_large_as_it_may_be(n_items, n):
    items = list(range(n_items))
    expected = next(items[::step] for step in count(1) if len(items[::step]) <= n)
    assert spread(items, n) == expected


def test_a_set_takes_no_room_for_what_is_not_in_it():
    known = NumberSet(np.array([7, 10**15]), 10**15 + 1)
    assert known.contains(np.array([0, 7, 10**15 - 1, 10**15])).tolist() == [False, True] * 2


@given(st.data(), st.integers(1, 3))
def test_a_row_is_found_in_a_table_wherever_it_stands(data, width):
    lines = st.lists(st.tuples(*[st.integers(-1, 3)] * width), max_size=8)
    rows, table = data.draw(lines), data.draw(lines)
    shaped = [np.array(own, dtype=np.int64).reshape(-1, width) for own in (rows, table)]
    assert is_row_of(*shaped).tolist() == [row in table for row in rows]


@given(st.lists(st.integers(0, 9)).map(sorted))
def test_where_each_number_stands_first(numbers):
    own = np.array(numbers, dtype=np.int64)
    first, n_times = (found.tolist() for found in runs(own))
    assert first == [numbers.index(number) for number in sorted(set(numbers))]
    assert n_times == [numbers.count(number) for number in sorted(set(numbers))]
    assert first_of_each(own).tolist() == first


@given(st.lists(st.integers(0, 2**64 - 1)))
def test_bits_are_counted(words):
    assert n_bits(np.array(words, dtype=np.uint64)).tolist() == [word.bit_count() for word in words]


@given(st.lists(st.floats(-5, 5) | st.integers(-5, 5) | st.just(np.nan), min_size=1))
def test_the_median_is_that_of_numpy(values):
    found, expected = median(np.array(values, float)), np.median(values)
    assert found == expected or (np.isnan(found) and np.isnan(expected))


LARGE = st.sampled_from([-(2**63), -(2**40), -1, 0, 1, 2**40, 2**63 - 1])


@given(
    st.lists(st.tuples(st.integers(-1, 2), st.integers(-2, 1))) | st.lists(st.tuples(LARGE, LARGE))
)
def test_the_different_rows_in_order_however_large_the_numbers(rows):
    table = np.array(rows, dtype=np.int64).reshape(-1, 2)
    assert list(map(tuple, different_rows(table).tolist())) == sorted(set(rows))
    if rows:
        numbers = row_numbers(table).tolist()
        assert [sorted(set(rows))[number] for number in numbers] == rows


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1))
def test_equal_rows_have_equal_numbers(rows):
    numbers = row_numbers(np.array(rows)).tolist()
    assert len(set(zip(rows, numbers, strict=True))) == len(set(rows)) == len(set(numbers))
    assert {*numbers} == {*range(len(set(rows)))}


@given(numbers=st.lists(st.integers(-9, 9)))
def test_distinct_numbers_ascend(numbers):
    assert distinct(np.array(numbers, dtype=np.int64)).tolist() == sorted(set(numbers))


@pytest.mark.parametrize(("n_rows", "n_left"), [(0, 0), (1, 1), (3, 1)])
@pytest.mark.parametrize("dtype", [bool, np.int64])
def test_rows_of_no_element_are_equal(n_rows, n_left, dtype):
    table = np.zeros((n_rows, 0), dtype)
    assert different_rows(table).shape == (n_left, 0)
    assert row_numbers(table).tolist() == [0] * n_rows


def test_where_numbers_change():
    assert begins_anew(np.array([4, 4, 2, 2, 4])).tolist() == [True, False, True, False, True]
    assert begins_anew(np.zeros(0, np.int64)).tolist() == []
