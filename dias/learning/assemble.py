"""Turns learned schemas over relations and variables into a typed PDDL domain."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from dias.learning.certify import LiftedSchema
from dias.learning.examples import LiftedAtom, type_relation
from dias.strips.model import (
    OBJECT,
    ActionSchema,
    Atom,
    Domain,
    Parameter,
    is_subtype,
    supertypes,
)
from dias.traces.record import Traces


def action_schema(schema: LiftedSchema, traces: Traces) -> ActionSchema:
    """The schema over the parameters ``?x1`` ….

    Literals over types become parameter types: the most specific type that always holds.
    Parameters that could be the same object by their types get an inequality, since binding
    is injective here and not with other planners. Negative literals that the types rule out
    anyway are left out.
    """
    types = {type_relation(name): name for name in traces.types}
    parameters = tuple(
        Parameter(f"?x{i + 1}", (_parameter_type(i, schema.positive, types, traces),))
        for i in range(schema.n_variables)
    )

    def atoms(literals: Iterable[LiftedAtom]) -> frozenset[Atom]:
        return frozenset(
            Atom(literal.relation, tuple(parameters[v].name for v in literal.variables))
            for literal in literals
            if literal.relation not in types
        )

    return ActionSchema(
        schema.action,
        parameters,
        atoms(schema.positive),
        frozenset(atom for atom in atoms(schema.negative) if _may_hold(atom, parameters, traces)),
        inequalities=frozenset(
            (x.name, y.name)
            for x, y in combinations(parameters, 2)
            if _may_coincide(x.types[0], y.types[0], traces)
        ),
        add_effects=atoms(schema.effects.add),
        delete_effects=atoms(schema.effects.delete),
    )


def _parameter_type(
    variable: int, positive: Iterable[LiftedAtom], types: dict[str, str], traces: Traces
) -> str:
    held = [types[p.relation] for p in positive if p.relation in types and variable in p.variables]
    return max(held, key=lambda name: len(supertypes(name, traces.types)), default=OBJECT)


def _may_hold(atom: Atom, parameters: tuple[Parameter, ...], traces: Traces) -> bool:
    """Whether an atom can be true at all, given the types that its predicate asks for."""
    given = {parameter.name: parameter.types[0] for parameter in parameters}
    [declared] = [p.types for p in traces.predicates if p.name == atom.predicate]
    return all(
        any(_may_coincide(given[term], wanted, traces) for wanted in alternatives)
        for term, alternatives in zip(atom.terms, declared, strict=True)
    )


def _may_coincide(left: str, right: str, traces: Traces) -> bool:
    return is_subtype(left, (right,), traces.types) or is_subtype(right, (left,), traces.types)


def learned_domain(traces: Traces, actions: Iterable[ActionSchema]) -> Domain:
    """A domain with the predicates and types of the traces."""
    return Domain(
        traces.domain or "learned",
        dict(traces.types),
        {},
        traces.predicates,
        tuple(sorted(actions, key=lambda action: action.name)),
    )
