"""Test states: reachable states of problems, the first ones or those that random walks meet.

Breadth-first states lie near the initial one, where some actions are never applicable; walks go
further.

Paper: Section "Test data" (``app:testing-data``), breadth first.
Departs: `walk` and `both` are ours.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

from dias.limits import OutOfTimeError, active_check, check
from dias.strips.breadth_first import breadth_first
from dias.strips.codes import AtomCodes, State
from dias.strips.engines.choice import build_engine
from dias.strips.engines.engine import SuccessorEngine
from dias.strips.joins.successors import Successor
from dias.strips.model import Domain, Instance
from dias.strips.problem import CodedProblem
from dias.traces.sampling.samples import SamplingConfig
from dias.traces.sampling.walk import GIVE_UP_AFTER, choose_balanced, remembering

Successors = Callable[[State], Sequence[Successor]]

WALK_LENGTH = SamplingConfig.restart_after
"""Steps after which a walk begins anew."""


class ReachableStates(NamedTuple):
    """States of one problem.

    Attributes:
        problem: The problem.
        states: In the order in which they were found, the initial one first.
    """

    problem: CodedProblem
    states: list[State]

    @property
    def codes(self) -> AtomCodes:
        """The numbering of its atoms."""
        return self.problem.codes


def reachable_states(
    domain: Domain,
    instances: Sequence[Instance],
    n_states: int,
    states_from: str = "bfs",
    seed: int = 0,
) -> list[ReachableStates]:
    """Reachable states of each problem, `n_states` in all, shared evenly; see `find_states`.

    Fewer if a time limit around ends the search.
    """
    found = []
    for instance in instances:
        problem = CodedProblem.of(instance, domain)
        engine = build_engine("lifted", domain, problem, active_check())
        states = find_states(engine, problem.init, n_states, states_from, seed)
        found.append(ReachableStates(problem, states))
    shares = share_evenly([len(own.states) for own in found], n_states)
    return [
        own._replace(states=own.states[:share]) for own, share in zip(found, shares, strict=True)
    ]


def find_states(
    engine: SuccessorEngine, init: State, n_states: int, states_from: str = "bfs", seed: int = 0
) -> list[State]:
    """Different reachable states, the initial one first.

    Those that a smaller number gives are the first of those that a larger one gives.

    Args:
        engine: The successors of a state.
        init: The initial state.
        n_states: How many. Fewer are found if there are not so many, if the walks meet no further
            ones, or if a time limit around ends before.
        states_from: A key of `SOURCES`.
        seed: Seed of the walks.

    Raises:
        ValueError: `states_from` is no key of `SOURCES`.
    """
    if states_from not in SOURCES:
        raise ValueError(f"states_from must be one of {', '.join(SOURCES)}")

    def successors(state: State) -> Sequence[Successor]:
        check()
        return engine.successors(state)

    found: list[State] = []
    with suppress(OutOfTimeError):
        for state in islice(SOURCES[states_from](successors, init, random.Random(seed)), n_states):
            found.append(state)
    return found


def _breadth_first(successors: Successors, init: State, _rng: random.Random) -> Iterator[State]:
    number = {init: 0}
    n_given = 1
    yield init
    for _, steps in breadth_first(number, successors):
        for _, next_state in steps:
            if number[next_state] == n_given:
                n_given += 1
                yield next_state


def _walk(successors: Successors, init: State, rng: random.Random) -> Iterator[State]:
    """What balanced walks from the initial state meet for the first time.

    A walk begins anew at a dead end and after `WALK_LENGTH` steps; `GIVE_UP_AFTER` walks in a row
    that meet nothing new are the last ones.
    """
    met, known = {init}, remembering(successors)
    yield init
    n_idle = 0
    while n_idle < GIVE_UP_AFTER:
        n_idle += 1
        state = init
        for _ in range(WALK_LENGTH):
            applicable = known(state)
            if not applicable:
                break
            state = choose_balanced(applicable, rng).next_state(state)
            if state not in met:
                met.add(state)
                n_idle = 0
                yield state


def _both(successors: Successors, init: State, rng: random.Random) -> Iterator[State]:
    """One of each in turn, none twice; what breadth first has not found in the end is not there."""
    near, far = (source(successors, init, rng) for source in (_breadth_first, _walk))
    given: set[State] = set()
    while True:
        for source in (near, far):
            state = next((state for state in source if state not in given), None)
            if state is not None:
                given.add(state)
                yield state
            elif source is near:
                return


SOURCES: Mapping[str, Callable[[Successors, State, random.Random], Iterator[State]]] = {
    "bfs": _breadth_first,
    "walk": _walk,
    "both": _both,
}
"""Where test states come from: in breadth-first order, from random walks, or half of each."""


def share_evenly(available: list[int], wanted: int) -> list[int]:
    """Split `wanted` evenly, none getting more than is `available`.

    >>> share_evenly([100, 3, 100], 90)
    [44, 3, 43]
    """
    shares = [0] * len(available)
    order = sorted(range(len(available)), key=lambda place: available[place])
    for n_done, place in enumerate(order):
        even = -(-(wanted - sum(shares)) // (len(order) - n_done))
        shares[place] = min(available[place], even)
    return shares
