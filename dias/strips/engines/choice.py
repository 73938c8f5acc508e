"""The ways to compute successors, by the name under which the command line offers them.

``lifted``     joins over the atoms of the state (`dias.strips.joins`); nothing is grounded
``pyperplan``  pyperplan enumerates the ground operators that the static atoms allow
``tarski``     Tarski grounds from the initial state, each ground action is tested in the state

All give the same successors in the same order. They differ in where they may be used: Tarski
prunes by reachability, which is right for the domain that the states come from, the sampler's,
and wrong for a learned one, whose missing effects would make actions unreachable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Protocol

from dias.errors import PlannerError
from dias.limits import Check
from dias.strips.engines.engine import SuccessorEngine
from dias.strips.model import Domain
from dias.strips.problem import CodedProblem


class Dynamics(Protocol):
    """What says which states follow a state: a domain with an engine, or a learned network."""

    @property
    def domain(self) -> Domain:
        """Its name, and what states and actions are written in."""

    @property
    def fluents(self) -> frozenset[str]:
        """Names of the predicates that it may change."""

    def build(self, problem: CodedProblem, check: Check | None = None) -> SuccessorEngine:
        """Its successors in one problem; see `build_engine`."""


@dataclass(frozen=True)
class StripsDynamics:
    """A domain whose successors an engine of that name gives."""

    domain: Domain
    engine: str = "lifted"

    @property
    def fluents(self) -> frozenset[str]:
        """What the domain adds or deletes."""
        return self.domain.fluents

    def build(self, problem: CodedProblem, check: Check | None = None) -> SuccessorEngine:
        """The engine in one problem."""
        return build_engine(self.engine, self.domain, problem, check)


ENGINES: Mapping[str, str] = {
    "lifted": "dias.strips.engines.lifted:LiftedEngine",
    "pyperplan": "dias.strips.engines.pyperplan_grounding:PyperplanEngine",
    "tarski": "dias.strips.engines.tarski_grounding:TarskiEngine",
}
"""Name to class, called with domain, problem and check; its libraries are loaded when it is."""

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
    engine: SuccessorEngine = resolve_name(ENGINES[name])(domain, problem, check)
    return engine
