"""The match of parameters is the best one, and the first of the best."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.diff import alignment
from dias.diff.alignment import align
from dias.diff.literals import literals
from dias.strips.model import ActionSchema
from tests.diff.cases import renamed_schema, schema
from tests.strategies import domains


def brute_force(left: ActionSchema, right: ActionSchema):
    """Of all matches of the smaller side, in lexicographic order: score and match of the best."""
    places = [*range(right.arity), *[None] * max(0, left.arity - right.arity)]
    best = ((-1, -1), {})
    theirs = set(literals(right))
    orders = sorted(
        set(permutations(places, left.arity)),
        key=lambda order: [right.arity if place is None else place for place in order],
    )
    for order in orders:
        match = {
            variable: right.variables[place]
            for variable, place in zip(left.variables, order, strict=True)
            if place is not None
        }
        unmatched = {variable: f"no {variable}" for variable in left.variables}
        same = [
            literal for literal in literals(left) if literal.rename(unmatched | match, {}) in theirs
        ]
        types = {parameter.name: parameter.types for parameter in right.parameters}
        n_types = sum(p.types == types.get(match.get(p.name)) for p in left.parameters)
        score = (len(same), n_types)
        if score > best[0]:
            best = (score, match)
    return best


@settings(deadline=None)
@given(domains(), st.data())
def test_the_first_of_the_best_matches(domain, data):
    left = data.draw(st.sampled_from(domain.actions))
    right = data.draw(st.sampled_from(domain.actions))
    right = renamed_schema(right, data.draw(st.permutations(range(right.arity))), {})
    found = align(left, right)
    assert ((found.n_literals, found.n_types), found.parameters) == brute_force(left, right)
    assert found.is_best


@pytest.mark.parametrize("parameters", ["x, y, z", "x"])
def test_of_different_arity(parameters):
    left = schema("x, y", ["p y", "q x y"])
    right = schema(parameters, ["p x"])
    assert align(left, right).parameters["?y"] == "?x"
    assert len(align(left, right).parameters) == min(left.arity, right.arity)


def test_types_decide_between_equally_good_matches():
    left = schema("x, y - t", ["p x", "p y"])
    right = schema("a - t, b", ["p a", "p b"])
    assert align(left, right).parameters == {"?x": "?b", "?y": "?a"}


def test_equality_is_symmetric_and_constants_stay():
    left = schema("x, y", ["p y", "= x y", "q x k"])
    right = schema("a, b", ["p a", "= a b", "q b k"])
    found = align(left, right)
    assert (found.parameters, found.n_literals) == ({"?x": "?b", "?y": "?a"}, 3)
    other = schema("a, b", ["p a", "= a b", "q b c"])
    assert align(left, other).n_literals == 2


def test_inequalities_count_like_other_literals():
    left, right = schema("x, y, z", ["not = y z"]), schema("a, b, c", ["not = b a"])
    found = align(left, right)
    assert (found.parameters, found.n_literals) == ({"?x": "?c", "?y": "?a", "?z": "?b"}, 1)
    assert align(left, schema("a, b, c", ["= a b"])).n_literals == 0
    assert align(schema("x", ["not = x k"]), schema("x", ["not = x k"])).n_literals == 1


def test_predicates_in_other_names():
    left, right = schema("x, y", ["p x", "q y"]), schema("x, y", ["r y", "q x"])
    assert align(left, right, {"p": "r", "q": "q"}).n_literals == 2
    assert align(left, right, {"p": "r"}).n_literals == 1


def test_a_permuted_copy_of_arity_eight_is_found(monkeypatch):
    """Well below the limit of the search: 8! would be above it."""
    monkeypatch.setattr(alignment, "MAX_NODES", 2_000)
    chain = [f"next x{i} x{i + 1}" for i in range(7)]
    left = schema(", ".join(f"x{i}" for i in range(8)), [*chain, "first x0"], ["not first x0"])
    right = renamed_schema(left, [5, 2, 7, 0, 1, 6, 4, 3], {})
    found = align(left, right)
    assert found.is_best
    assert found.n_literals == 9
    assert found.parameters == {f"?x{i}": f"?new{i}" for i in range(8)}


def test_a_search_that_gives_up_says_so(monkeypatch):
    monkeypatch.setattr(alignment, "MAX_NODES", 5)
    left = schema("x, y, z, w", ["p x y", "p y z", "p z w"])
    found = align(left, renamed_schema(left, [3, 1, 0, 2], {}))
    assert not found.is_best
    assert len(found.parameters) == 4
