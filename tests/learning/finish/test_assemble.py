"""Lifted schemas as PDDL: parameter types, inequalities, names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dias.learning.finish.assemble import action_schema, learned_domain, with_written_deletions
from dias.learning.schema import LiftedAtom
from dias.strips.model import Atom, Predicate
from dias.strips.pddl.reader import read_domain
from dias.strips.pddl.writer import format_domain
from dias.traces.record import LabelMode, Segment, Traces
from tests.learning.cases import lifted_schema, literals, typed
from tests.traces.files import read

HEADER = {
    "dias": "trace/1",
    "domain": "yard",
    "types": {"car": "vehicle", "vehicle": "object", "bay": "object"},
    "predicates": {"at": ["vehicle", "bay"], "car": ["object"], "idle": []},
    "objects": {"c": "car", "n": "bay", "m": "bay"},
}
TRACES = read(HEADER, {"state": ["(at c n)"], "action": "(park)", "next": ["(at c m)"]})


def test_types_become_parameter_types():
    schema = action_schema(
        lifted_schema(
            "park",
            4,
            add=literals("at 0 2"),
            delete=literals("at 0 1"),
            positive=typed("vehicle! 0", "car! 0", "bay! 1", "bay! 2", "vehicle! 3", "at 0 1"),
            negative=typed("car! 1", "bay! 0", "car! 3", "idle", "= 0 3", "= 1 2", "= 0 1"),
        ),
        TRACES,
    )
    types = [parameter.types for parameter in schema.parameters]
    assert types == [("car",), ("bay",), ("bay",), ("vehicle",)]  # the most specific that holds
    assert schema.variables == ("?x1", "?x2", "?x3", "?x4")
    assert schema.preconditions == {Atom("at", ("?x1", "?x2"))}
    assert schema.negative_preconditions == {Atom("idle")}
    assert schema.add_effects == {Atom("at", ("?x1", "?x3"))}
    assert schema.delete_effects == {Atom("at", ("?x1", "?x2"))}
    # A car is a vehicle and a bay a bay; a car is never a bay.
    assert schema.inequalities == {("?x1", "?x4"), ("?x2", "?x3")}


def test_a_variable_without_a_type_may_be_anything():
    schema = action_schema(
        lifted_schema("act", 2, positive=typed("car! 1"), negative=literals("= 0 1")), TRACES
    )
    assert [parameter.types for parameter in schema.parameters] == [("object",), ("car",)]
    assert schema.inequalities == {("?x1", "?x2")}


def test_only_what_is_said_to_differ_does():
    either = lifted_schema("act", 3, negative=literals("= 0 2"))
    assert action_schema(either, TRACES).inequalities == {("?x1", "?x3")}
    same = lifted_schema("act", 2, positive=literals("= 0 1"))
    schema = action_schema(same, TRACES)
    assert (schema.equalities, schema.inequalities) == ({("?x1", "?x2")}, frozenset())


def test_the_first_variables_are_constants():
    """What varies, or may, is said of them; what is true of constants for ever is not."""
    traces = replace(TRACES, constants={"c": "car", "n": "bay"})
    schema = replace(
        lifted_schema(
            "park", 4, literals("at 2 1"), literals("at 2 3"),
            typed("at 2 3", "at 0 1", "car 0", "car! 0", "car! 2", "= 0 2"),
            literals("at 0 3", "car 1", "car 3", "idle", "= 0 1", "= 1 3", "= 2 3"),
        ),
        constants=("c", "n"),
    )  # fmt: skip
    assert (schema.arity, schema.terms) == (2, ("c", "n", "?x1", "?x2"))
    action = action_schema(schema, traces)
    assert [(p.name, p.types) for p in action.parameters] == [("?x1", ("car",)), ("?x2", ("bay",))]
    # `at` changes in the traces, `car` and `idle` do not; a car and a bay differ by their types.
    assert action.preconditions == {Atom("at", ("?x1", "?x2")), Atom("at", ("c", "n"))}
    assert action.negative_preconditions == {
        Atom("at", ("c", "?x2")), Atom("car", ("?x2",)), Atom("idle", ())
    }  # fmt: skip
    assert action.add_effects == {Atom("at", ("?x1", "n"))}
    assert action.delete_effects == {Atom("at", ("?x1", "?x2"))}
    assert action.equalities == {("c", "?x1")}
    assert action.inequalities == {("n", "?x2")}
    domain = learned_domain(traces, [action])
    assert domain.constants == {"c": "car", "n": "bay"}


def test_a_predicate_of_the_same_name_as_a_type_stays_a_literal():
    schema = action_schema(
        lifted_schema("act", 1, add=literals("car 0"), positive=typed("bay! 0", "car 0")), TRACES
    )
    assert schema.parameters[0].types == ("bay",)
    assert schema.preconditions == schema.add_effects == {Atom("car", ("?x1",))}


def test_no_parameters():
    schema = action_schema(lifted_schema("wait", 0, add=literals("idle")), TRACES)
    assert (schema.arity, schema.inequalities) == (0, frozenset())
    assert schema.add_effects == {Atom("idle")}


def test_the_domain_keeps_the_vocabulary_and_sorts_the_actions():
    schemas = [action_schema(lifted_schema(name, 0), TRACES) for name in ("b", "a", "c")]
    domain = learned_domain(TRACES, schemas)
    assert (domain.name, domain.types) == ("yard", TRACES.types)
    assert domain.predicates == TRACES.predicates
    assert [action.name for action in domain.actions] == ["a", "b", "c"]
    assert learned_domain(replace(TRACES, domain=""), []).name == "learned"


def test_what_is_written_reads_back(tmp_path):
    schema = lifted_schema(
        "park", 3, literals("at 0 2", "car 0"), literals("at 0 1"),
        typed("car! 0", "bay! 1", "bay! 2", "at 0 1"), typed("idle", "at 0 2", "= 1 2"),
    )  # fmt: skip
    domain = learned_domain(TRACES, [action_schema(schema, TRACES)])
    path = tmp_path / "domain.pddl"
    path.write_text(format_domain(domain))
    found = read_domain(path)
    assert (found.types, found.predicates) == (domain.types, domain.predicates)
    assert found.actions == domain.actions


def test_what_is_written_is_well_typed_even_if_the_schema_is_not():
    """Some transition had a room where a door is asked for: the predicate decides."""
    traces = Traces(
        "t", "d", LabelMode.NAMES, {"door": "object", "room": "object"},
        (Predicate("at", (("room",),)), Predicate("open", (("door",),))), ("toggle",),
        (Segment("p", {"x": "door", "y": "room"}, frozenset()),), (),
    )  # fmt: skip
    schema = lifted_schema(
        "toggle", 2, delete=literals("open 0"), negative=literals("at 0", "open 1", "at 1"),
    )  # fmt: skip
    schema = replace(schema, positive=(LiftedAtom("type room", (1,)),))
    action = action_schema(schema, traces)
    assert [parameter.types for parameter in action.parameters] == [("door",), ("room",)]
    assert action.delete_effects == {Atom("open", ("?x1",))}
    assert action.negative_preconditions == {Atom("at", ("?x2",))}
    assert action.inequalities == frozenset()


def test_an_untyped_parameter_takes_the_alternatives_of_its_predicate():
    either = ("door", "room")
    traces = Traces(
        "t", "d", LabelMode.NAMES, {"door": "object", "room": "object", "cat": "object"},
        (Predicate("lit", (either,)),), ("light",),
        (Segment("p", {"x": "door"}, frozenset()),), (),
    )  # fmt: skip
    action = action_schema(lifted_schema("light", 1, add=literals("lit 0")), traces)
    assert action.parameters[0].types == either


KINDS = {"cat": "animal", "animal": "object", "door": "object", "room": "object"}


def kinds_of(schema, **predicates):
    """The parameters' types where predicates ask for these."""
    declared = tuple(
        Predicate(name, tuple(tuple(term.split("|")) for term in terms.split()))
        for name, terms in predicates.items()
    )
    traces = Traces("t", "d", LabelMode.NAMES, KINDS, declared, ("act",), (), ())
    action = action_schema(schema, traces)
    return [parameter.types for parameter in action.parameters], action


