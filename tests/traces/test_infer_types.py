"""Static relations that divide the objects of untyped traces, as a hierarchy of types."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dias.strips.model import OBJECT
from dias.traces.infer_types import infer_types
from tests.traces.files import read, step

WORLD = ("(ball b)", "(room r)", "(room s)")
HEADER = {"dias": "trace/1", "static": WORLD}
MOVE = step(["(at b r)", "(near r)"], "(move)", ["(at b s)", "(near r)"])
WAIT = step([], "(wait)", [])
FLAT = {"ball": OBJECT, "room": OBJECT}


def found(*lines):
    return infer_types(read(*lines))


def types(static, but=()):
    """Type to parent in a problem in which these atoms are all there is."""
    return infer_types(read({"dias": "trace/1", "static": static}, WAIT), but).parents


def of(**members):
    """The atoms that say which objects (letters) are of which kinds."""
    return [f"({kind} {name})" for kind, names in members.items() for name in names]


VEHICLES = of(vehicle="tuvpq", truck="tuv", plane="pq", box="b")


def test_relations_of_which_one_holds_of_each_object():
    assert found(HEADER, MOVE).parents == FLAT
    assert found(HEADER, MOVE).objects == {(0, "b"): "ball", (0, "r"): "room", (0, "s"): "room"}
    # In the states, too, as long as they stand in all of them.
    in_states = [*WORLD, "(at b r)"], "(move)", [*WORLD, "(at b s)"]
    assert found(step(*in_states)).parents == FLAT
    # In one more problem, with objects of the same name that are something else.
    other = {"dias": "trace/1", "problem": "2", "static": ["(ball s)", "(room b)"]}
    both = found(HEADER, MOVE, other, step(["(at s b)"], "(move)", []))
    assert both.parents == FLAT
    assert both.objects[0, "b"] == both.objects[1, "s"] == "ball"


@pytest.mark.parametrize(
    ("static", "obstacle"),
    [
        (["(ball b)", "(room r)"], "no static relation of one argument says what s is"),
        ([*WORLD, "(ball r)"], "the relations ball, near, room overlap"),
        (["(object b)", "(room r)"],
         "no static relation of one argument says what s is"),
        ([*of(object="bc", room="rs"), "(obj b r)"],
         "no static relation of one argument but object, whose type would be called like relation "
         "obj, says what b is"),
        ([], "no static relation of one argument says what b is"),
    ],
)  # fmt: skip
def test_relations_that_do_not_divide(static, obstacle):
    assert found(HEADER | {"static": static}, MOVE) == ({}, {}, {}, obstacle)


def test_the_relation_that_is_called_as_the_root_has_a_type_of_another_name():
    known = infer_types(read({"dias": "trace/1", "static": of(object="pq", room="rs")}, WAIT))
    assert known.parents == {"obj": OBJECT, "room": OBJECT}
    assert known.relations == {"object": "obj", "room": "room"}
    assert known.objects == {(0, "p"): "obj", (0, "q"): "obj", (0, "r"): "room", (0, "s"): "room"}
    # A relation of that name that holds of all says nothing, and where it is alone there is none.
    assert types(of(object="bcrs", ball="bc", room="rs")) == FLAT
    assert types(of(object="bc")) == {}
    # What some of them are is below it.
    parcels = of(object="pqo", heavy="pq", room="rs")
    assert types(parcels) == {"obj": OBJECT, "room": OBJECT}
    assert types(parcels + of(sunk="pq")) == {"obj": OBJECT, "room": OBJECT}
    on = {"heavy": "obj", "obj": OBJECT, "room": OBJECT}
    assert types([*parcels, "(on p r)", "(on q r)"]) == on
    # One whose own name it is keeps it, and then nothing is called so because of the other.
    own = infer_types(read({"dias": "trace/1", "static": of(obj="pq", room="rs")}, WAIT))
    assert own.parents == {"obj": OBJECT, "room": OBJECT}
    assert own.relations == {"obj": "obj", "room": "room"}


def test_no_object_at_all_has_no_type():
    assert found(step(["(dark)"], "(light)", [])).obstacle == "it has no objects"


def test_what_changes_divides_nothing():
    """Also what differs between states of one problem though no step changes it."""
    grown = step(["(ball b)"], "(grow)", ["(room b)"])
    assert found(grown).obstacle == "no static relation of one argument says what b is"
    two = [step([f"({kind} b)"], "(wait)", [f"({kind} b)"]) for kind in ("ball", "room")]
    assert found(*two).obstacle == "no static relation of one argument says what b is"
    refused = step(["(room b)"], "(wait)", None)
    assert found(two[0], refused).obstacle.startswith("no static relation")
    assert found(two[0]).parents == {"ball": OBJECT}


def test_what_is_not_certain_divides_nothing():
    seen = {"state": [["(ball b)", 0.9], "(room r)"], "action": "(wait)", "next": ["(room r)"]}
    assert not found(seen).parents
    header = {"dias": "trace/1", "static": ["(ball b)", "(room r)"]}
    doubted = {"state": [["(near r)", 0.9]], "action": "(wait)", "next": []}
    assert found(header, doubted).parents == FLAT


def test_traces_with_types_have_them_already():
    typed = {"types": {"t": "object"}, "objects": dict.fromkeys("brs", "t")}
    assert found(HEADER | typed, MOVE).obstacle == "the traces have types"


def test_kinds_that_divide_a_kind_are_its_subtypes():
    kinds = {"box": OBJECT, "plane": "vehicle", "truck": "vehicle", "vehicle": OBJECT}
    assert types(VEHICLES) == kinds
    # Divided again, and by one more relation that holds of all.
    trucks = of(light="tu", heavy="v", thing="tuvpqb")
    every = {"thing": OBJECT, **dict.fromkeys(("box", "vehicle"), "thing")}
    assert types(VEHICLES + trucks) == kinds | every | {"light": "truck", "heavy": "truck"}
    # Of two objects that they are different says nothing.
    assert types(of(vehicle="tp", truck="t", plane="p", box="b")) == {
        "box": OBJECT, "vehicle": OBJECT,
    }  # fmt: skip
    # A problem in which there are enough is enough.
    small, large = (
        {"dias": "trace/1", "problem": name, "static": static}
        for name, static in (
            ("1", of(vehicle="tp", truck="t", plane="p", box="b")),
            ("2", VEHICLES),
        )
    )
    assert found(small, WAIT, large, WAIT).parents == kinds


def test_what_overlaps_stays_a_relation():
    assert types([*WORLD, "(lit r)"]) == FLAT
    assert types([*WORLD, "(lit r)", "(lit b)"]) == FLAT
    # Beside what divides, but not where there are two ways to divide.
    assert types(VEHICLES + of(fast="tp"))["truck"] == "vehicle"
    assert "truck" not in types(VEHICLES + of(fast="tp", slow="uvq"))
    # Where two ways are all there is, wide relations go first, then the first name.
    assert types(of(a="xy", b="zw", c="xz", d="yw")) == {"a": OBJECT, "b": OBJECT}
    assert types(of(a="xy", b="zw", cc="xzy", d="w")) == {"cc": OBJECT, "d": OBJECT}


def test_what_has_a_place_of_its_own_is_a_subtype():
    rooms = of(room="rstu", lit="rs", red="st", dim="t", ball="bc", cube="xy")
    assert types(rooms) == {"room": OBJECT, "ball": OBJECT, "cube": OBJECT}
    lit = {"room": OBJECT, "ball": OBJECT, "cube": OBJECT, "lit": "room"}
    assert types([*rooms, "(seen r r)", "(seen s s)"]) == lit
    assert types([*rooms, "(seen b b)", "(seen r r)", "(seen s s)"]) == lit  # rooms are asked about
    assert types([*rooms, "(seen t t)", "(seen r r)", "(seen s s)"]).keys() == lit.keys() - {"lit"}
    assert types([*rooms, "(seen r r)"]).keys() == lit.keys() - {"lit"}  # not all of them
    # Beside a kind of things: balls lie in lit rooms, cubes anywhere.
    balls = ["(in b r)", "(in c s)", "(in x r)", "(in y u)"]
    assert types(rooms + balls) == lit
    assert types([*rooms, *balls, "(in b u)"]).keys() == lit.keys() - {"lit"}
    # What unary static relations say is no place.
    assert types(rooms + of(seen="rs")).keys() == lit.keys() - {"lit"}
    # Several that overlap are none, and of a single object nothing is said.
    assert types([*rooms, "(seen r r)", "(seen s s)", "(kept s s)", "(kept t t)"]).keys() == (
        lit.keys() - {"lit"}
    )
    assert types([*rooms, "(seen t t)"]).keys() == lit.keys() - {"lit"}
    # One within another.
    wide = of(room="rstuv", lit="rst", warm="rs")
    own = [f"({name} {room} {room})" for name, all_ in (("p", "rst"), ("q", "rs")) for room in all_]
    assert types(wide + own).items() >= {"lit": "room", "warm": "lit"}.items()


def test_a_place_that_another_problem_does_not_fill():
    header, other = (
        {"dias": "trace/1", "problem": name, "static": of(room="rst", lit="rs") + more}
        for name, more in (("1", ["(near r s)", "(near s r)"]), ("2", ["(near r s)"]))
    )
    assert found(header, WAIT, other, WAIT).parents["lit"] == "room"
    assert "lit" not in found(other, WAIT).parents


def test_of_relations_with_the_same_objects_the_shortest_name_is_the_types():
    assert types([*WORLD, "(toy b)"]) == {"room": OBJECT, "toy": OBJECT}
    assert types([*WORLD, "(aaa b)", "(bbb b)"]) == {"aaa": OBJECT, "room": OBJECT}


def test_relations_that_are_to_stay_such():
    assert "truck" not in types(VEHICLES, but={"plane"})
    header = {"dias": "trace/1", "static": VEHICLES}
    without = infer_types(read(header, WAIT), {"box"})
    assert without.obstacle == ("an action must not be applied to what is box: types cannot say so")


def test_a_constant_is_of_one_kind_in_all_problems():
    header = {"dias": "trace/1", "constants": ["k"], "static": ["(ball k)", "(room r)"]}
    second = header | {"problem": "2", "static": ["(room k)", "(ball r)"]}
    assert found(header, WAIT, second, WAIT).obstacle == "the constant k is of two kinds"
    assert found(header, WAIT, header | {"problem": "2"}, WAIT).objects[1, "k"] == "ball"


def test_the_narrowest_type_of_several():
    known = infer_types(read({"dias": "trace/1", "static": VEHICLES}, WAIT))
    assert known.of_all(["truck", "plane"]) == "vehicle"
    assert known.of_all(["truck", "vehicle"]) == "vehicle"
    assert known.of_all(["truck"]) == "truck"
    assert known.of_all(["truck", "box"]) == known.of_all([]) == known.of_all([OBJECT]) == OBJECT


@given(
    st.lists(st.frozensets(st.sampled_from("pqrs")), min_size=1, max_size=6),
    st.lists(st.sampled_from(["(t o0 o1)", "(t o1 o0)", "(u o2 o2)", "(u o3 o3)"]), max_size=4),
)
def test_a_division_is_found_wherever_there_is_one(kinds, more):
    """Of all choices of relations, against each object's own; and types are a hierarchy."""
    static = [f"({name} o{i})" for i, own in enumerate(kinds) for name in own]
    objects = {f"o{i}": OBJECT for i in range(len(kinds))}
    static += [atom for atom in more if all(name in objects for name in atom[3:-1].split())]
    traces = read({"dias": "trace/1", "objects": objects, "static": static}, WAIT)
    known = infer_types(traces)
    choices = [{x for i, x in enumerate("pqrs") if number >> i & 1} for number in range(1, 16)]
    right = [own for own in choices if all(len(own & kind) == 1 for kind in kinds)]
    assert bool(known.parents) == bool(right)
    if not right:
        return
    assert {name for name, parent in known.parents.items() if parent == OBJECT} in [
        {x for x in own if any(x in kind for kind in kinds)} for own in right
    ]
    for (_, name), kind in known.objects.items():
        own = kinds[int(name[1:])] & known.parents.keys()
        above = []
        while kind != OBJECT:
            above.append(kind)
            kind = known.parents[kind]
        assert own == {*above}  # what holds of it is a chain, all of which it is
