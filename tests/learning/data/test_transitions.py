"""Coded transitions against the plain atoms."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.learning.data.transitions import Examples, examples_by_action, relation_arities
from dias.learning.schema import Effects, LiftedAtom, lifted_atoms, type_relation
from dias.strips.codes import AtomCodes
from dias.strips.model import Atom
from tests.learning import strategies
from tests.learning.cases import example, ground
from tests.traces.files import atoms, read

NOTHING = Effects(0, (), ())


@settings(deadline=None)
@given(st.data())
def test_truth_equals_a_loop(data):
    """Several problems of different sizes, relations of arity 0 to 3, repeated variables."""
    arities = data.draw(strategies.arities)
    group = data.draw(strategies.examples(NOTHING, arities))
    n_variables = data.draw(st.integers(0, 3))
    literals = data.draw(st.permutations(lifted_atoms(arities, n_variables)))
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
    owner = np.array([number for number, _ in rows], dtype=np.int64)
    bindings = np.array([b for _, b in rows], dtype=np.int64).reshape(len(rows), n_variables)
    for after in (False, True):
        table = group.truth(owner, bindings, literals, after)
        assert table.shape == (len(rows), len(literals))
        for (number, binding), found in zip(rows, table, strict=True):
            step = group.examples[number]
            state = step.transition.next_state if after else step.transition.state
            expected = [ground(literal, binding, step.codes) in state for literal in literals]
            assert found.tolist() == expected


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
