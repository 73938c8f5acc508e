"""What certification keeps, against loops over the transitions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dias.learning.data.coding import examples_by_action
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.explain import at_once, certify
from dias.learning.explain.at_once import bind, count_explained
from dias.learning.explain.bindings import explaining_bindings, is_explained
from dias.learning.explain.certify import certify_table
from dias.learning.explain.full_labels import of_arguments
from dias.learning.propose.trim import minimal_effects
from dias.learning.schema import EQUAL, Effects, LiftedAtom, comparisons, lifted_atoms
from dias.strips.codes import AtomCodes
from dias.strips.model import Atom
from dias.traces.record import LabelMode
from tests.learning import strategies
from tests.learning.cases import benchmark, example, literals, sampled
from tests.learning.explain.loops import (
    STAMP,
    STAMPS,
    certified,
    explained,
    kept_one_by_one,
    spared,
    stamp,
    truth,
)
from tests.traces.files import atoms


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


@settings(deadline=None)
@given(st.data())
def test_bind_lists_all_bindings_up_to_a_limit(data):
    arities = data.draw(strategies.arities)
    effects = data.draw(strategies.effects(arities))
    group = data.draw(strategies.examples(effects, arities))
    every = [list(explaining_bindings(effects, step)) for step in group.examples]
    assert bind(effects, group) == every
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(at_once, "MAX_BINDINGS", 2)
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
def test_count_explained(data):
    arities = data.draw(strategies.arities)
    effects = data.draw(strategies.effects(arities))
    group = data.draw(strategies.examples(effects, arities))
    assert count_explained(effects, group) == len(explained(effects, group))


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
        labelled = of_arguments(group)[0]
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
