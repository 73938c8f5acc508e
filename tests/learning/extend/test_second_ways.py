"""Schemas that other bindings of the steps make, and that are as good."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from types import SimpleNamespace

from hypothesis import given, settings
from hypothesis import strategies as st

from dias.learning.data.transitions import BindingTable
from dias.learning.extend import second_ways as module
from dias.learning.extend.choice import Explanation
from dias.learning.extend.second_ways import are_alike, second_ways
from dias.learning.schema import (
    EQUAL,
    Effects,
    LiftedAtom,
    LiftedSchema,
    Literal,
    SecondWay,
    comparisons,
    is_inequality,
    lifted_atoms,
    preconditions,
)
from dias.learning.score import MARGIN
from tests.learning.cases import lifted_schema, literals

NO_BINDINGS = BindingTable.of([[]], 0)
ON, NEAR, APART = (
    Literal(*literals(x), is_positive=x[0] != "=") for x in ("on 1", "by 0 1", "= 0 1")
)


def schema(positive: str, negative: str = "", **changes: object) -> LiftedSchema:
    found = (literals(*(x for x in own.split(", ") if x)) for own in (positive, negative))
    return replace(lifted_schema("put", 2, literals("on 0"), (), *found), **changes)


BEST = schema("on 1")


def named(*others: tuple[float, LiftedSchema]) -> list[SecondWay]:
    """The second ways beside `BEST`, where these schemas have so many nats more than it."""
    scores = dict([(BEST, 0.0), *((own, nats) for nats, own in others)])
    choice = SimpleNamespace(
        score=lambda own, bindings: scores[own],
        bound_anew=lambda known: [Explanation(own, NO_BINDINGS) for _, own in others],
    )
    return list(second_ways(choice, Explanation(BEST, NO_BINDINGS)))


def test_what_is_hardly_worse_is_named_by_what_differs():
    near, apart = schema("by 0 1"), schema("", "= 0 1, by 1 1")
    assert named((-1.0, near), (0.5, apart)) == [
        SecondWay((ON,), (NEAR,), -1.0),
        SecondWay((ON,), (APART,), 0.5),
    ]
    assert named((-MARGIN, near), (-MARGIN - 1, apart)) == []


def test_what_is_said_beside_is_no_other_way():
    """More literals, fewer, or others that do not hold."""
    assert named((0.0, schema("on 1, by 0 1")), (0.0, schema("")), (0.0, BEST)) == []
    assert named((0.0, schema("on 1", "by 0 1"))) == []


def test_the_same_way_is_named_once():
    near = schema("by 0 1")
    assert len(named((0.0, near), (-1.0, replace(near, negative=literals("by 1 1"))))) == 1


def test_the_same_under_other_names_is_the_same():
    swapped = [
        schema(x, effects=Effects(2, literals("on 0", "on 1"), ())) for x in ("on 1", "on 0")
    ]
    assert are_alike(*swapped)
    assert not are_alike(schema("on 1"), schema("on 0"))  # of these the first is put on
    assert not are_alike(schema("on 1"), schema("by 1 1"))
    constant = [replace(own, constants=("k",)) for own in swapped]
    assert not are_alike(*constant)  # one of the two is always k


def test_too_many_assignments_pass_for_the_same(monkeypatch):
    one, other = (lifted_schema("put", 3, (), (), literals(*own)) for own in (
        ("by 0 1", "by 1 2"), ("by 0 1", "by 0 2"),
    ))  # fmt: skip
    assert not are_alike(one, other)
    monkeypatch.setattr(module, "MAX_NODES", 2)
    assert are_alike(one, other)


RELATIONS = {"flag": 0, "p": 1, "r": 2}


@st.composite
def schemas(draw: st.DrawFn, n_variables: int) -> LiftedSchema:
    atoms = st.lists(st.sampled_from(lifted_atoms(RELATIONS, n_variables)), max_size=3, unique=True)
    pool = [*lifted_atoms(RELATIONS, n_variables), *comparisons(n_variables)]
    negative = st.lists(st.sampled_from(pool), max_size=3, unique=True)
    add, delete, positive = (tuple(draw(atoms)) for _ in range(3))
    own = lifted_schema("put", n_variables, add, delete, positive, tuple(draw(negative)))
    return replace(own, constants=("k",)[: draw(st.integers(0, 1))])


def renamed(own: LiftedSchema, place: tuple[int, ...]) -> LiftedSchema:
    def of(atoms: tuple[LiftedAtom, ...]) -> tuple[LiftedAtom, ...]:
        found = [(x.relation, [place[v] for v in x.variables]) for x in atoms]
        return tuple(LiftedAtom(r, tuple(sorted(v) if r == EQUAL else v)) for r, v in found)

    effects = own.effects._replace(add=of(own.effects.add), delete=of(own.effects.delete))
    return replace(own, effects=effects, positive=of(own.positive), negative=of(own.negative))


def said(own: LiftedSchema) -> tuple[frozenset[object], ...]:
    told = (x for x in preconditions(own) if x.is_positive or is_inequality(x))
    return frozenset(own.effects.add), frozenset(own.effects.delete), frozenset(told)


@settings(deadline=None)
@given(st.integers(1, 3), st.data())
def test_equals_a_loop_over_all_permutations(n_variables, data):
    one = data.draw(schemas(n_variables))
    n_fixed = len(one.constants)
    places = [x for x in permutations(range(n_variables)) if x[:n_fixed] == (0,)[:n_fixed]]
    if data.draw(st.booleans()):
        other = renamed(one, data.draw(st.sampled_from(places)))
    else:
        other = replace(data.draw(schemas(n_variables)), constants=one.constants)
    expected = any(said(renamed(one, place)) == said(other) for place in places)
    assert are_alike(one, other) is expected
