""" "No plan exists" is said only where everything was looked at."""

from __future__ import annotations

import pytest

from dias.planning.plan import PlanStatus, plan
from dias.planning.search_space import SearchSpace
from dias.planning.searches import INCOMPLETE
from tests.planning.cases import BLOCKS, PAIRS, blocks, problem

NEVER = problem("a b c", ["table a", "table b", "table c"], ["on a b", "on b a"])
"""Each goal can be reached, the two together cannot; without deletions they can from everywhere."""


@pytest.mark.parametrize(("search", "heuristic"), PAIRS)
def test_every_reachable_state_was_expanded(search, heuristic, monkeypatch):
    """The operators of relaxed plans alone would not do."""
    expanded = set()
    before = SearchSpace.applicable

    def note(self, state):
        expanded.add(state)
        return before(self, state)

    monkeypatch.setattr(SearchSpace, "applicable", note)
    result = plan(BLOCKS, NEVER, search=search, heuristic=heuristic)
    if search in INCOMPLETE:
        assert result.status is PlanStatus.NOT_FOUND
        assert result.message == f"no plan found, but {INCOMPLETE[search]}"
    else:
        assert len(expanded) == 13  # the ways to pile up three blocks
        assert result.status is PlanStatus.UNSOLVABLE
        assert result.message == "no plan exists: all reachable states were searched"


@pytest.mark.parametrize(("search", "heuristic"), PAIRS)
@pytest.mark.parametrize("limit", [{"time_limit_s": 1e-9}, {"memory_limit_mb": 1}])
def test_what_was_cut_short_proves_nothing(search, heuristic, limit):
    """Not even where there is none."""
    for instance in (NEVER, blocks(5)):
        result = plan(BLOCKS, instance, search=search, heuristic=heuristic, **limit)
        assert result.status in (PlanStatus.OUT_OF_TIME, PlanStatus.OUT_OF_MEMORY)
        assert result.message.startswith("no plan found within ")


def test_what_no_ground_action_adds_needs_no_search(monkeypatch):
    """With hill climbing too: it is the grounding that shows it, and it was complete."""
    monkeypatch.setattr(SearchSpace, "applicable", None)
    for search in ("lazy", "ehs"):
        result = plan(BLOCKS, problem("a b", ["table a"], ["on b a"]), search=search)
        assert result.status is PlanStatus.UNSOLVABLE
        assert result.message == (
            "no plan exists: the goal (on b a) does not hold and no operator can make it true"
        )
