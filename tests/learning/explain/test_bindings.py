"""All explaining bindings against an enumeration of all bindings, objects repeated."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.learning.data.coding import examples_by_action
from dias.learning.explain import bindings as module
from dias.learning.explain.at_once import bind
from dias.learning.explain.bindings import explaining_bindings
from dias.learning.schema import Effects, compact, lifted_atoms
from dias.strips.codes import AtomCodes
from tests.learning import strategies
from tests.learning.cases import example, ground, literals
from tests.traces.files import atoms, read


def naive_bindings(effects, step):
    """By definition: every binding with s′ = (s \\ Del) ∪ Add; objects may repeat."""
    for binding in product(range(len(step.codes.objects)), repeat=effects.n_variables):
        add = {ground(atom, binding, step.codes) for atom in effects.add}
        delete = {ground(atom, binding, step.codes) for atom in effects.delete}
        if (step.transition.state - delete) | add == step.transition.next_state:
            yield binding


@settings(deadline=None, max_examples=300)
@given(st.data())
def test_equals_the_enumeration_of_all_bindings(data):
    arities = data.draw(strategies.arities)
    effects = data.draw(strategies.effects(arities))
    step = data.draw(strategies.steps(effects, arities))
    found = list(explaining_bindings(effects, step))
    assert len(found) == len(set(found))
    assert set(found) == set(naive_bindings(effects, step))


def with_arguments(step, *names):
    return replace(step, transition=replace(step.transition, arguments=names))


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_given_arguments_are_the_first_variables(data):
    """Those of the action; a transition may have more, or name an object twice."""
    arities = data.draw(strategies.arities)
    drawn = data.draw(strategies.effects(arities))
    n_given = data.draw(st.integers(0, 3))
    effects = compact(list(drawn.add), list(drawn.delete), n_given)
    step = data.draw(strategies.steps(effects, arities))
    names = data.draw(
        st.lists(st.sampled_from(step.codes.objects), min_size=n_given, max_size=n_given + 1)
    )
    given = tuple(step.codes.object_number[name] for name in names[:n_given])
    found = list(explaining_bindings(effects, with_arguments(step, *names)))
    expected = [own for own in naive_bindings(effects, step) if own[:n_given] == given]
    assert len(found) == len(expected) and set(found) == set(expected)


@pytest.mark.parametrize("names", ["aa", "aab", "aba", "abb", "aaa"])
def test_one_object_as_two_arguments_is_bound_twice(names):
    """However many of them are given; the first is a, which is what p became true of."""
    codes = AtomCodes({"p": 1}, list("abcd"))
    change, idle = (
        with_arguments(example(codes, (), after), *names) for after in (atoms("p a"), ())
    )
    numbers = tuple(codes.object_number[name] for name in names)
    for n_given in range(len(names) + 1):
        light = Effects(max(1, n_given), literals("p 0"), (), n_given)
        found = numbers[:n_given] or (0,)
        assert list(explaining_bindings(light, change)) == [found]
        nothing = Effects(n_given, (), (), n_given)
        assert list(explaining_bindings(nothing, idle)) == [numbers[:n_given]]


def test_arguments_beyond_those_of_the_effects_are_not_asked_for():
    codes = AtomCodes({"p": 1, "on": 2}, list("abc"))
    step = with_arguments(example(codes, (), atoms("on a c")), "a", "b")
    for n_given, found in ((0, [(0, 2)]), (1, [(0, 2)]), (2, [])):
        effects = Effects(2, literals("on 0 1"), (), n_given)
        assert list(explaining_bindings(effects, step)) == found


def test_a_step_that_changes_too_much_is_not_explained(monkeypatch):
    codes = AtomCodes({"p": 1}, list("abcd"))
    effects = Effects(4, literals("p 0", "p 1"), literals("p 2", "p 3"))
    # Two that were added; the others may be any of the four, since what is added wins, or must be
    # the two that went.
    for n_deleted, limits, n_all in ((0, (1, 2), 2 * 4 * 4), (2, (3, 4), 2 * 2)):
        after = atoms("p a", "p b")
        before = atoms(*["p c", "p d"][:n_deleted])
        for limit, n_found in zip(limits, (0, n_all), strict=True):
            monkeypatch.setattr(module, "MAX_CHANGES", limit)
            found = list(explaining_bindings(effects, example(codes, before, after)))
            assert len(found) == len(set(found)) == n_found
    one = Effects(2, literals("p 0", "p 1"), ())
    assert list(explaining_bindings(one, example(codes, (), atoms("p a", "p b", "p c")))) == []


def chain(length, n_objects):
    """Effects and a step whose bindings are paths to a goal that there is not: n^length in all."""
    names = [f"o{i}" for i in range(n_objects)]
    codes = AtomCodes({"hot": 1, "goal": 1, "next": 2}, names)
    before = atoms(*(f"next {one} {other}" for one in names for other in names))
    links = [f"next {place} {place + 1}" for place in range(length)]
    effects = Effects(length + 1, literals("hot 0", *links, f"goal {length}"), ())
    return effects, example(codes, before, before | atoms("hot o0"))


def test_a_search_without_end_ends_with_what_may_be_looked_at():
    effects, step = chain(length=20, n_objects=10)
    assert not module.is_explained(effects, step)
    assert list(explaining_bindings(effects, step)) == []
    without_goal = effects._replace(add=effects.add[:-1])
    assert module.is_explained(without_goal, step)  # the first is found at once
    assert 0 < len(list(explaining_bindings(without_goal, step))) < module.MAX_PARTIAL


def test_a_search_that_needs_no_more_than_may_be_looked_at_is_complete(monkeypatch):
    """With less it finds the first of them."""
    codes = AtomCodes({"hot": 1, "red": 1}, list("abcd"))
    effects = Effects(3, literals("hot 0"), literals("red 1", "red 2"))
    step = example(codes, (), atoms("hot b"))
    whole = [(1, one, other) for one in range(4) for other in range(4)]
    found = []
    for limit in range(40):
        monkeypatch.setattr(module, "MAX_PARTIAL", limit)
        found.append(list(explaining_bindings(effects, step)))
        assert found[-1] == whole[: len(found[-1])]
    n_found = [len(own) for own in found]
    assert n_found == sorted(n_found) and set(n_found) == set(range(17))
    # Begun, the change bound, nothing left to add, the four of one variable, all of both.
    assert n_found.index(16) == 2 + 1 + 1 + 4 + 16 - 1


def test_bindings_come_in_a_fixed_order():
    """By the atoms that changed, then by those that stay, then by the objects."""
    codes = AtomCodes({"p": 1, "q": 1}, [f"o{i:02}" for i in range(20)])
    kept = atoms(*(f"p o{i:02}" for i in (17, 16, 8, 1, 9, 0)))
    step = example(codes, kept, kept)
    assert list(explaining_bindings(Effects(1, literals("p 0"), ()), step)) == [
        (i,) for i in (0, 1, 8, 9, 16, 17)
    ]
    far = AtomCodes({"p": 1}, [f"o{i:02}" for i in range(65)])
    few = atoms("p o64", "p o33", "p o01")
    found = explaining_bindings(Effects(1, literals("p 0"), ()), example(far, few, few))
    assert list(found) == [(1,), (33,), (64,)]
    step = example(codes, kept, kept | atoms("q o03"))
    found = list(explaining_bindings(Effects(3, literals("q 2", "p 0"), literals("q 1")), step))
    used = [(first, free) for first in (0, 1, 8, 9, 16, 17) for free in range(20)]
    assert found == [(x, y, 3) for x, y in used]


def test_what_is_bound_with_an_idle_effect_may_bind_another():
    """Of two effects that change nothing the second stands in the atoms that the first found."""
    before = ["on a b", "on b c", "p c"]
    assert bindings(["on 0 1", "on 1 2"], [], before, before) == ["abc"]
    assert bindings(["p 2", "on 0 1", "on 1 2"], [], before, before) == ["abc"]
    assert bindings(["on 0 1", "p 1"], ["p 0"], before, before) == ["bc"]
    # What came bound the first; that `p` holds of it has to be so as well.
    came = [*before, "q a"]
    assert bindings(["p 0", "q 0", "on 1 2"], [], before, came) == []
    assert bindings(["q 0", "p 0", "on 1 2"], [], before, [*before, "q c"]) == ["cab", "cbc"]


def test_an_atom_that_came_or_went_is_none_that_stays():
    assert bindings(["on 0 1", "on 1 2"], [], ["on b c"], ["on b c", "on a b"]) == ["abc"]
    assert bindings(["on 0 1", "on 1 2"], [], ["on c c"], ["on c c", "on a c"]) == ["acc"]
    assert bindings(["p 0", "q 1"], ["on 0 1"], ["on a b", "q b"], ["p a", "q b"]) == ["ab"]
    assert bindings(["p 0"], ["p 1"], ["p a", "p b"], ["p b"]) == ["ba"]
    # Each of two that are added alike may be the one that came, or both are.
    assert bindings(["p 0", "p 1"], [], ["p b"], ["p a", "p b"]) == ["aa", "ab", "ba"]


def bindings(add, delete, before, after, objects="abc"):
    """Explaining bindings as strings of object names, the variables in order."""
    effects = compact(list(literals(*add)), list(literals(*delete)))
    arities = {"p": 1, "q": 1, "on": 2, "row": 3, "power": 0}
    codes = AtomCodes(arities, list(objects))
    found = explaining_bindings(effects, example(codes, atoms(*before), atoms(*after)))
    return sorted("".join(codes.objects[number] for number in binding) for binding in found)


def test_a_changed_atom_binds_its_variables():
    before, after = ["on a b", "p c"], ["on a c", "p c"]
    assert bindings(["on 0 1"], ["on 0 2"], before, after) == ["acb"]


def test_effects_that_change_nothing():
    # p of b is already true and q of nothing: the add effect binds, the delete effect forbids.
    assert bindings(["p 0"], [], ["p b"], ["p b"]) == ["b"]
    assert bindings([], ["q 0"], ["q b"], ["q b"]) == ["a", "c"]
    assert bindings(["p 0"], ["q 0"], ["p b", "p c", "q c"], ["p b", "p c"]) == ["c"]
    assert bindings(["p 0"], ["q 0"], ["p b", "p c", "q c"], ["p b", "p c", "q c"]) == ["b"]


def test_only_deleting():
    assert bindings([], ["on 0 1"], ["on a b", "on b a"], ["on b a"]) == ["ab"]
    assert bindings([], ["p 0", "p 1"], ["p a", "p b", "p c"], ["p c"]) == ["ab", "ba"]


def test_nullary_and_ternary_atoms():
    before, after = ["power"], ["row c a b"]
    assert bindings(["row 0 1 2"], ["power"], before, after) == ["cab"]
    assert bindings(["power"], [], [], ["power"]) == [""]
    assert bindings(["power"], [], ["power"], ["power"]) == [""]
    assert bindings([], ["power"], ["power"], ["power"]) == []
    assert bindings(["row 0 0 1"], [], [], ["row a a b"]) == ["ab"]
    assert bindings(["row 0 0 1"], [], [], ["row a c b"]) == []


def test_no_effects_explain_exactly_what_changes_nothing():
    assert bindings([], [], ["p a"], ["p a"]) == [""]
    assert bindings([], [], ["p a"], []) == []


def test_two_variables_may_be_one_object():
    assert bindings(["on 0 1"], [], [], ["on a a"]) == ["aa"]
    assert bindings(["p 0", "q 1"], [], ["p a"], ["p a", "q a"]) == ["aa"]
    assert bindings(["p 0"], ["q 1"], ["q a"], ["p a"]) == ["aa"]
    assert bindings(["p 0"], ["q 1"], ["q a"], ["p b"]) == ["ba"]
    assert bindings(["on 0 0"], [], [], ["on a b"]) == []


def test_two_effects_that_become_one():
    """Each is matched with the one change; the binding comes out once."""
    assert bindings(["p 0", "p 1"], [], [], ["p a"]) == ["aa"]
    assert bindings([], ["p 0", "p 1"], ["p a"], []) == ["aa", "ab", "ac", "ba", "ca"]
    assert bindings(["on 0 1", "on 1 0"], [], [], ["on b b"]) == ["bb"]
    assert bindings(["on 0 1", "on 1 0"], [], [], ["on a b"]) == []
    assert bindings(["p 0", "p 1", "p 2"], [], [], ["p a", "p b"]) == [
        "aab", "aba", "abb", "baa", "bab", "bba",
    ]  # fmt: skip


def test_what_is_added_wins_over_what_is_deleted():
    """A move from a place to itself leaves the place; nothing changed, so any place is it."""
    assert bindings(["p 0"], ["p 1"], ["p a"], ["p a"]) == ["aa", "ab", "ac"]
    assert bindings(["p 0", "q 0"], ["p 1"], ["p a"], ["p a", "q a"]) == ["aa", "ab", "ac"]
    # It may come though it is deleted as well; a deleted atom that is there is an added one.
    assert bindings(["p 0"], ["p 1"], [], ["p a"]) == ["aa", "ab", "ac"]
    assert bindings(["p 0"], ["p 1"], ["p b"], ["p a", "p b"]) == ["aa", "ac"]
    assert bindings(["p 0"], ["q 1"], ["q a"], ["p b", "q a"]) == ["bb", "bc"]
    # It does not bring back what went.
    assert bindings(["p 0"], ["p 0"], ["p a"], []) == []
    assert bindings(["p 0"], ["p 0"], ["p a"], ["p a"]) == ["a"]


def test_more_variables_than_objects():
    assert bindings([], ["p 0", "q 1"], [], [], objects="a") == ["aa"]
    assert bindings(["p 0"], ["q 1"], ["q a"], ["p a"], objects="a") == ["aa"]
    assert bindings([], ["p 0", "q 1"], ["p a"], ["p a"], objects="a") == []


def test_constants_are_bound_before_the_arguments():
    """Variable 0 is the constant c, variable 1 the argument."""
    codes = AtomCodes({"p": 1, "on": 2}, list("abc"))
    step = replace(with_arguments(example(codes, (), atoms("on c b")), "b"), constants=(2,))
    assert step.given == (2, 1)
    assert list(explaining_bindings(Effects(2, literals("on 0 1"), (), 2), step)) == [(2, 1)]
    assert list(explaining_bindings(Effects(2, literals("on 1 0"), (), 2), step)) == []
    # Another variable may be the constant as well.
    assert list(explaining_bindings(Effects(3, literals("on 2 1"), (), 2), step)) == [(2, 1, 2)]


@given(st.data())
def test_compact_renumbers_without_changing_the_order(data):
    arities = data.draw(strategies.arities)
    pool = lifted_atoms(arities, data.draw(st.integers(1, 5)))
    add, delete = (data.draw(st.lists(st.sampled_from(pool), unique=True)) for _ in range(2))
    found = compact(add, delete)
    pairs = {
        (old, new)
        for before, after in zip([*add, *delete], [*found.add, *found.delete], strict=True)
        for old, new in zip(before.variables, after.variables, strict=True)
    }
    assert [atom.relation for atom in found.add] == [atom.relation for atom in add]
    assert [atom.relation for atom in found.delete] == [atom.relation for atom in delete]
    assert [new for _, new in sorted(pairs)] == list(range(found.n_variables))
    assert compact([], []) == Effects(0, (), ())


def test_of_many_variables_that_may_be_exchanged_one_order():
    """Seven lamps go off: those that were on come first; six are looked at in all orders."""
    codes = AtomCodes({"on": 1}, [*"abcdefgh"])
    step = example(codes, atoms("on d", "on b"), atoms())
    one_order = {(1, 3, *rest) for rest in combinations((0, 2, 4, 5, 6, 7), 5)}
    for n, expected in ((7, one_order), (2, {(1, 3), (3, 1)})):
        effects = Effects(n, (), literals(*(f"on {v}" for v in range(n))))
        found = list(explaining_bindings(effects, step))
        assert set(found) >= expected
        assert len(found) <= 2**6  # where no larger one is left, the first is bound again
    all_on = example(codes, atoms(*(f"on {o}" for o in "abcdefg")), atoms("on g"))
    fewer = Effects(7, (), literals(*(f"on {v}" for v in range(7))))
    assert list(explaining_bindings(fewer, all_on)) == [(0, 1, 2, 3, 4, 5, 7)]
    few = AtomCodes({"on": 1}, [*"ab"])
    none_left = example(few, atoms("on a", "on b"), atoms())
    assert list(explaining_bindings(fewer, none_left)) == [(0, 1, 0, 0, 0, 0, 0)]


def test_what_is_deleted_fits_its_type():
    """`transfer` makes b live and a no longer; all nodes are, and a port never was."""
    header = {
        "dias": "trace/1",
        "labels": "names",
        "types": {"node": "object", "port": "object"},
        "predicates": {"live": ["node"], "used": ["port"]},
        "objects": {"p": "port", "a": "node", "b": "node"},
    }
    both, one = ["(live a)", "(live b)"], ["(live a)", "(used p)"]
    steps = [{"state": own, "action": "transfer", "next": own} for own in (both, one)]
    effects = Effects(2, literals("live 0"), literals("live 1"))
    first, second = examples_by_action(read(header, *steps))["transfer"].examples
    number = first.codes.object_number
    a, b = number["a"], number["b"]
    # What is deleted and added stays: only the same node may be both, or one that is not live.
    assert sorted(explaining_bindings(effects, first)) == sorted([(a, a), (b, b)])
    assert sorted(explaining_bindings(effects, second)) == sorted([(a, a), (a, b)])
    # Nor is an object taken that an added atom binds, one step at a time or all at once.
    both_kinds = header | {"predicates": {"at": ["object"], "used": ["port"]}}
    steps = [{"state": [], "action": "set", "next": [f"(at {name})"]} for name in "ap"]
    group = examples_by_action(read(both_kinds, *steps))["set"]
    split = Effects(1, literals("at 0"), literals("used 0"))
    p = group.examples[0].codes.object_number["p"]
    assert [list(explaining_bindings(split, own)) for own in group.examples] == [[], [(p,)]]
    assert bind(split, group) == [[], [(p,)]]
    # Each problem has objects of its own: the first is a port here and a node there.
    first = both_kinds | {"objects": {"x": "port"}}
    second = both_kinds | {"problem": "other", "objects": {"x": "node"}}
    step = {"state": [], "action": "set", "next": ["(at x)"]}
    group = examples_by_action(read(first, step, second, step))["set"]
    assert bind(split, group) == [[(0,)], []]
    untyped = header | {"predicates": {"live": ["object"], "used": ["port"]}}
    steps = [{"state": both, "action": "transfer", "next": both}]
    first = examples_by_action(read(untyped, *steps))["transfer"].examples[0]
    assert (a, number["p"]) in explaining_bindings(effects, first)
