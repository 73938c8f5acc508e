"""Predicates correspond by name, and where names differ by what they are used for."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.diff import predicates as module
from dias.diff.alignment import align
from dias.diff.predicates import match_predicates
from dias.strips.model import Domain, Predicate
from tests.diff.cases import renamed_domain, schema
from tests.strategies import domains


def domain(*actions, **arities) -> Domain:
    """An untyped domain."""
    declared = (Predicate(name, (("object",),) * arity) for name, arity in arities.items())
    return Domain("d", predicates=tuple(declared), actions=actions)


def match(left: Domain, right: Domain) -> dict[str, str]:
    """The match for actions that correspond by name."""
    names = {action.name for action in right.actions}
    pairs = [(a, right.action(a.name)) for a in left.actions if a.name in names]
    return match_predicates(left, right, pairs)


def test_the_same_name_goes_before_the_same_use():
    left = domain(schema("x", ["p x"], ["q x"]), p=1, q=1)
    right = domain(schema("x", ["q x"], ["p x"]), p=1, q=1)
    assert match(left, right) == {"p": "p", "q": "q"}


def test_another_arity_is_another_predicate():
    left = domain(schema("x", ["p x"], ["q x"]), p=1, q=1)
    right = domain(schema("x", ["r x"], ["q x"]), p=2, q=1, r=1)
    assert match(left, right) == {"q": "q", "p": "r"}


def test_what_makes_nothing_equal_is_not_matched():
    left = domain(schema("x", ["p x"], ["q x"]), p=1, q=1)
    right = domain(schema("x", ["q x"], ["r x"]), q=1, r=1)
    assert match(left, right) == {"q": "q"}


def test_what_no_action_uses_is_matched_by_types():
    assert match(domain(p=1, q=2), domain(r=2, s=1, t=1)) == {"p": "s", "q": "r"}
    assert match(domain(p=1), domain(schema("x", ["r x"]), r=1)) == {}


@settings(deadline=None)
@given(domains(max_arity=2), domains(max_arity=2), st.data())
def test_no_match_makes_more_literals_equal(left, right, data):
    """All matches are tried: the others' literals are counted as `align` counts them."""
    fresh = {p.name: f"other-{p.name}" for p in right.predicates}
    right = renamed_domain(right, [range(a.arity) for a in right.actions], fresh)
    names = {action.name for action in right.actions}
    pairs = [(a, right.action(a.name)) for a in left.actions if a.name in names]

    def score(match):
        return sum(align(x, y, match).n_literals for x, y in pairs)

    places = [*(p.name for p in right.predicates), *[None] * len(left.predicates)]
    arity = {p.name: p.arity for p in (*left.predicates, *right.predicates)}
    best = 0
    for order in set(permutations(places, len(left.predicates))):
        chosen = zip((p.name for p in left.predicates), order, strict=True)
        best = max(best, score({x: y for x, y in chosen if y and arity[x] == arity[y]}))
    found = match_predicates(left, right, pairs)
    assert score(found) == best
    assert len(set(found.values())) == len(found)


def test_the_search_ends(monkeypatch):
    monkeypatch.setattr(module, "MAX_MATCHES", 1)
    left = domain(schema("x", ["p x", "q x"], ["not p x"]), p=1, q=1)
    right = domain(schema("x", ["r x", "s x"], ["not s x"]), r=1, s=1)
    assert match(left, right) == {"p": "s", "q": "r"}  # the most promising first


@pytest.mark.parametrize(("n_matches", "found"), [(1, "a"), (2, "b")])
def test_no_more_matches_are_tried_than_allowed(monkeypatch, n_matches, found):
    """By counting, a and b are as good; only b has the arguments for both literals."""
    monkeypatch.setattr(module, "MAX_MATCHES", n_matches)
    left = domain(schema("x, y, z", ["p x y", "p y x"]), p=2)
    right = domain(schema("x, y, z", ["a x y", "a x z", "b x y", "b y x"]), a=2, b=2)
    assert match(left, right) == {"p": found}
