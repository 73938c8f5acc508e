"""What some of the transitions offer together; of it what is a query."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.extend.literal_sets import meet
from dias.learning.extend.queries import Offers, common_queries, query_literals
from dias.strips.codes import AtomCodes
from tests.learning import strategies
from tests.learning.cases import example, literals
from tests.learning.extend.test_queries import differ, holds, linked_extensions
from tests.traces.files import atoms

CODES = AtomCodes({"p": 1, "r": 2}, ["a", "b", "c"])


def group_of(states):
    return Examples("act", CODES.arities, [example(CODES, state, state) for state in states])


def offers_of(states, n_new=1, linked=True):
    """Of steps whose first object is known."""
    group = group_of(states)
    return Offers.of(group, BindingTable.of([[(0,)]] * len(states), 1), n_new, linked)


def test_a_new_variable_is_asked_for_atoms_and_to_be_another():
    pool = query_literals({"p": 1, "r": 2}, 1, 1)
    assert {*pool} == {*literals("p 1", "r 0 1", "r 1 0", "r 1 1"), *differ((0, 1))}
    assert len(pool) == len({*pool})
    assert {*query_literals({"p": 1}, 0, 2)} == {*literals("p 0", "p 1"), *differ((0, 1))}


def test_transitions_without_an_extension_are_counted():
    """The second has nothing that is linked; those that nothing is bound in are not asked.

    What shares an atom with another object may stand for a new one itself.
    """
    states = [atoms("r a b", "r c a"), atoms("p b"), atoms("r a c"), atoms("r a b")]
    group = group_of(states)
    found = BindingTable.of([[(0,)], [(0,)], [(0,)], []], 1)
    offers = Offers.of(group, found, 1, True)
    assert (offers.n_without, offers.n_known, offers.linked) == (1, 1, True)
    assert (offers.first.tolist(), offers.sizes.tolist()) == ([0, 3], [3, 2])
    assert offers.extended.rows.tolist() == [[0, 0], [0, 1], [0, 2], [0, 0], [0, 2]]
    assert offers.extended.owner.tolist() == [0, 0, 0, 2, 2]
    assert common_queries(group, found, 1) == []
    unlinked = Offers.of(group, found, 1, False)
    assert (unlinked.n_without, unlinked.sizes.tolist()) == (0, [3, 3, 3])


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 2), st.booleans(), st.data())
def test_the_frontier_is_what_all_of_some_transitions_offer(n_new, linked, data):
    """Where all is asked, what the parts have in common is the same."""
    states = data.draw(st.lists(strategies.states(CODES), min_size=1, max_size=5))
    offers = offers_of(states, n_new, linked)
    owners = np.unique(offers.extended.owner)
    numbers = data.draw(st.permutations(range(len(owners))))
    split = data.draw(st.integers(0, len(owners)))
    kept = {frozenset(offers.literals)}
    for number in numbers[:split]:
        rows = linked_extensions(offers.examples, owners[number], (0,), n_new, linked)
        offered = {
            frozenset(
                x for x in offers.literals if holds([x], row, offers.examples, owners[number])
            )
            for row in rows
        }
        met = {one & other for one in kept for other in offered}
        kept = {one for one in met if not any(one < other for other in met)}

    def sets(masks):
        return [
            frozenset(x for place, x in enumerate(offers.literals) if mask >> place & 1)
            for mask in masks
        ]

    first, second, every = (
        offers.frontier(np.array(own, dtype=int))
        for own in (numbers[:split], numbers[split:], numbers)
    )
    assert {*sets(first)} - {frozenset()} == kept - {frozenset()}
    assert {*meet(first, second)} - {0} == {*every} - {0}


@pytest.mark.parametrize(("linked", "n_left"), [(True, 2), (False, 3)])
def test_only_sets_that_are_linked_are_queries_the_largest_first(linked, n_left):
    """Each of them once; without links one variable needs none."""
    offers = offers_of([atoms("r b a")], linked=linked)
    place = {x: 1 << number for number, x in enumerate(offers.literals)}
    [p], [from_new], [other] = literals("p 1"), literals("r 1 0"), differ((0, 1))
    sets = [(), (p,), (from_new,), (from_new, other), (other,), (from_new,)]
    found = offers.queries(sum(place[x] for x in own) for own in sets)
    assert {*found[0]} == {from_new, other}
    assert {*found} >= {(from_new,)} and len(found) == len({*found})
    assert [len(query) for query in found] == sorted(map(len, found), reverse=True)
    assert ((p,) in found) == (not linked)
    assert len([query for query in found if query != (other,)]) == n_left
