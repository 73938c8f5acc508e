"""Lazy greedy best-first search with preferred operators, as in LAMA (Richter and Westphal 2010).

pyperplan's greedy search evaluates every successor of a state before it takes one. Here a state is
evaluated when it is taken, and until then is as good as its parent; of such states those are taken
first, nearly always, that a relaxed plan of the parent leads to. If there are several estimates,
they have their say in turn: where one is the same over a wide plateau, another need not be.
Nothing is left out, so a search that ends without a plan has seen every state that is no dead end.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Set
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count

from dias.planning.search_space import Operator, SearchSpace
from dias.strips.codes import State

log = logging.getLogger(__name__)

_BOOST = 100
"""How many nodes in a row preferred operators lead to after each progress. In LAMA it is 1000; in
21 problems of competitions and of our own 100 took 0.7 times as long, with 0 or 10 some failed."""


@dataclass(eq=False)
class Node:
    """A state and how it was reached, under the attribute names of pyperplan's."""

    state: State
    parent: Node | None = None
    action: Operator | None = None

    def plan(self) -> list[Operator]:
        """The operators from the initial state to this one."""
        node, steps = self, []
        while node.parent is not None and node.action is not None:
            steps.append(node.action)
            node = node.parent
        return steps[::-1]


Evaluate = Callable[[Node], tuple[tuple[float, ...], Set[str] | None]]
"""Node to its estimates, infinite for dead ends only, and the names of preferred operators."""

_Entry = tuple[float, int, Node, Operator]
"""The estimate for a node, a number (of equals the older is first), the node, what follows it."""


class _Queue:
    """Operators that may be applied next, the best first.

    Attributes:
        n_turns: How often it had its turn, less what it was given; who has least is next.
    """

    def __init__(self) -> None:
        self.entries: list[_Entry] = []
        self.n_turns = 0


def lazy_search(task: SearchSpace, evaluate: Evaluate, n_estimates: int) -> list[Operator] | None:
    """Search for a plan.

    Args:
        task: What is searched.
        evaluate: What guides it; it checks the limits.
        n_estimates: How many estimates it gives.

    Returns:
        The operators of a plan; None if there is none.
    """
    # Of queues whose turn it is the first has it.
    preferred, ordinary = ([_Queue() for _ in range(n_estimates)] for _ in range(2))
    best = [float("inf")] * n_estimates
    numbers = count()
    seen = set()
    node = Node(task.initial_state)
    while True:
        if node.state not in seen:
            seen.add(node.state)
            if task.goal_reached(node.state):
                log.info("%d states seen", len(seen))
                return node.plan()
            estimates, names = evaluate(node)
            if any(new < old for new, old in zip(estimates, best, strict=True)):
                best = list(map(min, estimates, best))
                for queue in preferred:
                    queue.n_turns -= _BOOST
            following = task.applicable(node.state) if max(estimates) < float("inf") else ()
            for operator in following:
                number = next(numbers)
                queues = preferred + ordinary if operator.name in (names or ()) else ordinary
                for queue, estimate in zip(queues, estimates * 2, strict=False):
                    heappush(queue.entries, (estimate, number, node, operator))
        waiting = [queue for queue in preferred + ordinary if queue.entries]
        if not waiting:
            log.info("%d states seen, which are all but those beyond dead ends", len(seen))
            return None
        queue = min(waiting, key=lambda queue: queue.n_turns)
        queue.n_turns += 1
        _, _, parent, operator = heappop(queue.entries)
        node = Node(operator.apply(parent.state), parent, operator)
