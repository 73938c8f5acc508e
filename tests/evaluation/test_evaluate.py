"""Precision and recall against a naive evaluator that compares full successor states."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.generate import DOMAINS
from benchmarks.generators import BENCHMARKS
from dias.errors import PDDLInputError
from dias.evaluation.evaluate import evaluate
from dias.evaluation.states import find_states
from dias.strips.model import ActionSchema, Atom, Domain, Instance, Parameter, Predicate
from dias.strips.pddl.reader import read_domain, read_problem
from tests.evaluation.naive import (
    MACHINE,
    OFF,
    PROPOSITIONS,
    RUN,
    RUNNING,
    SWITCH,
    naive_counts,
    naive_levels,
    pairs,
    setting,
    with_action,
)
from tests.evaluation.test_scores import counts


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None, max_examples=60)
@given(pairs())
def test_equals_the_naive_evaluator(case):
    true, learned, instance = case
    (score,) = evaluate(learned, true, [instance], 6).problems
    generator, codes, static, init = setting(true, learned, instance)
    visited = [codes.decode_state(s) | static for s in find_states(generator, init, 6)]
    expected = naive_counts(learned, true, instance.objects, visited)
    assert (score.problem, score.n_states, score.failure) == ("p", len(visited), "")
    assert (counts(score.states), counts(score.pairs), score.n_exact) == (
        expected[0], expected[1], expected[3],
    )  # fmt: skip
    assert {name: counts(own) for name, own in score.actions.items()} == expected[2]


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None, max_examples=40)
@given(pairs(), st.integers(1, 12))
def test_states_come_in_order_of_their_distance(case, limit):
    true, learned, instance = case
    generator, codes, static, init = setting(true, learned, instance)
    found = [codes.decode_state(s) | static for s in find_states(generator, init, limit)]
    levels = naive_levels(true, instance.objects, instance.init, limit)
    distance = {state: number for number, level in enumerate(levels) for state in level}
    assert found[0] == instance.init
    assert len(set(found)) == len(found) == min(limit, len(distance))
    assert [distance[state] for state in found] == sorted(distance.values())[: len(found)]


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None, max_examples=40)
@given(pairs(), st.data())
def test_what_leaving_out_does(case, data):
    """Without a precondition nothing true is lost; without an action nothing false is added."""
    true, _, instance = case
    schema = data.draw(st.sampled_from(true.actions))
    others = [action for action in true.actions if action != schema]
    assert evaluate(true, true, [instance], 6).is_sound
    assert evaluate(true, true, [instance], 6).is_complete
    fewer_actions = replace(true, actions=tuple(others))
    assert evaluate(fewer_actions, true, [instance], 6).is_sound
    if schema.preconditions:
        dropped = data.draw(st.sampled_from(sorted(schema.preconditions)))
        wider = replace(schema, preconditions=schema.preconditions - {dropped})
        result = evaluate(replace(true, actions=(*others, wider)), true, [instance], 6)
        assert result.is_complete


def test_the_true_domain_is_sound_and_complete(blocks):
    domain, instances = blocks
    result = evaluate(domain, domain, instances, 300)
    assert (result.pooled.n_states, result.pooled.n_exact) == (300, 300)
    assert result.is_sound and result.is_complete
    for score in (result.pooled.states, result.pooled.pairs, *result.pooled.actions.values()):
        assert (score.precision, score.recall) == (1.0, 1.0)
        assert score.true_positives > 0


@pytest.mark.parametrize(
    ("name", "dropped"), [("stack", "clear ?t"), ("move", "clear ?b"), ("newtower", "clear ?b")]
)
def test_a_dropped_precondition_lowers_the_precision_only(blocks, name, dropped):
    domain, instances = blocks
    schema = domain.action(name)
    predicate, *terms = dropped.split()
    less = schema.preconditions - {Atom(predicate, tuple(terms))}
    assert less != schema.preconditions
    result = evaluate(
        with_action(domain, replace(schema, preconditions=less)), domain, instances, 200
    )
    assert not result.is_sound and result.is_complete
    assert result.pooled.states.precision < 1 == result.pooled.states.recall
    assert {n for n, score in result.pooled.actions.items() if score.precision < 1} == {name}


def test_a_dropped_action_lowers_the_recall_only(blocks):
    domain, instances = blocks
    without = replace(domain, actions=tuple(a for a in domain.actions if a.name != "move"))
    result = evaluate(without, domain, instances, 200)
    assert result.is_sound and not result.is_complete
    pooled = result.pooled
    assert pooled.states.recall < 1 == pooled.states.precision
    assert (pooled.actions["move"].precision, pooled.actions["move"].recall) == (1.0, 0.0)
    assert pooled.actions["stack"].recall == 1.0
    assert pooled.n_exact < pooled.n_states


def test_an_exchange_of_names_is_seen_by_pairs_only(blocks):
    domain, instances = blocks
    other = {"stack": "move", "move": "stack", "newtower": "newtower"}
    actions = tuple(replace(a, name=other[a.name]) for a in domain.actions)
    result = evaluate(replace(domain, actions=actions), domain, instances, 100)
    assert result.is_sound and result.is_complete
    assert result.pooled.pairs.precision < 1 > result.pooled.pairs.recall


def test_what_the_learned_domain_never_changes_is_not_static():
    """`on` is false at first and no learned action changes it, but the true one does."""
    learned = replace(MACHINE, actions=(RUN,))
    result = evaluate(learned, MACHINE, [OFF], 10).pooled
    assert result.n_states == 3
    assert counts(result.actions["run"]) == [1, 0, 0]
    assert counts(result.actions["switch"]) == [0, 0, 1]


def test_what_only_the_learned_domain_changes_is_not_static():
    wrong = replace(RUN, add_effects=RUNNING | {Atom("broken")})
    predicates = (*PROPOSITIONS, Predicate("broken"))
    true = replace(MACHINE, predicates=predicates)
    result = evaluate(replace(true, actions=(SWITCH, wrong)), true, [OFF], 10).pooled
    assert counts(result.states) == [1, 1, 1]


def test_an_inequality_too_much_or_too_little_is_counted():
    atom = frozenset({Atom("near", ("?x", "?y"))})
    meet = ActionSchema("meet", (Parameter("?x"), Parameter("?y")), add_effects=atom)
    near = Predicate("near", (("object",), ("object",)))
    true = Domain("d", predicates=(near,), actions=(meet,))
    learned = replace(true, actions=(replace(meet, inequalities=frozenset({("?x", "?y")})),))
    instance = Instance("p", "d", {"a": "object", "b": "object"}, frozenset())
    for one, two, is_right in ((learned, true, (True, False)), (true, learned, (False, True))):
        result = evaluate(one, two, [instance], 10)
        assert (result.is_sound, result.is_complete) == is_right
    assert evaluate(true, true, [instance], 100).pooled.n_states == 2**4


def test_predicates_must_agree():
    extra = replace(MACHINE, predicates=(*PROPOSITIONS, Predicate("lit")))
    with pytest.raises(PDDLInputError, match="found lit of arity 0"):
        evaluate(extra, MACHINE, [OFF])
    assert evaluate(MACHINE, extra, [OFF]).is_sound  # the other way round nothing is missing
    unary = replace(MACHINE, predicates=(Predicate("on", (("object",),)), Predicate("running")))
    with pytest.raises(PDDLInputError, match=r"of arity 0 as in .*, found .* of arity 1"):
        evaluate(replace(unary, actions=()), MACHINE, [OFF])


def test_nothing_to_measure_is_refused():
    for instances, n_states in (([], 10), ([OFF], 0)):
        with pytest.raises(ValueError, match="at least one state and one problem"):
            evaluate(MACHINE, MACHINE, instances, n_states)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(BENCHMARKS))
def test_every_true_domain_is_sound_and_complete_against_itself(name):
    domain = read_domain(DOMAINS / name / "domain.pddl")
    instances = [read_problem(DOMAINS / name / f"p0{n}.pddl", domain) for n in (2, 3, 4)]
    result = evaluate(domain, domain, instances)
    assert result.pooled.n_exact == result.pooled.n_states == 1500
    assert result.pooled.pairs.is_sound and result.pooled.pairs.is_complete
