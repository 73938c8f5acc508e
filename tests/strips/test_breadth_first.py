"""States in breadth-first order on a binary tree of numbers, whose order is known."""

from __future__ import annotations

from itertools import islice

from dias.strips.breadth_first import breadth_first
from dias.strips.joins.join import Successor

SIZE = 15


def successors(state):
    """From the state that holds n alone to those of 2n + 1 and 2n + 2, and back to the root."""
    [n] = state
    targets = [m for m in (2 * n + 1, 2 * n + 2, 0) if m < SIZE]
    return [Successor(f"to-{m}", (), frozenset({m}), state - {m}) for m in targets]


def tree(n):
    return frozenset({n})


def test_states_come_in_breadth_first_order_with_what_they_lead_to():
    number = {tree(0): 0}
    found = list(breadth_first(number, successors))
    assert [state for state, _ in found] == [tree(n) for n in range(SIZE)]
    assert number == {tree(n): n for n in range(SIZE)}
    assert [[next_state for _, next_state in steps] for _, steps in found[:2]] == [
        [tree(1), tree(2), tree(0)],
        [tree(3), tree(4), tree(0)],
    ]


def test_no_state_is_expanded_before_it_is_asked_for():
    asked = []

    def watched(state):
        asked.append(state)
        return successors(state)

    number = {tree(0): 0}
    expansions = breadth_first(number, watched)
    assert asked == []
    list(islice(expansions, 2))
    assert asked == [tree(0), tree(1)]
    assert list(number) == [tree(n) for n in range(5)]


def test_states_beyond_the_limit_are_neither_numbered_nor_expanded():
    number = {tree(0): 0}
    found = list(breadth_first(number, successors, max_states=4))
    assert [state for state, _ in found] == list(number) == [tree(n) for n in range(4)]
    assert tree(4) in [next_state for _, next_state in found[1][1]]
