"""The ways to compute successors, by the name under which the command line offers them.

``lifted``     joins over the atoms of the state (`dias.strips.joins`); nothing is grounded
``pyperplan``  pyperplan enumerates the ground operators that the static atoms allow
``tarski``     Tarski grounds from the initial state, each ground action is tested in the state

All give the same successors in the same order. They differ in where they may be used: Tarski
prunes by reachability, which is right for the domain that the states come from, the sampler's,
and wrong for a learned one, whose missing effects would make actions unreachable.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from dias.errors import PlannerError
from dias.limits import Check
from dias.strips.codes import AtomCodes, State
from dias.strips.engines.lifted import LiftedEngine
from dias.strips.engines.listed import ListedEngine
from dias.strips.grounding import GroundOperator, bind_operators
from dias.strips.joins.join import Successor
from dias.strips.joins.successors import Change
from dias.strips.model import Domain, Predicate
from dias.strips.problem import CodedProblem, Signature


class SuccessorEngine(Protocol):
    """Enumerates the applicable ground actions of a domain in a state."""

    def successors(self, state: State) -> list[Successor]:
        """All applicable ground actions in `state`, by schema, then by binding."""

    def expansions(self, state: State) -> Iterator[Iterator[Successor]]:
        """Of each schema, lazily, one ground action at least of those that change the same."""

    def reached(self, state: State, changes: Collection[Change]) -> dict[str, set[Change]] | None:
        """Which of some changes are possible in `state`, by the actions that make them.

        None if there is no way to know but to enumerate.
        """


class Dynamics(Signature, Protocol):
    """What says which states follow a state: a domain with an engine, or a learned network."""

    @property
    def name(self) -> str:
        """Its name in messages."""

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of its actions."""

    def build(self, problem: CodedProblem, check: Check | None = None) -> SuccessorEngine:
        """Its successors in one problem; see `build_engine`."""


@dataclass(frozen=True)
class StripsDynamics:
    """A domain whose successors an engine of that name gives."""

    domain: Domain
    engine: str = "lifted"

    @property
    def name(self) -> str:
        """The domain's name."""
        return self.domain.name

    @property
    def predicates(self) -> tuple[Predicate, ...]:
        """The domain's predicates."""
        return self.domain.predicates

    @property
    def constants(self) -> Mapping[str, str]:
        """The domain's constants."""
        return self.domain.constants

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of the domain's actions."""
        return tuple(action.name for action in self.domain.actions)

    @property
    def fluents(self) -> frozenset[str]:
        """What the domain adds or deletes."""
        return self.domain.fluents

    def build(self, problem: CodedProblem, check: Check | None = None) -> SuccessorEngine:
        """The engine in one problem."""
        return build_engine(self.engine, self.domain, problem, check)


BuildEngine = Callable[[Domain, CodedProblem, Check | None], SuccessorEngine]
"""(domain, problem, check) to engine; see `build_engine`."""


class CheckedOperators(ListedEngine):
    """An engine that tests each of the given ground operators in the state.

    Args:
        operators: The operators, by schema, then by binding.
        codes: The numbering of atoms and objects.
    """

    def __init__(self, operators: Iterator[GroundOperator], codes: AtomCodes) -> None:
        number = codes.object_number
        self._operators = [
            (operator, tuple(number[name] for name in operator.action.arguments))
            for operator in operators
        ]

    def successors(self, state: State) -> list[Successor]:
        """All applicable ground actions in `state`, by schema, then by binding."""
        return [
            Successor(action.name, binding, add - state, delete & state)
            for (action, pre, negative, add, delete), binding in self._operators
            if pre <= state and negative.isdisjoint(state)
        ]


def _pyperplan(domain: Domain, problem: CodedProblem, check: Check | None) -> SuccessorEngine:
    from dias.strips.engines.pyperplan_grounding import PyperplanEngine

    return PyperplanEngine(domain, problem, check)


def _tarski(domain: Domain, problem: CodedProblem, check: Check | None) -> SuccessorEngine:
    from dias.strips.engines.tarski_grounding import reachable_actions

    codes, static = problem.codes, problem.static.atoms
    place = {action.name: number for number, action in enumerate(domain.actions)}
    reachable = reachable_actions(domain, problem.instance)
    actions = sorted(reachable, key=lambda action: place[action.name])
    number = codes.object_number
    bindings = [(name, tuple(number[o] for o in arguments)) for name, arguments in actions]
    # Bound with their static literals, which Tarski leaves undecided where they are negative.
    predicates = frozenset(codes.arities)
    operators = (
        operator._replace(preconditions=operator.preconditions - static)
        for operator in bind_operators(domain, codes, predicates, bindings)
        if operator.negative_preconditions.isdisjoint(static)
    )
    return CheckedOperators(operators, codes)


ENGINES: Mapping[str, BuildEngine] = {
    "lifted": LiftedEngine,
    "pyperplan": _pyperplan,
    "tarski": _tarski,
}
"""Name to builder; the libraries are loaded when an engine is built."""

UNPRUNED = ("lifted", "pyperplan")
"""The engines that are right in every state, and so for a learned domain."""


def build_engine(
    name: str, domain: Domain, problem: CodedProblem, check: Check | None = None
) -> SuccessorEngine:
    """The engine of that name.

    Args:
        name: A key of `ENGINES`.
        domain: The domain whose schemas are expanded.
        problem: The problem; its initial state matters to ``tarski`` alone.
        check: What may end grounding (``pyperplan``) or a search for bindings (``lifted``) early.

    Raises:
        PlannerError: There is no engine of that name, or the task is too large to be grounded.
    """
    if name not in ENGINES:
        raise PlannerError(
            f"unknown engine {name!r}", remedy=f"Choose one of {', '.join(sorted(ENGINES))}"
        )
    return ENGINES[name](domain, problem, check)
