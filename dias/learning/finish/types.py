"""Writes what was learned from untyped traces with types (`dias.traces.infer_types`).

This comes after everything is decided, and the typed domain allows what the untyped one does:
``(ball ?ball)`` becomes the type of ``?ball``, and predicates take whatever was seen in them or is
named in them. A relation that must not hold of something that types leave open stays a relation.
What holds of all objects of a type, such as ``(eq ?room ?room)``, is part of what these are: unless
all that never fails is asked for, it goes, and that is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from dias.diff.literals import literals
from dias.learning.finish.parameter_names import kinds
from dias.learning.finish.renaming import with_readable_names
from dias.learning.finish.type_texts import Given, are_apart, typed_support, unary
from dias.learning.result import ActionEvidence, LearningResult
from dias.strips.model import (
    OBJECT,
    ActionSchema,
    Atom,
    Parameter,
    Predicate,
    is_subtype,
    supertypes,
)
from dias.traces.extents import seen
from dias.traces.infer_types import Types, infer_types
from dias.traces.record import Traces


def with_inferred_types(result: LearningResult, traces: Traces) -> tuple[LearningResult, Types]:
    """What was learned from untyped traces, with types if relations divide the objects.

    Args:
        result: What was learned.
        traces: What it was learned from.

    Returns:
        The result and the types; where there are none, the result as it was, and why.
    """
    evidence = {own.action: own for own in result.evidence}
    held = {schema.name: _held(schema, evidence[schema.name]) for schema in result.domain.actions}
    but: set[str] = set()
    while (types := infer_types(traces, but)).parents:
        given = {
            schema.name: _given(held[schema.name], types, traces)
            for schema in result.domain.actions
        }
        unsaid = {
            atom.predicate
            for schema in result.domain.actions
            for atom in schema.negative_preconditions
            if atom.predicate in types.relations
            and not are_apart(
                types.relations[atom.predicate], given[schema.name][atom.terms[0]], types
            )
        }
        if not unsaid:
            return with_readable_names(_typed(result, traces, types, given)), types
        but |= unsaid
    return result, types


def _held(schema: ActionSchema, evidence: ActionEvidence) -> dict[str, set[str]]:
    """Variable to the relations of one argument that always hold of it, written or not."""
    texts = [str(atom) for atom in schema.preconditions]
    texts += [literal.text for literal in (evidence.support.kinds if evidence.support else ())]
    held: dict[str, set[str]] = {variable: set() for variable in schema.variables}
    for found in filter(None, map(unary, texts)):
        if found.term in held:
            held[found.term].add(found.relation)
    return held


def _given(held: Mapping[str, set[str]], types: Types, traces: Traces) -> Given:
    """Each parameter and each constant with its type: the narrowest that always holds."""
    constants = {name: types.objects[0, name] for name in traces.constants}
    return constants | {
        variable: max(
            sorted(types.relations[name] for name in own & types.relations.keys()),
            key=lambda kind: len(supertypes(kind, types.parents)),
            default=OBJECT,
        )
        for variable, own in held.items()
    }


def _typed(
    result: LearningResult, traces: Traces, types: Types, given: Mapping[str, Given]
) -> LearningResult:
    """The result with these types."""
    idle = {
        own.name: frozenset[Atom]()
        if result.preconditions == "safe"
        else _held_by_all(own, given[own.name], traces, types)
        for own in result.domain.actions
    }
    actions = tuple(
        _schema(own, given[own.name], types, idle[own.name]) for own in result.domain.actions
    )
    domain = replace(
        result.domain,
        types=dict(types.parents),
        constants={name: types.objects[0, name] for name in result.domain.constants},
        predicates=_predicates(result, traces, types, given, actions),
        actions=actions,
    )
    named = kinds(domain, traces.changing_predicates)
    evidence = tuple(
        replace(
            own,
            kinds={**own.kinds, **named[own.action]},
            support=own.support
            and typed_support(own.support, given[own.action], types, map(str, idle[own.action])),
        )
        for own in result.evidence
    )
    return replace(result, domain=domain, evidence=evidence)


def _held_by_all(
    schema: ActionSchema, given: Given, traces: Traces, types: Types
) -> frozenset[Atom]:
    """The static preconditions about one parameter that hold of all objects of its type."""
    worlds = [own.always for own in seen(traces)]

    def holds(atom: Atom) -> bool:
        kind = given[atom.terms[0]]
        return all(
            atom._replace(terms=(name,) * len(atom.terms)) in worlds[number]
            for (number, name), own in types.objects.items()
            if is_subtype(own, (kind,), types.parents)
        )

    return frozenset(
        atom
        for atom in schema.preconditions
        if len(set(atom.terms)) == 1
        and atom.terms[0] in schema.variables
        and atom.predicate not in types.relations
        and atom.predicate not in traces.changing_predicates
        and holds(atom)
    )


def _schema(
    schema: ActionSchema, given: Given, types: Types, idle: frozenset[Atom]
) -> ActionSchema:
    """The schema with types in place of the literals that they say, without those that are idle."""

    def others(atoms: Iterable[Atom]) -> frozenset[Atom]:
        return frozenset(atom for atom in atoms if atom.predicate not in types.relations)

    return replace(
        schema,
        parameters=tuple(Parameter(v, (given[v],)) for v in schema.variables),
        preconditions=others(schema.preconditions - idle),
        negative_preconditions=others(schema.negative_preconditions),
        inequalities=frozenset(
            (x, y) for x, y in schema.inequalities if not are_apart(given[x], given[y], types)
        ),
    )


def _predicates(
    result: LearningResult,
    traces: Traces,
    types: Types,
    given: Mapping[str, Given],
    actions: Iterable[ActionSchema],
) -> tuple[Predicate, ...]:
    """The predicates that are left, each place with the narrowest type of all that stands there."""
    left = [p for p in result.domain.predicates if p.name not in types.relations]
    there = {p.name: [set[str]() for _ in p.types] for p in left}

    def note(atom: Atom, kinds: Iterable[str]) -> None:
        for place, kind in zip(there.get(atom.predicate, ()), kinds, strict=False):
            place.add(kind)

    for number, whole in enumerate(seen(traces)):
        for atom in whole.ever:
            note(atom, [types.objects[number, term] for term in atom.terms])
    for schema in actions:
        for literal in literals(schema):
            note(literal.atom, [given[schema.name][term] for term in literal.atom.terms])
    return tuple(
        Predicate(p.name, tuple((types.of_all(own),) for own in there[p.name])) for p in left
    )
