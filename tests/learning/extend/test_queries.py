from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.extend import candidates as candidates_module
from dias.learning.extend import queries as queries_module
from dias.learning.extend.candidates import Candidates
from dias.learning.extend.queries import common_queries
from dias.learning.schema import DIFFERENT, NOT, LiftedAtom, comparisons, lifted_atoms
from dias.strips.codes import AtomCodes
from dias.strips.model import Atom
from tests.learning import strategies
from tests.learning.cases import example, is_true, literals

RELATIONS = {"p": 1, "r": 2}


def differ(*pairs):
    """That the two of each pair are different objects."""
    return tuple(LiftedAtom(DIFFERENT, pair) for pair in pairs)


def holds(query, binding, group, number):
    return all(is_true(literal, binding, group.examples[number]) for literal in query)


def over_new(group, n_known, n_new, negative=False, linked=False):
    """What may be asked of new variables: also to differ from another."""
    n_variables = n_known + n_new
    pool = lifted_atoms(group.arities, n_variables)
    if negative:
        own = [atom for atom in pool if linked or all(v >= n_known for v in atom.variables)]
        pool += [atom._replace(relation=NOT + atom.relation) for atom in own]
    pool += comparisons(n_variables, relation=DIFFERENT)
    return [literal for literal in pool if any(v >= n_known for v in literal.variables)]


def satisfying(group, table, query, n_new, linked=True):
    """The bindings, extended by what satisfies a query."""
    return Candidates.of(group, table, linked).satisfying(query, n_new)


def extensions(group, number, binding, n_new):
    """By all objects."""
    rows = product(range(len(group.examples[number].codes.objects)), repeat=n_new)
    return [(*binding, *more) for more in rows]


def is_linked(query, n_known, n_new, start=None):
    """Every new variable is reached over shared literals: from a known one, or from the first."""
    reached, before = set(start or range(n_known) or {0}), set()
    while reached != before:
        before = set(reached)
        for literal in query:
            if not literal.relation.startswith(NOT) and reached & set(literal.variables):
                reached |= set(literal.variables)
    return reached >= set(range(n_known, n_known + n_new))


def naive_queries(group, found, n_known, n_new, negative, linked):
    """All sets of literals that are linked, hold everywhere and are contained in no other."""
    pool = over_new(group, n_known, n_new, negative, linked)
    start = None if linked and not negative else set(range(n_known + 1))
    common = [
        set(query)
        for size in range(1, len(pool) + 1)
        for query in combinations(pool, size)
        if is_linked(query, n_known, n_new, start)
        and all(
            any(
                holds(query, row, group, number)
                for binding in bindings
                for row in extensions(group, number, binding, n_new)
            )
            for number, bindings in enumerate(found)
            if bindings
        )
    ]
    return {frozenset(q) for q in common if not any(q < other for other in common)}


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_equals_a_search_over_all_literal_sets(data):
    n_known = data.draw(st.integers(0, 1))
    n_new = data.draw(st.integers(1, 2 if n_known == 0 else 1))
    relations = RELATIONS if n_known + n_new == 1 or n_new == 1 else {"r": 2}
    codes = AtomCodes(relations, [f"o{i}" for i in range(4)])
    states = data.draw(st.lists(strategies.states(codes), min_size=1, max_size=3))
    group = Examples("act", relations, [example(codes, state, state) for state in states])
    found = [
        data.draw(st.lists(st.tuples(*[st.integers(0, 3)] * n_known), max_size=2, unique=True))
        for _ in states
    ]
    assume(any(found))
    table = BindingTable.of(found, n_known)
    negative, linked = data.draw(st.booleans()), data.draw(st.booleans())
    queries = common_queries(group, table, n_new, linked, negative)
    # Two new variables may be exchanged, so both namings are there, here as in the naive search.
    every = naive_queries(group, found, n_known, n_new, negative, linked)
    assert {frozenset(query) for query in queries} == every
    for query in queries:
        owner, rows = satisfying(group, table, query, n_new, linked and not negative)
        every = [
            (number, r)
            for number, bindings in enumerate(found)
            for b in bindings
            for r in extensions(group, number, b, n_new)
            if holds(query, r, group, number)
        ]
        assert list(zip(owner.tolist(), map(tuple, rows.tolist()), strict=True)) == every


