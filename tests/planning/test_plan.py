from __future__ import annotations

import logging
import sys
from collections import deque
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dias import limits
from dias.errors import PlannerError
from dias.planning import plan as planning
from dias.planning.plan import HEURISTICS, SEARCHES, PlanStatus, format_plan, plan
from dias.planning.task import compile_task
from dias.strips.grounding import GroundAction
from dias.strips.model import Instance
from tests.hashing import printed_elsewhere
from tests.oracles import naive_successors
from tests.planning.cases import (
    BLOCKS,
    PAIRS,
    SUSSMAN,
    UNINFORMED,
    action,
    blocks,
    check_plan,
    domain,
    problem,
)
from tests.strategies import domains, objects, states


@pytest.mark.parametrize(("search", "heuristic"), PAIRS)
def test_every_search_and_heuristic_solves_blocks(search, heuristic):
    result = plan(BLOCKS, SUSSMAN, search=search, heuristic=heuristic)
    assert result.status is PlanStatus.SOLVED
    check_plan(BLOCKS, SUSSMAN, result.steps)
    assert result.n_operators == 12
    if search in UNINFORMED or (search == "astar" and heuristic in ("blind", "hmax", "lmcut")):
        assert len(result.steps) == 3


def test_pyperplans_choices_are_all_there_but_sat():
    assert set(SEARCHES) == {"astar", "wastar", "gbf", "bfs", "ehs", "ids", "lazy"}
    assert set(HEURISTICS) == {"hff", "hadd", "hmax", "hsa", "lmcut", "landmark", "blind"}


def reachable_states(the_domain, instance, limit):
    seen, queue = {instance.init}, deque([instance.init])
    while queue:
        state = queue.popleft()
        for _, _, added, deleted in naive_successors(the_domain, instance.objects, state):
            next_state = (state - deleted) | added
            if next_state not in seen:
                seen.add(next_state)
                queue.append(next_state)
        assume(len(seen) <= limit)
    return seen


@pytest.mark.filterwarnings("ignore")
@given(st.data())
def test_all_searches_agree_with_exhaustive_search_on_random_domains(data):
    the_domain = data.draw(domains(max_arity=2))
    types = data.draw(objects(the_domain))
    init = data.draw(states(the_domain, types))
    reachable = reachable_states(the_domain, Instance("p", "d", types, init), limit=40)
    if data.draw(st.booleans()):
        target = data.draw(st.sampled_from(sorted(map(sorted, reachable))))
        goal = frozenset(target[:: data.draw(st.integers(1, 2))])
    else:
        goal = frozenset(sorted(data.draw(states(the_domain, types)))[:1])
    negative_goal = frozenset(sorted(data.draw(states(the_domain, types)) - goal)[:2])
    instance = Instance("p", "d", types, init, goal, negative_goal)
    solvable = any(goal <= state and not negative_goal & state for state in reachable)
    # Iterative deepening walks through all paths, so it is left to the smaller tests.
    for search in ("astar", "gbf", "bfs", "ehs", "lazy"):
        heuristic = data.draw(st.sampled_from(sorted(HEURISTICS)))
        result = plan(the_domain, instance, search=search, heuristic=heuristic)
        if result.status is PlanStatus.SOLVED:
            check_plan(the_domain, instance, result.steps)
        elif search == "ehs" and result.status is PlanStatus.NOT_FOUND:
            continue
        assert result.status is (PlanStatus.SOLVED if solvable else PlanStatus.UNSOLVABLE)


def test_two_parameters_may_be_one_object_unless_the_domain_says_otherwise():
    ready, differ = ["ready ?x", "ready ?y"], frozenset([("?x", "?y")])
    pair = domain({"ready": 1, "paired": 0}, action("pair", ["?x", "?y"], ready, ["paired"]))
    alone = plan(pair, problem("a b", ["ready a"], ["paired"]))
    assert list(map(str, alone.steps)) == ["(pair a a)"]
    pair = domain(
        {"ready": 1, "paired": 0},
        action("pair", ["?x", "?y"], ready, ["paired"], inequalities=differ),
    )
    alone = plan(pair, problem("a b", ["ready a"], ["paired"]))
    assert alone.status is PlanStatus.UNSOLVABLE and alone.n_operators == 0
    assert len(plan(pair, problem("a b", ["ready a", "ready b"], ["paired"])).steps) == 1


def test_constants_either_types_and_inequality():
    transport = domain(
        {"at": 2, "fuelled": 1},
        action(
            "fly",
            [("?v", ("plane", "drone")), ("?to", ("place",))],
            ["at ?v depot", "fuelled ?v"],
            ["at ?v ?to"],
            ["at ?v depot"],
            inequalities=frozenset([("?to", "depot")]),
        ),
        types={"plane": "vehicle", "drone": "vehicle", "car": "vehicle"},
        constants={"depot": "place"},
    )
    types = {"p": "plane", "d": "drone", "c": "car", "depot": "place", "x": "place"}
    init = [text for v in "pdc" for text in (f"at {v} depot", f"fuelled {v}")]
    result = plan(transport, problem(types, init, ["at p x", "at d x"]))
    assert sorted(map(str, result.steps)) == ["(fly d x)", "(fly p x)"]
    assert result.n_operators == 2
    assert plan(transport, problem(types, init, ["at c x"])).status is PlanStatus.UNSOLVABLE


