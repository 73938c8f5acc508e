"""Precision and recall against a naive evaluator that compares full successor states."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from time import sleep

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.generate import DOMAINS
from benchmarks.generators import BENCHMARKS
from dias.errors import PDDLInputError
from dias.evaluation import evaluate as evaluation
from dias.evaluation.evaluate import compare, evaluate
from dias.evaluation.states import find_states, share_evenly
from dias.limits import Limits
from dias.strips.engines.choice import UNPRUNED, StripsDynamics
from dias.strips.engines.lifted import LiftedEngine
from dias.strips.joins.successors import SuccessorGenerator
from dias.strips.model import ActionSchema, Atom, Domain, Instance, Parameter, Predicate
from dias.strips.pddl.reader import read_domain, read_problem
from dias.strips.problem import CodedProblem
from tests.evaluation.test_scores import counts
from tests.oracles import naive_successors
from tests.strategies import domains, objects, states


def next_states(domain, objects, state):
    """(action name, full successor state) of every applicable ground action."""
    return {
        (action, state - deleted | added)
        for action, _, added, deleted in naive_successors(domain, objects, state)
    }


def naive_levels(domain, objects, init, limit):
    """Reachable states by distance, until there are at least `limit`."""
    levels, seen = [{init}], {init}
    while levels[-1] and len(seen) < limit:
        reached = {s for state in levels[-1] for _, s in next_states(domain, objects, state)}
        levels.append(reached - seen)
        seen |= reached
    return levels


def naive_counts(learned, true, objects, visited):
    """(TP, FP, FN) by successor state, by (name, successor state), by name; exact states."""
    by_state, by_pair, by_name, n_exact = [0, 0, 0], [0, 0, 0], {}, 0
    for state in visited:
        t, p = (next_states(domain, objects, state) for domain in (true, learned))
        t_states, p_states = {s for _, s in t}, {s for _, s in p}
        n_exact += t_states == p_states
        for total, a, b in ((by_state, t_states, p_states), (by_pair, t, p)):
            for place, part in enumerate((a & b, b - a, a - b)):
                total[place] += len(part)
        for name in {name for name, _ in t | p}:
            own = by_name.setdefault(name, [0, 0, 0])
            for place, part in enumerate((t & p, p - t, t - p)):
                own[place] += sum(found == name for found, _ in part)
    return by_state, by_pair, by_name, n_exact


def setting(true, learned, instance):
    """The true domain's generator, the numbering, and the initial state's static part."""
    problem = CodedProblem.of(instance, true, learned)
    generator = SuccessorGenerator(true, problem)
    return generator, problem.codes, problem.static_atoms, problem.init


@st.composite
def pairs(draw):
    """Two domains over the same predicates, unrelated or one made from the other."""
    true = draw(domains())
    learned = draw(domains()) if draw(st.booleans()) else draw(variants(true))
    arities = {predicate.name: predicate.arity for predicate in true.predicates}
    renamed, predicates = {}, list(true.predicates)
    for predicate in learned.predicates:
        alike = [name for name, arity in arities.items() if arity == predicate.arity]
        if alike:
            renamed[predicate.name] = draw(st.sampled_from(alike))
        else:
            renamed[predicate.name] = f"q{predicate.arity}"
            predicates.append(Predicate(f"q{predicate.arity}", predicate.types))
            arities[f"q{predicate.arity}"] = predicate.arity

    def over_the_same(schema: ActionSchema) -> ActionSchema:
        groups = ("preconditions", "negative_preconditions", "add_effects", "delete_effects")
        return replace(
            schema,
            **{
                group: frozenset(Atom(renamed[p], terms) for p, terms in getattr(schema, group))
                for group in groups
            },
        )

    true = replace(true, predicates=tuple(predicates))
    actions = tuple(over_the_same(schema) for schema in learned.actions)
    learned = replace(learned, predicates=true.predicates, actions=actions)
    types = draw(objects(true)) | dict(learned.constants)
    init = draw(states(true, types))
    return true, learned, Instance("p", "random", types, init)


@st.composite
def variants(draw, domain: Domain) -> Domain:
    """The domain with an action or a few literals left out."""
    actions = []
    for schema in domain.actions:
        if draw(st.integers(0, 3)):
            pre, add = (
                frozenset(a for a in sorted(group) if draw(st.integers(0, 3)))
                for group in (schema.preconditions, schema.add_effects)
            )
            actions.append(replace(schema, preconditions=pre, add_effects=add))
    return replace(domain, actions=tuple(actions))


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


@pytest.fixture(scope="module")
def blocks():
    domain = read_domain(DOMAINS / "blocks-3" / "domain.pddl")
    return domain, [
        read_problem(DOMAINS / "blocks-3" / f"{p}.pddl", domain) for p in ("p01", "p02")
    ]


def with_action(domain, schema):
    """The domain with the action of that name exchanged."""
    actions = [schema if a.name == schema.name else a for a in domain.actions]
    return replace(domain, actions=tuple(actions))


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


ON, RUNNING = (frozenset({Atom(name)}) for name in ("on", "running"))
SWITCH = ActionSchema("switch", negative_preconditions=ON, add_effects=ON)
RUN = ActionSchema("run", preconditions=ON, negative_preconditions=RUNNING, add_effects=RUNNING)
PROPOSITIONS = (Predicate("on"), Predicate("running"))
MACHINE = Domain("machine", predicates=PROPOSITIONS, actions=(SWITCH, RUN))
OFF = Instance("off", "machine", {}, frozenset())


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

    class Clock(Limits):
        def __init__(self, time_limit_s=None):
            asked.append(time_limit_s)
            super().__init__(1000.0)

        @property
        def remaining_s(self):
            return 600.0 - 100.0 * (len(asked) - 1)

    monkeypatch.setattr(evaluation, "Limits", Clock)
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
