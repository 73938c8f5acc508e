"""What certification keeps, against loops over the transitions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import example as case
from hypothesis import strategies as st

from dias.learning.data.transitions import BindingTable, Examples, examples_by_action
from dias.learning.explain import bindings, certify
from dias.learning.explain.bindings import bind, count_explained, explaining_bindings, is_explained
from dias.learning.explain.certify import certify_table
from dias.learning.explain.full_labels import learn_with_arguments
from dias.learning.propose.trim import minimal_effects
from dias.learning.schema import (
    EQUAL,
    TYPE,
    Effects,
    LiftedAtom,
    compact,
    comparisons,
    lifted_atoms,
)
from dias.strips.codes import AtomCodes
from dias.strips.model import Atom
from dias.traces.record import LabelMode
from tests.learning import strategies
from tests.learning.cases import benchmark, example, ground, literals, sampled
from tests.traces.files import atoms


def truth(literal, binding, step):
    if literal.relation == EQUAL:
        return len({binding[v] for v in literal.variables}) == 1
    return ground(literal, binding, step.codes) in step.transition.state


def certified(effects, group):
    """The fewest effects, all their bindings, and what these keep."""
    effects = minimal_effects(effects, group)
    return certify_table(effects, group, BindingTable.of(bind(effects, group), effects.n_variables))


def explained(effects, group):
    """Numbers of the transitions that have a binding."""
    steps = enumerate(group.examples)
    return {n for n, step in steps if any(True for _ in explaining_bindings(effects, step))}


@settings(deadline=None)
@given(st.data())
def test_one_binding_each_keeps_what_a_loop_keeps(data):
    arities = data.draw(strategies.arities)
    effects = data.draw(strategies.effects(arities))
    group = data.draw(strategies.examples(effects, arities))
    every = [list(explaining_bindings(effects, e)) for e in group.examples]
    # One binding for each step that has some, whichever hypothesis picks; none for the others.
    chosen = [[data.draw(st.sampled_from(found))] if found else [] for found in every]
    schema = certify_table(effects, group, BindingTable.of(chosen, effects.n_variables))
    rows = [(b, e) for bound, e in zip(chosen, group.examples, strict=True) for b in bound]
    pool = [*lifted_atoms(arities, effects.n_variables), *comparisons(effects.n_variables)]
    assert (schema.action, schema.effects, schema.n_ambiguous) == ("act", effects, 0)
    assert schema.n_variables == effects.n_variables
    if not rows:
        assert schema.positive == schema.negative == ()
        return
    positive = [x for x in pool if all(truth(x, b, e) for b, e in rows)]
    negative = [x for x in pool if not any(truth(x, b, e) for b, e in rows)]
    assert (schema.positive, schema.negative) == tuple(map(tuple, spared(positive, negative)))


def spared(positive, negative):
    """Without what is said of a variable that always is the object of an earlier one.

    That it is so is said once, of the earliest one; its types stay.
    """
    first = {}
    for one, other in sorted(x.variables for x in positive if x.relation == EQUAL):
        first.setdefault(other, one)

    def is_about_others(x):
        return not first.keys() & set(x.variables)

    def says_it(x):
        return x.relation == EQUAL and first.get(x.variables[1]) == x.variables[0]

    return (
        [x for x in positive if is_about_others(x) or says_it(x) or x.relation.startswith(TYPE)],
        [x for x in negative if is_about_others(x)],
    )


def kept_one_by_one(tables, nats):
    """What the choice of bindings keeps, transition by transition; fewest bindings first.

    Nats are counted in whole parts, as equals must be equal in every order of adding up.
    """
    tables = sorted(tables, key=len)
    n_literals = tables[0].shape[1]
    everything = np.ones(n_literals, dtype=bool), np.ones(n_literals, dtype=bool)
    weights = [[round(nat * certify.PER_NAT) for nat in own] for own in nats]

    def worth(holds, fails):
        return sum(sum(w for w, k in zip(own, kept, strict=True) if k)
                   for own, kept in zip(weights, (holds, fails), strict=True))  # fmt: skip

    def with_best(table, wanted, kept):
        score = [worth(row & wanted[0], ~row & wanted[1]) for row in table]
        best = table[score.index(max(score))]
        return kept[0] & best, kept[1] & ~best

    beginnings = [everything]
    if len(tables[0]) > 1:
        rows = np.unique(tables[0], axis=0)[: certify.MAX_BEGINNINGS]
        beginnings = [(row, ~row) for row in rows]
    outcomes = []
    for wanted in beginnings:
        for table in tables:
            wanted = with_best(table, wanted, wanted)
        outcomes.append(wanted)
    wanted = max(outcomes, key=lambda kept: worth(*kept))
    for _ in range(certify.MAX_ROUNDS):
        # Where there is one binding, there is no choice to repeat: it comes first either way.
        kept = everything
        for table in tables:
            kept = with_best(table, wanted, kept)
        if all((new == old).all() for new, old in zip(kept, wanted, strict=True)):
            break
        wanted = kept
    return kept


def ones(text):
    return [letter == "x" for letter in text]


@settings(deadline=None)
@given(
    st.lists(
        st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=1, max_size=4),
        min_size=1,
        max_size=8,
    ),
    st.one_of(st.just([0.5] * 5), st.lists(st.floats(0, 1), min_size=5, max_size=5)),
    st.sampled_from([1, 2, 3, 256]),
    st.sampled_from([1, 2, 8]),
    st.sampled_from([1, 2, 5]),
    st.sampled_from([1, 3, 20_000]),
)
@case(
    [[ones("xx.xx"), ones("...x.")], [ones("xx.xx"), ones("xxxxx")], [ones(".xxx.")]],
    [0.5] * 5, 256, 8, 5, 20_000,
)  # fmt: skip
def test_bindings_chosen_together_keep_what_a_loop_keeps(
    tables, shares, chunk, n_beginnings, n_rounds, n_rows
):
    """Whatever the shares of true atoms say that a literal is worth; at 1/2 each counts alike."""
    tables = [np.array(table, dtype=bool) for table in tables]
    nats = certify._nats(np.array(shares[: tables[0].shape[1]]))
    owner = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(certify, "CHUNK", chunk)
        patch.setattr(certify, "MAX_BEGINNINGS", n_beginnings)
        patch.setattr(certify, "MAX_ROUNDS", n_rounds)
        patch.setattr(certify, "ROWS", n_rows)
        kept = certify._never_violated(owner, np.concatenate(tables), nats)
        expected = kept_one_by_one(tables, nats.tolist())
    for one, other in zip(kept, expected, strict=True):
        assert one.tolist() == other.tolist()


def test_of_equally_good_bindings_the_first_is_taken():
    truth = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0], [1, 1, 0], [0, 0, 1]], dtype=bool)
    wanted = np.array([True, True, False]), np.array([False, False, True])
    start = np.array([0, 2, 4])
    alike = np.ones((2, 3))
    assert certify._best(certify._score(truth, wanted, alike), start).tolist() == [0, 2, 4]
    second = np.array([[1, 2, 1], [1, 1, 1]])
    assert certify._best(certify._score(truth, wanted, second), start).tolist() == [1, 2, 4]


def test_scores_are_what_is_kept_in_nats():
    """Up to what all bindings share: -log of how often a literal holds, or fails, by chance."""
    nats = certify._nats(np.array([0.5, 0.25, 0.0, 1.0]))
    least = -np.log(certify.MIN_CHANCE)
    assert nats[0] == pytest.approx([np.log(2), np.log(4), least, 0], abs=1e-5)
    assert nats[1] == pytest.approx([np.log(2), np.log(4 / 3), 0, least], abs=1e-5)
    truth = np.array([ones("xx.x"), ones(".x..")])
    wanted = np.array(ones("xx..")), np.array(ones("x.xx"))
    whole = np.array([[2, 4, 8, 16], [3, 5, 9, 17]])
    first, second = certify._score(truth, wanted, whole).tolist()
    assert first - second == (2 + 4 + 9) - (4 + 3 + 9 + 17)


@settings(deadline=None)
@given(st.data())
def test_bind_lists_all_bindings_up_to_a_limit(data):
    arities = data.draw(strategies.arities)
    effects = data.draw(strategies.effects(arities))
    group = data.draw(strategies.examples(effects, arities))
    every = [list(explaining_bindings(effects, step)) for step in group.examples]
    assert bind(effects, group) == every
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bindings, "MAX_BINDINGS", 2)
        assert bind(effects, group) == [found[:2] for found in every]


@settings(deadline=None)
@given(st.data())
def test_what_is_kept_holds_under_one_binding_of_each_explained_transition(data):
    arities = data.draw(strategies.arities)
    effects = data.draw(strategies.effects(arities))
    group = data.draw(strategies.examples(effects, arities))
    schema = certified(effects, group)
    n_ambiguous = 0
    for step in group.examples:
        found = list(explaining_bindings(schema.effects, step))
        n_ambiguous += len(found) > 1
        assert not found or any(
            all(truth(x, binding, step) for x in schema.positive)
            and not any(truth(x, binding, step) for x in schema.negative)
            for binding in found
        )
    assert schema.n_ambiguous == n_ambiguous
    assert explained(effects, group) <= explained(schema.effects, group)


@settings(deadline=None)
@given(st.data())
def test_minimal_effects(data):
    """What was explained still is, and no further effect can be spared."""
    arities = data.draw(strategies.arities)
    effects = data.draw(strategies.effects(arities))
    group = data.draw(strategies.examples(effects, arities))
    minimal = minimal_effects(effects, group)
    assert explained(effects, group) <= explained(minimal, group)
    assert len(minimal.add) <= len(effects.add) and len(minimal.delete) <= len(effects.delete)
    for kind in ("add", "delete"):
        for literal in getattr(minimal, kind):
            rest = [other for other in getattr(minimal, kind) if other != literal]
            add, delete = (rest, minimal.delete) if kind == "add" else (minimal.add, rest)
            fewer = compact(list(add), list(delete))
            assert not explained(minimal, group) <= explained(fewer, group)


@settings(deadline=None)
@given(st.data())
def test_count_explained(data):
    arities = data.draw(strategies.arities)
    effects = data.draw(strategies.effects(arities))
    group = data.draw(strategies.examples(effects, arities))
    assert count_explained(effects, group) == len(explained(effects, group))


ROBOT = {"at": 1, "road": 2, "lit": 0, "sold": 1}
CODES = AtomCodes(ROBOT, ["a", "b", "c", "d"])
ROADS = ("road a b", "road b c", "road c d", "road d a")


def moves(*pairs):
    """Moves of a robot; nothing else changes."""
    return [
        example(CODES, atoms(f"at {x}", *ROADS), atoms(f"at {y}", *ROADS))
        for x, y in map(str.split, pairs)
    ]


@pytest.mark.parametrize(
    ("add", "delete"),
    [
        (["road 2 3"], []),  # always true: with variables of its own
        ([], ["sold 2"]),  # never true
        ([], ["lit"]),
        (["road 0 1"], ["sold 0", "sold 1"]),  # idle, and over the variables that count
    ],
)
def test_planted_idle_effects_are_removed(add, delete):
    group = Examples("move", ROBOT, moves("a b", "b c", "c d"))
    true = Effects(2, literals("at 1"), literals("at 0"))
    planted = Effects(4, literals("at 1", *add), literals("at 0", *delete))
    assert count_explained(planted, group) == 3
    assert minimal_effects(planted, group) == true
    schema = certified(planted, group)
    assert schema.effects == true
    assert schema.positive == literals("at 0", "road 0 1")
    others = [x for x in lifted_atoms(ROBOT, 2) if x not in literals("at 0", "road 0 1")]
    assert schema.negative == (*others, *literals("= 0 1"))


def test_an_effect_that_changes_something_only_once_is_kept():
    before, after = atoms("at a", "lit", *ROADS), atoms("at b", *ROADS)
    group = Examples("move", ROBOT, [*moves("a b", "b c", "c d"), example(CODES, before, after)])
    effects = Effects(2, literals("at 1"), literals("at 0", "lit"))
    assert minimal_effects(effects, group) == effects


STAMP = {"stamped": 1, "ready": 1, "cold": 1}
PAPERS = AtomCodes(STAMP, ["a", "b", "c"])
STAMPS = Effects(1, literals("stamped 0"), ())


def stamp(before, *new):
    return example(PAPERS, atoms(*before), atoms(*before, *new))


def test_the_binding_that_keeps_a_literal_is_chosen():
    """In the second step all three papers could have been stamped; only c was ready."""
    plain = stamp(["ready a"], "stamped a")
    ambiguous = stamp(["stamped a", "stamped b", "stamped c", "ready c"])
    for order in ([plain, ambiguous], [ambiguous, plain]):
        schema = certified(STAMPS, Examples("stamp", STAMP, order))
        assert schema.positive == literals("ready 0")
        assert schema.negative == literals("cold 0")
        assert schema.n_ambiguous == 1


def test_a_negative_literal_guides_the_choice_too():
    plain = stamp(["cold b", "cold c"], "stamped a")
    ambiguous = stamp(["stamped a", "stamped b", "cold a"])
    schema = certified(STAMPS, Examples("stamp", STAMP, [plain, ambiguous]))
    assert schema.negative == literals("ready 0", "cold 0")


def test_ambiguous_steps_agree_with_each_other():
    """The step with two bindings settles what the one with three may keep."""
    three = stamp(["stamped a", "stamped b", "stamped c", "ready a", "cold b"])
    two = stamp(["stamped a", "stamped b", "cold a"])
    plain = stamp(["cold c", "ready c"], "stamped c")
    both = Examples("stamp", STAMP, [three, two, plain])
    schema = certified(STAMPS, both)
    assert schema.n_ambiguous == 2
    assert schema.positive == literals("cold 0")  # `ready` has no binding in `two` with `cold`


@pytest.mark.parametrize("first", ["a", "b"])
def test_where_all_are_ambiguous_any_binding_may_come_first(first):
    """Each time one of two papers at least is not cold; begun with the other one, that is lost."""
    stamped = ["stamped a", "stamped b", "ready a", "ready b"]
    steps = [stamp([*stamped, f"cold {cold}"]) for cold in (first, "a", "b", "b")]
    steps.append(stamp(stamped))
    group = Examples("stamp", STAMP, steps)
    schema = certify_table(STAMPS, group, BindingTable.of([[(0,), (1,)]] * 5, 1))
    assert schema.n_ambiguous == 5
    assert schema.positive == literals("stamped 0", "ready 0")
    assert schema.negative == literals("cold 0")


def test_transitions_without_a_binding_are_passed_over():
    strange = stamp([], "ready b")
    group = Examples("stamp", STAMP, [stamp(["ready a"], "stamped a"), strange])
    schema = certified(STAMPS, group)
    assert count_explained(STAMPS, group) == 1
    assert schema.positive == literals("ready 0")


def test_variables_beyond_those_of_the_effects():
    """A second variable, bound to a paper that is always cold."""
    group = Examples("stamp", STAMP, [stamp(["ready a", "cold b"], "stamped a")] * 2)
    schema = certify_table(STAMPS, group, BindingTable.of([[(0, 1)], [(0, 2), (0, 1)]], 2))
    assert (schema.effects, schema.n_variables, schema.n_ambiguous) == (STAMPS, 2, 1)
    assert schema.positive == literals("ready 0", "cold 1")
    assert schema.negative == literals("stamped 0", "stamped 1", "ready 1", "cold 0", "= 0 1")


def test_of_a_variable_that_always_is_another_only_that_and_its_types_are_kept():
    """Whatever is true of it is said of the other; `LiftedAtom` has the earliest of them."""
    relations = {"ready": 1, "cold": 1, "type paper": 1}
    codes = AtomCodes(relations, ["a", "b", "c"])
    papers = [Atom("type paper", (name,)) for name in codes.objects]
    group = Examples(
        "act", relations,
        [example(codes, [*atoms(f"ready {name}"), *papers], []) for name in "ab"],
    )  # fmt: skip
    paper = [LiftedAtom("type paper", (v,)) for v in range(4)]
    nothing = Effects(0, (), ())
    for rows, positive, equal, negative in (
        # The second is the first, and the third is another one.
        ((0, 0, 2), "ready 0", "= 0 1", "ready 2, cold 0, cold 2, = 0 2"),
        # All three are the first.
        ((0, 0, 0), "ready 0", "= 0 1, = 0 2", "cold 0"),
        # The third is the second, the fourth the first.
        ((0, 2, 2, 0), "ready 0", "= 0 3, = 1 2", "ready 1, cold 0, cold 1, = 0 1"),
    ):
        # In the second step b is in the place of a.
        bound = [[rows], [tuple(1 if o == 0 else o for o in rows)]]
        schema = certify_table(nothing, group, BindingTable.of(bound, len(rows)))
        assert schema.positive == (
            *literals(positive), *paper[: len(rows)], *literals(*equal.split(", "))
        )  # fmt: skip
        assert schema.negative == literals(*negative.split(", "))


def test_variables_that_are_one_object_at_times_are_neither_equal_nor_different():
    group = Examples("stamp", STAMP, [stamp(["ready a"], "stamped a")] * 2)
    schema = certify_table(STAMPS, group, BindingTable.of([[(0, 0)], [(0, 1)]], 2))
    assert schema.positive == literals("ready 0")
    assert schema.negative == literals("stamped 0", "stamped 1", "cold 0", "cold 1")


def naive_share(relation, arity, steps):
    """Share of the ground atoms that are true in s, all steps together; of pairs that are one."""
    if relation == EQUAL:
        return len(steps) / sum(len(step.codes.objects) for step in steps)
    true = sum(a.predicate == relation for step in steps for a in step.transition.state)
    return true / sum(len(step.codes.objects) ** arity for step in steps)


@settings(deadline=None)
@given(st.data())
def test_all_bindings_keep_what_a_loop_keeps(data):
    """A literal counts by the chance that objects drawn at random have it."""
    arities = data.draw(strategies.arities)
    effects = data.draw(strategies.effects(arities))
    group = data.draw(strategies.examples(effects, arities))
    every = bind(effects, group)
    assume(any(every))
    schema = certify_table(effects, group, BindingTable.of(every, effects.n_variables))
    pool = [*lifted_atoms(arities, effects.n_variables), *comparisons(effects.n_variables)]
    shares = [naive_share(x.relation, len(x.variables), group.examples) for x in pool]
    rows = [
        np.array([[truth(x, b, e) for x in pool] for b in found], dtype=bool)
        for found, e in zip(every, group.examples, strict=True)
        if found
    ]
    kept = kept_one_by_one(rows, certify._nats(np.array(shares)).tolist())
    positive, negative = ([x for x, k in zip(pool, own, strict=True) if k] for own in kept)
    assert (schema.positive, schema.negative) == tuple(map(tuple, spared(positive, negative)))


def test_what_is_rarely_true_outweighs_what_often_is():
    """Of two papers the one that is ready, as few are, and not the one that is cold and dear."""
    relations = {"stamped": 1, "ready": 1, "cold": 1, "dear": 1}
    codes = AtomCodes(relations, [f"o{i}" for i in range(9)])
    usual = [f"{word} o{i}" for word in ("cold", "dear") for i in range(1, 9)]

    def step(*own):
        every = atoms(*usual, "stamped o0", "stamped o1", *own)
        return example(codes, every, every)

    group = Examples("stamp", relations, [step("ready o0")] * 2)
    schema = certify_table(STAMPS, group, BindingTable.of([[(0,), (1,)]] * 2, 1))
    # Cold and dear are 8 of 9, ready is 1 of 9: 3.2 of log 9 against 2 of log 9/8.
    assert schema.positive == literals("stamped 0", "ready 0")
    assert schema.negative == literals("cold 0", "dear 0")


def test_nothing_is_claimed_when_nothing_is_explained():
    group = Examples("stamp", STAMP, [stamp([], "ready b")])
    schema = certify_table(STAMPS, group, BindingTable.of([[]], 1))
    assert (schema.positive, schema.negative) == ((), ())


@pytest.mark.parametrize("name", ["blocks-3", "gripper", "hanoi", "visitall"])
def test_true_effects_give_the_schemas_of_full_labels(name):
    """Where all arguments occur in effects, the bindings that are found say as much as labels."""
    domain, instances = benchmark(name, "p01")
    traces = sampled(domain, instances, 60, LabelMode.FULL)
    for group in examples_by_action(traces).values():
        labelled = learn_with_arguments(group)
        found = certified(labelled.effects, group)
        assert replace(found, n_ambiguous=0, origin=labelled.origin) == labelled


def test_two_variables_are_merged_where_one_does():
    """Emptying a full glass or a shaken shaker: one vessel, not a glass and a shaker.

    As both may be one object, one of the two `holds` is spared before they are merged.
    """
    relations = {"holds": 1, "full": 1, "shaken": 1}
    codes = AtomCodes(relations, ["g", "s", "x"])
    glass = example(codes, atoms("holds g", "full g"), atoms())
    shaker = example(codes, atoms("holds s", "shaken s"), atoms())
    group = Examples("empty", relations, [glass, shaker])
    split = Effects(2, (), literals("holds 0", "shaken 0", "holds 1", "full 1"))
    assert all(is_explained(split, one) for one in group.examples)
    assert minimal_effects(split, group) == Effects(
        1, (), literals("shaken 0", "holds 0", "full 0")
    )
