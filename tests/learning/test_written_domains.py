"""Whole runs from action names to domains whose literals are known beforehand."""

from __future__ import annotations

from itertools import permutations

import pytest

from dias.config import LearningConfig
from dias.learning.learn import learn
from dias.learning.result import LearningResult
from dias.strips.model import ActionSchema, Atom, Domain
from tests.learning.cases import benchmark, sampled

LEFT_OUT = {
    "blocks-3": set(),
    "gripper": {"room", "ball", "gripper"},
    "hanoi": {"smaller"},
    "logistics": {"object", "vehicle", "location", "city", "airport"},
}
"""Predicates whose literals follow from the others in the training states: what kind of thing is
bound (a ball is carried by grippers only), and that a disc lay where it could lie."""

DIFFERENT = {
    ("blocks-3", "stack"),
    ("blocks-3", "move"),
    ("gripper", "move"),
    ("logistics", "drive"),
    ("logistics", "fly"),
}
"""Actions of which nothing but an inequality says that two parameters differ."""


def learned(name: str, preconditions: str) -> tuple[Domain, LearningResult]:
    domain, instances = benchmark(name, "p01")
    config = LearningConfig(preconditions=preconditions)
    return domain, learn(sampled(domain, instances, 100), config)


def renamings(true: ActionSchema, found: ActionSchema):
    """The orders of parameters under which the effects are the same."""
    for variables in permutations(found.variables):
        rename = dict(zip(true.variables, variables, strict=True))

        def same(atoms, others, rename=rename):
            return {atom.substitute(rename) for atom in atoms} == others

        if same(true.add_effects, found.add_effects) and same(
            true.delete_effects, found.delete_effects
        ):
            yield rename


@pytest.mark.slow
@pytest.mark.parametrize("name", LEFT_OUT)
def test_minimal_has_the_literals_of_the_true_domain_and_no_others(name):
    domain, result = learned(name, "minimal")
    assert result.explains_everything
    for true in domain.actions:
        found = result.domain.action(true.name)
        assert found.arity == true.arity
        assert found.negative_preconditions == set()
        # As in the true domain, where `eq` is written as a predicate.
        different = {a.terms for a in true.negative_preconditions} | true.inequalities
        missing = [
            {atom.substitute(rename) for atom in true.preconditions} - found.preconditions
            for rename in renamings(true, found)
            if found.preconditions <= {atom.substitute(rename) for atom in true.preconditions}
            and {frozenset(pair) for pair in found.inequalities}
            <= {frozenset(map(rename.__getitem__, pair)) for pair in different}
        ]
        assert missing, true.name
        left_out = min(missing, key=len)
        assert {atom.predicate for atom in left_out} <= LEFT_OUT[name]
        assert len(found.inequalities) == ((name, true.name) in DIFFERENT)


FIGURE = {
    "stack": (
        "clear a, clear b, on-table a, eq a a, eq b b",
        "eq a b, eq b a, on a a, on a b, on b a, on b b",
    ),
    "newtower": (
        "clear a, on a b, eq a a, eq b b",
        "clear b, eq a b, eq b a, on b b, on b a, on a a, on-table a",
    ),
    "move": (
        "clear a, clear c, on a b, eq a a, eq b b, eq c c",
        "clear b, eq a b, eq a c, eq b a, eq b c, eq c a, eq c b, on a a, on a c, on b a, on b b, "
        "on b c, on c a, on c b, on c c, on-table a",
    ),
}
"""Positive and negative preconditions of the paper's learned schemas (``fig:blocks-3-diff``): a is
the block that moves, b the one it comes from (with stack: goes to), c the one it goes to."""


def parsed(words: str) -> set[Atom]:
    return {Atom(name, tuple(terms)) for name, *terms in map(str.split, words.split(", "))}


@pytest.mark.slow
def test_safe_is_literal_for_literal_the_paper_s_figure():
    """5 + 6, 4 + 7 and 6 + 16 literals."""
    _, result = learned("blocks-3", "safe")
    assert {a.name: (len(a.preconditions), len(a.negative_preconditions))
            for a in result.domain.actions} == {
        "stack": (5, 6), "newtower": (4, 7), "move": (6, 16),
    }  # fmt: skip
    for action in result.domain.actions:
        positive, negative = map(parsed, FIGURE[action.name])
        assert any(
            {atom.substitute(rename) for atom in action.preconditions} == positive
            and {atom.substitute(rename) for atom in action.negative_preconditions} == negative
            for rename in (
                dict(zip(action.variables, names, strict=True))
                for names in permutations("abc"[: action.arity])
            )
        ), action.name
