"""Queries that all transitions satisfy but those that may be odd."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.extend import tolerant_queries as tolerant_module
from dias.learning.extend.queries import common_queries
from dias.learning.extend.tolerant_queries import (
    N_PARTS,
    PART,
    _first_of_highest,
    _kept,
    exact_and_tolerant_queries,
    tolerant_queries,
)
from dias.learning.score import MIN_STEPS, max_odd
from dias.strips.codes import AtomCodes
from tests.learning import strategies
from tests.learning.cases import example, literals
from tests.learning.extend.test_queries import differ, holds, is_linked, linked_extensions
from tests.traces.files import atoms

CODES = AtomCodes({"p": 1, "r": 2}, ["a", "b", "c", "d"])
QUERY = (*literals("p 1", "r 1 0"), *differ((0, 1)))
"""Something else is p, and it is r of the known object."""

SHORTER = QUERY[1:]


def steps(n, odd=(), bare=()):
    """Steps of which a is known: b, c, d in turn are r of it, and p, unless the step is odd.

    In bare ones nothing is true, so that nothing is linked to a.
    """
    states = []
    for number in range(n):
        partner, other = "bcd"[number % 3], "bcd"[(number + 1) % 3]
        state = atoms(f"r {partner} a", f"p {other if number in odd else partner}")
        states.append(frozenset() if number in bare else state)
    return Examples("act", CODES.arities, [example(CODES, state, state) for state in states])


def found_in(group, is_exact=False, n_new=1, linked=True, asked=None, is_idle=lambda query: False):
    known = [[(0,)] if asked is None or n in asked else [] for n in range(len(group.examples))]
    table = BindingTable.of(known, 1)
    if not is_exact:
        return tolerant_queries(group, table, n_new, linked, is_idle)
    every, nearly = exact_and_tolerant_queries(group, table, n_new, linked, is_idle)
    assert every == common_queries(group, table, n_new, linked)
    return nearly


@pytest.mark.parametrize("n_odd", [1, 2, 3])
def test_as_many_as_may_be_odd_may_violate_it(n_odd):
    """Two of forty. What three violate is no part of the query any more."""
    group = steps(40, odd=range(3, 3 + 2 * n_odd, 2))
    # A part with an odd step shows the shorter one alone, which every step satisfies.
    assert found_in(group) == ([QUERY, SHORTER] if n_odd <= 2 else [SHORTER])
    assert found_in(group, is_exact=True) == ([QUERY] if n_odd <= 2 else [])
    every = common_queries(group, BindingTable.of([[(0,)]] * 40, 1), 1)
    assert every == [SHORTER]


def test_what_all_satisfy_is_no_query_that_nearly_all_do_where_steps_are_exact():
    assert found_in(steps(40)) == [QUERY]
    assert found_in(steps(40), is_exact=True) == []


def test_what_says_nothing_does_not_stand_in_the_way(monkeypatch):
    """Of each part as many queries are taken as are no idle ones."""
    group = steps(40)
    every = found_in(group, n_new=2)
    monkeypatch.setattr(tolerant_module, "N_STARTS", 1)
    first = found_in(group, n_new=2)
    assert len(first) == 1 < len(every) and set(first) < set(every)
    assert found_in(group, n_new=2, is_idle=lambda query: query == first[0]) == every[1:2]


def test_of_few_steps_none_is_odd():
    """Of those put right there is then what all satisfy."""
    assert (MIN_STEPS, max_odd(MIN_STEPS)) == (40, 2)
    assert found_in(steps(39, odd=[3])) == [SHORTER]
    assert found_in(steps(39)) == [QUERY]
    assert found_in(steps(39, odd=[3]), is_exact=True) == []
    assert found_in(steps(39, bare=[3])) == found_in(steps(39, bare=[3]), is_exact=True) == []
    assert found_in(steps(40, odd=[3])) == [QUERY, SHORTER]
    assert found_in(steps(40, odd=[3]), is_exact=True) == [QUERY]


def test_steps_without_a_binding_are_not_asked():
    group = steps(42, odd=[0, 1, 3, 5])
    assert found_in(group) == [SHORTER]
    assert found_in(group, asked=range(2, 42)) == [QUERY, SHORTER]
    assert found_in(group, asked=range(3, 42)) == [SHORTER]


def test_steps_without_any_extension_are_odd():
    assert found_in(steps(40, bare=[4, 7])) == [QUERY]
    assert found_in(steps(40, bare=[4, 7, 9])) == []
    assert found_in(steps(40, odd=[3], bare=[4])) == [QUERY, SHORTER]
    assert found_in(steps(40, odd=[3, 5], bare=[4])) == [SHORTER]
    assert found_in(steps(40, bare=range(40))) == []
    assert found_in(steps(40, bare=[4]), is_exact=True) == [QUERY]
    assert found_in(steps(40, bare=[4, 7, 9]), is_exact=True) == []
    # Where no link is asked for, everything is an extension, and the step violates what it says.
    assert found_in(steps(40, bare=[4, 6]), linked=False)[0] == QUERY
    assert QUERY not in found_in(steps(40, bare=[4, 6, 8]), linked=False)


def test_some_parts_without_an_odd_step_are_enough():
    """Of eight parts of sixteen steps six have one, the first ones; the others show the query."""
    assert (PART, N_PARTS) == (16, 8)
    group = steps(128, odd=range(6))
    assert max_odd(128) == 6
    assert found_in(group) == [QUERY, SHORTER]
    # Where hardly any is odd, one half of the steps has none.
    assert found_in(group, is_exact=True) == []
    assert found_in(steps(128, odd=range(0, 12, 2)), is_exact=True) == [QUERY]


def test_the_likely_accident_goes_first():
    """Of sixteen steps of a part all are also q and s; of all steps half are not."""
    codes = AtomCodes({"p": 1, "q": 1, "r": 2, "s": 2}, ["a", "b", "c"])
    states = [
        atoms("r b a", "p b", *(["q b", "s b b"] if n % 8 == 0 else ["q c", "s c c"]))
        for n in range(128)
    ]
    group = Examples("act", codes.arities, [example(codes, state, state) for state in states])
    queries = found_in(group)
    assert queries == [QUERY]


def test_the_largest_come_first():
    """Of a pair either may be named first; with links no variable is left alone."""
    group = steps(40, odd=[3, 5])
    pairs = found_in(group, n_new=2)
    assert pairs == sorted(pairs, key=lambda query: (-len(query), query))
    assert len({frozenset(query) for query in pairs}) == len(pairs) > 1
    for query in pairs:
        assert is_linked(query, 1, 2)


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 2), st.booleans(), st.booleans(), st.data())
def test_all_but_the_odd_steps_satisfy_each_query(n_new, linked, is_exact, data):
    """Most steps are in one of two states, a few in any."""
    codes = AtomCodes(CODES.arities, CODES.objects[:3])
    common = data.draw(st.lists(strategies.states(codes), min_size=1, max_size=2))
    rare = data.draw(st.lists(strategies.states(codes), max_size=3))
    places = data.draw(st.lists(st.integers(0, 39), min_size=3, max_size=3))
    states = [common[n % len(common)] for n in range(40)]
    for place, state in zip(places, rare, strict=False):
        states[place] = state
    group = Examples("act", codes.arities, [example(codes, state, state) for state in states])
    queries = found_in(group, is_exact, n_new, linked)
    assert queries == sorted(queries, key=lambda query: (-len(query), query))
    assert len({*queries}) == len(queries)
    every = common_queries(group, BindingTable.of([[(0,)]] * 40, 1), n_new, linked)
    rows = [[*linked_extensions(group, n, (0,), n_new, linked)] for n in range(40)]
    for query in queries:
        assert is_linked(query, 1, n_new, None if linked else {0, 1})
        is_odd = [not any(holds(query, row, group, n) for row in own) for n, own in enumerate(rows)]
        assert sum(is_odd) <= max_odd(40)
        assert not is_exact or query not in every


@settings(deadline=None, max_examples=30)
@given(st.booleans(), st.data())
def test_of_steps_in_one_state_the_queries_are_those_of_each(linked, data):
    state = data.draw(strategies.states(CODES))
    group = Examples("act", CODES.arities, [example(CODES, state, state)] * 40)
    every = common_queries(group, BindingTable.of([[(0,)]] * 40, 1), 1, linked)
    found = found_in(group, linked=linked)
    assert found == every[: len(found)]
    assert found_in(group, is_exact=True, linked=linked) == []


spans_of_rows = st.lists(st.integers(1, 3), min_size=1, max_size=6)
nats = st.integers(0, 4)


@given(spans_of_rows, st.data())
def test_the_first_extension_that_is_worth_most(sizes, data):
    first = np.cumsum([0, *sizes])[:-1]
    worth = np.array(data.draw(st.lists(nats, min_size=sum(sizes), max_size=sum(sizes))), float)
    spans = [range(begin, begin + size) for begin, size in zip(first, sizes, strict=True)]
    expected = [max(span, key=worth.__getitem__) for span in spans]
    assert _first_of_highest(worth, first).tolist() == expected


def kept_one_by_one(asked, truth, sizes, nats, n_odd):
    """The literals that are left, as a list of numbers, without arrays."""
    ends = np.cumsum(sizes).tolist()
    spans = [truth[end - size : end] for end, size in zip(ends, sizes, strict=True)]
    kept = [number for number, is_asked in enumerate(asked) if is_asked]
    while kept:
        n_violating = sum(not any(all(row[x] for x in kept) for row in span) for span in spans)
        if n_violating <= n_odd:
            break
        shown = [max(span, key=lambda row: sum(nats[x] for x in kept if row[x])) for span in spans]
        kept.remove(max(kept, key=lambda x: sum(not row[x] for row in shown)))
    return kept


@settings(max_examples=200)
@given(spans_of_rows, st.integers(1, 5), st.integers(0, 2), st.data())
def test_what_is_violated_most_goes_until_the_rest_hardly_is(sizes, n_literals, n_odd, data):
    row = st.lists(st.booleans(), min_size=n_literals, max_size=n_literals)
    truth = data.draw(st.lists(row, min_size=sum(sizes), max_size=sum(sizes)))
    asked = data.draw(row)
    own = data.draw(st.lists(nats, min_size=n_literals, max_size=n_literals))
    first = np.cumsum([0, *sizes])[:-1]
    kept = _kept(np.array(asked), np.array(truth), first, np.array(own, float), n_odd)
    assert np.flatnonzero(kept).tolist() == kept_one_by_one(asked, truth, sizes, own, n_odd)


def test_which_literal_goes():
    """Of two extensions the one that is worth more counts; of two literals the first."""
    truth, first = np.array([[1, 1, 0], [0, 0, 1], [1, 0, 0]], bool), np.array([0, 2])
    every = np.ones(3, bool)
    assert _kept(every, truth, first, np.array([1.0, 1, 1]), 0).tolist() == [True, False, False]
    assert _kept(every, truth, first, np.array([1.0, 1, 3]), 0).tolist() == [False, False, False]
    assert _kept(every, truth, first, np.array([1.0, 1, 1]), 2).tolist() == [True, True, True]
    assert _kept(~every, truth, first, np.array([1.0, 1, 1]), 0).tolist() == [False] * 3
