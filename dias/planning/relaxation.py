"""The FF heuristic on arrays.

pyperplan's hff takes 0.1 to 0.3 s a state on the tens of thousands of operators of a learned
domain with 40 blocks. This one computes the same costs, ten times faster, by sweeping over all
operators at once until nothing changes. The two may break ties differently.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dias.planning.search_space import SearchSpace
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

    def __init__(self, task: SearchSpace) -> None:
        operators = task.operators
        self._check = task.check
        self._number = {fact: number for number, fact in enumerate(sorted(task.facts))}
        self._names = [operator.name for operator in operators]
        self._goals = self._numbers(task.goals)
        self._preconditions = [self._numbers(operator.preconditions) for operator in operators]
        # The n-th preconditions of all operators; who has fewer has an atom past the end, which
        # is free.
        width = max(map(len, self._preconditions), default=1)
        inputs = np.full((width, len(operators)), len(self._number))
        for column, preconditions in enumerate(self._preconditions):
            inputs[: len(preconditions), column] = preconditions
        self._first, *self._more = inputs
        # Achievers, atom after atom, where each atom's begin, and whose each is.
        adds = sorted(
            (fact, number)
            for number, operator in enumerate(operators)
            for fact in self._numbers(operator.add_effects)
        )
        self._achievers = np.array([number for _, number in adds], dtype=np.intp)
        self._added, self._achiever_starts, self._owners = np.unique(
            np.array([fact for fact, _ in adds], dtype=np.intp),
            return_index=True,
            return_inverse=True,
        )
        self._row = {fact: row for row, fact in enumerate(self._added.tolist())}

    def __call__(self, node: Any) -> float:
        """The heuristic value of a search node; infinity for a dead end."""
        return self.calc_h_with_plan(node)[0]

    def calc_h_with_plan(self, node: Any) -> tuple[float, set[str] | None]:
        """The value and the operator names of the relaxed plan, None for a dead end.

        It checks the limits, which nothing else does where a search asks for both.
        """
        (length, _), names = self.evaluate(node)
        return length, names

    def evaluate(self, node: Any) -> tuple[tuple[float, float], set[str] | None]:
        """As `calc_h_with_plan`, with the sum of the goals' additive costs beside the value.

        The sum is the additive heuristic: it counts twice what serves twice, and so still tells
        states apart whose relaxed plans are as long.
        """
        self._check()
        facts, operators = self.costs(node.state)
        additive = float(facts[self._goals].sum())
        if additive == float("inf"):
            return (additive, additive), None
        cheapest = self._cheapest_achievers(operators)
        relaxed_plan: set[int] = set()
        needed = list(self._goals)
        seen = set(needed)
        while needed:
            fact = needed.pop()
            if facts[fact] == 0:
                continue
            achiever = int(cheapest[self._row[fact]])
            relaxed_plan.add(achiever)
            new = [f for f in self._preconditions[achiever] if f not in seen]
            needed += new
            seen.update(new)
        names = {self._names[number] for number in relaxed_plan}
        return (len(names), additive), names

    def costs(self, state: State) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Additive costs of all atoms, in the order of their codes, and of all operators."""
        facts = np.full(len(self._number) + 1, np.inf)
        facts[self._numbers(state)] = facts[-1] = 0
        while True:
            operators = facts.take(self._first)
            for inputs in self._more:
                operators += facts.take(inputs)
            operators += 1
            cheapest = np.minimum.reduceat(operators.take(self._achievers), self._achiever_starts)
            np.minimum(cheapest, _MAX_COST, out=cheapest, where=cheapest < np.inf)
            before = facts.take(self._added)
            if (before <= cheapest).all():
                return facts[:-1], operators
            facts[self._added] = np.minimum(before, cheapest)

    def _cheapest_achievers(self, operators: NDArray[np.float64]) -> NDArray[np.intp]:
        """The first of the cheapest operators that add an atom, for each of those added.

        Args:
            operators: Their costs.
        """
        costs = operators.take(self._achievers)
        least = np.minimum.reduceat(costs, self._achiever_starts)
        # Backwards, for of those written to one place the last stays.
        hits = np.flatnonzero(costs == least.take(self._owners))[::-1]
        cheapest = np.empty(len(least), dtype=np.intp)
        cheapest[self._owners.take(hits)] = self._achievers.take(hits)
        return cheapest

    def _numbers(self, facts: State) -> list[int]:
        return sorted(self._number[fact] for fact in facts)
