"""Learning with all arguments: planted domains come out, whatever they are."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dias.config import LearningConfig
from dias.evaluation.evaluate import evaluate
from dias.learning.data.coding import examples_by_action
from dias.learning.data.transitions import BindingTable
from dias.learning.explain import full_labels
from dias.learning.explain.bindings import is_explained
from dias.learning.explain.full_labels import of_arguments
from dias.learning.finish.assemble import action_schema
from dias.learning.learn import learn
from dias.learning.schema import Origin, lifted_atoms
from dias.strips.model import OBJECT, Atom, is_subtype
from dias.traces.record import LabelMode
from tests.benchmarks.domains.test_domains import ACTIONS
from tests.learning.cases import all_steps, benchmark, literals, sampled
from tests.oracles import naive_successors
from tests.strategies import domains, objects, states
from tests.traces.files import read


@st.composite
def planted(draw):
    """A random domain and up to three problems, each with objects and a state of its own."""
    domain = draw(domains(with_constant=False))
    worlds = []
    for _ in range(draw(st.integers(1, 3))):
        types = draw(objects(domain))
        worlds.append((types, draw(states(domain, types))))
    return domain, worlds


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None, max_examples=60)
@given(planted())
def test_every_training_transition_is_a_successor(case):
    domain, worlds = case
    unchanging = {p.name for p in domain.predicates} - domain.fluents
    traces = all_steps(domain, worlds, unchanging)
    assume(traces.transitions)
    result = learn(traces)
    assert (result.method, result.n_steps) == ("full", 0)
    for number, (types, atoms) in enumerate(worlds):
        true = naive_successors(domain, types, atoms)
        # Same names, arguments and changes; the learned domain may allow more.
        assert true <= naive_successors(result.domain, types, atoms)
        assert len(true) == sum(t.segment == number for t in traces.transitions)
    assert result.n_explained == result.n_distinct == len(traces.transitions)
    assert result.explains_everything


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None, max_examples=60)
@given(planted())
def test_what_is_kept_is_what_a_loop_keeps(case):
    """Preconditions and effects by definition, over named atoms."""
    domain, worlds = case
    traces = all_steps(domain, worlds)
    assume(traces.transitions)
    for action, group in examples_by_action(traces).items():
        schema = domain.action(action)
        steps = [
            (dict(zip(schema.variables, t.arguments, strict=True)), t)
            for t in traces.transitions
            if t.action == action
        ]
        kept = action_schema(of_arguments(group)[0], traces)
        names = dict(zip(kept.variables, schema.variables, strict=True))

        def renamed(atoms, names=names):
            return {atom.substitute(names) for atom in atoms}

        def same(x, y, steps=steps):
            """In how many steps two variables are one object."""
            return sum(b[x] == b[y] for b, _ in steps)

        # What is said of a variable that always is an earlier one is that.
        twins = {(x, y) for x, y in combinations(schema.variables, 2) if same(x, y) == len(steps)}
        own = [v for v in schema.variables if v not in {y for _, y in twins}]
        pool = [
            Atom(p.name, terms) for p in domain.predicates for terms in product(own, repeat=p.arity)
        ]
        before = {x: [x.substitute(b) in t.state for b, t in steps] for x in pool}
        after = {x: [x.substitute(b) in t.next_state for b, t in steps] for x in pool}
        assert renamed(kept.preconditions) == {x for x in pool if all(before[x])}
        assert renamed(kept.negative_preconditions) == {x for x in pool if not any(before[x])}
        add, delete = naive_effects(steps, before, after)
        assert (renamed(kept.add_effects), renamed(kept.delete_effects)) == (add, delete)
        types = {names[p.name]: p.types for p in kept.parameters}
        equal, unequal = (
            {(names[x], names[y]) for x, y in pairs}
            for pairs in (kept.equalities, kept.inequalities)
        )
        assert equal == {(x, y) for x, y in twins if x in own}
        assert unequal == {
            (x, y)
            for x, y in combinations(own, 2)
            if not same(x, y) and may_be_one(types[x], types[y], domain)
        }


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None, max_examples=60)
@given(planted(), st.data())
def test_steps_are_explained_together_as_one_after_another(case, data):
    """By effects with a few literals more or less; objects are repeated, some states disturbed."""
    domain, worlds = case
    traces = all_steps(domain, worlds)
    assume(traces.transitions)
    steps = []
    for t in traces.transitions:
        atoms = sorted({a for own in traces.transitions for a in own.next_state
                        if own.segment == t.segment})  # fmt: skip
        wrong = data.draw(st.frozensets(st.sampled_from(atoms), max_size=1)) if atoms else set()
        steps.append(replace(t, next_state=t.next_state ^ wrong))
    for group in examples_by_action(replace(traces, transitions=tuple(steps))).values():
        own = of_arguments(group)[0].effects
        atoms = list(lifted_atoms(group.arities, own.n_variables))
        pool = st.frozensets(st.sampled_from(atoms), max_size=2) if atoms else st.just(set())
        add, delete = (
            tuple(sorted(set(literals) ^ data.draw(pool))) for literals in (own.add, own.delete)
        )
        effects = own._replace(add=add, delete=delete)
        given_rows = BindingTable.of([[e.given] for e in group.examples], own.n_variables)
        expected = [is_explained(effects, example) for example in group.examples]
        assert full_labels._explained(effects, group, given_rows).tolist() == expected


def naive_effects(steps, before, after):
    """Effects by definition, from the truth of named atoms before and after each step.

    A deleted atom is there only where an added one is the same; where no other does, one that was
    there all the time is added.
    """

    def needed(effects, is_new):
        """Without those that changed only where another one is the same atom; rare ones first."""
        kept = list(effects)
        for x in sorted(effects, key=lambda x: sum(is_new(x))):
            others = [y for y in kept if y != x]
            changed = [b for (b, _), new in zip(steps, is_new(x), strict=True) if new]
            if all(any(y.substitute(b) == x.substitute(b) for y in others) for b in changed):
                kept = others
        return set(kept)

    def came(x):
        return [a and not b for b, a in zip(before[x], after[x], strict=True)]

    def went(x):
        return [b and not a for b, a in zip(before[x], after[x], strict=True)]

    always = [x for x in after if all(after[x])]
    add = needed([x for x in always if any(came(x))], came)
    delete, helpers = [], set()
    for x in after:
        wins = [
            {y for y in always if y.substitute(binding) == x.substitute(binding)}
            for (binding, _), is_there in zip(steps, after[x], strict=True)
            if is_there
        ]
        if any(went(x)) and all(wins):
            delete.append(x)
            helpers |= {y for own in wins if not own & add for y in own}
    return add | helpers, needed(delete, went)


def may_be_one(types, others, domain):
    """Whether an object may be of one of the types and of one of the others."""
    return any(
        is_subtype(kind, types, domain.types) and is_subtype(kind, others, domain.types)
        for kind in (OBJECT, *domain.types)
    )


def test_the_literals_of_blocks_3():
    """Paper: the figure that compares the true and the learned Blocks-3 domain."""
    domain, instances = benchmark("blocks-3", "p01")
    traces = sampled(domain, instances, 100, LabelMode.FULL)
    result = learn(traces, LearningConfig(preconditions="safe"))
    found = {
        schema.name: (len(schema.preconditions), len(schema.negative_preconditions))
        for schema in result.domain.actions
    }
    assert found == {"stack": (5, 6), "newtower": (4, 7), "move": (6, 16)}


@pytest.mark.parametrize("name", sorted(ACTIONS))
def test_benchmark_domains_come_out_sound_and_complete(name):
    domain, (train, test) = benchmark(name, "p01", "p02")
    # Sokoban's walk gets stuck: the paper, too, asks for 20 samples only.
    traces = sampled(domain, [train], 20 if name == "sokoban" else 50, LabelMode.FULL)
    result = learn(traces)
    assert result.explains_everything
    assert {a.name: a.arity for a in result.domain.actions} == {
        a.name: a.arity for a in domain.actions
    }
    evaluation = evaluate(result.domain, domain, [test], 150)
    assert evaluation.pooled.n_states == 150
    assert evaluation.is_sound and evaluation.is_complete


HEADER = {"dias": "trace/1", "labels": "full", "predicates": {"p": ["object"], "q": ["object"]}}


def test_an_effect_that_does_not_always_hold_is_not_one():
    """q(a) came by itself in the second step, which therefore stays unexplained."""
    traces = read(
        HEADER,
        {"state": [], "action": "(act a)", "next": ["(p a)"]},
        {"state": [], "action": "(act b)", "next": ["(p b)", "(q b)"]},
        {"state": ["(q a)"], "action": "(act b)", "next": ["(p b)", "(q a)"]},
    )
    schema = of_arguments(examples_by_action(traces)["act"])[0]
    assert (schema.effects.add, schema.effects.delete) == (literals("p 0"), ())
    result = learn(traces)
    assert (result.n_explained, result.n_distinct) == (2, 3)
    assert not result.explains_everything


@pytest.mark.parametrize("way", ["next", "state"])
def test_a_step_that_is_not_explained_has_no_say_in_the_preconditions(way):
    """q came or went by itself in the second step, in which r did not hold."""
    steps = [
        {"state": ["(r a)"], "action": "(act a)", "next": ["(p a)", "(r a)"]},
        {"state": [], "action": "(act b)", "next": ["(p b)"]},
        {"state": ["(r a)", "(q a)"], "action": "(act a)", "next": ["(p a)", "(r a)", "(q a)"]},
    ]
    steps[1] = steps[1] | {way: [*steps[1][way], "(q b)"]}
    header = HEADER | {"predicates": {name: ["object"] for name in "pqr"}}
    schema = of_arguments(examples_by_action(read(header, *steps))["act"])[0]
    assert (schema.effects.add, schema.effects.delete) == (literals("p 0"), ())
    assert (schema.positive, schema.negative) == (literals("r 0"), literals("p 0"))
    assert schema.origin == Origin("arguments")


def test_an_effect_may_have_held_already_and_need_not_be_seen_in_every_step():
    """p is added and q deleted in every step; each changes in some of them only."""
    traces = read(
        HEADER,
        {"state": ["(q a)"], "action": "(act a)", "next": ["(p a)"]},
        {"state": ["(p b)", "(q b)"], "action": "(act b)", "next": ["(p b)"]},
        {"state": [], "action": "(act b)", "next": ["(p b)"]},
    )
    schema = of_arguments(examples_by_action(traces)["act"])[0]
    assert (schema.effects.add, schema.effects.delete) == (literals("p 0"), literals("q 0"))
    assert (schema.positive, schema.negative, schema.n_ambiguous) == ((), (), 0)
    # What is always there, or never, is no effect of an action that leaves it as it is.
    still = read(HEADER, {"state": ["(p a)"], "action": "(act a)", "next": ["(p a)"]})
    schema = of_arguments(examples_by_action(still)["act"])[0]
    assert (schema.effects.add, schema.effects.delete) == ((), ())


def test_the_same_step_with_two_outcomes_cannot_be_explained():
    traces = read(
        HEADER,
        {"state": ["(q a)"], "action": "(act a)", "next": ["(p a)"]},
        {"state": ["(q a)"], "action": "(act a)", "next": ["(p a)", "(q a)"]},
    )
    result = learn(traces)
    assert result.n_explained < result.n_distinct == 2


def test_an_effect_outside_the_arguments_cannot_be_explained():
    traces = read(HEADER, {"state": ["(q a)"], "action": "(act b)", "next": ["(p b)"]})
    result = learn(traces)
    (schema,) = result.domain.actions
    assert schema.add_effects == {Atom("p", ("?x1",))}
    assert (result.n_explained, result.n_distinct) == (0, 1)


def test_one_object_for_two_arguments_is_explained():
    traces = read(
        HEADER,
        {"state": [], "action": "(act a b)", "next": ["(p a)", "(q b)"]},
        {"state": [], "action": "(act a a)", "next": ["(p a)", "(q a)"]},
    )
    result = learn(traces)
    assert (result.n_explained, result.n_distinct) == (2, 2)
    (schema,) = result.domain.actions
    assert schema.add_effects == {Atom("p", ("?x1",)), Atom("q", ("?x2",))}
    assert (schema.equalities, schema.inequalities) == (frozenset(), frozenset())


def test_arguments_that_never_are_one_object_are_different():
    traces = read(HEADER, {"state": [], "action": "(act a b)", "next": ["(p a)", "(q b)"]})
    (schema,) = learn(traces).domain.actions
    assert (schema.equalities, schema.inequalities) == (frozenset(), {("?x1", "?x2")})


def test_two_effects_that_become_one_explain_a_step():
    """p of one object is what changed; the effects are p of the first and p of the second."""
    traces = read(
        HEADER,
        {"state": ["(q a)"], "action": "(act a b)", "next": ["(p a)", "(p b)", "(q a)"]},
        {"state": [], "action": "(act a a)", "next": ["(p a)"]},
    )
    schema = of_arguments(examples_by_action(traces)["act"])[0]
    assert schema.effects.add == literals("p 0", "p 1")
    assert (schema.positive, schema.negative) == ((), literals("p 0", "p 1", "q 1"))
    assert learn(traces).explains_everything


def test_a_move_to_where_it_was_keeps_what_it_deletes_elsewhere():
    """At its place the mover stays; the step says nothing against the deletion."""
    lines = [
        {"state": ["(p a)"], "action": "(move a b)", "next": ["(p b)"]},
        {"state": ["(p c)"], "action": "(move c c)", "next": ["(p c)"]},
    ]
    for order in (lines, lines[::-1]):
        result = learn(read(HEADER, *order))
        (schema,) = result.domain.actions
        assert schema.add_effects == {Atom("p", ("?to",))}
        assert schema.delete_effects == schema.preconditions == {Atom("p", ("?from",))}
        assert not schema.inequalities and result.explains_everything


def test_what_was_there_all_the_time_is_added_where_it_would_be_deleted():
    """The second object has p in every step, also where it is the first, of which p is taken."""
    lines = [
        {"state": ["(p a)", "(p b)"], "action": "(act a b)", "next": ["(p b)"]},
        {"state": ["(p c)"], "action": "(act c c)", "next": ["(p c)"]},
    ]
    for order in (lines, lines[::-1]):
        result = learn(read(HEADER, *order))
        (schema,) = result.domain.actions
        assert schema.add_effects == {Atom("p", ("?to",))}
        assert schema.delete_effects == {Atom("p", ("?from",))}
        assert result.explains_everything
    # Nothing but that may bring it back.
    stays = {"state": ["(p c)"], "action": "(act c b)", "next": ["(p c)"]}
    happened = LearningConfig(unchanged="happened")
    assert not learn(read(HEADER, *lines, stays), happened).explains_everything


def test_of_two_that_changed_only_as_one_the_last_is_the_effect():
    apart = {"state": ["(p b)"], "action": "(act a b)", "next": ["(p a)", "(p b)"]}
    one = {"state": [], "action": "(act c c)", "next": ["(p c)"]}
    idle = {"state": ["(p a)", "(p b)"], "action": "(act a b)", "next": ["(p a)", "(p b)"]}
    for lines, add in (
        ([one, apart], {Atom("p", ("?x1",))}),  # came without the second
        ([one, idle], {Atom("p", ("?x2",))}),
        ([one, apart, apart | {"action": "(act b a)"}], {Atom("p", ("?x1",)), Atom("p", ("?x2",))}),
    ):
        result = learn(read(HEADER, *lines))
        (schema,) = result.domain.actions
        assert schema.add_effects == add
        assert result.explains_everything


def test_the_effect_that_changed_most_is_kept():
    """p went from the first object each time; it was the second one's, or the third one's, too."""
    traces = read(
        HEADER | {"predicates": {"p": ["object"]}, "objects": dict.fromkeys("abc", "object")},
        {"state": ["(p a)"], "action": "(act a a b)", "next": []},
        {"state": ["(p a)"], "action": "(act a b a)", "next": []},
        {"state": ["(p b)"], "action": "(act b a b)", "next": []},
    )
    (schema,) = learn(traces).domain.actions
    assert schema.delete_effects == {Atom("p", ("?x1",))}
    assert schema.preconditions == {Atom("p", ("?x1",))}


def test_of_two_that_went_only_as_one_the_last_is_the_effect():
    apart = {"state": ["(p a)"], "action": "(act a b)", "next": []}
    one = {"state": ["(p c)"], "action": "(act c c)", "next": []}
    idle = {"state": [], "action": "(act a b)", "next": []}
    for lines, delete in (([one, apart], "?x1"), ([one, idle], "?x2")):
        result = learn(read(HEADER, *lines))
        (schema,) = result.domain.actions
        assert (schema.add_effects, schema.delete_effects) == (frozenset(), {Atom("p", (delete,))})
        assert result.explains_everything


def test_an_argument_that_always_repeats_another_is_that_one():
    traces = read(
        HEADER,
        {"state": ["(q a)"], "action": "(act a a)", "next": ["(p a)"]},
        {"state": ["(q b)"], "action": "(act b b)", "next": ["(p b)"]},
    )
    (schema,) = learn(traces, LearningConfig(preconditions="safe")).domain.actions
    assert schema.equalities == {("?x1", "?x2")}
    assert schema.preconditions == schema.delete_effects == {Atom("q", ("?x1",))}
    assert schema.negative_preconditions == schema.add_effects == {Atom("p", ("?x1",))}