@pytest.mark.parametrize("group", ["add", "delete", "positive"])
def test_every_literal_that_holds_narrows_the_types(group):
    schema = lifted_schema("act", 2, **{group: literals("lit 1 0")})
    types, _ = kinds_of(schema, lit="room|cat door")
    assert types == [("door",), ("cat", "room")]
    negative = lifted_schema("act", 2, negative=literals("lit 1 0"))
    assert kinds_of(negative, lit="room|cat door")[0] == [("object",), ("object",)]


def test_types_are_narrowed_literal_by_literal():
    """To those alternatives that are among what is known so far; if there are none, not at all."""
    both = lifted_schema("act", 1, literals("lit 0"), positive=literals("shut 0"))
    assert kinds_of(both, lit="cat|door", shut="cat|door|room")[0] == [("cat", "door")]
    assert kinds_of(both, lit="object", shut="room|door")[0] == [("door", "room")]
    assert kinds_of(both, lit="room", shut="cat|door")[0] == [("cat", "door")]
    animal = replace(both, positive=(LiftedAtom("type animal", (0,)), *literals("shut 0")))
    assert kinds_of(animal, lit="cat|door", shut="animal")[0] == [("cat",)]
    assert kinds_of(animal, lit="animal|door", shut="object")[0] == [("animal",)]
    assert kinds_of(animal, lit="cat|animal", shut="object")[0] == [("animal",)]
    assert kinds_of(animal, lit="room", shut="object")[0] == [("animal",)]


