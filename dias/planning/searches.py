"""pyperplan's searches and heuristics, fit for our ground tasks, limits and reproducible plans.

pyperplan itself stays as it is installed. What its searches ask of a task they get from
`dias.planning.search_space`; here they are kept away from the root logger, and what they
take from sets gets an order.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping
from typing import Any

from pyperplan import planner
from pyperplan.heuristics.lm_cut import LmCutHeuristic

from dias.limits import Check
from dias.planning.lazy import lazy_search
from dias.planning.relaxation import FFHeuristic
from dias.planning.search_space import SearchSpace
from dias.planning.task import GroundTask

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

    def __init__(self, task: SearchSpace) -> None:
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


SEARCHES: Mapping[str, Callable[..., Any]] = {
    **{name: search for name, search in planner.SEARCHES.items() if name != "sat"},
    "lazy": lazy_search,
}
"""Name to search. pyperplan's sat is left out: it runs another program, minisat, for 1000 steps."""

HEURISTICS: Mapping[str, Callable[..., Any]] = {
    **planner.HEURISTICS,
    "hff": FFHeuristic,
    "lmcut": _LmCut,
}
"""Name to heuristic. The searches bfs and ids use none."""

_UNINFORMED = {"bfs", "ids"}
_WITH_PREFERRED_OPERATORS = {"gbf", "ehs"}
INCOMPLETE = {"ehs": "enforced hill-climbing is incomplete"}
"""A search that may give up although there is a plan, and why."""


def run_search(task: GroundTask, name: str, heuristic: str, check: Check) -> list[Any] | None:
    """Search for a plan in a ground task.

    Args:
        task: The ground task.
        name: A key of `SEARCHES`.
        heuristic: A key of `HEURISTICS`.
        check: Called while searching; it may raise to stop that.

    Returns:
        The operators of the plan, whose `name` is the ground action; None if none was found.
    """
    search = SEARCHES[name]
    space = SearchSpace(task, check)
    if name in _UNINFORMED:
        return search(space)
    h = HEURISTICS[heuristic](space)
    if name == "lazy" and heuristic == "hff":
        return search(space, h.evaluate, 2)
    if name in _WITH_PREFERRED_OPERATORS and heuristic == "hff":
        found = search(space, h, True)
        if found is not None:
            return found
        log.info("the operators of the relaxed plans reach no goal; searching with all operators")

    def checked(node: Any) -> float:
        check()
        value: float = h(node)
        return value

    if name == "lazy":
        return search(space, lambda node: ((checked(node),), None), 1)
    return search(space, checked)