def test_an_empty_goal_needs_no_step():
    result = plan(BLOCKS, problem("a b", ["table a", "table b"]))
    assert (result.status, result.steps) == (PlanStatus.SOLVED, ())
    assert format_plan(result) == "; cost = 0 (unit cost)\n"


@pytest.mark.parametrize(("search", "heuristic"), PAIRS)
def test_a_negative_goal(search, heuristic):
    instance = problem(
        "a b", ["on a b", "covered b", "table b"], negative_goal=["covered b", "table b"]
    )
    result = plan(BLOCKS, instance, search=search, heuristic=heuristic)
    assert result.steps == (GroundAction("unstack", ("a", "b")), GroundAction("stack", ("b", "a")))


def test_a_plan_of_one_step_is_one_step():
    instance = problem("a b", ["table a", "table b"], ["on a b"])
    assert plan(BLOCKS, instance).message == "found a plan of 1 step"
    assert plan(BLOCKS, SUSSMAN, search="bfs").message == "found a plan of 3 steps"


def test_a_goal_that_contradicts_itself_is_named_by_its_first_atom():
    both = ["table b", "table a"]
    result = plan(BLOCKS, problem("a b", ["table a", "table b"], both, negative_goal=both))
    assert result.status is PlanStatus.UNSOLVABLE
    assert "asks for (table a) and for its negation" in result.message


@pytest.mark.parametrize(("search", "heuristic"), PAIRS)
def test_a_negative_precondition(search, heuristic):
    """The short way is shut by an atom that holds, whatever version of pyperplan searches."""
    gate = domain(
        {"at": 1, "flooded": 1, "road": 2},
        action("leap", [], ["at start"], ["at goal"], ["at start"], negative=["flooded goal"]),
        action("drain", ["?p"], ["at start", "flooded ?p"], [], ["flooded ?p"]),
        constants={"start": "object", "goal": "object"},
    )
    result = plan(
        gate,
        problem({}, ["at start", "flooded goal"], ["at goal"]),
        search=search,
        heuristic=heuristic,
    )
    assert result.steps == (GroundAction("drain", ("goal",)), GroundAction("leap", ()))


def test_an_unreachable_goal_is_named_without_a_search():
    result = plan(BLOCKS, problem("a b", ["table a"], ["on a b", "table b"]))
    assert result.status is PlanStatus.UNSOLVABLE
    assert "(table b)" in result.message


@pytest.mark.parametrize("search", ["gbf", "astar", "bfs", "ids", "lazy"])
def test_a_complete_search_proves_that_no_plan_exists(search):
    # Each goal can be reached, the two together cannot.
    instance = problem("a b c", ["table a", "table b", "table c"], ["on a b", "on b a"])
    result = plan(BLOCKS, instance, search=search)
    assert result.status is PlanStatus.UNSOLVABLE
    assert "no plan exists" in result.message
    with pytest.raises(PlannerError, match="no plan exists"):
        format_plan(result)


TRAP = domain(
    dict.fromkeys(["start", "m", "p", "q", "goal", "c1", "c2", "c3", "c4"], 0),
    action("enter-trap", pre=["start"], add=["m"], delete=["start"]),
    action("make-p", pre=["m"], add=["p"], delete=["m"]),
    action("make-q", pre=["m"], add=["q"], delete=["m"]),
    action("finish", pre=["p", "q"], add=["goal"]),
    action("step1", pre=["start"], add=["c1"], delete=["start"]),
    action("step2", pre=["c1"], add=["c2"]),
    action("step3", pre=["c2"], add=["c3"]),
    action("step4", pre=["c3"], add=["c4"]),
    action("step5", pre=["c4"], add=["goal"]),
)
"""The relaxed plan of four steps leads into a dead end; the true plan has five."""


def test_hill_climbing_that_gives_up_says_that_a_plan_may_exist():
    result = plan(TRAP, problem("", ["start"], ["goal"]), search="ehs")
    assert result.status is PlanStatus.NOT_FOUND
    assert "incomplete" in result.message


def test_greedy_search_falls_back_on_all_operators(caplog):
    caplog.set_level(logging.INFO, logger="dias")
    result = plan(TRAP, problem("", ["start"], ["goal"]), search="gbf")
    assert [step.name for step in result.steps] == [f"step{n}" for n in range(1, 6)]
    assert "searching with all operators" in caplog.text


