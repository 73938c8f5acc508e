"""Test states: the first reachable states of problems, in breadth-first order.

Paper: Section "Test data" (``app:testing-data``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dias.limits import Limits
from dias.strips.breadth_first import breadth_first
from dias.strips.codes import AtomCodes, State
from dias.strips.engines.choice import build_engine
from dias.strips.engines.engine import SuccessorEngine
from dias.strips.model import Domain, Instance
from dias.strips.problem import CodedProblem


class ReachableStates(NamedTuple):
    """States of one problem.

    Attributes:
        problem: The problem.
        states: In breadth-first order, the initial one first.
    """

    problem: CodedProblem
    states: list[State]

    @property
    def codes(self) -> AtomCodes:
        """The numbering of its atoms."""
        return self.problem.codes


def reachable_states(
    domain: Domain, instances: Sequence[Instance], n_states: int
) -> list[ReachableStates]:
    """The first reachable states of each problem, `n_states` in all, shared evenly."""
    found = []
    for instance in instances:
        problem = CodedProblem.of(instance, domain)
        engine = build_engine("lifted", domain, problem)
        states = breadth_first_states(engine, problem.init, n_states)
        found.append(ReachableStates(problem, states))
    shares = share_evenly([len(own.states) for own in found], n_states)
    return [
        own._replace(states=own.states[:share]) for own, share in zip(found, shares, strict=True)
    ]


def breadth_first_states(
    engine: SuccessorEngine, init: State, n_states: int, limits: Limits | None = None
) -> list[State]:
    """The first `n_states` reachable states in breadth-first order, the initial one first.

    Fewer if there are not so many, or if the time ends before.
    """
    limits = limits or Limits()
    number = {init: 0}
    expansions = breadth_first(number, engine.successors, n_states)
    while len(number) < n_states and not limits.is_out_of_time:
        if next(expansions, None) is None:
            break
    return list(number)[:n_states]


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
