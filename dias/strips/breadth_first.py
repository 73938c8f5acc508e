"""Reachable states in breadth-first order, each expanded when it is asked for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator

from dias.strips.codes import State
from dias.strips.joins.join import Successor


def breadth_first(
    number: dict[State, int],
    successors: Callable[[State], Iterable[Successor]],
    max_states: float = math.inf,
) -> Iterator[tuple[State, list[tuple[Successor, State]]]]:
    """Expand the states of `number`, and those that are found so, one after another.

    Args:
        number: States to their places in breadth-first order, the first one alone at first. Those
            that are found are added.
        successors: The ground actions that are applicable in a state.
        max_states: When there are so many states, no others are added.

    Yields:
        A state, and its applicable ground actions with the states that they lead to.
    """
    states = list(number)
    for state in states:  # grows while it is read
        steps = [(successor, successor.next_state(state)) for successor in successors(state)]
        for _, next_state in steps:
            if next_state not in number and len(states) < max_states:
                number[next_state] = len(states)
                states.append(next_state)
        yield state, steps
