from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dias.planning.task import ALWAYS_TRUE, compile_task, watch_rarest
from dias.strips.model import ActionSchema, Atom, Domain, Instance, Predicate
from tests.strategies import domains, objects, states


def switches(goal=(), negative_goal=()):
    """Nullary atoms: `on` and `off` flip `lit`, `broken` is static, `burnt` only ever deleted."""
    atom = Atom
    actions = (
        ActionSchema("idle"),
        ActionSchema("off", (), frozenset([atom("lit")]), delete_effects=frozenset([atom("lit")])),
        ActionSchema(
            "on",
            (),
            frozenset(),
            frozenset([atom("lit"), atom("burnt")]),
            add_effects=frozenset([atom("lit")]),
            delete_effects=frozenset([atom("burnt")]),
        ),
    )
    predicates = tuple(Predicate(name) for name in ("lit", "burnt", "broken", "mains"))
    instance = Instance(
        "p", "switches", {}, frozenset([atom("mains")]), frozenset(map(atom, goal)),
        frozenset(map(atom, negative_goal)),
    )  # fmt: skip
    return Domain("switches", predicates=predicates, actions=actions), instance


def test_empty_operators_go_and_empty_preconditions_become_an_atom_that_always_holds():
    task = compile_task(*switches())
    assert [op.action.name for op in task.operators] == ["off", "on"]
    assert task.operators[1].preconditions == {ALWAYS_TRUE} == task.init
    # burnt never holds, so its absence need not be tested.
    assert task.operators[1].negative_preconditions == task.operators[1].add_effects
    assert task.operators[1].delete_effects == frozenset()


@pytest.mark.parametrize(
    ("goal", "negative_goal", "reason"),
    [
        (["lit"], [], ""),
        (["mains"], [], ""),
        ([], ["broken", "burnt"], ""),
        (["broken"], [], "(broken) does not hold"),
        (["burnt"], [], "(burnt) does not hold"),
        ([], ["mains"], "(not (mains))"),
        (["lit"], ["lit"], "(lit) and for its negation"),
    ],
)
def test_goals_that_grounding_settles(goal, negative_goal, reason):
    task = compile_task(*switches(goal, negative_goal))
    assert reason in task.unreachable
    assert bool(reason) == bool(task.unreachable)


def test_only_goals_that_search_must_reach_remain():
    task = compile_task(*switches(["mains", "lit"], ["burnt"]))
    assert task.goal == task.operators[1].add_effects
    assert task.negative_goal == frozenset()
    task = compile_task(*switches([], ["lit"]))
    assert task.goal == {ALWAYS_TRUE}
    assert task.negative_goal == task.operators[1].add_effects


@st.composite
def tasks(draw):
    domain = draw(domains())
    types = draw(objects(domain))
    init, goal, negative_goal = (draw(states(domain, types)) for _ in range(3))
    return compile_task(domain, Instance("p", "random", types, init, goal, negative_goal))


@pytest.mark.filterwarnings("ignore")
@given(tasks())
def test_every_operator_is_watched_once_under_its_rarest_precondition(task):
    watchers = watch_rarest(task.operators)
    watched = sorted((n, code) for code, numbers in watchers.items() for n in numbers)
    assert [n for n, _ in watched] == list(range(len(task.operators)))
    occurrences = [code for op in task.operators for code in op.preconditions]
    for number, code in watched:
        counts = [occurrences.count(c) for c in task.operators[number].preconditions]
        assert occurrences.count(code) == min(counts)