def test_an_inequality_is_left_out_where_types_keep_two_parameters_apart():
    """Any of the alternatives of one may be any of the other's, or what is above or below it."""
    schema = lifted_schema("act", 2, literals("lit 0", "shut 1"), negative=literals("= 0 1"))
    for one, other, is_said in (
        ("door|room", "cat|door", True),
        ("cat|door", "animal|room", True),
        ("animal|door", "cat|room", True),
        ("cat|door", "room", False),
        ("room", "cat|door", False),
        ("animal", "object", True),
        ("object", "animal", True),
    ):
        types, action = kinds_of(schema, lit=one, shut=other)
        assert types == [tuple(sorted(text.split("|"))) for text in (one, other)]
        assert action.inequalities == ({("?x1", "?x2")} if is_said else set())


def test_a_negative_literal_must_be_well_typed_in_every_term():
    schema = lifted_schema(
        "act", 2, literals("lit 0", "shut 1"), (), (), literals("by 0 1", "by 1 0", "by 0 0")
    )
    _, action = kinds_of(schema, lit="cat", shut="door", by="animal door|room")
    assert action.negative_preconditions == {Atom("by", ("?x1", "?x2"))}
    # Not all that the first may be fits where doors alone are asked for.
    _, action = kinds_of(schema, lit="cat|door", shut="door", by="cat|door|room door")
    assert action.negative_preconditions == {Atom("by", ("?x1", "?x2"))}


def test_what_can_hold_of_no_objects_of_the_types_is_not_deleted():
    """No vehicle is at a vehicle: saying that it no longer is says nothing."""
    park = lifted_schema(
        "park",
        2,
        add=literals("at 0 0"),
        delete=literals("at 0 1", "at 0 0", "at 1 0", "at 1 1", "idle"),
        positive=typed("car! 0", "bay! 1"),
    )
    kept = with_written_deletions(park, TRACES)
    assert kept.effects == park.effects._replace(delete=tuple(literals("at 0 1", "idle")))
    written = action_schema(park, TRACES)
    assert written == action_schema(kept, TRACES)
    assert written.delete_effects == {Atom("at", ("?x1", "?x2")), Atom("idle")}
    assert written.add_effects == {Atom("at", ("?x1", "?x1"))}  # it would change something
