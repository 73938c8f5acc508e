"""Static relations that divide the objects of untyped traces become their types."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dias.errors import TraceError
from dias.strips.model import OBJECT, Predicate
from dias.traces.infer_types import Division, divide_objects, with_types
from tests.traces.files import atoms, read, step

WORLD = ("(ball b)", "(room r)", "(room s)")
HEADER = {"dias": "trace/1", "static": WORLD}
MOVE = step(["(at b r)", "(near r)"], "(move)", ["(at b s)", "(near r)"])


def divided(*lines):
    return divide_objects(read(*lines))


def test_relations_of_which_one_holds_of_each_object():
    assert divided(HEADER, MOVE) == Division(("ball", "room"))
    # In the states, too, as long as they stand in all of them.
    in_states = [*WORLD, "(at b r)"], "(move)", [*WORLD, "(at b s)"]
    assert divided(step(*in_states)) == Division(("ball", "room"))
    # In one more problem, with objects of the same name that are something else.
    other = {"dias": "trace/1", "problem": "2", "static": ["(ball s)", "(room b)"]}
    again = step(["(at s b)"], "(move)", [])
    assert divided(HEADER, MOVE, other, again) == Division(("ball", "room"))


@pytest.mark.parametrize(
    ("static", "obstacle"),
    [
        (["(ball b)", "(room r)"], "no static relation of one argument says what s is"),
        ([*WORLD, "(ball r)"], "the relations ball, near, room overlap"),
        (["(object b)", "(room r)", "(room s)"],
         "no static relation of one argument but the one called object, which is the root of all "
         "types, says what b is"),
        ([], "no static relation of one argument says what b is"),
    ],
)  # fmt: skip
def test_relations_that_do_not_divide(static, obstacle):
    assert divided(HEADER | {"static": static}, MOVE) == Division((), obstacle)


def test_what_changes_divides_nothing():
    """Also what differs between states of one problem though no step changes it."""
    grown = step(["(ball b)"], "(grow)", ["(room b)"])
    assert divided(grown).obstacle == "no static relation of one argument says what b is"
    two = [step([f"({kind} b)"], "(wait)", [f"({kind} b)"]) for kind in ("ball", "room")]
    assert divided(*two).obstacle == "no static relation of one argument says what b is"
    refused = step(["(room b)"], "(wait)", None)
    assert divided(two[0], refused).obstacle.startswith("no static relation")
    assert divided(two[0]) == Division(("ball",))


def test_traces_with_types_have_them_already():
    typed = {"types": {"t": "object"}, "objects": dict.fromkeys("brs", "t")}
    assert divided(HEADER | typed, MOVE) == Division((), "the traces have types")


def test_what_some_of_a_kind_are_stays_a_predicate():
    lit = [*WORLD, "(lit r)"]
    assert divided(HEADER | {"static": lit}, MOVE) == Division(("ball", "room"))
    # Narrower relations go first: vehicles are trucks and planes.
    wide = {"static": ["(truck t)", "(plane p)", "(vehicle t)", "(vehicle p)", "(box b)"]}
    load = step(["(at b)"], "(load)", [])
    assert divided(HEADER | wide, load) == Division(("box", "plane", "truck"))
    # But not where they leave something out.
    some = {"static": ["(truck t)", "(vehicle t)", "(vehicle p)", "(box b)"]}
    assert divided(HEADER | some, load) == Division(("box", "vehicle"))
    # Of two with the same objects the first by name.
    same = {"static": [*WORLD, "(toy b)"]}
    assert divided(HEADER | same, MOVE) == Division(("ball", "room"))


def test_a_constant_is_of_one_kind_in_all_problems():
    header = {"dias": "trace/1", "constants": ["k"], "static": ["(ball k)", "(room r)"]}
    second = header | {"problem": "2", "static": ["(room k)", "(ball r)"]}
    wait = step([], "(wait)", [])
    assert divided(header, wait, second, wait).obstacle == "the constant k is of two kinds"
    found = with_types(read(header, wait, header | {"problem": "2"}, wait), ["ball", "room"])
    assert found.constants == {"k": "ball"}


def test_the_traces_are_as_if_the_header_had_said_the_types():
    full = {
        "predicates": {"at": [OBJECT] * 2, "near": [OBJECT], "ball": [OBJECT], "room": [OBJECT],
                       "any": [OBJECT] * 2, "never": [OBJECT], "dark": []},
        "objects": dict.fromkeys("brs", OBJECT),
    }  # fmt: skip
    lines = [
        step([*atom, "(any b r)", "(any r r)"], "(move)", [*after, "(any b r)", "(any r r)"])
        for atom, after in ((["(at b r)"], ["(at b s)", "(dark)"]), (["(dark)"], ["(near r)"]))
    ]
    lines.append(step(["(at b s)"], "(move)", None))
    untyped = read(HEADER | full, *lines)
    typed = with_types(untyped, ("room", "ball"))
    said = {
        "types": {"ball": OBJECT, "room": OBJECT},
        "objects": {"b": "ball", "r": "room", "s": "room"},
        "predicates": {"at": ["ball", "room"], "near": ["room"], "dark": [],
                       "any": [OBJECT, "room"], "never": [OBJECT]},
        "static": [],
    }  # fmt: skip
    expected = read(HEADER | said, *lines)
    assert typed.types == expected.types
    assert typed.predicates == expected.predicates
    assert typed.predicates[0] == Predicate("any", ((OBJECT,), ("room",)))
    assert typed.segments == expected.segments
    assert typed.transitions == expected.transitions
    assert typed.refused == expected.refused
    assert typed.source == untyped.source and typed.labels == untyped.labels


def test_relations_that_are_no_types_there_are_refused():
    """Validation transitions whose objects they do not divide."""
    other = read(HEADER | {"static": ["(ball b)", "(room r)"]}, MOVE)
    with pytest.raises(TraceError, match="found none for s"):
        with_types(other, ("ball", "room"))
    both = read(HEADER | {"static": [*WORLD, "(ball s)"]}, MOVE)
    with pytest.raises(TraceError, match="found ball and room for s") as caught:
        with_types(both, ("ball", "room"))
    assert caught.value.place == both.source and "--no-infer-types" in str(caught.value)


@given(st.lists(st.frozensets(st.sampled_from("pqrs")), min_size=1, max_size=5))
def test_a_division_is_found_wherever_there_is_one(kinds):
    """Of all choices of relations, against each object's own."""
    static = [f"({name} o{i})" for i, own in enumerate(kinds) for name in own]
    objects = {f"o{i}": OBJECT for i in range(len(kinds))}
    traces = read({"dias": "trace/1", "objects": objects, "static": static}, step([], "(wait)", []))
    found = set(divide_objects(traces).relations)
    choices = [{x for i, x in enumerate("pqrs") if number >> i & 1} for number in range(1, 16)]
    right = [own for own in choices if all(len(own & kind) == 1 for kind in kinds)]
    right = [own for own in right if all(any(x in kind for kind in kinds) for x in own)]
    assert found in right if right else not found
    if found:
        typed = with_types(traces, found)
        assert all(segment.static == atoms(*(
            f"{name} o{i}" for i, own in enumerate(kinds) for name in own - found
        )) for segment in typed.segments)  # fmt: skip
