"""Near misses against a loop over all bindings."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.learning.certificate import near_misses as module
from dias.learning.certificate.near_misses import Grid, near_misses
from dias.learning.schema import Literal, comparisons, lifted_atoms
from dias.strips.codes import AtomCodes
from tests.learning import strategies
from tests.learning.cases import example, is_true, literals
from tests.traces.files import atoms

RELATIONS = {"flag": 0, "p": 1, "r": 2, "between": 3}


def found(steps, cell, wanted):
    """How many bindings of each step are allowed, and which literals the others miss."""
    return found_in(Grid(steps), cell, wanted)


def found_in(grid, cell, wanted):
    """The same, by a grid that may have been asked before."""
    allowed, owner, patterns, n_bindings = near_misses(grid, cell, wanted)
    missed = [
        {64 * word + bit for word in range(len(row)) for bit in range(64) if row[word] >> bit & 1}
        for row in patterns.tolist()
    ]
    near = zip(owner.tolist(), missed, n_bindings.tolist(), strict=True)
    return allowed.tolist(), in_order([(step, own) for step, own, n in near for _ in range(n)])


def in_order(near):
    """Step by step."""
    return sorted(near, key=lambda one: (one[0], sorted(one[1])))


def naive(steps, cell, wanted, max_group):
    """The same, binding by binding."""
    allowed, near = [0] * len(steps), []
    for number, (step, own) in enumerate(steps):
        for objects in product(range(len(step.codes.objects)), repeat=len(cell)):
            binding = list(own)
            for variable, value in zip(cell, objects, strict=True):
                binding[variable] = value
            missed = {
                place
                for place, (atom, is_positive) in enumerate(wanted)
                if is_true(atom, binding, step) != is_positive
            }
            allowed[number] += not missed
            near += [(number, missed)] * (0 < len(missed) <= max_group)
    return allowed, in_order(near)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 3), st.integers(1, 4), st.data())
def test_equals_a_loop_over_all_bindings(n_variables, max_group, data):
    """Two variables may be one object, before and after, unless an inequality is asked for."""
    n_objects = data.draw(st.integers(min(n_variables, 1), 4))
    codes = AtomCodes(RELATIONS, [f"o{i}" for i in range(n_objects)])
    rows = st.tuples(*[st.integers(0, n_objects - 1)] * n_variables)
    states = strategies.states(codes) if codes.objects else st.just(frozenset())
    steps = [
        (example(codes, state, ()), data.draw(rows))
        for state in data.draw(st.lists(states, min_size=1, max_size=3))
    ]
    cell = data.draw(st.sets(st.integers(0, n_variables - 1))) if n_variables else set()
    atoms = [*comparisons(n_variables) * 5, *lifted_atoms(RELATIONS, n_variables)]
    pool = [Literal(atom, sign) for atom in atoms for sign in (True, False)]
    wanted = data.draw(st.lists(st.sampled_from(pool), min_size=1, max_size=6, unique=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MAX_GROUP", max_group)
        patch.setattr(module, "MAX_COUNTED", data.draw(st.sampled_from([0, 3, 12])))
        assert found(steps, tuple(sorted(cell)), wanted) == naive(
            steps, tuple(sorted(cell)), wanted, max_group
        )


@pytest.mark.parametrize("n_literals", [1, 63, 64, 65, 80])
def test_more_literals_than_a_word_has_bits(n_literals, monkeypatch):
    monkeypatch.setattr(module, "MAX_GROUP", n_literals)
    codes = AtomCodes(RELATIONS, ["a", "b", "c"])
    wanted = [Literal(atom, True) for atom in lifted_atoms(RELATIONS, 3)]
    wanted += [Literal(atom, False) for atom in reversed(lifted_atoms(RELATIONS, 3))]
    wanted = [Literal(literals("= 0 2")[0], False), *wanted][:n_literals]
    states = [(), atoms("between c c c", "r a b"), atoms("flag", "p a", "p c", "r c c")]
    steps = [(example(codes, state, ()), (2, 0, 1)) for state in states]
    grid = Grid(steps)  # what it was asked before for other variables changes nothing
    for cell in ((0, 2), (), (1,), (0, 1), (0, 1, 2), (2,)):
        assert found_in(grid, cell, wanted) == naive(steps, cell, wanted, n_literals)


def test_the_atoms_of_one_step_are_none_of_the_next():
    """The last code of one and the first of another."""
    codes = AtomCodes({"p": 1, "between": 3}, ["a", "b"])
    states = [atoms("between b b b"), (), atoms("p a"), (), atoms("between b b b"), atoms("p a")]
    steps = [(example(codes, state, ()), (0,)) for state in states]
    wanted = [Literal(atom, True) for atom in literals("p 0", "between 0 0 0")]
    assert found(steps, (0,), wanted) == naive(steps, (0,), wanted, module.MAX_GROUP)


def test_near_misses_may_repeat_an_object():
    """Of four pairs of a, b the step's own is allowed; b, a is no r; a pair of one is none either.

    Without the inequality a, a is allowed as well, and b, b misses the relation alone.
    """
    codes = AtomCodes({"r": 2}, ["a", "b"])
    steps = [(example(codes, atoms("r a b", "r a a"), ()), (0, 1))]
    related, apart = Literal(literals("r 0 1")[0], True), Literal(literals("= 0 1")[0], False)
    assert found(steps, (0, 1), [related]) == ([2], [(0, {0}), (0, {0})])
    assert found(steps, (0, 1), [related, apart]) == ([1], [(0, {0}), (0, {0, 1}), (0, {1})])
    # With the first bound to a, the second may still become a; with neither nothing may.
    assert found(steps, (1,), [related, apart]) == ([1], [(0, {1})])
    assert found(steps, (), [related, apart]) == ([1], [])
