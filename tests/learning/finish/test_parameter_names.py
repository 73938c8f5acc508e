"""What parameters are called, and in which order they stand; legal for every reader."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pddl.parser.domain import DomainParser
from pyperplan.pddl.parser import Parser
from tarski.io import PDDLReader

from dias.learning.finish.parameter_names import kinds, numbered, readable_names
from dias.learning.finish.renaming import rename_schema
from dias.strips.model import OBJECT, ActionSchema, Atom, Domain, Instance, Parameter, Predicate
from dias.strips.pddl.reader import parse_domain
from dias.strips.pddl.writer import format_domain, format_problem
from tests import strategies


def parameters(*types):
    return tuple(
        Parameter(f"?x{i}", (kind,) if isinstance(kind, str) else kind)
        for i, kind in enumerate(types, start=1)
    )


def atoms(text):
    """``at 1 2, free c`` as atoms over ?x1, ?x2 and the constant c."""
    words = (part.split() for part in text.split(",") if text)
    return frozenset(
        Atom(name, tuple(f"?x{t}" if t.isdigit() else t for t in terms)) for name, *terms in words
    )


def action(name, types, pre="", add="", delete=""):
    return ActionSchema(
        name, parameters(*types), atoms(pre), add_effects=atoms(add), delete_effects=atoms(delete)
    )


def domain(*actions):
    used = {
        Predicate(atom.predicate, ((OBJECT,),) * len(atom.terms))
        for own in actions
        for atom in own.preconditions | own.add_effects | own.delete_effects
    }
    return Domain("d", predicates=tuple(sorted(used)), actions=actions)


def names(schema, kind=(), n_given=0):
    return list(readable_names(schema, dict(kind), n_given).items())


@pytest.mark.parametrize(
    ("types", "kind"),
    [
        (("ball", "room"), {"?x1": "ball", "?x2": "room"}),
        (("ball", "ball"), {"?x1": "ball", "?x2": "ball"}),
        ((OBJECT, "ball"), {"?x2": "ball"}),
        ((("ball", "cube"), "cube"), {"?x2": "cube"}),
        (("x", "x12"), {}),  # as parameters of no kind are called
        (("x-1", "xx"), {"?x1": "x-1", "?x2": "xx"}),
        (("3d", "a.b", "ø"), {"?x3": "ø"}),  # the first two are no names in PDDL
    ],
)
def test_a_type_is_a_kind(types, kind):
    assert kinds(domain(action("a", types))) == {"a": kind}


def test_a_static_relation_that_has_to_hold_is_a_kind_where_there_is_no_type():
    move = action("move", [OBJECT] * 3 + ["lift"], "room 1, at 1 2, free 2, room 4, hall k")
    free = action("free", [OBJECT], "open 1", "free 1")
    assert kinds(domain(move, free)) == {
        "move": {"?x1": "room", "?x4": "lift"},
        "free": {"?x1": "open"},
    }
    # What changes in the traces is not static, whatever was learned of it.
    assert kinds(domain(free), ["open"]) == {"free": {}}
    # What may not hold says nothing.
    not_a_room = ActionSchema("b", parameters(OBJECT), negative_preconditions=atoms("room 1"))
    assert kinds(domain(not_a_room)) == {"b": {}}


def test_of_several_relations_the_most_specific_is_taken():
    """That is the one that has to hold of fewer parameters of the domain."""
    drive = action("drive", [OBJECT], "vehicle 1, truck 1, car k")
    load = action("load", [OBJECT, OBJECT], "vehicle 1, box 2, heavy 2")
    assert kinds(domain(drive, load)) == {
        "drive": {"?x1": "truck"},
        "load": {"?x1": "vehicle", "?x2": "box"},  # a tie: by name
    }


def test_names_are_numbered_where_they_have_to_be():
    assert numbered(["ball", "room"]) == ["?ball", "?room"]
    assert numbered(["ball", "room", "ball"]) == ["?ball1", "?room", "?ball2"]
    assert numbered(["x", "object"]) == ["?x1", "?object1"]
    assert numbered(["t1", "t1", "x", "x"]) == ["?t1-1", "?t1-2", "?x1", "?x2"]
    assert numbered(["b", "b1", "b"]) == ["?b2", "?b1", "?b3"]  # b1 is the only one
    assert numbered(["b", "c"], {"b", "b1"}) == ["?b2", "?c"]


@given(st.lists(st.sampled_from(["x", "a", "a1", "a1-1", "x1", "from-a"])), st.sets(st.just("a1")))
def test_names_differ(stems, taken):
    found = numbered(stems, taken)
    assert len({*found, *(f"?{name}" for name in taken)}) == len(stems) + len(taken)
    for stem, name in zip(stems, found, strict=True):
        assert re.fullmatch(rf"\?{stem}(-?\d+)?", name)


def test_what_changes_most_comes_first():
    drop = action("drop", [OBJECT] * 3, "", "at 3 2, seen 3, full 1", "in 3 1, last 3")
    order = [("?x3", "?x1"), ("?x1", "?x2"), ("?x2", "?x3")]
    assert names(drop) == order
    twice = action("twice", [OBJECT] * 2, "", "by 1 1, by 2 2, lit 2")  # atoms, not places
    assert [old for old, _ in names(twice)] == ["?x2", "?x1"]


def test_what_moves_stands_before_where_from_and_where_to():
    kind = {"?x1": "room", "?x2": "ball", "?x3": "room"}
    move = action("move", [OBJECT] * 3, "", "at 2 1", "at 2 3")
    ends = [("?x2", "?ball"), ("?x3", "?from-room"), ("?x1", "?to-room")]
    assert names(move, kind) == ends
    assert names(move) == [("?x2", "?x1"), ("?x3", "?from"), ("?x1", "?to")]
    # Only the other end has a name, or another one.
    for other in ({"?x1": "room"}, {"?x1": "room", "?x3": "hall"}):
        assert not any("from" in new or "to" in new for _, new in names(move, other))
    # Where it goes to changes more; from goes before it.
    walk = action("walk", [OBJECT] * 2, "", "at 1, seen 1", "at 2")
    assert names(walk) == [("?x2", "?from"), ("?x1", "?to")]


@pytest.mark.parametrize(
    ("add", "delete", "ends"),
    [
        ("on 1 3, clear 2", "on 1 2, clear 3", ("?x2", "?x3")),  # the widest atoms say it
        ("clear 2", "clear 3", ("?x3", "?x2")),
        ("on 1 3, in 1 3", "on 1 2, in 1 2", ("?x2", "?x3")),
        ("on 1 3, in 1 2", "on 1 2, in 1 3", ()),  # to and fro
        ("at 1, at 2", "at 3", ()),  # two places
        ("on 1 2", "on 2 3", ()),  # two terms differ
        ("on 1 k", "on 1 2", ()),  # a constant is not named
        ("on 1 2", "in 1 3", ()),
        ("", "", ()),
    ],
)
def test_where_something_moves(add, delete, ends):
    found = dict(names(action("a", [OBJECT] * 3, "", add, delete)))
    assert tuple(old for new in ("?from", "?to") for old in found if found[old] == new) == ends
    assert len(set(found.values())) == 3


def test_given_parameters_keep_their_places():
    move = action("move", [OBJECT] * 4, "", "at 4 1, seen 4", "at 4 3")
    assert [old for old, _ in names(move)] == ["?x4", "?x3", "?x1", "?x2"]
    assert [old for old, _ in names(move, n_given=1)] == ["?x1", "?x4", "?x3", "?x2"]
    assert names(move, n_given=4) == [
        ("?x1", "?to"), ("?x2", "?x1"), ("?x3", "?from"), ("?x4", "?x2"),
    ]  # fmt: skip


@given(strategies.domains())
def test_all_parameters_get_different_legal_names(domain):
    for schema in domain.actions:
        found = readable_names(schema, kinds(domain)[schema.name])
        assert set(found) == set(schema.variables)
        assert len(set(found.values())) == schema.arity
        assert all(re.fullmatch(r"\?[a-z][a-z0-9-]*", name) for name in found.values())
        back = rename_schema(rename_schema(schema, found), {found[v]: v for v in schema.variables})
        assert back == schema


HARD = ("object", "and", "not", "either", "when", "exists", "forall", "at", "start", "define")
"""What means something else in PDDL, but may be the name of a relation or of a type."""


@pytest.mark.parametrize("name", HARD)
def test_every_reader_takes_names_that_mean_something_else(name, tmp_path):
    """Also where a predicate, a type or a constant has the same name."""
    stems = [name, f"from-{name}", "kind", "q", "k", "p"]
    variables = numbered(stems)
    types = [("kind",)] * 2 + [(OBJECT,)] * 4
    schema = ActionSchema(
        "a", tuple(map(Parameter, variables, types)), atoms("p"),
        add_effects=frozenset(Atom("q", (variable,)) for variable in variables),
    )  # fmt: skip
    predicates = Predicate("p"), Predicate("q", ((OBJECT,),))
    made = Domain("d", {"kind": OBJECT}, {"k": "kind"}, predicates, (schema,))
    text = format_domain(made)
    assert parse_domain(text) == made
    assert len(DomainParser()(text).actions) == 1
    instance = Instance("i", "d", {"k": "kind", "o": OBJECT}, atoms("p, q k"), atoms("q k"))
    files = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    files[0].write_text(text)
    files[1].write_text(format_problem(instance, made))
    reader = PDDLReader(raise_on_error=True, case_insensitive=True)
    assert set(reader.read_problem(*map(str, files)).actions) == {"a"}
    parser = Parser(*map(str, files))
    assert set(parser.parse_domain().actions) == {"a"}
