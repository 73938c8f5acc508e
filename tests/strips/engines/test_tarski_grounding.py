from __future__ import annotations

import logging
import tempfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.errors import PlannerError
from dias.strips.engines import tarski_grounding
from dias.strips.engines.tarski_grounding import reachable_actions
from dias.strips.grounding import GroundAction
from dias.strips.model import ActionSchema, Atom, Domain, Instance, Parameter, Predicate
from tests.oracles import naive_bindings
from tests.strategies import domains, objects, states


def atoms(*texts: str) -> frozenset[Atom]:
    return frozenset(Atom(name, tuple(terms)) for name, *terms in map(str.split, texts))


def untyped(*arities: int) -> tuple[tuple[tuple[str, ...], ...], ...]:
    return tuple((("object",),) * arity for arity in arities)


def naive_reachable(domain: Domain, instance: Instance) -> list[GroundAction]:
    """The fixpoint of applying everything, deleting nothing, ignoring negative preconditions."""
    reached, found = set(instance.init), set()
    size = -1
    while size < len(reached) + len(found):
        size = len(reached) + len(found)
        for schema in domain.actions:
            for binding in naive_bindings(schema, domain, instance.objects):
                value = lambda term, b=binding: b.get(term, term)  # noqa: E731
                if (
                    {atom.substitute(binding) for atom in schema.preconditions} <= reached
                    and all(value(x) == value(y) for x, y in schema.equalities)
                    and all(value(x) != value(y) for x, y in schema.inequalities)
                ):
                    arguments = tuple(binding[v] for v in schema.variables)
                    found.add(GroundAction(schema.name, arguments))
                    reached |= {atom.substitute(binding) for atom in schema.add_effects}
    return sorted(found)


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_equals_naive_reachability(data):
    domain = data.draw(domains())
    types = data.draw(objects(domain))
    instance = Instance("p", domain.name, types, data.draw(states(domain, types)))
    assert reachable_actions(domain, instance) == naive_reachable(domain, instance)


LOGISTICS = Domain(
    "logistics",
    predicates=tuple(
        map(Predicate, ("object", "either", "at", "and", "truck"), untyped(1, 0, 2, 0, 1))
    ),
    actions=(
        ActionSchema(
            "object",
            (Parameter("?object"), Parameter("?x-1")),
            atoms("object ?object", "truck ?x-1", "and"),
            add_effects=atoms("at ?object ?x-1", "either"),
            delete_effects=atoms("and"),
        ),
        ActionSchema("wait", (), atoms("either"), add_effects=atoms("and")),
    ),
)


def test_names_that_tarski_cannot_read():
    types = {"object": "object", "Truck-1": "object", "truck__1": "object", "a.1": "object"}
    init = atoms("object object", "object a.1", "truck Truck-1", "truck truck__1", "and")
    instance = Instance("p", "logistics", types, init)
    assert reachable_actions(LOGISTICS, instance) == [
        GroundAction("object", ("a.1", "Truck-1")),
        GroundAction("object", ("a.1", "truck__1")),
        GroundAction("object", ("object", "Truck-1")),
        GroundAction("object", ("object", "truck__1")),
        GroundAction("wait"),
    ]


def test_an_unreachable_goal_does_not_matter():
    instance = Instance("p", "logistics", {}, atoms("either"), goal=atoms("at a b"))
    assert reachable_actions(LOGISTICS, instance) == [GroundAction("wait")]


def test_a_type_of_several_alternatives():
    act = ActionSchema("act", (Parameter("?x", ("t1", "t2")), Parameter("?y", ("t3", "t2"))))
    domain = Domain("d", {"t1": "t0", "t2": "object", "t3": "t1"}, actions=(act,))
    instance = Instance("p", "d", {"a": "t1", "b": "t2", "c": "t3", "d": "t0"}, frozenset())
    found = [action.arguments for action in reachable_actions(domain, instance)]
    assert found == [(x, y) for x in "abc" for y in "bc"]


def test_an_action_without_effects_is_kept():
    look = ActionSchema("look", (Parameter("?x"),), atoms("p ?x"))
    domain = Domain("d", predicates=(Predicate("p", untyped(1)[0]),), actions=(look,))
    instance = Instance("p", "d", {"a": "object", "b": "object"}, atoms("p a"))
    assert reachable_actions(domain, instance) == [GroundAction("look", ("a",))]


def test_leaves_no_file_and_no_log_handler(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    handlers = list(logging.getLogger().handlers)
    reachable_actions(LOGISTICS, Instance("p", "logistics", {}, frozenset()))
    assert list(tmp_path.iterdir()) == []
    assert logging.getLogger().handlers == handlers


def test_too_large_for_the_memory(monkeypatch):
    class Control:
        def __init__(self, arguments):
            pass

        def add(self, *program):
            pass

        def ground(self, parts):
            raise MemoryError

    monkeypatch.setattr(tarski_grounding, "Control", Control)
    with pytest.raises(PlannerError, match=r"problem huge do not fit .* --engine lifted"):
        reachable_actions(LOGISTICS, Instance("huge", "logistics", {}, frozenset()))
