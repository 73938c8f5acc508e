"""Kept literals that stand where two parameters must only differ."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from dias.learning.certificate.rivals import rivals
from dias.learning.schema import (
    LiftedAtom,
    LiftedSchema,
    Literal,
    preconditions,
    with_preconditions,
)
from tests.learning.cases import lifted_schema, literals
from tests.traces.files import read

HEADER = {
    "dias": "trace/1",
    "labels": "names",
    "predicates": {"r": ["object"], "q": ["object"] * 2},
    "objects": dict.fromkeys("abc", "object"),
}
GO = lifted_schema("go", 2, literals("q 0 1"), (), literals("r 0"), literals("r 1"))
APART = Literal(*literals("= 0 1"), False)
R_0, NOT_R_1 = preconditions(GO)


def step(state: str, added: str) -> dict[str, object]:
    atoms = [f"(r {name})" for name in state]
    return {"state": atoms, "action": "go", "next": [*atoms, added]}


ONE_IS_NOT = step("ab", "(q a c)")
"""Without (r ?x1), ?x1 may be c as well, which ?x2 is."""

TWO_ARE_NOT = step("a", "(q a c)")
"""Without it, ?x1 may also be b with c, and c with b."""


def found(*steps, schema: LiftedSchema = GO, apart=(APART,), header=HEADER):
    traces = read(header, *steps)
    safe = with_preconditions(schema, [*preconditions(schema), *apart])
    return list(rivals(schema, safe, traces))


def test_all_that_a_literal_excludes_is_that_two_objects_are_one():
    """Without it three bindings are left, with it two, but also if the two must only differ."""
    (one,) = found(*[ONE_IS_NOT] * 20)
    assert one == (R_0, APART, 0.0)
    # The other literal excludes (a, b) and (b, a) besides.
    assert found(*[step("a", "(q a b)")] * 20)[0].literal != R_0


@pytest.mark.parametrize(("n", "is_rival"), [(11, False), (12, True)])
def test_what_is_weak_anyway_is_no_rival(n, is_rival):
    """(2/3)^n is below 0.01 from n = 12 on."""
    assert bool(found(*[ONE_IS_NOT] * n)) is is_rival


@pytest.mark.parametrize(("n", "is_rival"), [(6, True), (7, False)])
def test_what_other_steps_show_counts(n, is_rival):
    """Of a, b, c for ?x1 and b, c for ?x2 four differ and two have r(?x1): (2/4)^7 < 0.01."""
    chances = {own.literal: own.log_chance for own in found(*[ONE_IS_NOT] * 20, *[TWO_ARE_NOT] * n)}
    assert (R_0 in chances) is is_rival
    if is_rival:
        assert chances[R_0] == pytest.approx(n * math.log(2 / 4))


def test_what_is_no_rival():
    steps = [ONE_IS_NOT] * 20
    assert found(*steps, apart=()) == []  # that they differ is written, or fails
    assert found(*steps, schema=with_preconditions(GO, [R_0])) == []  # nothing is contrary to it
    kept = replace(GO, effects=GO.effects._replace(delete=literals("r 0")))
    taking = step("ab", "(q a c)") | {"next": ["(r b)", "(q a c)"]}
    assert found(*[taking] * 20, schema=kept) == []  # what an effect changes is meant
    typed = replace(
        GO, positive=(LiftedAtom("type odd", (0,)),), negative=(LiftedAtom("type odd", (1,)),)
    )
    objects = {"a": "odd", "b": "odd", "c": "object"}
    header = HEADER | {"types": {"odd": "object"}, "objects": objects}
    assert found(*steps, schema=typed, header=header) == []  # types become those of parameters