def linked_extensions(group, number, binding, n_new, linked):
    """Extensions over shared atoms, in order: from a known object, or from the first new one."""
    step = group.examples[number]
    atoms = [set(atom.terms) for atom in step.codes.decode_state(step.state) if atom.terms[1:]]
    names = step.codes.objects

    def touch(one, other):
        return any({names[one], names[other]} <= terms for terms in atoms)

    def is_reached(new):
        if not (linked and binding):
            return True
        return any(touch(known, new) for known in binding)

    for row in extensions(group, number, binding, n_new):
        first, *second = row[len(binding) :]
        follows = all(
            touch(first, new) or (linked and binding and is_reached(new)) for new in second
        )
        if is_reached(first) and follows:
            yield row


def naive_common(group, found, n_known, n_new, max_rows, linked):
    """Intersections of what the first rows of each transition offer, the largest first."""
    pool = over_new(group, n_known, n_new)
    kept = {frozenset(pool)}
    for number, bindings in enumerate(found):
        rows = [row for b in bindings for row in linked_extensions(group, number, b, n_new, linked)]
        if bindings:
            offered = {
                frozenset(x for x in pool if holds([x], row, group, number))
                for row in rows[:max_rows]
            }
            met = {one & other for one in kept for other in offered}
            kept = {one for one in met if not any(one < other for other in met)}
    start = None if linked and n_known else set(range(n_known + 1))
    queries = [tuple(sorted(own, key=pool.index)) for own in kept if own]
    queries = [query for query in queries if is_linked(query, n_known, n_new, start)]
    return sorted(queries, key=lambda query: (-len(query), query))


@st.composite
def bound_groups(draw, n_known, relations=RELATIONS):
    """Up to four states of problems of different sizes, each with up to three bindings."""
    states, found = [], []
    for _ in range(draw(st.integers(1, 4))):
        codes = AtomCodes(
            relations, [f"o{i}" for i in range(draw(st.integers(min(n_known, 1), 5)))]
        )
        atoms = [Atom("r", ("o0", "o1"))] if len(codes.objects) > 1 else []
        drawn = draw(strategies.states(codes)) if codes.objects else frozenset()
        states.append(example(codes, drawn | set(atoms), drawn))
        rows = st.tuples(*[st.integers(0, len(codes.objects) - 1)] * n_known)
        found.append(draw(st.lists(rows, max_size=3, unique=True)))
    return Examples("act", relations, states), found


@settings(deadline=None, max_examples=40)
@given(
    st.tuples(st.integers(0, 2), st.integers(1, 2), st.integers(1, 6)),
    st.booleans(),
    st.sampled_from([1, 2, 3, 1000]),
    st.sampled_from([1, 50, 10_000]),
    st.data(),
)
def test_small_limits_change_nothing_but_how_many_rows_count(sizes, linked, chunk, cells, data):
    n_known, n_new, max_rows = sizes
    group, found = data.draw(bound_groups(n_known))
    assume(any(found))
    table = BindingTable.of(found, n_known)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidates_module, "MAX_ROWS", max_rows)
        patch.setattr(queries_module, "CHUNK", chunk)
        patch.setattr(candidates_module, "CELLS", cells)
        expected = naive_common(group, found, n_known, n_new, max_rows, linked)
        assert common_queries(group, table, n_new, linked) == expected
        every = [
            (number, row)
            for number, bindings in enumerate(found)
            for b in bindings
            for row in linked_extensions(group, number, b, n_new, linked)
        ]
        for query in [(), *expected]:
            owner, rows = satisfying(group, table, query, n_new, linked)
            assert list(zip(owner.tolist(), map(tuple, rows.tolist()), strict=True)) == [
                (number, row) for number, row in every if holds(query, row, group, number)
            ]


def test_what_is_linked():
    """Over any number of literals, in any order."""
    chain = literals("r 2 3", "r 1 2", "r 0 1")
    assert queries_module.is_linked(chain, 1, 3, True)
    assert queries_module.is_linked(chain[:2], 1, 3, False)
    assert not queries_module.is_linked(chain[:2], 1, 3, True)
    assert not queries_module.is_linked(literals("r 0 1", "p 2"), 1, 2, True)
    assert not queries_module.is_linked(literals("r 0 1", "p 2"), 1, 2, False)
    assert queries_module.is_linked(literals("p 1"), 1, 1, False)
    assert not queries_module.is_linked(literals("p 1"), 1, 1, True)
    for linked in (True, False):  # without a known variable the first is reached by itself
        assert queries_module.is_linked(literals("r 0 1"), 0, 2, linked)
        assert not queries_module.is_linked(literals("p 0", "p 1"), 0, 2, linked)
    # That two variables differ is no link.
    assert not queries_module.is_linked(differ((0, 1)), 1, 1, True)
    assert queries_module.is_linked(differ((0, 1)), 1, 1, False)
    assert not queries_module.is_linked((*literals("r 0 1"), *differ((1, 2))), 1, 2, True)


