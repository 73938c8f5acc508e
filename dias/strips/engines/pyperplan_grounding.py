"""Successors by pyperplan: ground operators, each tested in the state by pyperplan's own code.

The operators are all those that the static atoms allow. They are not pruned by what is reachable
from one initial state, so a learned domain is measured fairly: an effect that it lacks removes no
operator. Besides `dias.planning.searches`, which needs pyperplan's searches, this is the only
module that imports pyperplan; it needs no more than its task.
"""

from __future__ import annotations

from dataclasses import replace

from pyperplan.task import Operator, Task

from dias.errors import PlannerError
from dias.limits import Check
from dias.strips.codes import State
from dias.strips.engines.engine import SuccessorEngine
from dias.strips.grounding import GroundOperator, bind_operators
from dias.strips.joins.join import Successor
from dias.strips.joins.successors import SuccessorGenerator
from dias.strips.model import Atom, Domain
from dias.strips.problem import CodedProblem

MAX_OPERATORS = 1_000_000
"""Ground operators at most; a million take about a gigabyte."""


class PyperplanEngine(SuccessorEngine):
    """Grounds a domain once and lets pyperplan enumerate the applicable operators.

    Args:
        domain: The domain whose schemas are expanded.
        problem: The problem; its initial state is not looked at.
        check: Called again and again while grounding; it may raise to end that.

    Attributes:
        task: pyperplan's own task; its states are ours.

    Raises:
        PlannerError: There are more than `MAX_OPERATORS` ground operators.
    """

    def __init__(self, domain: Domain, problem: CodedProblem, check: Check | None = None) -> None:
        bindings = _bindings(domain, problem, check)
        operators = []
        ground = bind_operators(domain, problem.codes, problem.fluents, bindings)
        for operator, (_, binding) in zip(ground, bindings, strict=True):
            if check:
                check()
            operators.append(_Operator(operator, binding))
        self.task = Task(problem.name, set(), frozenset(), frozenset(), operators)

    def successors(self, state: State) -> list[Successor]:
        """All applicable ground actions in `state`, by schema, then by binding."""
        return [
            Successor(operator.name, operator.binding, next_state - state, state - next_state)
            for operator, next_state in self.task.get_successor_states(state)
        ]


class _Operator(Operator):  # type: ignore[misc]
    """pyperplan's operator with negative preconditions."""

    def __init__(self, operator: GroundOperator, binding: tuple[int, ...]) -> None:
        super().__init__(
            operator.action.name,
            operator.preconditions,
            operator.add_effects,
            operator.delete_effects,
        )
        self.binding = binding
        self.negative_preconditions = operator.negative_preconditions

    def applicable(self, state: State) -> bool:
        """Whether the preconditions, positive and negative, hold in `state`."""
        return self.preconditions <= state and self.negative_preconditions.isdisjoint(state)


def _bindings(
    domain: Domain, problem: CodedProblem, check: Check | None
) -> list[tuple[str, tuple[int, ...]]]:
    """The bindings that satisfy types, (in)equalities and static literals, in schema order."""

    def static(atoms: frozenset[Atom]) -> frozenset[Atom]:
        return frozenset(atom for atom in atoms if atom.predicate not in problem.fluents)

    schemas = tuple(
        replace(
            action,
            preconditions=static(action.preconditions),
            negative_preconditions=static(action.negative_preconditions),
            add_effects=frozenset(),
            delete_effects=frozenset(),
        )
        for action in domain.actions
    )
    generator = SuccessorGenerator(replace(domain, actions=schemas), problem, check=check)
    bindings: list[tuple[str, tuple[int, ...]]] = []
    for successor in generator.iterate(frozenset()):
        if len(bindings) == MAX_OPERATORS:
            raise PlannerError(
                f"problem {problem.name} has more than {MAX_OPERATORS:,} ground operators "
                f"in domain {domain.name}",
                remedy="Use --engine lifted, which does not ground",
            )
        bindings.append((successor.action, successor.binding))
    place = {action.name: number for number, action in enumerate(domain.actions)}
    return sorted(bindings, key=lambda binding: (place[binding[0]], binding[1]))
