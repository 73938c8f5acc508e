"""The declared types of parameters: the narrowest that the literals over types leave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dias.learning.schema import TYPE, LiftedAtom, LiftedSchema, Literal
from dias.strips.model import OBJECT, ActionSchema, is_subtype, supertypes
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
    denied = _types_of(variable, schema.negative)
    barred = [name for name in denied if _can_be_said(name, kind, traces)]
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


def narrower_than_asked(schema: ActionSchema, traces: Traces) -> Iterator[str]:
    """The parameters whose type bars objects that all the literals about them would take."""
    declared = {predicate.name: predicate.types for predicate in traces.predicates}
    for name, types in schema.parameters:
        asked = [
            alternatives
            for atom in schema.preconditions | schema.add_effects | schema.delete_effects
            for term, alternatives in zip(atom.terms, declared[atom.predicate], strict=True)
            if term == name
        ]
        for kind in traces.object_types if asked else ():
            may_be = all(is_subtype(kind, alternatives, traces.types) for alternatives in asked)
            if may_be and not is_subtype(kind, types, traces.types):
                yield name
                break


def narrows(literal: Literal, schema: LiftedSchema, traces: Traces) -> bool:
    """Whether it says that a parameter is not of a type, and its type can say so."""
    if literal.is_positive or not literal.atom.relation.startswith(TYPE):
        return False
    kind = _narrowest(literal.atom.variables[0], schema, traces)
    return _can_be_said(literal.atom.relation.removeprefix(TYPE), kind, traces)


def tells_apart(atom: LiftedAtom, schema: LiftedSchema, traces: Traces) -> bool:
    """Whether an atom is of a type that some objects have, and others of what the variable is."""
    if not atom.relation.startswith(TYPE):
        return False
    kind = _narrowest(atom.variables[0], schema, traces)
    return _are_told_apart(atom.relation.removeprefix(TYPE), kind, traces)


def _are_told_apart(name: str, kind: str, traces: Traces) -> bool:
    """Whether some objects are of a type, and others of what is wider."""
    are_some = any(is_subtype(own, (name,), traces.types) for own in traces.object_types)
    return are_some and kind != name and is_subtype(name, (kind,), traces.types)


def _can_be_said(name: str, kind: str, traces: Traces) -> bool:
    """Whether that objects of a kind are not of a type can be said by their other types.

    It cannot where some are of no narrower type than one that includes it.
    """
    if not _are_told_apart(name, kind, traces):
        return False
    above = supertypes(name, traces.types)[1:]
    return traces.object_types.isdisjoint(above[: above.index(kind) + 1])


def _narrowest(variable: int, schema: LiftedSchema, traces: Traces) -> str:
    """The narrowest of the types that a variable always has."""
    held = _types_of(variable, schema.positive)
    return max(held, key=lambda name: len(supertypes(name, traces.types)), default=OBJECT)


def _types_of(variable: int, atoms: Iterable[LiftedAtom]) -> Iterator[str]:
    """The types that atoms say of a variable."""
    alone = (variable,)
    return (
        relation.removeprefix(TYPE)
        for relation, variables in atoms
        if variables == alone and relation.startswith(TYPE)
    )


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
