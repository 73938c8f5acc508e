"""pyperplan's searches and heuristics, fit for our ground tasks, limits and reproducible plans.

pyperplan itself stays as it is installed. What its searches ask of a task they get from
`dias.planning.search_space`; here they are kept away from the root logger and the working folder,
and what they take from sets gets an order.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pyperplan import planner
from pyperplan.heuristics.lm_cut import LmCutHeuristic
from pyperplan.search import minisat
from pyperplan.task import Operator, Task

from dias.errors import PlannerError
from dias.limits import Limits, OutOfTimeError
from dias.planning.relaxation import FFHeuristic
from dias.planning.search_space import Check, CheckedHeuristic, Projection, SearchSpace
from dias.planning.task import GroundTask, without_negation

log = logging.getLogger(__name__)

# pyperplan logs through the functions of the module `logging`, which configure the root logger
# of a program that has not done so. Its modules get a logger of their own.
_PYPERPLAN_LOG = logging.getLogger("pyperplan")
_PYPERPLAN_LOG.setLevel(logging.INFO)  # debug is one line a node
for _name, _module in list(sys.modules.items()):
    if _name.startswith("pyperplan.") and hasattr(_module, "logging"):
        vars(_module)["logging"] = _PYPERPLAN_LOG


class _LmCut(LmCutHeuristic):
    """pyperplan's lmcut, made fit for facts that are numbers, limits and reproducible plans."""

    def __init__(self, task: Projection) -> None:
        super().__init__(task)
        self._check = task.check
        # It formats the names of facts as strings, and looks facts up by name.
        for fact in list(self.relaxed_facts.values()):
            fact.name = str(fact.name)
            self.relaxed_facts[fact.name] = fact

    def find_cut(self, state: frozenset[int]) -> list[Any]:
        self._check()
        # A cut is a set of operators hashed by address, and its order breaks ties.
        return sorted(super().find_cut(state), key=lambda operator: operator.name)


SEARCHES: Mapping[str, Callable[..., Any]] = dict(planner.SEARCHES)
"""Name to search. sat needs the program minisat."""

HEURISTICS: Mapping[str, Callable[..., Any]] = {
    **planner.HEURISTICS,
    "hff": FFHeuristic,
    "lmcut": _LmCut,
}
"""Name to heuristic. The searches bfs, ids and sat use none."""

_INFORMED = {"astar", "wastar", "gbf", "ehs"}
_WITH_PREFERRED_OPERATORS = {"gbf", "ehs"}
INCOMPLETE = {
    "ehs": "enforced hill-climbing is incomplete",
    "sat": "the search by SAT ends at 1000 steps",
}
"""A search that may give up although there is a plan, and why."""


def run_search(task: GroundTask, search: str, heuristic: str, limits: Limits) -> list[Any] | None:
    """Search for a plan in a ground task.

    Args:
        task: The ground task.
        search: A key of `SEARCHES`.
        heuristic: A key of `HEURISTICS`.
        limits: Checked while searching.

    Returns:
        The operators of the plan, whose `name` is the ground action; None if none was found.

    Raises:
        PlannerError: The program minisat is needed and missing.
    """
    if search == "sat":
        return _sat_search(task, limits)
    return _search(task, search, heuristic, limits.check)


def _search(task: GroundTask, name: str, heuristic: str, check: Check) -> list[Any] | None:
    search = SEARCHES[name]
    space = SearchSpace(task, check)
    if name not in _INFORMED:
        return search(space)
    h = CheckedHeuristic(HEURISTICS[heuristic](Projection(task, check)), check)
    if name in _WITH_PREFERRED_OPERATORS and heuristic == "hff":
        found = search(space, h, True)
        if found is not None:
            return found
        log.info("the operators of the relaxed plans reach no goal; searching with all operators")
    return search(space, h)


def _sat_search(task: GroundTask, limits: Limits) -> list[Any] | None:
    """Run pyperplan's SAT planner, with minisat's files in a folder of their own."""
    if shutil.which(minisat.MINISAT) is None:
        raise PlannerError(
            "search sat needs the program minisat, which is not on the PATH",
            remedy="Install minisat or choose another search",
        )

    def named(codes: frozenset[int]) -> frozenset[str]:
        return frozenset(map(str, codes))

    def run_minisat() -> None:
        limits.check()
        seconds = None if limits.remaining_s == float("inf") else limits.remaining_s
        command = [minisat.MINISAT, minisat.INPUT, minisat.OUTPUT]
        try:
            subprocess.run(command, capture_output=True, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            raise OutOfTimeError from None

    task = without_negation(task)
    # It reads facts back from minisat's answer, as strings.
    operators = [
        Operator(
            str(op.action),
            named(op.preconditions),
            named(op.add_effects),
            named(op.delete_effects),
        )
        for op in task.operators
    ]
    positive = Task("task", named(task.facts), named(task.init), named(task.goal), operators)
    with tempfile.TemporaryDirectory() as folder:
        # By default it reads and writes files of fixed names in the working folder.
        minisat.INPUT = str(Path(folder) / "input.cnf")
        minisat.OUTPUT = str(Path(folder) / "output.txt")
        minisat.solve_with_minisat = run_minisat
        return SEARCHES["sat"](positive)
