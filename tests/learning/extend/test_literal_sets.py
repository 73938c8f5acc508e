"""Sets of literals as bit masks and words against Python's sets."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dias.learning.extend.literal_sets import (
    MAX_FRONTIER,
    contains,
    mask_of,
    maximal,
    meet,
    packed,
)

literal_sets = st.frozensets(st.integers(0, 150), max_size=8)


def as_mask(literals):
    return sum(1 << literal for literal in literals)


@given(st.lists(literal_sets, min_size=1, max_size=6), literal_sets, st.data())
def test_words_say_which_sets_contain_another(sets, wanted, data):
    places = sorted(frozenset().union(wanted, *sets) | {data.draw(st.integers(0, 150))})
    truth = np.array([[place in own for place in places] for own in sets])
    words = packed(truth, places)
    assert [mask_of(column) for column in words.T.tolist()] == [as_mask(own) for own in sets]
    assert contains(words, as_mask(wanted)).tolist() == [wanted <= own for own in sets]


@given(st.lists(literal_sets, max_size=6), st.lists(literal_sets, min_size=1, max_size=6))
def test_maximal_sets_and_intersections(kept, offered):
    def largest(sets):
        return {as_mask(own) for own in sets if not any(own < other for other in sets)}

    assert set(maximal(map(as_mask, kept))) == largest(kept)
    frontier = maximal(map(as_mask, kept))
    met = meet(frontier, maximal(map(as_mask, offered)))
    assert set(met) == largest([one & other for one in kept for other in offered])


def test_only_so_many_are_kept():
    assert len(maximal(1 << number for number in range(MAX_FRONTIER + 5))) == MAX_FRONTIER
