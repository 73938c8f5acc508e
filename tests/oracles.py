"""Slow, obvious twins of the fast code, written from the definitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product

from dias.strips.model import OBJECT, ActionSchema, Atom, Domain, Parameter, is_subtype
from dias.traces.record import Traces

GroundChange = tuple[str, tuple[str, ...], frozenset[Atom], frozenset[Atom]]


def naive_bindings(schema: ActionSchema, domain: Domain, objects: Mapping[str, str]):
    """Every well-typed binding of the parameters, as dicts."""
    for names in product(*(well_typed(p, domain.types, objects) for p in schema.parameters)):
        yield dict(zip(schema.variables, names, strict=True))


def well_typed(parameter: Parameter, types: Mapping[str, str], objects: Mapping[str, str]):
    """The objects that a parameter can be."""
    return [
        name
        for name in sorted(objects)
        if OBJECT in parameter.types or is_subtype(objects[name], parameter.types, types)
    ]


def naive_applicable(schema: ActionSchema, binding: Mapping[str, str], state: frozenset[Atom]):
    """Whether the preconditions hold, literal by literal."""
    value = lambda term: binding.get(term, term)  # noqa: E731
    return (
        all(atom.substitute(binding) in state for atom in schema.preconditions)
        and not any(atom.substitute(binding) in state for atom in schema.negative_preconditions)
        and all(value(x) == value(y) for x, y in schema.equalities)
        and all(value(x) != value(y) for x, y in schema.inequalities)
    )


def naive_rows(
    schema: ActionSchema,
    types: Mapping[str, str],
    objects: Mapping[str, str],
    state: frozenset[Atom],
):
    """The bindings under which the preconditions hold, one parameter after the other.

    None is carried on that violates a literal over what is bound: going through all of them takes
    most of the time of some tests.
    """
    found: list[dict[str, str]] = [{}]
    for n_bound, parameter in enumerate(schema.parameters, 1):
        early = _over(schema, set(schema.variables[n_bound:]))
        names = well_typed(parameter, types, objects)
        found = [
            binding
            for known in found
            for binding in ({**known, parameter.name: name} for name in names)
            if naive_applicable(early, binding, state)
        ]
    return [binding for binding in found if naive_applicable(schema, binding, state)]


def _over(schema: ActionSchema, unbound: set[str]) -> ActionSchema:
    """The preconditions without those in which one of some variables occurs."""
    return replace(
        schema,
        preconditions=[a for a in schema.preconditions if unbound.isdisjoint(a.terms)],
        negative_preconditions=[
            a for a in schema.negative_preconditions if unbound.isdisjoint(a.terms)
        ],
        equalities=[pair for pair in schema.equalities if unbound.isdisjoint(pair)],
        inequalities=[pair for pair in schema.inequalities if unbound.isdisjoint(pair)],
    )


def naive_successors(
    domain: Domain, objects: Mapping[str, str], state: frozenset[Atom]
) -> set[GroundChange]:
    """(action, arguments, atoms really added, atoms really deleted) of every applicable action."""
    found = set()
    for schema in domain.actions:
        for binding in naive_rows(schema, domain.types, objects, state):
            add = {atom.substitute(binding) for atom in schema.add_effects}
            delete = {atom.substitute(binding) for atom in schema.delete_effects}
            next_state = (state - delete) | add
            arguments = tuple(binding[v] for v in schema.variables)
            found.add((schema.name, arguments, next_state - state, state - next_state))
    return found


Lifted = set[tuple[str, tuple[int, ...]]]
"""Relations over places of arguments."""


def naive_intersections(traces: Traces) -> dict[str, tuple[Lifted, Lifted, Lifted]]:
    """The simplest safe learner: of each action what always held, what it added and deleted.

    All arguments have to be given. What held is what the states before have in common, static atoms
    included; what was ever added or deleted over the arguments is an effect.
    """
    found: dict[str, tuple[Lifted, Lifted, Lifted]] = {}
    for t in traces.transitions:
        static = traces.segments[t.segment].static
        held, added, deleted = (
            _lifted(atoms, t.arguments)
            for atoms in (t.state | static, t.next_state - t.state, t.state - t.next_state)
        )
        if t.action in found:
            always, add, delete = found[t.action]
            found[t.action] = always & held, add | added, delete | deleted
        else:
            found[t.action] = held, added, deleted
    return found


def _lifted(atoms: Iterable[Atom], arguments: Sequence[str]) -> Lifted:
    """Atoms over arguments only, each object in all its places."""
    places = {name: [n for n, own in enumerate(arguments) if own == name] for name in {*arguments}}
    return {
        (atom.predicate, own)
        for atom in atoms
        if all(term in places for term in atom.terms)
        for own in product(*(places[term] for term in atom.terms))
    }
