"""A ground task as pyperplan's searches and heuristics want to see it.

They ask a task for a few attributes and two methods (``pyperplan/task.py``), and offering just
these keeps them unmodified. A search gets a `SearchSpace`; a heuristic, which knows no negation,
gets its positive `Projection`. The projection is a relaxation, so what a heuristic calls a dead
end is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dias.limits import Check
from dias.planning.task import GroundTask, watch_rarest
from dias.strips.codes import State


@dataclass(slots=True, eq=False)
class Operator:
    """A ground operator under the attribute names of pyperplan's."""

    name: str
    number: int
    preconditions: State
    negative_preconditions: State
    add_effects: State
    del_effects: State

    def applicable(self, state: State) -> bool:
        """Whether the preconditions, positive and negative, hold in `state`."""
        return self.preconditions <= state and self.negative_preconditions.isdisjoint(state)

    def apply(self, state: State) -> State:
        r"""The state that follows: (s \ Del) ∪ Add."""
        return (state - self.del_effects) | self.add_effects


class SearchSpace:
    """What a search expands: indexed successors, negative literals, and a check per expansion.

    Args:
        task: The ground task.
        check: Called at each expansion; it may raise to stop the search.
    """

    def __init__(self, task: GroundTask, check: Check) -> None:
        self.initial_state = task.init
        self._task = task
        self._check = check
        operators = [
            Operator(str(op.action), number, *op[1:]) for number, op in enumerate(task.operators)
        ]
        self._watchers = {
            fact: [operators[number] for number in numbers]
            for fact, numbers in watch_rarest(task.operators).items()
        }

    def goal_reached(self, state: State) -> bool:
        """Whether the goal, positive and negative, holds in `state`."""
        return self._task.goal <= state and self._task.negative_goal.isdisjoint(state)

    def get_successor_states(self, state: State) -> list[tuple[Operator, State]]:
        """The applicable operators, by name and arguments, and the states they lead to."""
        self._check()
        applicable = [
            operator
            for fact in state
            for operator in self._watchers.get(fact, ())
            if operator.applicable(state)
        ]
        applicable.sort(key=lambda operator: operator.number)
        return [(operator, operator.apply(state)) for operator in applicable]


class Projection:
    """The task without its negative preconditions and goals.

    Asking for the operators checks the limits, since the landmark heuristic asks again and again
    in the loop that takes its time.
    """

    def __init__(self, task: GroundTask, check: Check) -> None:
        self.name = "task"
        self.facts = task.facts
        self.initial_state = task.init
        self.goals = task.goal
        self.check = check
        self._task = task
        self._operators = [
            Operator(
                str(op.action), number, op.preconditions, frozenset(), op.add_effects,
                op.delete_effects,
            )
            for number, op in enumerate(task.operators)
        ]  # fmt: skip

    @property
    def operators(self) -> list[Operator]:
        """The operators; may raise what the check raises."""
        self.check()
        return self._operators

    def __deepcopy__(self, memo: dict[int, Any]) -> Projection:
        """Fresh operators, which may be changed, over the same immutable sets."""
        return Projection(self._task, self.check)