@pytest.mark.parametrize(("cells", "sizes"), [(99, [3, 3, 3]), (100, [4, 4, 1]), (1, [1] * 9)])
def test_bindings_are_extended_in_parts_that_fit_in_memory(monkeypatch, cells, sizes):
    """Five objects and thus twenty-five pairs for each of nine bindings."""
    monkeypatch.setattr(candidates_module, "CELLS", cells)
    large, small = (AtomCodes(RELATIONS, [f"o{i}" for i in range(n)]) for n in (5, 2))
    group = Examples("act", RELATIONS, [example(codes, (), ()) for codes in (large, small)])
    table = BindingTable.of([[(i % 5,) for i in range(7)], [(0,), (1,)]], 1)
    parts = [own.satisfying((), 1) for own in Candidates(group, table, False)._parts()]
    counts = [5] * 7 + [2] * 2
    expected = [sum(counts.pop(0) for _ in range(size)) for size in sizes]
    assert [len(part.owner) for part in parts] == expected


def test_a_link_that_is_another_each_time_is_none():
    """Once the clean thing lies on the object, once the object on it."""
    codes = AtomCodes(RELATIONS, ["a", "b"])
    states = [[Atom("p", ("b",)), Atom("r", terms)] for terms in (("a", "b"), ("b", "a"))]
    group = Examples("act", RELATIONS, [example(codes, state, state) for state in states])
    known = BindingTable.of([[(0,)], [(0,)]], 1)
    assert common_queries(group, known, 1) == []
    another = (*literals("p 1"), *differ((0, 1)))
    assert common_queries(group, known, 1, linked=False) == [another]


@pytest.mark.parametrize("kept", ["p", "q"])
def test_every_set_that_is_left_must_be_offered(kept):
    """At first something is p and something else q; then there is nothing but the one."""
    codes = AtomCodes({"p": 1, "q": 1}, ["a", "b", "c"])
    states = [[Atom("p", ("b",)), Atom("q", ("c",))], [Atom(kept, ("b",))]]
    group = Examples("act", codes.arities, [example(codes, state, state) for state in states])
    known = BindingTable.of([[(0,)], [(0,)]], 1)
    assert common_queries(group, known, 1, linked=False) == [
        (*literals(f"{kept} 1"), *differ((0, 1)))
    ]


def test_a_chain_of_two():
    """An instrument, the satellite that carries it, and the direction that it points to."""
    relations = {"on_board": 2, "pointing": 2, "target": 2}
    codes = AtomCodes(relations, ["d1", "d2", "i", "s1", "s2"])
    always = [("on_board", "i", "s1"), ("target", "i", "d1"), ("target", "i", "d2")]
    states = [
        [Atom(r, tuple(terms)) for r, *terms in (*always, ("pointing", "s1", d))]
        for d in ("d1", "d2")
    ]
    group = Examples("act", relations, [example(codes, state, state) for state in states])
    instrument = BindingTable.of([[(2,)], [(2,)]], 1)
    assert set(common_queries(group, instrument, 1)) == {
        (*literals("on_board 0 1"), *differ((0, 1))),
        (*literals("target 0 1"), *differ((0, 1))),
    }
    all_differ = differ((0, 1), (0, 2), (1, 2))
    longest = [
        {*literals("on_board 0 1", "pointing 1 2", "target 0 2"), *all_differ},
        {*literals("on_board 0 2", "pointing 2 1", "target 0 1"), *all_differ},
    ]
    assert sorted(map(sorted, common_queries(group, instrument, 2)[:2])) == sorted(
        map(sorted, longest)
    )


def test_a_transition_without_a_candidate_leaves_no_query():
    codes = AtomCodes({"r": 2}, ["a", "b"])
    linked, alone = [Atom("r", ("a", "b"))], []
    group = Examples("act", {"r": 2}, [example(codes, s, s) for s in (linked, alone)])
    assert common_queries(group, BindingTable.of([[(0,)], [(0,)]], 1), 1) == []
    # What is not explained is not asked.
    related = (*literals("r 0 1"), *differ((0, 1)))
    assert common_queries(group, BindingTable.of([[(0,)], []], 1), 1) == [related]


