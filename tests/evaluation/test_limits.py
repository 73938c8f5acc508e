"""What is measured when there is too little time, or there are too many successors."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from time import sleep

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.evaluation import evaluate as evaluation
from dias.evaluation.evaluate import compare, evaluate
from dias.evaluation.states import share_evenly
from dias.strips.engines.choice import UNPRUNED, StripsDynamics
from dias.strips.engines.lifted import LiftedEngine
from dias.strips.model import ActionSchema, Atom, Instance, Parameter, Predicate
from tests.evaluation.naive import MACHINE, OFF, PROPOSITIONS, RUN, SWITCH, pairs, with_action
from tests.evaluation.test_scores import counts


def test_out_of_time_is_a_failure(blocks):
    domain, instances = blocks
    result = evaluate(domain, domain, instances, 100, time_limit_s=0.0)
    assert [problem.n_states for problem in result.problems] == [0, 0]
    assert all(p.failure.startswith("out of time after 0 states") for p in result.problems)
    assert instances[1].name in result.pooled.failure
    assert not result.is_sound and not result.is_complete
    assert not evaluate(domain, domain, instances, 100, time_limit_s=100.0).pooled.failure


def test_problems_whose_turn_comes_too_late_are_not_set_up(blocks):
    domain, instances = blocks
    built = []

    class Slow(StripsDynamics):
        def build(self, problem, check):
            built.append(problem.name)
            sleep(0.2)
            return super().build(problem, check)

    result = compare(Slow(domain), Slow(domain), instances, 100, time_limit_s=0.1)
    assert built == [instances[0].name] * 2
    assert [p.problem for p in result.problems] == [instance.name for instance in instances]
    assert {p.failure for p in result.problems} == {"out of time after 0 states"}
    assert not result.is_sound and not result.is_complete


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None, max_examples=60)
@given(pairs(), st.integers(1, 3), st.integers(1, 3), st.sampled_from(UNPRUNED))
def test_of_too_many_successors_only_the_true_ones_are_all_counted(case, first, later, engine):
    true, learned, instance = case
    exact = evaluate(learned, true, [instance], 6).pooled
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluation, "MAX_SUCCESSORS", first)
        patch.setattr(evaluation, "MAX_WHEN_CAPPED", later)
        capped = evaluate(learned, true, [instance], 6, engine=engine).pooled
    scores = [(capped.states, exact.states), (capped.pairs, exact.pairs)]
    scores += [(capped.actions[name], own) for name, own in exact.actions.items()]
    for found, expected in scores:
        assert counts(found)[::2] == counts(expected)[::2]
        assert found.false_positives <= expected.false_positives
    assert (capped.failure, capped.n_states) == ("", exact.n_states)
    assert capped.states.is_sound == exact.states.is_sound
    if not capped.n_capped:
        assert counts(capped.states) == counts(exact.states)
    else:
        assert capped.states.false_positives > min(first, later) - 1


def test_after_a_state_with_too_many_fewer_wrong_successors_are_counted(blocks, monkeypatch):
    """A schema without preconditions predicts dozens in every state of five blocks."""
    domain, instances = blocks
    loose = replace(domain.action("stack"), preconditions=frozenset())
    learned = replace(domain, actions=(loose,))
    monkeypatch.setattr(evaluation, "MAX_SUCCESSORS", 9)
    monkeypatch.setattr(evaluation, "MAX_WHEN_CAPPED", 2)
    result = evaluate(learned, domain, instances[:1], 4)
    assert result.pooled.n_capped == 4
    wrong = result.pooled.states.false_positives
    n_true = result.pooled.states.true_positives + result.pooled.states.false_negatives
    assert 9 + 3 * 2 <= wrong <= 9 + 3 * 2 + n_true


def test_true_successors_beyond_the_count_are_asked_for(blocks, monkeypatch):
    """Without a cap and with one of a single wrong successor the recall is the same."""
    domain, instances = blocks
    loose = [replace(action, preconditions=frozenset()) for action in domain.actions]
    learned = replace(domain, actions=tuple(loose))
    exact = evaluate(learned, domain, instances[:1], 4).pooled
    monkeypatch.setattr(evaluation, "MAX_SUCCESSORS", 1)
    monkeypatch.setattr(evaluation, "MAX_WHEN_CAPPED", 1)
    capped = evaluate(learned, domain, instances[:1], 4).pooled
    assert capped.n_capped == 4 and exact.n_capped == 0
    assert capped.states.true_positives == exact.states.true_positives > 0
    assert capped.states.is_complete


def test_each_problem_has_its_share_of_the_time_that_is_left(blocks, monkeypatch):
    """Of three problems the first has a third, the second half of the rest, the last all of it."""
    domain, instances = blocks
    asked = []

    @contextmanager
    def clock(time_limit_s):
        asked.append(time_limit_s)
        yield

    monkeypatch.setattr(evaluation, "within", clock)
    monkeypatch.setattr(evaluation, "remaining_s", lambda: 600.0 - 100.0 * (len(asked) - 1))
    compare(StripsDynamics(domain), StripsDynamics(domain), instances[:1] * 3, 30, 600.0)
    assert asked == [600.0, 600.0 / 3, 500.0 / 2, 400.0]


def test_what_is_said_of_a_schema_is_said_once(caplog):
    never = ActionSchema("never", (Parameter("?x"),), inequalities=frozenset({("?x", "?x")}))
    learned = replace(MACHINE, actions=(*MACHINE.actions, never))
    assert evaluate(learned, MACHINE, [OFF], 10).is_sound
    assert caplog.text.count("action never is never applicable") == 1


def test_true_successors_do_not_use_up_the_count(blocks, monkeypatch):
    domain, instances = blocks
    monkeypatch.setattr(evaluation, "MAX_SUCCESSORS", 0)
    result = evaluate(domain, domain, instances, 100)
    assert result.is_sound and result.is_complete
    assert result.pooled.n_capped == 0


def test_where_a_change_cannot_be_asked_for_too_many_are_a_failure(blocks, monkeypatch):
    domain, instances = blocks
    monkeypatch.setattr(evaluation, "MAX_SUCCESSORS", 3)
    monkeypatch.setattr(LiftedEngine, "reached", lambda self, state, changes: None)
    schema = domain.action("stack")
    loose = with_action(domain, replace(schema, preconditions=frozenset()))
    result = evaluate(loose, domain, instances, 100)
    assert not result.is_sound and not result.is_complete
    n_asked = 100 - result.problems[0].n_states
    assert result.problems[1].failure in {
        f"more than 3 predicted successors in state {result.problems[1].n_states + 1} of {n}"
        for n in (n_asked, 50)
    }


@pytest.mark.parametrize("looks_up", [False, True])
def test_a_search_that_finds_nothing_ends_with_its_time(looks_up):
    """Everything is near everything, and two of eight objects may not be. The next problem has
    its own share of the time.
    """
    names = [f"?x{number}" for number in range(8)]
    chain = frozenset(Atom("near", pair) for pair in pairwise(names[:-1]))
    search = ActionSchema(
        "search",
        tuple(map(Parameter, names)),
        preconditions=chain if looks_up else frozenset(),
        negative_preconditions=frozenset({Atom("near", (names[-2], names[-1]))}),
        delete_effects=frozenset({Atom("near", (names[0], names[1]))}),
    )
    near = Predicate("near", (("object",), ("object",)))
    true = replace(MACHINE, predicates=(*PROPOSITIONS, near))
    learned = replace(true, actions=(SWITCH, RUN, search))
    many = {f"o{number}": "object" for number in range(20)}
    everywhere = frozenset(Atom("near", (a, b)) for a in many for b in many)
    large = Instance("large", "machine", many, everywhere)
    first, second = evaluate(learned, true, [large, OFF], 10, time_limit_s=0.5).problems
    assert (first.n_states, first.failure) == (0, "out of time after 0 states")
    assert (second.n_states, second.failure) == (3, "")


@given(st.lists(st.integers(0, 200), min_size=1, max_size=6), st.integers(0, 500))
def test_shares_are_even(available, wanted):
    shares = share_evenly(available, wanted)
    assert sum(shares) == min(wanted, sum(available))
    assert all(0 <= share <= limit for share, limit in zip(shares, available, strict=True))
    # Whoever could give more gives as much as anyone, give or take one.
    for share, limit in zip(shares, available, strict=True):
        assert share == limit or share >= max(shares) - 1


def test_what_a_small_problem_cannot_give_comes_from_the_others(blocks):
    domain, (_, large) = blocks
    # Two towers of one block each: three states, this one included.
    tiny = Instance("tiny", "blocks-3", {"a": "object", "b": "object"}, frozenset(
        Atom(name, terms)
        for name, terms in [
            ("on-table", ("a",)), ("on-table", ("b",)), ("clear", ("a",)), ("clear", ("b",)),
            ("eq", ("a", "a")), ("eq", ("b", "b")),
        ]
    ))  # fmt: skip
    result = evaluate(domain, domain, [large, tiny], 40)
    assert [problem.n_states for problem in result.problems] == [37, 3]
    assert result.pooled.n_states == 40
