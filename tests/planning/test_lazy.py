"""The lazy greedy search, against breadth-first search and on tasks made to lead it astray."""

from __future__ import annotations

import math
from collections import deque

from hypothesis import given
from hypothesis import strategies as st

from dias.planning.lazy import Node, lazy_search
from dias.planning.plan import PlanStatus, plan
from dias.planning.relaxation import FFHeuristic
from dias.planning.search_space import SearchSpace
from dias.planning.task import ALWAYS_TRUE, GroundTask, compile_task
from dias.strips.grounding import GroundAction, GroundOperator
from tests.planning.cases import action, check_plan, domain, problem
from tests.planning.test_plan import TRAP

FACTS = range(6)


def operator(name, pre, add, delete=()):
    pre, add = frozenset(pre) or {ALWAYS_TRUE}, frozenset(add)
    return GroundOperator(
        GroundAction(name), frozenset(pre), frozenset(), add, frozenset(delete) - add
    )


def space_of(operators, init, goal, facts=FACTS):
    init, goal = frozenset(init) | {ALWAYS_TRUE}, frozenset(goal) or frozenset([ALWAYS_TRUE])
    facts = frozenset([*facts, ALWAYS_TRUE])
    return SearchSpace(GroundTask(tuple(operators), init, goal, facts), lambda: None)


@st.composite
def spaces(draw):
    some = st.frozensets(st.sampled_from(FACTS), max_size=3)
    operators = [
        operator(f"a{number}", draw(some), draw(some), draw(some))
        for number in range(draw(st.integers(0, 8)))
    ]
    return space_of(operators, draw(some), draw(some))


def shortest(space):
    """The length of a shortest plan by breadth-first search; None if there is none."""
    steps, queue = {space.initial_state: 0}, deque([space.initial_state])
    while queue:
        state = queue.popleft()
        if space.goals <= state:
            return steps[state]
        for op in space.operators:
            if op.applicable(state) and (after := op.apply(state)) not in steps:
                steps[after] = steps[state] + 1
                queue.append(after)
    return None


@given(spaces())
def test_it_finds_a_plan_where_breadth_first_search_does(space):
    found = lazy_search(space, FFHeuristic(space).evaluate, 2)
    least = shortest(space)
    assert (found is None) == (least is None)
    if found is None:
        return
    state = space.initial_state
    for op in found:
        assert op.applicable(state)
        state = op.apply(state)
    assert space.goals <= state and len(found) >= least


@given(spaces())
def test_no_state_is_evaluated_twice_and_no_dead_end_is_expanded(space):
    evaluated, expanded, dead = [], [], set()
    evaluate, applicable = FFHeuristic(space).evaluate, space.applicable

    def noting_evaluate(node):
        evaluated.append(node.state)
        estimates, names = evaluate(node)
        if math.inf in estimates:
            dead.add(node.state)
        return estimates, names

    def noting_applicable(state):
        expanded.append(state)
        return applicable(state)

    space.applicable = noting_applicable
    lazy_search(space, noting_evaluate, 2)
    assert len(set(evaluated)) == len(evaluated)
    assert set(expanded) == set(evaluated) - dead and len(expanded) == len(set(expanded))


def counting(evaluate):
    """The same, and a list that grows with every call."""
    calls = []

    def counted(node):
        calls.append(node.state)
        return evaluate(node)

    return counted, calls


def chain_among_switches(n_steps, n_switches):
    """Steps 0, 1, … to the goal, and switches without use that come first by name."""
    chain = [operator(f"step{n}", [n], [n + 1], [n]) for n in range(n_steps)]
    switches = [operator(f"a{n}", [], [100 + n]) for n in range(n_switches)]
    facts = [*range(n_steps + 1), *range(100, 100 + n_switches)]
    return space_of([*switches, *chain], [0], [n_steps], facts)


def test_operators_of_relaxed_plans_come_first():
    space = chain_among_switches(10, 12)
    evaluate, calls = counting(FFHeuristic(space).evaluate)
    assert [op.name for op in lazy_search(space, evaluate, 2)] == [f"(step{n})" for n in range(10)]
    assert len(calls) == 10
    # By the estimates alone each step waits until the switches before it have been tried.
    all_alike, calls = counting(lambda node: (FFHeuristic(space).evaluate(node)[0], None))
    assert len(lazy_search(space, all_alike, 2)) >= 10
    assert len(calls) > 100