def test_a_new_variable_may_be_the_object_of_a_known_one():
    """In one step there is another object that it is related to, in the other one it is itself."""
    codes = AtomCodes({"r": 2}, ["a", "b"])
    states = [[Atom("r", ("a", "b"))], [Atom("r", ("a", "a"))]]
    group = Examples("act", codes.arities, [example(codes, state, state) for state in states])
    known = BindingTable.of([[(0,)], [(0,)]], 1)
    assert common_queries(group, known, 1) == [literals("r 0 1")]
    owner, rows = satisfying(group, known, literals("r 0 1"), 1)
    assert (owner.tolist(), rows.tolist()) == ([0, 1], [[0, 1], [0, 0]])
    # Two new ones may be one object: a pair of two in the first step, of one in the second.
    pairs = common_queries(group, BindingTable.of([[()], [()]], 0), 2)
    assert pairs == [literals("r 0 1"), literals("r 1 0")]
    apart = common_queries(group, BindingTable.of([[()], []], 0), 2)
    assert apart == [(*query, *differ((0, 1))) for query in pairs]


@pytest.mark.parametrize(
    ("red", "queries"),
    [
        (("ab", "b"), [["p 1", "differ"]]),
        (("ab", "ab"), [["p 1", "differ"]]),
        (("ab", "a"), [["differ"], ["p 1"]]),
        (("b", "a"), [["differ"], ["p 1"]]),
        (("b", ""), [["differ"]]),
    ],
)
def test_queries_that_differ_by_an_inequality_alone(red, queries):
    """Another red thing than a; or, where a may be the red one, another thing or a red one."""
    codes = AtomCodes({"p": 1}, ["a", "b"])
    states = [[Atom("p", (name,)) for name in names] for names in red]
    group = Examples("act", codes.arities, [example(codes, state, state) for state in states])
    known = BindingTable.of([[(0,)], [(0,)]], 1)
    texts = {"p 1": literals("p 1"), "differ": differ((0, 1))}
    expected = [tuple(atom for text in query for atom in texts[text]) for query in queries]
    assert common_queries(group, known, 1, linked=False) == expected
    assert common_queries(group, known, 1) == []


def test_an_object_that_shares_no_atom_is_found_when_links_are_not_asked_for():
    """Some hand must be free, whatever the glass is that is filled."""
    relations = {"free": 1, "clean": 1}
    codes = AtomCodes(relations, ["g1", "g2", "left", "right"])
    states = [
        [Atom("clean", (glass,)), Atom("free", (hand,))]
        for glass, hand in (("g1", "left"), ("g2", "right"))
    ]
    group = Examples("fill", relations, [example(codes, s, s) for s in states])
    glass = BindingTable.of([[(0,)], [(1,)]], 1)
    assert common_queries(group, glass, 1) == []
    free = (*literals("free 1"), *differ((0, 1)))
    # The glass itself is something clean: a copy of it.
    assert common_queries(group, glass, 1, linked=False) == [free, literals("clean 1")]
    filled = satisfying(group, glass, literals("free 1"), 1, linked=False)
    assert (filled.owner.tolist(), filled.rows.tolist()) == ([0, 1], [[0, 2], [1, 3]])


def test_a_pair_that_is_linked_only_to_each_other():
    """A hand that holds something, in no relation to the guest who is served."""
    relations = {"holds": 2, "waits": 1}
    codes = AtomCodes(relations, ["guest", "left", "right", "shaker"])
    states = [
        [Atom("waits", ("guest",)), Atom("holds", (hand, "shaker"))] for hand in ("left", "right")
    ]
    group = Examples("serve", relations, [example(codes, s, s) for s in states])
    guest = BindingTable.of([[(0,)], [(0,)]], 1)
    assert common_queries(group, guest, 2) == []
    all_differ = differ((0, 1), (0, 2), (1, 2))
    assert set(common_queries(group, guest, 2, linked=False)) == {
        (*literals("holds 1 2"), *all_differ),
        (*literals("holds 2 1"), *all_differ),
    }


def test_without_objects_there_is_no_query():
    codes = AtomCodes({"r": 2}, [])
    group = Examples("wait", {"r": 2}, [example(codes, [], [])])
    for linked in (True, False):
        assert common_queries(group, BindingTable.of([[()]], 0), 1, linked) == []
