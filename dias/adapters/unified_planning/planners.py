"""The planners that unified-planning knows."""

from __future__ import annotations

import logging
import tempfile
import warnings
from collections.abc import Iterable, Iterator
from contextlib import chdir, contextmanager
from typing import Any, NamedTuple

import unified_planning.model as up
from unified_planning.engines.factory import DEFAULT_ENGINES
from unified_planning.engines.pddl_planner import terminate_process
from unified_planning.engines.results import PlanGenerationResultStatus as EngineStatus
from unified_planning.environment import Environment
from unified_planning.exceptions import UPException

from dias.adapters.unified_planning.writer import names_alike
from dias.errors import PlannerError, did_you_mean
from dias.strips.grounding import GroundAction

log = logging.getLogger(__name__)


class Answer(NamedTuple):
    """What a planner said.

    Attributes:
        status: The name of unified-planning's status, such as ``SOLVED_SATISFICING``.
        steps: The plan; None if there is none.
    """

    status: str
    steps: tuple[GroundAction, ...] | None


def run_planner(planner: str, problem: up.Problem, time_limit_s: float | None) -> Answer:
    """Have a planner solve a problem.

    Args:
        planner: The name by which unified-planning knows it, ``fast-downward`` for example.
        problem: The problem, whose names are those in the plan.
        time_limit_s: Seconds after which the planner's process is ended.

    Raises:
        PlannerError: There is no such planner, it does not take the problem, or it failed.
    """
    environment = problem.environment
    _check_is_known(planner, environment.factory)
    with _apart(environment), environment.factory.OneshotPlanner(name=planner) as engine:
        try:
            result = engine.solve(problem, timeout=time_limit_s)
        except UPException as error:
            raise _failed(planner, [str(error)]) from None
        except KeyboardInterrupt:
            # It runs in a session of its own, which an interrupt does not reach.
            if process := getattr(engine, "_process", None):
                terminate_process(process)
            raise
    said = [message.message for message in result.log_messages or ()]
    for text in said:
        log.debug("%s: %s", planner, text)
    if result.status in (EngineStatus.INTERNAL_ERROR, EngineStatus.UNSUPPORTED_PROBLEM):
        raise _failed(planner, said)
    steps = None
    if result.plan is not None:
        steps = tuple(
            GroundAction(step.action.name, tuple(map(str, step.actual_parameters)))
            for step in result.plan.actions
        )
    return Answer(result.status.name, steps)


@contextmanager
def _apart(environment: Environment) -> Iterator[None]:
    """Keep standard output for the plan, and the working folder clean.

    unified-planning prints whose planner it runs; Fast Downward leaves its translation where it was
    started, if it is stopped. So the folder is another one meanwhile, for the whole process.
    """
    before, environment.credits_stream = environment.credits_stream, None
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            chdir(folder),
            names_alike(environment),
            warnings.catch_warnings(),
        ):
            warnings.filterwarnings("ignore", "We cannot establish whether", UserWarning)
            yield
    finally:
        environment.credits_stream = before


def _check_is_known(planner: str, factory: Any) -> None:
    known = [name for name in factory.engines if factory.engine(name).is_oneshot_planner()]
    if planner in known:
        return
    if planner in DEFAULT_ENGINES and planner not in factory.engines:
        raise PlannerError(
            f"expected planner {planner} to be installed, found that it is not",
            remedy=f"Install the package that unified-planning has it in: {_module(planner)}",
        )
    choices = ["pyperplan", *sorted(name for name in known if "[" not in name)]
    raise PlannerError(
        f"unknown planner {planner!r}",
        remedy=f"{did_you_mean(planner, choices)} Choose one of {', '.join(choices)}".strip(),
    )


def _module(planner: str) -> str:
    module, _ = DEFAULT_ENGINES[planner]
    return f"pip install {module.split('.')[0].replace('_', '-')}"


def _failed(planner: str, said: Iterable[str]) -> PlannerError:
    lines = [
        line.strip()
        for text in said
        for line in text.splitlines()
        if line.strip() and not line.startswith("INFO")
    ]
    return PlannerError(
        f"planner {planner} failed: {lines[-1] if lines else 'it does not say why'}",
        remedy="-vv shows all that it said. Take another planner, or pyperplan",
    )
