"""The declared types of parameters: the narrowest that the literals over types leave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dias.learning.schema import TYPE, LiftedAtom, LiftedSchema, Literal
from dias.strips.model import OBJECT, is_subtype, supertypes
from dias.traces.record import Traces

Declared = Mapping[str, tuple[tuple[str, ...], ...]]
"""Predicates to the types of their parameters."""


def parameter_types(
    variable: int, schema: LiftedSchema, declared: Declared, traces: Traces
) -> tuple[str, ...]:
    """The types of which an object may be to stand for a variable; several are ``either``.

    The narrowest that always holds, without those that never do, narrowed to what the predicates
    ask for.
    """
    kind = _narrowest(variable, schema, traces)
    barred = [
        atom.relation.removeprefix(TYPE)
        for atom in schema.negative
        if atom.variables == (variable,) and can_be_said(atom, schema, traces)
    ]
    found = tuple(_without(kind, barred, traces)) or (kind,)
    for literal in (*schema.positive, *schema.effects.add, *schema.effects.delete):
        if literal.relation not in declared:
            continue
        for term, alternatives in zip(literal.variables, declared[literal.relation], strict=True):
            if term == variable and not fits(found, alternatives, traces):
                narrower = [t for t in alternatives if fits((t,), found, traces)]
                found = tuple(sorted(narrower)) or found
    return found


def fits(types: tuple[str, ...], alternatives: tuple[str, ...], traces: Traces) -> bool:
    """Whether objects of all the types may stand where one of `alternatives` is asked for."""
    return all(is_subtype(name, alternatives, traces.types) for name in types)


def narrows(literal: Literal, schema: LiftedSchema, traces: Traces) -> bool:
    """Whether it says that a parameter is not of a type, and its type can say so."""
    return not literal.is_positive and can_be_said(literal.atom, schema, traces)


def tells_apart(atom: LiftedAtom, schema: LiftedSchema, traces: Traces) -> bool:
    """Whether an atom is of a type that some objects have, and others of what the variable is."""
    if not atom.relation.startswith(TYPE):
        return False
    kind, name = _narrowest(atom.variables[0], schema, traces), atom.relation.removeprefix(TYPE)
    are_some = any(is_subtype(own, (name,), traces.types) for own in traces.object_types)
    return are_some and kind != name and is_subtype(name, (kind,), traces.types)


def can_be_said(atom: LiftedAtom, schema: LiftedSchema, traces: Traces) -> bool:
    """Whether an object is not of the type can be said by the other types of such objects.

    It cannot where some are of no narrower type than one that includes it.
    """
    if not tells_apart(atom, schema, traces):
        return False
    kind = _narrowest(atom.variables[0], schema, traces)
    above = supertypes(atom.relation.removeprefix(TYPE), traces.types)[1:]
    return traces.object_types.isdisjoint(above[: above.index(kind) + 1])


def _narrowest(variable: int, schema: LiftedSchema, traces: Traces) -> str:
    """The narrowest of the types that a variable always has."""
    held = (
        relation.removeprefix(TYPE)
        for relation, variables in schema.positive
        if relation.startswith(TYPE) and variables == (variable,)
    )
    return max(held, key=lambda name: len(supertypes(name, traces.types)), default=OBJECT)


def _without(kind: str, barred: list[str], traces: Traces) -> Iterator[str]:
    """The widest types within one that include none of some types, sorted."""
    if is_subtype(kind, barred, traces.types):
        return
    if not any(is_subtype(name, (kind,), traces.types) for name in barred):
        yield kind
        return
    for name, parent in sorted(traces.types.items()):
        if parent == kind:
            yield from _without(name, barred, traces)
