"""Lifted atoms: lifted from ground ones, renamed, and those that mention a new variable."""

from __future__ import annotations

import pytest

from dias.learning.schema import Effects, LiftedAtom, atoms_over_new, compact, lifted_atoms


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
