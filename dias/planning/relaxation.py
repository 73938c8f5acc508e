"""The FF heuristic on arrays.

pyperplan's hff takes 0.1 to 0.3 s a state on the tens of thousands of operators of a learned
domain with 40 blocks. This one computes the same costs, ten times faster, by sweeping over all
operators at once until nothing changes. The two may break ties differently.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dias.planning.search_space import Projection
from dias.strips.codes import State

_MAX_COST = 1e15
"""Additive costs can grow exponentially; a reachable atom never costs more than this."""


class FFHeuristic:
    """The length of a relaxed plan made of cheapest achievers under additive costs.

    An atom of the state costs 0, an operator 1 + the sum of its preconditions, and any other atom
    as much as the cheapest operator that adds it. The relaxed plan takes that operator for each
    goal, and for the preconditions of each operator taken.

    Args:
        task: Operators, atoms and goal; every operator has a precondition.
    """

    def __init__(self, task: Projection) -> None:
        operators = task.operators
        self._check = task.check
        self._number = {fact: number for number, fact in enumerate(sorted(task.facts))}
        self._names = [operator.name for operator in operators]
        self._goals = self._numbers(task.goals)
        self._preconditions = [self._numbers(operator.preconditions) for operator in operators]
        # One column an operator. Columns are filled up with an atom past the end, which is free.
        width = max(map(len, self._preconditions), default=0)
        self._inputs = np.full((width, len(operators)), len(self._number))
        for column, preconditions in enumerate(self._preconditions):
            self._inputs[: len(preconditions), column] = preconditions
        # Achievers, atom after atom, and where each atom's begin.
        adds = sorted(
            (fact, number)
            for number, operator in enumerate(operators)
            for fact in self._numbers(operator.add_effects)
        )
        self._achievers = np.array([number for _, number in adds], dtype=np.intp)
        self._added, self._achiever_starts = np.unique(
            np.array([fact for fact, _ in adds], dtype=np.intp), return_index=True
        )
        groups = np.split(self._achievers, self._achiever_starts[1:])
        self._achievers_of = dict(zip(self._added.tolist(), groups, strict=False))

    def __call__(self, node: Any) -> float:
        """The heuristic value of a search node; infinity for a dead end."""
        return self.calc_h_with_plan(node)[0]

    def calc_h_with_plan(self, node: Any) -> tuple[float, set[str] | None]:
        """The value and the operator names of the relaxed plan, None for a dead end.

        It checks the limits, which nothing else does where a search asks for both.
        """
        self._check()
        facts, operators = self.costs(node.state)
        if np.isinf(facts[self._goals]).any():
            return float("inf"), None
        relaxed_plan: set[str] = set()
        needed = list(self._goals)
        seen = set(needed)
        while needed:
            fact = needed.pop()
            if facts[fact] == 0:
                continue
            achievers = self._achievers_of[fact]
            cheapest = int(achievers[np.argmin(operators[achievers])])
            relaxed_plan.add(self._names[cheapest])
            new = [f for f in self._preconditions[cheapest] if f not in seen]
            needed += new
            seen.update(new)
        return len(relaxed_plan), relaxed_plan

    def costs(self, state: State) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Additive costs of all atoms, in the order of their codes, and of all operators."""
        facts = np.full(len(self._number) + 1, np.inf)
        facts[self._numbers(state)] = facts[-1] = 0
        while True:
            operators = 1 + facts.take(self._inputs).sum(axis=0)
            cheapest = np.minimum.reduceat(operators.take(self._achievers), self._achiever_starts)
            np.minimum(cheapest, _MAX_COST, out=cheapest, where=cheapest < np.inf)
            before = facts[self._added]
            if (before <= cheapest).all():
                return facts[:-1], operators
            facts[self._added] = np.minimum(before, cheapest)

    def _numbers(self, facts: State) -> list[int]:
        return sorted(self._number[fact] for fact in facts)
