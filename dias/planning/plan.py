"""Planning with pyperplan, in domains that pyperplan itself cannot read.

pyperplan knows neither negation nor inequality, and grounds by enumerating Cartesian products.
So grounding is ours (`dias.planning.task`), and searches and heuristics, pyperplan's and our own,
run on its result (`dias.planning.searches`). Other planners: `dias.planning.other_planners`.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter

from dias.errors import PlannerError, did_you_mean
from dias.limits import Limits, OutOfTimeError
from dias.planning.result import PlanResult, PlanStatus, found_plan
from dias.planning.searches import HEURISTICS, INCOMPLETE, SEARCHES, run_search
from dias.planning.task import GroundTask, compile_task
from dias.strips.grounding import GroundAction
from dias.strips.model import Domain, Instance
from dias.strips.type_facts import with_types_said

PYPERPLAN = "pyperplan"
"""The default among planners; unified-planning knows the others by name."""


def plan(
    domain: Domain,
    instance: Instance,
    *,
    planner: str = PYPERPLAN,
    search: str = "lazy",
    heuristic: str = "hff",
    time_limit_s: float | None = None,
    memory_limit_mb: int | None = None,
) -> PlanResult:
    """Search for a plan.

    With hff, gbf and ehs first try the operators of the relaxed plans alone, which is fast but
    incomplete, then all operators; lazy prefers them, and leaves none out.

    Args:
        domain: The domain, true or learned.
        instance: The problem; it needs a goal.
        planner: ``pyperplan``, or the name of one that unified-planning knows
            (`dias.planning.other_planners`); such a one takes of what follows the time limit only.
        search: A key of `SEARCHES`.
        heuristic: A key of `HEURISTICS`; a search that uses none ignores it.
        time_limit_s: For grounding and search together, checked between the evaluations of the
            heuristic.
        memory_limit_mb: Resident memory of the whole process, in MiB.

    Raises:
        PlannerError: If a name is unknown, the problem has no goal, the task is too deep for a
            recursive search, or another planner is not installed or fails.

    Examples:
        >>> import dias
        >>> domain = dias.read_domain("benchmarks/domains/blocks-3/domain.pddl")
        >>> problem = dias.read_problem("benchmarks/domains/blocks-3/p01.pddl", domain)
        >>> result = dias.plan(domain, problem, search="astar", heuristic="lmcut")
        >>> result.message
        'found a plan of 7 steps'
        >>> print(result.steps[0])
        (newtower b1 b2)
    """
    _check_choice("search", search, SEARCHES)
    _check_choice("heuristic", heuristic, HEURISTICS)
    if not instance.has_goal:
        raise PlannerError(
            f"a goal was expected, but problem {instance.name} has none",
            remedy="Add a (:goal ...) to the problem file",
        )
    if planner != PYPERPLAN:
        from dias.planning.other_planners import plan_with

        return plan_with(planner, domain, instance, time_limit_s)
    instance = with_types_said(instance, domain)
    limits = Limits(time_limit_s, memory_limit_mb)
    task: GroundTask | None = None
    steps: tuple[GroundAction, ...] = ()
    start = perf_counter()
    grounded: float | None = None
    try:
        limits.check()
        task = compile_task(domain, instance, limits.check)
        grounded = perf_counter()
        status, steps, message = _solve(task, search, heuristic, limits)
    except OutOfTimeError:
        status, message = PlanStatus.OUT_OF_TIME, f"no plan found within {time_limit_s:g} s"
    except MemoryError:
        status, message = PlanStatus.OUT_OF_MEMORY, "no plan found within the memory"
    except RecursionError:
        raise PlannerError(
            f"the task is too deep for search {search} with heuristic {heuristic}",
            remedy="Choose search lazy with heuristic hff",
        ) from None
    end = perf_counter()
    if status in (PlanStatus.OUT_OF_TIME, PlanStatus.OUT_OF_MEMORY):
        message += f" (stopped while {'searching' if grounded else 'grounding'})"
    return PlanResult(
        status=status,
        steps=steps,
        n_operators=len(task.operators) if task else 0,
        grounding_s=(grounded or end) - start,
        search_s=end - (grounded or end),
        message=message,
    )


def format_plan(result: PlanResult) -> str:
    """The plan in the form of the International Planning Competition, one action a line.

    Raises:
        PlannerError: If there is no plan.
    """
    if result.status is not PlanStatus.SOLVED:
        raise PlannerError(f"there is no plan to write: {result.message}")
    lines = [*map(str, result.steps), f"; cost = {len(result.steps)} (unit cost)"]
    return "\n".join(lines) + "\n"


def _check_choice(what: str, name: str, choices: Mapping[str, object]) -> None:
    if name not in choices:
        close, names = did_you_mean(name, choices), ", ".join(sorted(choices))
        raise PlannerError(
            f"unknown {what} {name!r}", remedy=f"{close} Choose one of {names}".strip()
        )


def _solve(
    task: GroundTask, search: str, heuristic: str, limits: Limits
) -> tuple[PlanStatus, tuple[GroundAction, ...], str]:
    if task.unreachable:
        return PlanStatus.UNSOLVABLE, (), f"no plan exists: {task.unreachable}"
    found = run_search(task, search, heuristic, limits.check)
    if found is not None:
        actions = {str(operator.action): operator.action for operator in task.operators}
        steps = tuple(actions[operator.name] for operator in found)
        return PlanStatus.SOLVED, steps, found_plan(steps)
    if search in INCOMPLETE:
        return PlanStatus.NOT_FOUND, (), f"no plan found, but {INCOMPLETE[search]}"
    return PlanStatus.UNSOLVABLE, (), "no plan exists: all reachable states were searched"
