from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dias.nn.tables import AtomTable, Relation, Symbols, build_tables
from dias.strips.model import OBJECT
from dias.traces.record import Segment
from tests.nn.cases import TABLES, TRACES, VOCABULARY, facts, step, traces, true_before

CHANGING = {"at", "between", "box", "lucky", "open"}


def decoded(vocabulary, names, k, relations, rows):
    """Rows of numbers as a set of (relation, object names); no row may occur twice."""
    atoms = [
        (vocabulary.relations[k][r], tuple(names[o] for o in row))
        for r, row in zip(relations, rows, strict=True)
    ]
    assert len(atoms) == len(set(atoms))
    return set(atoms)


def decoded_set(tables, group, number, segment):
    """The atoms of set `number` in tables such as `tables.state`, over all arities."""
    atoms = set()
    for k, table in group.items():
        rows = table.rows[table.start[number] : table.start[number + 1]]
        names = tables.objects[segment]
        atoms |= decoded(tables.vocabulary, names, k, rows[:, 0], rows[:, 1:].tolist())
    return atoms


def as_relations(atoms):
    return {(Relation(a.predicate, len(a.terms)), a.terms) for a in atoms}


def test_relations_are_grouped_by_arity_predicates_first():
    names = {k: [(r.name, r.is_type) for r in group] for k, group in VOCABULARY.relations.items()}
    assert names == {
        0: [("open", False), ("sunny", False)],
        1: [("box", False), ("box", True), ("crate", True), ("place", True), ("thing", True)],
        2: [("at", False), ("linked", False), ("lucky", False), ("unheard", False)],
        3: [("between", False), ("route", False)],
    }
    assert VOCABULARY.arities == (0, 1, 2, 3)
    assert all(r.arity == k for k, group in VOCABULARY.relations.items() for r in group)


def test_actions_without_a_transition_are_left_out():
    assert "never" in TRACES.actions
    assert VOCABULARY.actions == ("move", "take", "wait")


def test_untyped_traces_without_unary_predicates_have_no_unary_group():
    on = facts("on a b")
    plain = traces({"on": 2}, [Segment("", {"a": OBJECT, "b": OBJECT}, on)], [step(0, "x", on, on)])
    vocabulary = Symbols.of(plain)
    assert vocabulary.arities == (2,)
    assert set(build_tables(plain, vocabulary).static) == {2}


def test_objects_and_actions_are_numbered():
    assert TABLES.objects[0] == ("a", "b", "p", "q")
    assert TABLES.n_objects.tolist() == [4, 2, 3, 5]
    assert TABLES.segment.tolist() == [3, 0, 2, 0, 3, 2, 3]
    assert [VOCABULARY.actions[a] for a in TABLES.action] == [t.action for t in TRACES.transitions]
    assert len(TABLES) == 7


@pytest.mark.parametrize("number", range(len(TRACES.transitions)))
def test_a_transition_reads_back(number):
    transition = TRACES.transitions[number]
    state, next_state, segment = transition.state, transition.next_state, transition.segment
    varying = decoded_set(TABLES, TABLES.state, number, segment)
    constant = decoded_set(TABLES, TABLES.static, segment, segment)
    assert varying | constant == true_before(TRACES, transition)
    assert not varying & constant
    added = decoded_set(TABLES, TABLES.added, number, segment)
    deleted = decoded_set(TABLES, TABLES.deleted, number, segment)
    assert added == as_relations(next_state - state)
    assert deleted == as_relations(state - next_state)


def test_only_relations_that_vary_are_listed_state_by_state():
    listed = {
        relation.name
        for number, segment in enumerate(TABLES.segment)
        for relation, _ in decoded_set(TABLES, TABLES.state, number, segment)
    }
    assert listed == CHANGING
    for segment in range(len(TRACES.segments)):
        static = decoded_set(TABLES, TABLES.static, segment, segment)
        assert not {r.name for r, _ in static if not r.is_type} & CHANGING


def test_a_relation_that_differs_between_states_is_not_static():
    # No transition changes `lucky`: it only comes and goes between two states of segment 0.
    lucky = [facts("lucky a b") <= t.state for t in TRACES.transitions]
    found = [
        (Relation("lucky", 2), ("a", "b")) in decoded_set(TABLES, TABLES.state, n, t.segment)
        for n, t in enumerate(TRACES.transitions)
    ]
    assert found == lucky
    assert sum(found) == 1


def test_a_relation_that_changes_once_is_not_static():
    case = traces(
        {"on": 1}, [Segment("", {"a": OBJECT}, facts())], [step(0, "x", facts("on a"), facts())]
    )
    tables = build_tables(case, Symbols.of(case))
    on = {(Relation("on", 1), ("a",))}
    assert decoded_set(tables, tables.state, 0, 0) == on
    assert decoded_set(tables, tables.deleted, 0, 0) == on
    assert decoded_set(tables, tables.static, 0, 0) == set()


def test_types_become_unary_relations_with_their_ancestors():
    static = decoded_set(TABLES, TABLES.static, 3, 3)
    typed = {(r.name, terms[0]) for r, terms in static if r.is_type}
    assert typed == {
        ("box", "a"), ("thing", "a"),
        ("crate", "b"), ("box", "b"), ("thing", "b"),
        ("place", "c"), ("place", "d"),
        ("thing", "e"),
    }  # fmt: skip


def test_a_predicate_and_a_type_of_one_name_stay_apart():
    number = 0  # segment 3: the predicate `box` holds of a and b
    predicate = {
        terms for r, terms in decoded_set(TABLES, TABLES.state, number, 3) if r == ("box", 1, False)
    }
    assert predicate == {("a",), ("b",)}
    after = TRACES.transitions[0]
    deleted = decoded_set(TABLES, TABLES.deleted, number, 3)
    assert (Relation("box", 1), ("a",)) in deleted
    assert all(not relation.is_type for relation, _ in deleted)
    assert facts("box a") <= after.state - after.next_state


def test_an_atom_declared_static_of_a_relation_that_varies_elsewhere_is_kept():
    on = traces(
        {"on": 1},
        [Segment("", {"a": OBJECT, "b": OBJECT}, facts("on a"))],
        [step(0, "x", facts(), facts("on b"))],
    )
    tables = build_tables(on, Symbols.of(on))
    assert decoded_set(tables, tables.static, 0, 0) == {(Relation("on", 1), ("a",))}
    assert decoded_set(tables, tables.added, 0, 0) == {(Relation("on", 1), ("b",))}


def test_rows_are_sorted_within_each_set():
    for group in (TABLES.state, TABLES.added, TABLES.deleted, TABLES.static):
        for table in group.values():
            for first, end in zip(table.start[:-1], table.start[1:], strict=True):
                rows = table.rows[first:end].tolist()
                assert rows == sorted(rows)


@given(st.lists(st.lists(st.integers(0, 9), max_size=4), min_size=1, max_size=6), st.data())
def test_gather_equals_a_loop(sets, data):
    index = data.draw(st.lists(st.integers(0, len(sets) - 1), max_size=8))
    flat = [[value, value + 1] for values in sets for value in values]
    table = AtomTable(
        np.cumsum([0] + [len(s) for s in sets]), np.array(flat, dtype=np.int64).reshape(-1, 2)
    )
    owner, rows = table.gather(np.array(index, dtype=np.int64))
    expected = [(place, [v, v + 1]) for place, number in enumerate(index) for v in sets[number]]
    assert list(zip(owner.tolist(), rows.tolist(), strict=True)) == expected
