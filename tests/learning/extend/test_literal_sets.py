"""Sets of literals as bit masks and words against Python's sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dias.arrays import mask_of
from dias.learning.extend import literal_sets as literal_sets_module
from dias.learning.extend.literal_sets import FEW, MAX_FRONTIER, contains, maximal, meet, packed

literal_sets = st.frozensets(st.integers(0, 150), max_size=8)
in_both_ways = pytest.mark.parametrize("few", [0, FEW])  # as arrays, and one by one


def as_mask(literals):
    return sum(1 << literal for literal in literals)


@given(st.lists(literal_sets, min_size=1, max_size=6), literal_sets, st.data())
def test_words_say_which_sets_contain_another(sets, wanted, data):
    places = sorted(frozenset().union(wanted, *sets) | {data.draw(st.integers(0, 150))})
    truth = np.array([[place in own for place in places] for own in sets])
    words = packed(truth, places)
    assert [mask_of(column) for column in words.T.tolist()] == [as_mask(own) for own in sets]
    asked = [as_mask(wanted), *map(as_mask, sets)]
    assert contains(words, asked).tolist() == [
        [one <= own for own in sets] for one in (wanted, *sets)
    ]


@in_both_ways
@given(
    kept=st.lists(literal_sets, max_size=6), offered=st.lists(literal_sets, min_size=1, max_size=6)
)
@example(kept=[], offered=[frozenset()])
@example(kept=[frozenset()], offered=[frozenset({1})])
@example(
    kept=[frozenset({0, 1, 2})],
    offered=[frozenset({0, 1}), frozenset({1, 2}), frozenset({0, 1, 2, 3})],
)
def test_maximal_sets_and_intersections(few, kept, offered):
    def largest(sets):
        return {as_mask(own) for own in sets if not any(own < other for other in sets)}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(literal_sets_module, "FEW", few)
        frontier = maximal(map(as_mask, kept))
        met = meet(frontier, maximal(map(as_mask, offered)))
    assert set(frontier) == largest(kept)
    assert set(met) == largest([one & other for one in kept for other in offered])


def test_words_end_where_the_bits_do():
    for last, n_words in ((0, 1), (63, 1), (64, 2), (127, 2), (128, 3), (191, 3), (192, 4)):
        places = [0, last] if last else [0]
        words = packed(np.ones((2, len(places)), dtype=bool), places)
        assert words.shape == (n_words, 2)
        assert [mask_of(own) for own in words.T.tolist()] == [1 | 1 << last] * 2
        assert contains(words, [1 << last]).all()
        assert not contains(words, [1 | 1 << last | 2]).any()
    assert packed(np.ones((3, 0), dtype=bool), []).tolist() == [[0, 0, 0]]
    halves = packed(np.array([[True, True, False], [True, False, True]]), [0, 64, 65])
    assert contains(halves, [1 << 64 | 1 << 65]).tolist() == [[False, False]]


@in_both_ways
def test_the_largest_come_first_and_of_equals_the_lower_number(monkeypatch, few):
    monkeypatch.setattr(literal_sets_module, "FEW", few)
    sets = [0b1, 0b11000, 0b110, 0b11, 0b110, 0b10000000, 0b100000]
    assert maximal(sets) == [0b11, 0b110, 0b11000, 0b100000, 0b10000000]
    assert maximal([]) == []
    assert maximal([0, 0]) == [0]


@in_both_ways
def test_at_the_limit_the_largest_stay(monkeypatch, few):
    monkeypatch.setattr(literal_sets_module, "FEW", few)
    monkeypatch.setattr(literal_sets_module, "MAX_FRONTIER", 3)
    assert maximal([0b1, 0b1000, 0b110, 0b100000]) == [0b110, 0b1, 0b1000]
    assert maximal([0b1, 0b1000, 0b110]) == [0b110, 0b1, 0b1000]
    assert meet([0b1111, 0b110000], [0b0011, 0b1100, 0b1010, 0b110000]) == [
        0b11, 0b1010, 0b1100,
    ]  # fmt: skip


def test_only_so_many_are_kept():
    assert len(maximal(1 << number for number in range(MAX_FRONTIER + 5))) == MAX_FRONTIER
