"""Turns learned schemas over relations and variables into a typed PDDL domain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import product

from dias.learning.data.replay import SchemaInTraces
from dias.learning.finish.parameter_types import fits, parameter_types
from dias.learning.schema import EQUAL, TYPE, LiftedAtom, LiftedSchema, Literal
from dias.strips.model import ActionSchema, Atom, Domain, Parameter
from dias.traces.record import Traces


def action_schema(schema: LiftedSchema, traces: Traces) -> ActionSchema:
    """The schema over the parameters ``?x1`` … and the constants.

    Literals over types become parameter types (`dias.learning.finish.parameter_types`). Negative
    literals, deletions and inequalities of what the types rule out anyway, or that would be
    ill-typed, are left out, and so is what is about constants
    alone, never changes, and is the same in all problems.
    """
    declared = {predicate.name: predicate.types for predicate in traces.predicates}
    n_constants, terms = len(schema.constants), schema.terms
    kinds = [
        (traces.constants[term],)
        if variable < n_constants
        else parameter_types(variable, schema, declared, traces)
        for variable, term in enumerate(terms)
    ]
    given = dict(zip(terms, kinds, strict=True))
    may_stand = cache(partial(fits, traces=traces))
    fitting = {
        name: [
            {v for v, kind in enumerate(kinds) if may_stand(kind, alternatives)}
            for alternatives in own
        ]
        for name, own in declared.items()
    }

    def says_something(literal: LiftedAtom) -> bool:
        if not literal.variables or any(v >= n_constants for v in literal.variables):
            return True
        atom = over_terms(literal, terms)
        return atom.predicate in traces.changing_predicates or atom in traces.differing_atoms

    def atoms(literals: Iterable[LiftedAtom]) -> frozenset[Atom]:
        return frozenset(
            over_terms(literal, terms)
            for literal in literals
            if literal.relation in declared and says_something(literal)
        )

    def pairs(literals: Iterable[LiftedAtom]) -> Iterator[tuple[str, str]]:
        equal = (literal.variables for literal in literals if literal.relation == EQUAL)
        return ((terms[one], terms[other]) for one, other in equal if other >= n_constants)

    def is_well_typed(literal: LiftedAtom) -> bool:
        for v, own in zip(literal.variables, fitting.get(literal.relation, ()), strict=False):
            if v not in own:
                return False
        return True

    return ActionSchema(
        schema.action,
        tuple(map(Parameter, terms[n_constants:], kinds[n_constants:])),
        atoms(schema.positive),
        atoms(filter(is_well_typed, schema.negative)),
        equalities=frozenset(pairs(schema.positive)),
        inequalities=frozenset(
            (x, y)
            for x, y in pairs(schema.negative)
            if any(
                may_stand((s,), (t,)) or may_stand((t,), (s,))
                for s, t in product(given[x], given[y])
            )
        ),
        add_effects=atoms(schema.effects.add),
        delete_effects=atoms(filter(is_well_typed, schema.effects.delete)),
    )


def in_traces(schema: LiftedSchema, traces: Traces) -> SchemaInTraces:
    """The `action_schema`, ready to be applied in the traces."""
    return SchemaInTraces(action_schema(schema, traces), traces)


def are_written(
    literals: Iterable[Literal], schema: LiftedSchema, action: ActionSchema
) -> dict[Literal, Atom]:
    """Those of the literals of a schema that are in its `action_schema`, each over its terms.

    Types are all among them. What is left out holds whatever objects are bound.
    """
    written = {
        *((atom, True) for atom in action.preconditions),
        *((atom, False) for atom in action.negative_preconditions),
        *((Atom(EQUAL, pair), True) for pair in action.equalities),
        *((Atom(EQUAL, pair), False) for pair in action.inequalities),
    }
    atoms = {x: over_terms(x.atom, schema.terms) for x in literals}
    return {
        x: own
        for x, own in atoms.items()
        if x.atom.relation.startswith(TYPE) or (own, x.is_positive) in written
    }


def with_written_deletions(schema: LiftedSchema, traces: Traces) -> LiftedSchema:
    """The schema without the deletions that its `action_schema` leaves out."""
    effects, written = schema.effects, action_schema(schema, traces).delete_effects
    kept = tuple(atom for atom in effects.delete if over_terms(atom, schema.terms) in written)
    return replace(schema, effects=effects._replace(delete=kept))


def over_terms(atom: LiftedAtom, terms: Sequence[str]) -> Atom:
    """The atom with the term of each variable in its place."""
    return Atom(atom.relation, tuple([terms[v] for v in atom.variables]))


def learned_domain(traces: Traces, actions: Iterable[ActionSchema]) -> Domain:
    """A domain with the predicates and types of the traces."""
    return Domain(
        traces.domain or "learned",
        dict(traces.types),
        dict(traces.constants),
        traces.predicates,
        tuple(sorted(actions, key=lambda action: action.name)),
    )
