"""Queries that ask for nothing, since a known variable stands for the new one, and the others."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dias.learning.data.transitions import BindingTable
from dias.learning.explain.certify import certify_table
from dias.learning.extend.idle import Idle
from dias.learning.extend.queries import common_queries
from dias.learning.schema import DIFFERENT, EQUAL, Effects, LiftedAtom
from tests.learning.cases import lifted_schema, literals
from tests.learning.extend.test_queries import bound_groups, differ


def follows(literal, atoms, equal):
    """Whether a literal is one of some others, where `equal` pairs of variables are one object."""

    def same(one, other):
        return one == other or (one, other) in equal or (other, one) in equal

    def is_said_by(other):
        orders = [other.variables]
        if literal.relation == DIFFERENT:
            orders.append(other.variables[::-1])
        return literal.relation == other.relation and any(
            all(map(same, literal.variables, order)) for order in orders
        )

    return any(map(is_said_by, atoms))


def naive_is_idle(schema, query, n_new):
    """Whether fewer new variables than all satisfy the query, given what is known."""
    n_known = schema.n_variables
    new = range(n_known, n_known + n_new)
    equal = {atom.variables for atom in schema.positive if atom.relation == EQUAL}
    differ = [LiftedAtom(DIFFERENT, own) for relation, own in schema.negative if relation == EQUAL]
    return any(
        not {*new} <= {*images}
        and all(
            follows(
                x.renamed([*range(n_known), *images]), [*schema.positive, *differ, *query], equal
            )
            for x in query
        )
        for images in product(range(n_known + n_new), repeat=n_new)
    )


def is_idle(schema, query, n_new):
    return Idle(schema, n_new)(query)


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 2), st.integers(1, 2), st.booleans(), st.data())
def test_of_the_largest_queries_those_are_idle_that_ask_for_nothing(n_known, n_new, linked, data):
    """It is enough to replace one variable at a time, since the queries are the largest."""
    group, found = data.draw(bound_groups(n_known))
    assume(any(found))
    table = BindingTable.of(found, n_known)
    schema = certify_table(Effects(n_known, (), ()), group, table)
    for query in common_queries(group, table, n_new, linked):
        assert is_idle(schema, query, n_new) == naive_is_idle(schema, query, n_new)


@pytest.mark.parametrize(
    ("query", "idle"),
    [
        (literals("r 0 2"), True),  # 1 will do
        ((*literals("r 0 2"), *differ((0, 2))), True),  # it is another one than 0
        ((*literals("r 0 2"), *differ((1, 2))), False),
        (literals("p 2"), True),  # so will 0
        ((*literals("p 2"), *differ((0, 2))), False),
        (literals("r 0 2", "p 2"), False),
        (literals("r 2 2"), False),
        (differ((0, 2)), True),
        (differ((0, 2), (1, 2)), False),
    ],
)
def test_a_known_variable_satisfies_the_query(query, idle):
    """Of two that differ one is p, and it is r of the other."""
    schema = lifted_schema(
        "act", 2, positive=literals("p 0", "r 0 1"), negative=literals("p 1", "= 0 1")
    )
    assert is_idle(schema, query, 1) == naive_is_idle(schema, query, 1) == idle


@pytest.mark.parametrize(
    ("query", "idle"),
    [
        (literals("p 1", "p 2"), True),  # one suffices
        ((*literals("p 1", "p 2"), *differ((1, 2))), False),
        (literals("r 1 2", "r 2 1", "r 1 1"), True),
        ((*literals("r 1 2", "r 2 1"), *differ((0, 1), (0, 2), (1, 2))), False),
        (literals("r 0 1", "r 0 2", "r 1 2"), True),  # 0 is r of itself
        (literals("p 1", "r 0 2"), True),
        (literals("p 1", "r 1 2"), False),
    ],
)
def test_the_other_new_variable_satisfies_the_query(query, idle):
    """With one known variable that is r of itself."""
    schema = lifted_schema("act", 1, positive=literals("r 0 0"))
    assert is_idle(schema, query, 2) == naive_is_idle(schema, query, 2) == idle


def test_variables_that_are_one_object_stand_for_each_other():
    """The third is the first, of which alone it is said what holds of it."""
    schema = lifted_schema(
        "act", 3, positive=literals("= 0 2", "r 0 1"), negative=literals("= 0 1")
    )
    for query, idle in (
        (literals("r 2 3", "r 0 3"), True),
        ((*literals("r 2 3"), *differ((2, 3))), True),
        ((*literals("r 2 3"), *differ((1, 3))), False),
        (literals("r 2 3", "r 1 3"), False),
    ):
        assert is_idle(schema, query, 1) == naive_is_idle(schema, query, 1) == idle


def test_of_two_that_differ_in_the_order_of_new_variables_the_first_is_passed():
    schema = lifted_schema("act", 1, literals("p 0"))
    one, other, rest = (
        literals(*own) for own in (["r 0 1", "r 1 2"], ["r 0 2", "r 2 1"], ["r 1 2"])
    )
    assert list(Idle(schema, 2).passed([one, other, rest, one])) == [one, rest, one]
    apart = [*one, *differ((1, 2))], [*other, *differ((1, 2))]
    assert list(Idle(schema, 2).passed(map(tuple, apart))) == [tuple(apart[0])]
    assert list(Idle(schema, 2).passed([literals("p 1"), one])) == [one]  # the first is idle