def test_ipc_form():
    text = format_plan(plan(BLOCKS, blocks(3)))
    assert text == "(stack b01 b02)\n(stack b00 b01)\n; cost = 2 (unit cost)\n"


def test_a_problem_without_goal_is_an_error_with_a_remedy():
    with pytest.raises(PlannerError, match=r"problem p has none.*Add a \(:goal"):
        plan(BLOCKS, problem("a", [], has_goal=False))


@pytest.mark.parametrize("what", ["search", "heuristic"])
def test_an_unknown_choice_names_the_known_ones(what):
    with pytest.raises(PlannerError, match=f"unknown {what} 'best'. Choose one of .*b"):
        plan(BLOCKS, SUSSMAN, **{what: "best"})


def test_the_search_by_sat_is_none_of_the_choices():
    known = "astar, bfs, ehs, gbf, ids, lazy, wastar"
    with pytest.raises(PlannerError, match=f"unknown search 'sat'. Choose one of {known}$"):
        plan(BLOCKS, SUSSMAN, search="sat")


class Clock:
    """Stands still until it is told to tick; then every look at it takes a second."""

    def __init__(self):
        self.now, self.ticks = 0, False

    def __call__(self):
        self.now += self.ticks
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(limits, "perf_counter", clock)
    return clock


def test_no_time_at_all():
    result = plan(BLOCKS, SUSSMAN, time_limit_s=0.0)
    assert (result.status, result.steps, result.n_operators) == (PlanStatus.OUT_OF_TIME, (), 0)
    assert "within 0 s" in result.message and "grounding" in result.message


@pytest.mark.parametrize(
    ("search", "heuristic"),
    [
        ("bfs", "blind"),
        ("ids", "blind"),
        ("astar", "landmark"),
        ("astar", "lmcut"),
        ("wastar", "hadd"),
        ("lazy", "hadd"),
        ("lazy", "hff"),
    ],
)
def test_the_time_limit_holds_while_searching(search, heuristic, clock, monkeypatch):
    def compile_first(*arguments):
        task = compile_task(*arguments)
        clock.ticks = True
        return task

    monkeypatch.setattr(planning, "compile_task", compile_first)
    result = plan(BLOCKS, blocks(14), search=search, heuristic=heuristic, time_limit_s=20)
    assert result.status is PlanStatus.OUT_OF_TIME
    assert result.n_operators == 2 * 14 * 13 and "searching" in result.message
    assert clock.now == 20  # nobody looked at the clock again


def test_the_time_limit_holds_while_grounding(clock):
    clock.ticks = True
    huge = domain(
        {"here": 1, "done": 0},
        action("meet", [f"?x{i}" for i in range(6)], [f"here ?x{i}" for i in range(6)], ["done"]),
    )
    names = [f"o{i}" for i in range(60)]
    instance = problem(" ".join(names), [f"here {name}" for name in names], ["done"])
    result = plan(huge, instance, time_limit_s=20)
    assert result.status is PlanStatus.OUT_OF_TIME and "grounding" in result.message
    assert clock.now == 1 + 20


def test_the_memory_limit():
    result = plan(BLOCKS, blocks(12), memory_limit_mb=1)
    assert result.status is PlanStatus.OUT_OF_MEMORY
    assert "memory" in result.message


def test_a_recursion_that_is_too_deep_is_an_error_with_a_remedy():
    walk = domain(
        {"at": 1, "next": 2},
        action("walk", ["?a", "?b"], ["at ?a", "next ?a ?b"], ["at ?b"], ["at ?a"]),
    )
    names = [f"o{i:03}" for i in range(400)]
    init = ["at o000", *(f"next {a} {b}" for a, b in pairwise(names))]
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(400)
    try:
        with pytest.raises(PlannerError, match=r"too deep for search ids .*\. Choose search lazy"):
            plan(walk, problem(" ".join(names), init, ["at o399"]), search="ids")
    finally:
        sys.setrecursionlimit(limit)


def test_nothing_is_printed_and_logging_is_left_alone(monkeypatch, capsys):
    monkeypatch.setattr(logging.root, "handlers", [])
    for heuristic in sorted(HEURISTICS):
        plan(BLOCKS, SUSSMAN, heuristic=heuristic)
    assert logging.root.handlers == []
    assert capsys.readouterr() == ("", "")


def test_the_same_plan_whatever_the_hash_seed():
    here = plans_of_five_blocks()
    there = "from tests.planning.test_plan import *; print(plans_of_five_blocks(), end='')"
    assert here.count("cost = 4 ") == 4
    assert printed_elsewhere(there) == here


def plans_of_five_blocks():
    choices = [("lazy", "hff"), ("astar", "hff"), ("astar", "lmcut"), ("astar", "hsa")]
    return "".join(
        format_plan(plan(BLOCKS, blocks(5), search=search, heuristic=heuristic))
        for search, heuristic in choices
    )
