"""Slow, obvious twins of the fast code, written from the definitions."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from dias.strips.model import OBJECT, ActionSchema, Atom, Domain, is_subtype

GroundChange = tuple[str, tuple[str, ...], frozenset[Atom], frozenset[Atom]]


def naive_bindings(schema: ActionSchema, domain: Domain, objects: Mapping[str, str]):
    """Every well-typed binding of the parameters, as dicts."""
    well_typed = [
        [
            name
            for name in sorted(objects)
            if OBJECT in types or is_subtype(objects[name], types, domain.types)
        ]
        for types in (parameter.types for parameter in schema.parameters)
    ]
    for names in product(*well_typed):
        yield dict(zip(schema.variables, names, strict=True))


def naive_applicable(schema: ActionSchema, binding: Mapping[str, str], state: frozenset[Atom]):
    """Whether the preconditions hold, literal by literal."""
    value = lambda term: binding.get(term, term)  # noqa: E731
    return (
        all(atom.substitute(binding) in state for atom in schema.preconditions)
        and not any(atom.substitute(binding) in state for atom in schema.negative_preconditions)
        and all(value(x) == value(y) for x, y in schema.equalities)
        and all(value(x) != value(y) for x, y in schema.inequalities)
    )


def naive_successors(
    domain: Domain, objects: Mapping[str, str], state: frozenset[Atom]
) -> set[GroundChange]:
    """(action, arguments, atoms really added, atoms really deleted) of every applicable action."""
    found = set()
    for schema in domain.actions:
        for binding in naive_bindings(schema, domain, objects):
            if naive_applicable(schema, binding, state):
                add = {atom.substitute(binding) for atom in schema.add_effects}
                delete = {atom.substitute(binding) for atom in schema.delete_effects}
                next_state = (state - delete) | add
                arguments = tuple(binding[v] for v in schema.variables)
                found.add((schema.name, arguments, next_state - state, state - next_state))
    return found
