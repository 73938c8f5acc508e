from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyperplan.heuristics.relaxation import hAddHeuristic, hFFHeuristic
from pyperplan.search.searchspace import make_root_node

from dias.planning.relaxation import FFHeuristic
from dias.planning.search_space import SearchSpace
from dias.planning.task import ALWAYS_TRUE, GroundTask
from dias.strips.codes import State
from dias.strips.grounding import GroundAction, GroundOperator

FACTS = range(8)


@st.composite
def spaces(draw):
    """A random task over eight facts, not all of which can be reached."""
    some_facts = st.frozensets(st.sampled_from(FACTS), max_size=3)
    operators = tuple(
        GroundOperator(
            GroundAction(f"a{number}"),
            draw(some_facts) or frozenset([ALWAYS_TRUE]),
            frozenset(),
            draw(some_facts),
            frozenset(),
        )
        for number in range(draw(st.integers(0, 10)))
    )
    task = GroundTask(
        operators,
        draw(some_facts) | {ALWAYS_TRUE},
        draw(some_facts),
        frozenset([*FACTS, ALWAYS_TRUE]),
    )
    return SearchSpace(task, lambda: None)


@given(spaces())
def test_costs_equal_those_of_pyperplan(space):
    heuristic = FFHeuristic(space)
    facts, _ = heuristic.costs(space.initial_state)
    reference = hAddHeuristic(space)
    node = make_root_node(space.initial_state)
    (_, additive), _ = heuristic.evaluate(node)
    assert additive == reference(node)
    # With every fact as a goal it computes the cost of every fact.
    reference.goals = space.facts
    reference(node)
    assert list(facts) == [reference.facts[fact].distance for fact in sorted(space.facts)]


@given(spaces())
def test_the_relaxed_plan_reaches_the_goal_and_has_no_operator_that_cannot_be_applied(space):
    node = make_root_node(space.initial_state)
    value, names = FFHeuristic(space).calc_h_with_plan(node)
    assert FFHeuristic(space)(node) == value
    if names is None:
        assert value == math.inf == hFFHeuristic(space)(node)
        return
    assert value == len(names)
    reached: State = space.initial_state
    left = [op for op in space.operators if op.name in names]
    while applicable := [op for op in left if op.applicable(reached)]:
        reached = reached.union(*(op.add_effects for op in applicable))
        left = [op for op in left if op not in applicable]
    assert not left
    assert space.goals <= reached


def test_a_state_that_reaches_the_goal_costs_nothing():
    task = GroundTask((), frozenset([1]), frozenset([1]), frozenset([1, 2]))
    assert FFHeuristic(SearchSpace(task, lambda: None)).calc_h_with_plan(
        make_root_node(task.init)
    ) == (0, set())


@pytest.mark.parametrize("n_layers", [3, 1500])
def test_costs_that_double_with_every_layer_stay_finite(n_layers):
    def layer(number):
        return frozenset([2 * number, 2 * number + 1])

    operators = tuple(
        GroundOperator(
            GroundAction(f"a{number}-{side}"),
            layer(number),
            frozenset(),
            frozenset([2 * number + 2 + side]),
            frozenset(),
        )
        for number in range(n_layers)
        for side in (0, 1)
    )
    facts = frozenset(range(2 * n_layers + 2))
    task = GroundTask(operators, layer(0), layer(n_layers), facts)
    value = FFHeuristic(SearchSpace(task, lambda: None))(make_root_node(task.init))
    assert value == 2 * n_layers
