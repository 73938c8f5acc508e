"""Planning with the planners that unified-planning knows, an optional extra.

They get the problem as it was read, so what a problem says of types by facts is a type for them
too, and their plans are walked through before anybody sees them.
"""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

from dias.errors import PlannerError
from dias.limits import Limits
from dias.planning.result import PlanResult, PlanStatus, found_plan
from dias.planning.validate import validate
from dias.strips.grounding import GroundAction
from dias.strips.model import Domain, Instance
from dias.strips.type_facts import with_types_said

_NO_PLAN = {
    "UNSOLVABLE_PROVEN": (PlanStatus.UNSOLVABLE, "no plan exists: {planner} has proven it"),
    "UNSOLVABLE_INCOMPLETELY": (
        PlanStatus.NOT_FOUND,
        "no plan found, but {planner} does not say that none exists",
    ),
    "TIMEOUT": (PlanStatus.OUT_OF_TIME, "no plan found within {limit} by {planner}"),
    "MEMOUT": (PlanStatus.OUT_OF_MEMORY, "no plan found within the memory by {planner}"),
}
"""unified-planning's status to ours, and the message."""


def plan_with(
    planner: str, domain: Domain, instance: Instance, time_limit_s: float | None = None
) -> PlanResult:
    """A plan by another planner.

    Args:
        planner: Its name in unified-planning.
        domain: The domain, true or learned.
        instance: The problem.
        time_limit_s: Seconds in all; the planner gets what loading and writing leave of them.

    Raises:
        PlannerError: unified-planning or the planner is not installed, or it failed, or its plan
            is not one.
        UnsupportedPDDLError: The domain has types that unified-planning does not have.
    """
    limits = Limits(time_limit_s)
    start = perf_counter()
    from dias.adapters.unified_planning import to_problem
    from dias.adapters.unified_planning.planners import run_planner

    instance = with_types_said(instance, domain)
    # Fast Downward refuses what changes nothing, and no plan needs it.
    changing = tuple(a for a in domain.actions if a.add_effects or a.delete_effects)
    problem = to_problem(replace(domain, actions=changing), instance)
    written = perf_counter()
    # A planner that has no time left is asked all the same, whether it exists.
    timeout = None if time_limit_s is None else max(limits.remaining_s, 1e-3)
    answer = run_planner(planner, problem, timeout)
    steps: tuple[GroundAction, ...] = ()
    if answer.steps is not None:
        steps = answer.steps
        _check(steps, planner, domain, instance)
        status, message = PlanStatus.SOLVED, found_plan(steps)
    else:
        status, text = _NO_PLAN[answer.status]
        limit = "the time the system gives" if time_limit_s is None else f"{time_limit_s:g} s"
        message = text.format(planner=planner, limit=limit)
    return PlanResult(status, steps, 0, written - start, perf_counter() - written, message)


def _check(
    steps: tuple[GroundAction, ...], planner: str, domain: Domain, instance: Instance
) -> None:
    """A plan that is none is the planner's fault, or that of what it was given."""
    verdict = validate(steps, domain, instance)
    if verdict.valid:
        return
    fault = f"the goal {', '.join(verdict.unmet)} does not hold at the end"
    if verdict.faults:
        fault = (
            f"step {verdict.n_applicable + 1} {steps[verdict.n_applicable]}: {verdict.faults[0]}"
        )
    raise PlannerError(
        f"expected a plan from {planner}, found steps that are none in domain {domain.name}: "
        f"{fault}",
        remedy="Plan with pyperplan, and report it",
    )
