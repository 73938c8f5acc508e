from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dias.planning.task import ALWAYS_TRUE, compile_task, complement, watch_rarest
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
    (lit,) = task.operators[0].preconditions
    # burnt never holds, so its absence need not be tested.
    assert task.operators[1].preconditions == {complement(lit)}
    plain = ActionSchema("rest", add_effects=frozenset([Atom("calm")]))
    calm = Domain("d", predicates=(Predicate("calm"),), actions=(plain,))
    task = compile_task(calm, Instance("p", "d", {}, frozenset()))
    assert task.operators[0].preconditions == {ALWAYS_TRUE} == task.init


def test_what_is_negated_has_a_complement_that_holds_where_it_does_not():
    task = compile_task(*switches())
    (lit,) = task.operators[0].preconditions
    off, on = task.operators
    assert (off.add_effects, off.delete_effects) == ({complement(lit)}, {lit})
    assert (on.add_effects, on.delete_effects) == ({lit}, {complement(lit)})
    assert task.init == {ALWAYS_TRUE, complement(lit)}
    assert task.facts == {ALWAYS_TRUE, lit, complement(lit)}
    assert not any(operator.negative_preconditions for operator in task.operators)


def test_no_two_codes_have_one_complement():
    codes = [ALWAYS_TRUE, *range(5)]
    assert len({*codes, *map(complement, codes[1:])}) == 11
    assert [complement(complement(code)) for code in codes] == codes


def test_operators_that_wait_for_what_never_goes_are_left_out():
    """Also those that wait for what these would have brought."""
    done, lit, warm = Atom("done"), Atom("lit"), Atom("warm")
    actions = (
        ActionSchema("dark", (), frozenset(), frozenset([lit]), add_effects=frozenset([warm])),
        ActionSchema("end", (), frozenset([warm]), add_effects=frozenset([done])),
        ActionSchema("on", add_effects=frozenset([lit])),
    )
    predicates = tuple(Predicate(atom.predicate) for atom in (done, lit, warm))
    domain = Domain("d", predicates=predicates, actions=actions)
    task = compile_task(domain, Instance("p", "d", {}, frozenset([lit]), frozenset([done])))
    assert [operator.action.name for operator in task.operators] == ["on"]
    assert "(done) does not hold and no operator can make it true" in task.unreachable


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
    task = compile_task(*switches([], ["burnt"]))
    assert task.goal == {ALWAYS_TRUE}
    task = compile_task(*switches([], ["lit"]))
    assert (
        task.goal
        == task.operators[0].add_effects
        == {*map(complement, task.operators[1].add_effects)}
    )


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
