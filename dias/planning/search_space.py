"""A ground task as searches and heuristics want to see it, pyperplan's and our own.

They ask a task for a few attributes and two methods (``pyperplan/task.py``), and offering just
these keeps pyperplan's unmodified.
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
    add_effects: State
    del_effects: State

    def applicable(self, state: State) -> bool:
        """Whether the preconditions hold in `state`."""
        return self.preconditions <= state

    def apply(self, state: State) -> State:
        r"""The state that follows: (s \ Del) ∪ Add."""
        return (state - self.del_effects) | self.add_effects


class SearchSpace:
    """What a search expands and a heuristic relaxes: indexed successors, and limits.

    Expanding a state checks the limits, and so does asking for the operators, since the landmark
    heuristic asks again and again in the loop that takes its time.

    Args:
        task: The ground task.
        check: Called at each expansion; it may raise to stop the search.
    """

    def __init__(self, task: GroundTask, check: Check) -> None:
        self.name = "task"
        self.facts = task.facts
        self.initial_state = task.init
        self.goals = task.goal
        self.check = check
        self._task = task
        self._operators = [
            Operator(str(op.action), number, op.preconditions, op.add_effects, op.delete_effects)
            for number, op in enumerate(task.operators)
        ]
        self._watchers = {
            fact: [self._operators[number] for number in numbers]
            for fact, numbers in watch_rarest(task.operators).items()
        }

    @property
    def operators(self) -> list[Operator]:
        """The operators; may raise what the check raises."""
        self.check()
        return self._operators

    def goal_reached(self, state: State) -> bool:
        """Whether the goal holds in `state`."""
        return self.goals <= state

    def applicable(self, state: State) -> list[Operator]:
        """The operators applicable in `state`, by name and arguments."""
        self.check()
        applicable = [
            operator
            for fact in state
            for operator in self._watchers.get(fact, ())
            if operator.preconditions <= state
        ]
        applicable.sort(key=lambda operator: operator.number)
        return applicable

    def get_successor_states(self, state: State) -> list[tuple[Operator, State]]:
        """The applicable operators, by name and arguments, and the states they lead to."""
        return [(operator, operator.apply(state)) for operator in self.applicable(state)]

    def __deepcopy__(self, memo: dict[int, Any]) -> SearchSpace:
        """Fresh operators, which may be changed, over the same immutable sets."""
        return SearchSpace(self._task, self.check)
