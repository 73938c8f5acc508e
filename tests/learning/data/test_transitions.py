"""Coded transitions against the plain atoms."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias import arrays
from dias.learning.data import lookup
from dias.learning.data.coding import examples_by_action, relation_arities
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.schema import (
    DIFFERENT,
    EQUAL,
    Effects,
    LiftedAtom,
    comparisons,
    lifted_atoms,
    type_relation,
)
from dias.strips.codes import AtomCodes
from dias.strips.model import Atom
from tests.learning import strategies
from tests.learning.cases import example, ground, is_true, literals
from tests.traces.files import atoms, header, read, step

NOTHING = Effects(0, (), ())


@settings(deadline=None)
@given(st.data())
def test_truth_equals_a_loop(data):
    """Several problems of different sizes, relations of arity 0 to 3, repeated variables.

    Whether two variables are one object is the same before and after. Many bindings, of which those
    of the same step may stand together, are asked in another way than few.
    """
    arities = data.draw(strategies.arities)
    group = data.draw(strategies.examples(NOTHING, arities))
    n_variables = data.draw(st.integers(0, 3))
    compared = [*comparisons(n_variables), *comparisons(n_variables, relation=DIFFERENT)]
    literals = data.draw(st.permutations([*lifted_atoms(arities, n_variables), *compared]))
    rows = data.draw(
        st.lists(
            st.sampled_from(range(len(group.examples))).flatmap(
                lambda owner: st.tuples(
                    st.just(owner),
                    st.lists(
                        st.sampled_from(range(len(group.examples[owner].codes.objects))),
                        min_size=n_variables,
                        max_size=n_variables,
                    ),
                )
            ),
            max_size=6,
        )
    )
    if data.draw(st.booleans()):
        rows.sort()
    owner = np.array([number for number, _ in rows], dtype=np.int64)
    bindings = np.array([b for _, b in rows], dtype=np.int64).reshape(len(rows), n_variables)
    at_once = data.draw(st.sampled_from([0, lookup.MAX_AT_ONCE]))
    for after in (False, True):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(lookup, "MAX_AT_ONCE", at_once)
            patch.setattr(lookup, "MAX_CELLS", data.draw(st.sampled_from([1, 7, 1_000])))
            table = group.truth(owner, bindings, literals, after)
        assert table.shape == (len(rows), len(literals))
        for (number, binding), found in zip(rows, table, strict=True):
            step = group.examples[number]
            looked_at = replace(step, state=step.next_state) if after else step
            assert found.tolist() == [is_true(atom, binding, looked_at) for atom in literals]


@settings(deadline=None)
@given(st.data())
def test_shares_equal_a_count(data):
    """Of all ground atoms of a relation in s, those that are true; of all pairs those of one."""
    arities = data.draw(strategies.arities)
    group = data.draw(strategies.examples(NOTHING, arities))
    n_objects = [len(step.codes.objects) for step in group.examples]
    expected = {EQUAL: 1 / (sum(n_objects) / len(n_objects))}
    for relation, arity in arities.items():
        states = [step.transition.state for step in group.examples]
        n_true = sum(atom.predicate == relation for state in states for atom in state)
        expected[relation] = n_true / sum(n**arity for n in n_objects)
    assert group.shares == pytest.approx(expected)


def test_shares_are_those_of_the_states_before():
    """Types and what is static included, problem by problem; a relation without objects has none.

    Of three and one objects two are on; of nine and one pairs three; it is dark in one of two.
    """
    relations = {"dark": 0, "on": 1, "by": 2}
    large, small = AtomCodes(relations, ["a", "b", "c"]), AtomCodes(relations, ["a"])
    steps = [
        example(large, atoms("on a", "on c", "by a a", "by c b", "dark"), atoms("on b")),
        example(small, atoms("by a a"), atoms("on a", "dark", "by a a")),
    ]
    shares = Examples("act", relations, steps).shares
    assert shares == {EQUAL: 1 / 2, "dark": 1 / 2, "on": 2 / 4, "by": 3 / 10}
    nothing = AtomCodes(relations, [])
    shares = Examples("act", relations, [example(nothing, atoms("dark"), ())]).shares
    assert shares == {EQUAL: 1, "dark": 1, "on": 0, "by": 0}
    traces = read(TYPED, {"state": ["(idle)"], "action": "park", "next": ["(at c n)"]})
    assert examples_by_action(traces)["park"].shares == {
        EQUAL: 1 / 4, "at": 1 / 16, "car": 0, "idle": 1,
        "type bay": 1 / 4, "type car": 1 / 4, "type vehicle": 2 / 4,
    }  # fmt: skip


@settings(deadline=None)
@given(st.data())
def test_neighbours_equal_a_loop(data):
    relations = {"flag": 0, "p": 1, "r": 2, "between": 3}
    numberings = [AtomCodes(relations, [f"o{i}" for i in range(n)]) for n in (3, 4)]
    group = Examples(
        "act",
        relations,
        [
            example(codes, data.draw(strategies.states(codes)), ())
            for codes in data.draw(st.lists(st.sampled_from(numberings), min_size=1, max_size=4))
        ],
    )
    chosen = data.draw(st.sets(st.integers(0, len(group.examples) - 1)))
    shared = group.neighbours(np.array(sorted(chosen), dtype=np.int64))
    for number, found in zip(sorted(chosen), shared, strict=True):
        codes = group.examples[number].codes
        together = [objects for _, objects in map(codes.split, group.examples[number].state)]
        expected = {
            (one, other)
            for objects in together
            if len(objects) > 1
            for one in objects
            for other in objects
        }
        assert set(zip(*map(np.ndarray.tolist, np.nonzero(found)), strict=True)) == expected


@pytest.mark.parametrize(
    ("max_bytes", "max_bits"), [(0, 0), (0, arrays.MAX_BITS), (arrays.MAX_BYTES, arrays.MAX_BITS)]
)
@pytest.mark.parametrize("relations", [{"flag": 0, "r": 3, "p": 1}, {"r": 3, "p": 1, "flag": 0}])
def test_the_atoms_of_one_example_are_none_of_the_next(monkeypatch, relations, max_bytes, max_bits):
    """The last code of one and the first of the next, in problems of four objects and of one."""
    monkeypatch.setattr(arrays, "MAX_BYTES", max_bytes)
    monkeypatch.setattr(arrays, "MAX_BITS", max_bits)
    large, small = (AtomCodes(relations, [f"o{i}" for i in range(n)]) for n in (4, 1))
    first, last = atoms("flag", "r o0 o0 o0"), atoms("flag", "p o3", "r o3 o3 o3")
    some = atoms("r o0 o1 o3", "r o0 o0 o0", "p o0", "p o1")
    alone = atoms("flag", "p o0", "r o0 o0 o0")
    steps = [
        example(codes, state, ())
        for codes, state in (
            (large, last), (large, ()), (large, first), (small, ()), (large, last), (small, alone),
            (large, some), (small, atoms("p o0")), (large, atoms("flag", "p o0")),
        )
    ]  # fmt: skip
    group = Examples("act", relations, steps)
    literals = lifted_atoms(relations, 3)
    for number, one in enumerate(steps):
        bindings = list(product(range(len(one.codes.objects)), repeat=3))
        found = group.truth(np.full(len(bindings), number), np.array(bindings), literals)
        expected = [
            [ground(literal, b, one.codes) in one.transition.state for literal in literals]
            for b in bindings
        ]
        assert found.tolist() == expected
    shared = [np.argwhere(own).tolist() for own in group.neighbours(np.arange(len(steps)))]
    low, high = [[0, 0]], [[3, 3]]
    several = [[one, other] for one in (0, 1, 3) for other in (0, 1, 3)]
    assert shared == [high, [], low, [], high, low, several, [], []]


def test_neighbours_reach_as_far_as_the_objects_of_those_asked():
    relations = {"p": 1, "r": 2}
    numberings = [AtomCodes(relations, [f"o{i}" for i in range(n)]) for n in (2, 5, 3)]
    group = Examples("act", relations, [example(codes, atoms("p o1"), ()) for codes in numberings])
    assert [group.neighbours(np.array(own)).shape for own in ([0], [0, 2], [0, 1, 2])] == [
        (1, 2, 2), (2, 3, 3), (3, 5, 5),
    ]  # fmt: skip
    assert group.neighbours(np.array([], dtype=np.int64)).shape == (0, 0, 0)
    assert not group.neighbours(np.arange(3)).any()


def test_changes_are_listed_in_order_of_their_codes():
    codes = AtomCodes({"q": 1, "on": 2}, ["a", "b", "c"])
    before, after = atoms("q c", "q a", "on c a"), atoms("on b c", "q b")
    assert example(codes, before, after).changes == (
        (True, "q", (1,)), (True, "on", (1, 2)),
        (False, "q", (0,)), (False, "q", (2,)), (False, "on", (2, 0)),
    )  # fmt: skip


def test_a_table_of_bindings():
    table = BindingTable.of([[(0, 1), (2, 1)], [], [(1, 0)]], 2)
    assert table.owner.tolist() == [0, 0, 2]
    assert table.rows.tolist() == [[0, 1], [2, 1], [1, 0]]
    assert [part.tolist() for part in table.where(table.rows[:, 0] > 0)] == [
        [0, 2], [[2, 1], [1, 0]],
    ]  # fmt: skip
    assert BindingTable.of([[], []], 3).rows.shape == (0, 3)
    assert BindingTable.of([[()], [(), ()]], 0).owner.tolist() == [0, 1, 1]


def test_truth_in_empty_states():
    codes = AtomCodes({"p": 1, "q": 0}, ["a", "b"])
    group = Examples("act", codes.arities, [example(codes, (), ()), example(codes, (), ())])
    table = group.truth(np.array([0, 1]), np.array([[0], [1]]), lifted_atoms(codes.arities, 1))
    assert table.tolist() == [[False, False], [False, False]]


@given(strategies.arities, st.integers(0, 4))
def test_lifted_atoms_are_all_of_them_once(arities, n_variables):
    found = lifted_atoms(arities, n_variables)
    assert len(set(found)) == len(found) == sum(n_variables**arity for arity in arities.values())
    assert all(len(literal.variables) == arities[literal.relation] for literal in found)


TYPED = {
    "dias": "trace/1",
    "types": {"car": "vehicle", "vehicle": "object", "bay": "object"},
    "predicates": {"at": ["vehicle", "bay"], "car": ["object"], "idle": []},
    "objects": {"c": "car", "v": "vehicle", "n": "bay", "x": "object"},
    "static": ["(at v n)"],
}


def test_types_and_static_atoms_hold_in_every_state():
    traces = read(
        TYPED,
        {"state": ["(idle)"], "action": "park", "next": ["(at c n)"]},
        {"state": ["(at c n)"], "action": "leave", "next": ["(idle)"]},
    )
    found = examples_by_action(traces)
    types = [("car", "c"), ("vehicle", "c"), ("vehicle", "v"), ("bay", "n")]
    always = atoms("at v n") | {Atom(f"type {kind}", (name,)) for kind, name in types}
    assert list(found) == ["leave", "park"]
    (park,) = found["park"].examples
    decode = park.codes.decode_state
    assert decode(park.state) == always | atoms("idle")
    assert decode(park.next_state) == always | atoms("at c n")
    assert (decode(park.added), decode(park.deleted)) == (atoms("at c n"), atoms("idle"))


def test_a_type_and_a_predicate_of_one_name_stay_apart():
    traces = read(TYPED, {"state": ["(car x)"], "action": "act", "next": ["(car v)"]})
    assert relation_arities(traces) == {
        "at": 2, "car": 1, "idle": 0, "type bay": 1, "type car": 1, "type vehicle": 1,
    }  # fmt: skip
    assert list(relation_arities(traces))[2:] == ["idle", "type bay", "type car", "type vehicle"]
    (step,) = examples_by_action(traces)["act"].examples
    cars = {
        relation: {
            name
            for name in step.codes.objects
            if step.codes.encode(Atom(relation, (name,))) in step.state
        }
        for relation in ("car", type_relation("car"))
    }
    assert cars == {"car": {"x"}, "type car": {"c"}}


def test_a_type_holds_of_the_objects_of_its_subtypes_at_any_depth():
    chain = {"types": {"t1": "object", "t2": "t1", "t3": "t2"}, "static": []}
    objects = {"n": "t3", "m": "t1", "x": "object"}
    header = TYPED | chain | {"objects": objects, "predicates": {"idle": []}}
    [step] = examples_by_action(read(header, {"state": [], "action": "act", "next": ["(idle)"]}))[
        "act"
    ].examples
    types = {("t1", "n"), ("t2", "n"), ("t3", "n"), ("t1", "m")}
    assert step.codes.decode_state(step.state) == {Atom(f"type {t}", (o,)) for t, o in types}


def test_equal_states_of_two_problems_are_not_mistaken_for_each_other():
    """Only what is static and the numbers of the objects tell them apart."""
    one = TYPED | {"problem": "one", "static": ["(car v)"]}
    two = TYPED | {"problem": "two", "static": ["(car x)"], "objects": {"a": "bay", "x": "bay"}}
    step = {"state": ["(idle)"], "action": "act", "next": []}
    found = examples_by_action(read(one, step, two, step))["act"].examples
    before = [e.codes.decode_state(e.state) for e in found]
    assert [atoms("car v") <= state for state in before] == [True, False]
    bays = {Atom("type bay", (name,)) for name in "ax"}
    assert before[1] == atoms("idle", "car x") | bays
    assert found[1].codes.decode_state(found[1].next_state) == atoms("car x") | bays


def test_constants_are_given_before_the_arguments():
    """In the order of their names; each problem has its own number for them."""
    header = TYPED | {"labels": "partial", "constants": ["x", "n"], "static": []}
    two = {"a": "bay", "c": "car", "n": "bay", "x": "object"}
    step = {"state": ["(at c n)"], "action": "(act c)", "next": []}
    traces = read(header, step, header | {"problem": "two", "objects": two}, step)
    group = examples_by_action(traces)["act"]
    assert group.constants == ("n", "x")
    for one in group.examples:
        number = one.codes.object_number
        assert one.constants == (number["n"], number["x"])
        assert one.arguments == (number["c"],)
        assert one.given == (number["n"], number["x"], number["c"])
    numbers = [one.given for one in group.examples]
    assert numbers[0] != numbers[1]
    at_n, at_x = LiftedAtom("at", (2, 0)), LiftedAtom("at", (2, 1))
    assert (
        group.truth(np.arange(2), np.array(numbers), [at_n, at_x]).tolist() == [[True, False]] * 2
    )
    plain = examples_by_action(read(TYPED, {"state": [], "action": "act", "next": []}))["act"]
    assert (plain.constants, plain.examples[0].given) == ((), ())


def test_every_problem_has_a_numbering_of_its_own():
    """The same name is another number in another problem; the truth is looked up there."""
    one, two = (TYPED | {"problem": name, "static": []} for name in ("one", "two"))
    two["objects"] = {"a": "bay", "c": "car", "n": "bay"}
    step = {"state": ["(at c n)"], "action": "act", "next": []}
    group = examples_by_action(read(one, step, two, step))["act"]
    numbers = [e.codes.object_number for e in group.examples]
    assert numbers[0]["c"] != numbers[1]["c"]
    rows = np.array([[number["c"], number["n"]] for number in numbers])
    literals = [LiftedAtom("at", (0, 1)), LiftedAtom("at", (1, 0)), LiftedAtom("type bay", (1,))]
    assert group.truth(np.arange(2), rows, literals).tolist() == [[True, False, True]] * 2
    assert not group.truth(np.arange(2), rows, literals[:2], after=True).any()


def test_what_stands_in_the_problem_is_looked_up_in_that_of_the_step():
    """`road` changes in one of two problems and `lamp` in none; each problem has its own."""
    shared = {
        "labels": "names",
        "types": None,
        "predicates": {"road": ["object"] * 2, "lamp": ["object"], "lit": ["object"]},
        "objects": {"a": "object", "b": "object"},
        "actions": ["go", "wait"],
    }
    traces = read(
        header(**shared, problem="p1", static=["(lamp a)", "(road a b)"]),
        step(["(lit a)"], "go", ["(lit b)"]),
        header(**shared, problem="p2", static=["(lamp b)"]),
        step(["(lit b)", "(road b a)"], "go", ["(lit b)", "(road a a)"]),
        step(["(lit b)"], "wait", ["(lit a)"]),
    )
    found = examples_by_action(traces)
    asked = literals("lamp 0", "road 0 1", "lit 1", "lit 0")
    for action, group in found.items():
        pairs = list(product(range(len(group.examples)), range(2), range(2)))
        owner, bindings = np.array([p[0] for p in pairs]), np.array([p[1:] for p in pairs])
        for after in (False, True):
            truth = group.truth(owner, bindings, asked, after=after)
            for row, (number, *binding) in zip(truth.tolist(), pairs, strict=True):
                t = group.examples[number].transition
                state = (t.next_state if after else t.state) | traces.segments[t.segment].static
                names = ["ab"[o] for o in binding]
                expected = [
                    Atom(x.relation, tuple(names[v] for v in x.variables)) in state for x in asked
                ]
                assert row == expected, (action, number, binding, after)
    assert found["go"].shares["lamp"] == 1 / 2
