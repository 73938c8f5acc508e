"""All explaining bindings against an enumeration of all injective bindings."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from dias.learning.explain.bindings import explaining_bindings
from dias.learning.schema import Effects, compact, lifted_atoms
from dias.strips.codes import AtomCodes
from tests.learning import strategies
from tests.learning.cases import example, ground, literals
from tests.traces.files import atoms


def naive_bindings(effects, step):
    """By definition: every injective binding with s′ = (s \\ Del) ∪ Add."""
    for binding in permutations(range(len(step.codes.objects)), effects.n_variables):
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


def test_two_variables_are_never_one_object():
    assert bindings(["on 0 1"], [], [], ["on a a"]) == []
    assert bindings(["p 0", "q 1"], [], ["p a"], ["p a", "q a"]) == []
    assert bindings(["p 0"], ["q 1"], ["q a"], ["p a"]) == []


def test_more_variables_than_objects():
    assert bindings([], ["p 0", "q 1"], [], [], objects="a") == []


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
