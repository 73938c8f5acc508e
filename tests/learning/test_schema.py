"""The nouns of learning: their order, their numbers, and nothing forgotten."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dias.learning.schema import (
    Effects,
    Hint,
    LiftedAtom,
    Literal,
    Origin,
    atoms_over_new,
    compact,
    lifted_atoms,
    preconditions,
    type_relation,
    with_preconditions,
)
from tests.learning.cases import lifted_schema, literals


def test_the_relation_of_a_type_is_no_predicate():
    assert type_relation("lamp") == "type lamp"


def test_lifted_atoms_come_relation_by_relation_and_in_order_of_their_variables():
    assert lifted_atoms({"on": 2, "dark": 0, "p": 1}, 2) == [
        *literals("on 0 0", "on 0 1", "on 1 0", "on 1 1", "dark", "p 0", "p 1")
    ]
    assert lifted_atoms({"on": 2, "dark": 0}, 0) == [LiftedAtom("dark", ())]
    assert lifted_atoms({}, 3) == []


@pytest.mark.parametrize(
    ("n_given", "n_variables", "add", "delete"),
    [
        (0, 3, ("on 2 1", "p 2"), ("q 0", "dark")),
        (1, 4, ("on 3 2", "p 3"), ("q 1", "dark")),
        (2, 4, ("on 3 2", "p 3"), ("q 1", "dark")),
        (4, 5, ("on 4 3", "p 4"), ("q 1", "dark")),
        (6, 6, ("on 5 3", "p 5"), ("q 1", "dark")),
        (8, 8, ("on 5 3", "p 5"), ("q 1", "dark")),
    ],
)
def test_variables_that_are_given_or_occur_keep_their_order(n_given, n_variables, add, delete):
    before = list(literals("on 5 3", "p 5")), list(literals("q 1", "dark"))
    found = compact(*before, n_given)
    assert found == Effects(n_variables, literals(*add), literals(*delete), n_given)
    assert compact(before[1], before[0], n_given) == Effects(
        n_variables, literals(*delete), literals(*add), n_given
    )


def test_preconditions_are_exchanged_in_the_order_given():
    schema = lifted_schema(
        "light", 2, literals("on 0"), (), literals("p 1", "p 0"), literals("q 1", "dark", "q 0")
    )
    schema = replace(schema, n_ambiguous=3, origin=Origin("arguments"), hint=Hint((), 1, -3.0))
    own = preconditions(schema)
    assert own == [
        *(Literal(atom, True) for atom in literals("p 1", "p 0")),
        *(Literal(atom, False) for atom in literals("q 1", "dark", "q 0")),
    ]
    assert with_preconditions(schema, own) == schema
    mixed = [own[4], own[1], own[2], own[0]]
    assert with_preconditions(schema, mixed) == replace(
        schema, positive=literals("p 0", "p 1"), negative=literals("q 0", "q 1")
    )
    assert preconditions(with_preconditions(schema, [])) == []


def test_an_atom_is_lifted_and_renamed():
    atom = LiftedAtom.lift("at", (7, 4, 7), {4: 0, 7: 2})
    assert atom == LiftedAtom("at", (2, 0, 2))
    assert atom.renamed([5, 6, 3]) == atom.renamed({0: 5, 2: 3}) == LiftedAtom("at", (3, 5, 3))
    with pytest.raises(KeyError):
        LiftedAtom.lift("at", (1,), {4: 0})


def test_compact_numbers_the_variables_that_are_given_or_occur():
    add, delete = [LiftedAtom("on", (5, 3))], [LiftedAtom("off", (5,))]
    on, off = LiftedAtom("on", (2, 1)), LiftedAtom("off", (2,))
    assert compact(add, delete, n_given=1) == Effects(3, (on,), (off,), 1)


def test_the_atoms_over_new_variables_are_those_that_the_known_ones_lack():
    arities = {"p": 0, "q": 1, "r": 2}
    known, both = lifted_atoms(arities, 2), lifted_atoms(arities, 3)
    assert atoms_over_new(arities, 2, 1) == [atom for atom in both if atom not in known]
