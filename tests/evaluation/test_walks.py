"""Test states from random walks: reachable, different, the same for the same seed, and far."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dias.evaluation import states as module
from dias.evaluation.evaluate import evaluate
from dias.evaluation.states import SOURCES, find_states, reachable_states
from dias.limits import within
from dias.strips.engines.choice import build_engine
from dias.strips.model import ActionSchema, Atom, Domain, Instance, Parameter, Predicate
from dias.strips.problem import CodedProblem
from tests.evaluation.naive import naive_levels
from tests.strategies import domains, objects, states
from tests.traces.files import atoms

OBJECT = ("object",)


def schema(name, variables, pre, add="", delete=""):
    groups = [atoms(*filter(None, text.split(", "))) for text in (pre, add, delete)]
    parameters = tuple(map(Parameter, variables.split()))
    return ActionSchema(
        name, parameters, groups[0], add_effects=groups[1], delete_effects=groups[2]
    )


TOWER = Domain(
    "tower",
    predicates=(
        Predicate("at", (OBJECT,)), Predicate("above", (OBJECT,) * 2), Predicate("top", (OBJECT,)),
        Predicate("lit", (OBJECT,)), Predicate("dark", (OBJECT,)), Predicate("rung"),
    ),
    actions=(
        schema("climb", "?x ?y", "at ?x, above ?y ?x", "at ?y", "at ?x"),
        schema("light", "?x", "dark ?x", "lit ?x", "dark ?x"),
        schema("ring", "?x", "at ?x, top ?x", "rung"),
    ),
)  # fmt: skip
"""Ten stairs to climb, twelve lamps to light, and on top a bell."""


def tower(n_stairs=10, n_lamps=12):
    stairs, lamps = [f"s{i}" for i in range(n_stairs)], [f"l{i}" for i in range(n_lamps)]
    init = atoms(
        "at s0", f"top {stairs[-1]}", *(f"above {y} {x}" for x, y in pairwise(stairs)),
        *(f"dark {lamp}" for lamp in lamps),
    )  # fmt: skip
    return Instance("p", "tower", dict.fromkeys(stairs + lamps, "object"), init)


FORK = Domain("fork", predicates=TOWER.predicates[:2], actions=TOWER.actions[:1])
"""One way up, and no other action."""


def fork(length):
    """Two ladders from one foot."""
    left, right = (["foot", *(f"{side}{i}" for i in range(length))] for side in "lr")
    init = atoms("at foot", *(f"above {y} {x}" for way in (left, right) for x, y in pairwise(way)))
    return Instance("p", "fork", dict.fromkeys(left + right, "object"), init)


def find(domain, instance, n_states, states_from, seed=0):
    problem = CodedProblem.of(instance, domain)
    engine = build_engine("lifted", domain, problem)
    return find_states(engine, problem.init, n_states, states_from, seed)


@pytest.mark.filterwarnings("ignore")
@given(st.data())
def test_states_are_reachable_and_different(data):
    domain = data.draw(domains(max_arity=2))
    types = data.draw(objects(domain))
    instance = Instance("p", "random", types, data.draw(states(domain, types)))
    n_states = data.draw(st.integers(1, 9))
    states_from = data.draw(st.sampled_from(sorted(SOURCES)))
    seed = data.draw(st.integers(0, 3))
    [found] = reachable_states(domain, [instance], n_states, states_from, seed)
    decoded = [found.codes.decode_state(s) | found.problem.static_atoms for s in found.states]
    near = naive_levels(domain, types, instance.init, 200)
    reachable = set().union(*near)
    assert decoded[0] == instance.init
    assert len(set(decoded)) == len(decoded) <= n_states
    if len(reachable) < 200:
        assert set(decoded) <= reachable
        if states_from != "walk":
            assert len(decoded) == min(n_states, len(reachable))


@pytest.mark.parametrize("states_from", SOURCES)
def test_a_smaller_number_gives_the_first_of_a_larger_one(states_from):
    many = find(TOWER, tower(), 90, states_from, 1)
    assert len(many) == 90
    for n_states in (1, 2, 41):
        assert find(TOWER, tower(), n_states, states_from, 1) == many[:n_states]


def test_the_seed_decides_about_walks_alone():
    for states_from, is_random in (("bfs", False), ("walk", True), ("both", True)):
        one, again, other = (find(TOWER, tower(), 60, states_from, seed) for seed in (1, 1, 2))
        assert one == again
        assert (one != other) == is_random


def test_half_of_both_comes_from_each():
    near, far, both = (find(TOWER, tower(), 80, source, 3) for source in ("bfs", "walk", "both"))
    assert len(set(both)) == 80
    assert set(near[:40]) <= set(both) >= set(far[:40])
    assert not set(near) >= set(far[:40])


def test_both_find_all_there_are():
    """Where the walk gives up breadth first goes on, and where that ends nothing is left."""
    assert set(find(FORK, fork(120), 500, "both")) == set(find(FORK, fork(120), 500, "bfs"))


def test_walks_go_far_from_the_start():
    """Of 60 states none is on top breadth first: 13 are one step away, and 77 are two."""
    near, far = (
        evaluate(TOWER, TOWER, [tower()], 60, states_from=source) for source in ("bfs", "walk")
    )
    assert (near.not_tested, near.states_from) == (("ring",), "bfs")
    assert (far.not_tested, far.states_from) == ((), "walk")
    assert near.pooled.n_states == far.pooled.n_states == 60


def test_a_fault_that_shows_only_far_away():
    """The bell rings from the ninth stair as well."""
    loose = schema("ring", "?x ?y", "at ?x, above ?y ?x, top ?y", "rung")
    learned = Domain("tower", predicates=TOWER.predicates, actions=(*TOWER.actions, loose))
    assert evaluate(learned, TOWER, [tower()], 60).is_sound
    assert not evaluate(learned, TOWER, [tower()], 60, states_from="walk", seed=1).is_sound


def test_walks_begin_anew_at_dead_ends():
    instance = fork(5)
    assert len(find(FORK, instance, 100, "walk")) == 11  # all: the foot and five on each side


def test_walks_begin_anew_after_a_while(monkeypatch):
    """Both sides are seen, none of them further than a walk goes."""
    monkeypatch.setattr(module, "WALK_LENGTH", 7)
    found = find(FORK, fork(50), 100, "walk")
    assert len(found) == 1 + 7 + 7


def test_walks_that_meet_nothing_new_end(monkeypatch):
    monkeypatch.setattr(module, "GIVE_UP_AFTER", 1)
    one_side = find(FORK, fork(5), 100, "walk", 0)
    assert len(one_side) in (6, 11)
    monkeypatch.setattr(module, "GIVE_UP_AFTER", 30)
    assert len(find(FORK, fork(5), 100, "walk", 0)) == 11


@pytest.mark.parametrize("states_from", SOURCES)
def test_they_end_with_the_time(states_from):
    with within(0):
        assert len(find(TOWER, tower(), 30, states_from)) == 1
    with within(600):
        assert len(find(TOWER, tower(), 30, states_from)) == 30


def test_every_problem_has_the_same_walks_whatever_stands_beside_it():
    alone = reachable_states(TOWER, [tower()], 40, "walk", 5)[0].states
    beside = reachable_states(TOWER, [tower(4, 3), tower()], 80, "walk", 5)[1].states
    assert beside == alone[: len(beside)] and len(beside) >= 40


def test_an_unknown_source():
    with pytest.raises(ValueError, match="states_from must be one of bfs, walk, both"):
        find(TOWER, tower(), 3, "depth")
    with pytest.raises(ValueError, match="must be one of"):
        evaluate(TOWER, TOWER, [tower()], 3, states_from="depth")


@pytest.mark.filterwarnings("ignore")
@given(st.data())
def test_not_tested_is_what_is_applicable_nowhere(data):
    """Whatever the learned domain predicts."""
    true = data.draw(domains(max_arity=2))
    types = data.draw(objects(true))
    instance = Instance("p", "random", types, data.draw(states(true, types)))
    gone = Domain(
        "learned", true.types, true.constants, true.predicates,
        tuple(ActionSchema(action.name, action.parameters) for action in true.actions),
    )  # fmt: skip
    result = evaluate(gone, true, [instance], 5)
    [found] = reachable_states(true, [instance], 5)
    engine = build_engine("lifted", true, found.problem)
    tried = {successor.action for state in found.states for successor in engine.successors(state)}
    assert set(result.not_tested) == {action.name for action in true.actions} - tried


def test_numbered_actions_count_as_one_tried_action():
    numbered = [
        ActionSchema("ring-1", add_effects=frozenset({Atom("rung")})),
        schema("ring-2", "?x", "lit ?x, dark ?x", "rung"),
    ]
    true = Domain("tower", predicates=TOWER.predicates, actions=tuple(numbered))
    assert evaluate(true, true, [tower()], 5).not_tested == ("ring-2",)
    assert evaluate(true, true, [tower()], 5, variants=True).not_tested == ()
