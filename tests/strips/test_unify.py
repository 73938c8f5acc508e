"""Which terms and atoms may be one, against trying all bindings."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dias.strips.model import ActionSchema, Atom, Domain, Parameter
from dias.strips.unify import Unifier
from tests.oracles import naive_bindings
from tests.strategies import TYPES, domains

ONE_OF_EACH = {f"{kind}-{n}": kind for kind in ("object", *TYPES) for n in (1, 2)}


@given(st.data())
def test_terms_that_some_binding_makes_one_may_be_one(data):
    domain = data.draw(domains())
    objects = ONE_OF_EACH | dict(domain.constants)
    for schema in domain.actions:
        unifier = Unifier(schema, domain)
        unequal = {frozenset(pair) for pair in schema.inequalities}
        values = [{**b, **{o: o for o in objects}} for b in naive_bindings(schema, domain, objects)]
        for left, right in product((*schema.variables, *domain.constants), repeat=2):
            same = left == right or frozenset((left, right)) not in unequal
            possible = same and any(value[left] == value[right] for value in values)
            assert unifier.may_be_one(left, right) == possible


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("p ?x", "p ?x", True),
        ("p ?x", "p ?y", False),
        ("p ?x", "p ?z", True),
        ("p ?x", "q ?x", False),
        ("r ?x ?z", "r ?z ?y", True),
        ("r ?x ?z", "r ?y ?z", False),
        ("p ?x", "p k", True),
        ("p k", "p l", False),
    ],
)
def test_atoms_of_one_predicate_whose_terms_may_be_one(left, right, expected):
    parameters = tuple(Parameter(name) for name in ("?x", "?y", "?z"))
    act = ActionSchema("act", parameters, inequalities=frozenset({("?y", "?x")}))
    unifier = Unifier(act, Domain("d", constants={"k": "object", "l": "object"}))
    one, other = (Atom(t.split()[0], tuple(t.split()[1:])) for t in (left, right))
    assert unifier.may_unify(one, other) is unifier.may_unify(other, one) is expected
    found = unifier.overlap(frozenset({one}), frozenset({other}))
    assert found == (frozenset({one}) if expected else frozenset())