def test_what_is_not_preferred_has_its_turn_too():
    """All preferred operators together lead nowhere, and there are thousands of such states."""
    space = chain_among_switches(2, 12)

    def misled(node):
        return (1.0,), {op.name for op in space.operators if op.name.startswith("(a")}

    evaluate, calls = counting(misled)
    assert [op.name for op in lazy_search(space, evaluate, 1)][-1] == "(step1)"
    assert 100 < len(calls) < 2**11


def test_where_one_estimate_is_level_another_leads():
    """Two counters up to 30; the first estimate says nothing before the goal."""
    size = 30
    facts = range(2 * size + 2)
    moves = [
        operator(f"{side}{n}", [start + n], [start + n + 1], [start + n])
        for side, start in (("x", 0), ("y", size + 1))
        for n in range(size)
    ]
    space = space_of(moves, [0, size + 1], [size, 2 * size + 1], facts)

    def left(node):
        x, y = sorted(node.state - {ALWAYS_TRUE})
        return float(3 * size + 1 - x - y)

    level, level_calls = counting(lambda node: ((1.0,), None))
    both, both_calls = counting(lambda node: ((1.0, left(node)), None))
    assert len(lazy_search(space, level, 1)) == len(lazy_search(space, both, 2)) == 2 * size
    assert len(level_calls) == (size + 1) ** 2 - 1
    assert len(both_calls) < len(level_calls) / 4


def test_a_dead_end_that_relaxed_plans_lead_into():
    result = plan(TRAP, problem("", ["start"], ["goal"]))
    assert [step.name for step in result.steps] == [f"step{n}" for n in range(1, 6)]


TAXI = domain(
    {"at": 2, "road": 2, "empty": 1, "aboard": 1},
    action("drive", ["?f", "?t"], ["at cab ?f", "road ?f ?t"], ["at cab ?t"], ["at cab ?f"],
           negative=["empty cab"]),
    action("board", ["?w"], ["at cab ?w", "at ann ?w", "empty cab"], ["aboard ann"],
           ["at ann ?w", "empty cab"]),
    action("walk", ["?f", "?t"], ["at ann ?f", "road ?f ?t"], ["at ann ?t"], ["at ann ?f"]),
    constants={"cab": "object", "ann": "object"},
)  # fmt: skip
"""Nothing says that the driver is aboard but that the cab is not empty."""

RIDE = problem("a b c", ["at cab b", "at ann a", "empty cab", "road a b", "road b c"], ["at cab c"])


def test_relaxed_plans_bring_about_what_must_not_hold():
    """Without it every walk would look as good as none, and boarding useless."""
    space = SearchSpace(compile_task(TAXI, RIDE), lambda: None)
    (length, _), names = FFHeuristic(space).evaluate(Node(space.initial_state))
    assert length == 3
    assert names == {"(walk a b)", "(board b)", "(drive b c)"}
    result = plan(TAXI, RIDE)
    assert list(map(str, result.steps)) == ["(walk a b)", "(board b)", "(drive b c)"]
    check_plan(TAXI, RIDE, result.steps)


def test_a_negation_that_can_never_come_about_needs_no_search():
    stuck = domain(
        {"shut": 0, "in": 0}, action("enter", [], [], ["in"], negative=["shut"]),
        action("close", [], [], ["shut"]),
    )  # fmt: skip
    result = plan(stuck, problem("", ["shut"], ["in"]))
    assert result.status is PlanStatus.UNSOLVABLE and result.n_operators == 1
    result = plan(stuck, problem("", ["shut"], negative_goal=["shut"]))
    assert result.status is PlanStatus.UNSOLVABLE
    assert (
        result.message
        == "no plan exists: the goal (not (shut)) asks for a change that no action makes"
    )
    assert len(plan(stuck, problem("", [], ["in", "shut"])).steps) == 2
