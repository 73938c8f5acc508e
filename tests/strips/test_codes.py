"""Ground atoms as integers: the formula, for numbers and arrays, and the codes of a predicate."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from dias.strips.codes import AtomCodes, tuple_number
from dias.strips.model import Atom

CODES = AtomCodes({"p": 0, "q": 1, "r": 3}, ["a", "b", "c"])


@pytest.mark.parametrize("arity", range(4))
def test_tuples_are_numbered_in_the_order_of_a_product(arity):
    tuples = list(product(range(3), repeat=arity))
    assert [tuple_number(objects, 3) for objects in tuples] == list(range(3**arity))
    columns = np.array(tuples, dtype=np.int64).reshape(len(tuples), arity).T
    sizes = np.full(len(tuples), 3)
    assert (tuple_number(columns, sizes) == np.arange(3**arity)).all()


def test_the_codes_of_the_predicates_follow_one_another():
    assert [CODES.of(predicate) for predicate in ("p", "q", "r")] == [
        slice(0, 1), slice(1, 4), slice(4, 31),
    ]  # fmt: skip
    assert CODES.n_codes == 31
    for predicate, arity in CODES.arities.items():
        atoms = [Atom(predicate, terms) for terms in product("abc", repeat=arity)]
        codes = list(range(31))[CODES.of(predicate)]
        assert [CODES.encode(atom) for atom in atoms] == codes
        assert [CODES.decode(code) for code in codes] == atoms


def test_what_is_unknown_has_no_code():
    for atom in (Atom("s", ()), Atom("q", ("d",))):
        with pytest.raises(KeyError):
            CODES.encode(atom)
