"""Domains and a problem to write."""

from __future__ import annotations

from dias.strips.model import ActionSchema, Atom, Domain, Instance, Parameter, Predicate

PORT = Domain(
    "port",
    {"tug": "ship", "ship": "movable", "movable": "object", "quay": "object"},
    {"home": "quay"},
    (
        Predicate("at", (("ship",), ("quay",))),
        Predicate("storm"),
        Predicate("near", (("quay",), ("object",))),
    ),
    (
        ActionSchema(
            "sail",
            (Parameter("?s", ("ship",)), Parameter("?a", ("quay",)), Parameter("?b")),
            preconditions=frozenset({Atom("near", ("?a", "?b")), Atom("at", ("?s", "?a"))}),
            add_effects=frozenset({Atom("at", ("?s", "home"))}),
            delete_effects=frozenset({Atom("at", ("?s", "?a"))}),
        ),
        ActionSchema("calm", delete_effects=frozenset({Atom("storm")})),
        ActionSchema("wait"),
    ),
)
TASK = Instance(
    "p",
    "port",
    {"home": "quay", "t": "tug", "pier": "quay", "rock": "object"},
    frozenset({Atom("storm"), Atom("at", ("t", "home")), Atom("near", ("home", "pier"))}),
    frozenset({Atom("at", ("t", "home"))}),
)
NEGATIVE = Domain(
    "negative",
    predicates=(Predicate("p", (("object",),)),),
    actions=(
        ActionSchema(
            "a",
            (Parameter("?x"), Parameter("?y")),
            negative_preconditions=frozenset({Atom("p", ("?x",))}),
            inequalities=frozenset({("?y", "?x")}),
            add_effects=frozenset({Atom("p", ("?x",))}),
        ),
    ),
)


def without_comments(text: str) -> str:
    return "".join(line for line in text.splitlines(True) if not line.startswith(";"))
