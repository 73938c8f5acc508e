"""Domains and instances to problems of unified-planning."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import unified_planning.model as up
from unified_planning.environment import Environment, get_environment

from dias.errors import PDDLInputError, UnsupportedPDDLError
from dias.strips.model import OBJECT, ActionSchema, Atom, Domain, Instance, supertypes
from dias.strips.pddl.spelling import hierarchy
from dias.strips.type_facts import with_types_said


def to_problem(
    domain: Domain, instance: Instance | None = None, environment: Environment | None = None
) -> up.Problem:
    """A domain, true or learned, as a problem of unified-planning, which has no domains alone.

    Args:
        domain: The domain.
        instance: Objects, initial state and goal; without it the constants are all there is.
        environment: unified-planning's; the one that all its things are in, unless told otherwise.

    Raises:
        UnsupportedPDDLError: A type is an ``either``, which unified-planning does not have.
        PDDLInputError: The goal asks for a predicate that the domain does not have.
    """
    environment = environment or get_environment()
    if instance is not None:
        instance = with_types_said(instance, domain)
    with names_alike(environment):
        return _problem(domain, instance, environment)


@contextmanager
def names_alike(environment: Environment) -> Iterator[None]:
    """Meanwhile a type and a predicate, say, may have the same name, as they may in PDDL."""
    before = environment.error_used_name
    environment.error_used_name = False
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*already (used|defined)", UserWarning)
            yield
    finally:
        environment.error_used_name = before


def _problem(domain: Domain, instance: Instance | None, environment: Environment) -> up.Problem:
    objects = {**domain.constants, **(instance.objects if instance else {})}
    types = _Types(domain, objects, environment)
    problem = up.Problem(instance.name if instance else domain.name, environment)
    for name in hierarchy(domain):  # as its own reader does, for types that nothing else names
        problem._add_user_type(types.of((name,), f"type {name}"))
    literals = _Literals(domain, types, environment)
    for fluent in literals.fluents.values():
        problem.add_fluent(fluent, default_initial_value=False)
    terms = {
        name: up.Object(name, types.of((kind,), f"object {name}"), environment)
        for name, kind in objects.items()
    }
    problem.add_objects(terms.values())
    for schema in domain.actions:
        problem.add_action(_action(schema, terms, types, literals))
    if instance is None:
        return problem
    for atom in sorted(instance.init):
        if atom.predicate in literals.fluents:  # others say types, or nothing to this domain
            problem.set_initial_value(literals.atom(atom, terms), True)
    for literal in literals.all_of(instance.goal, instance.negative_goal, terms):
        problem.add_goal(literal)
    return problem


class _Types:
    """Types by name. The root is one only where something has no narrower type."""

    def __init__(
        self, domain: Domain, objects: Mapping[str, str], environment: Environment
    ) -> None:
        self._manager = environment.type_manager
        self._parents = hierarchy(domain)
        used = {*objects.values()}
        for predicate in domain.predicates:
            used.update(*predicate.types)
        for action in domain.actions:
            used.update(*(parameter.types for parameter in action.parameters))
        self._has_root = OBJECT in used
        self.truth = self._manager.BoolType()

    def of(self, alternatives: tuple[str, ...], what: str) -> Any:
        if len(alternatives) != 1:
            raise UnsupportedPDDLError(
                f"{what}: expected one type, found (either {' '.join(alternatives)}), which "
                "unified-planning does not have",
                remedy="Declare a type that is above both; to plan, take pyperplan",
            )
        found = None
        for name in reversed(supertypes(alternatives[0], self._parents)):
            if name != OBJECT or self._has_root:
                found = self._manager.UserType(name, found)
        return found


class _Literals:
    """Literals over the predicates of a domain, whose fluents are made here."""

    def __init__(self, domain: Domain, types: _Types, environment: Environment) -> None:
        self._manager = environment.expression_manager
        self.environment, self._domain = environment, domain
        self.fluents = {
            predicate.name: up.Fluent(
                predicate.name,
                types.truth,
                OrderedDict(
                    (f"x{number}", types.of(kinds, f"predicate {predicate.name}"))
                    for number, kinds in enumerate(predicate.types, start=1)
                ),
                environment,
            )
            for predicate in domain.predicates
        }

    def atom(self, atom: Atom, terms: Mapping[str, Any]) -> Any:
        if atom.predicate not in self.fluents:
            raise PDDLInputError(
                f"expected a predicate of domain {self._domain.name}, found {atom}",
                remedy="Read the problem with this domain",
            )
        arguments = [terms[term] for term in atom.terms]
        return self._manager.FluentExp(self.fluents[atom.predicate], arguments)

    def all_of(
        self, positive: frozenset[Atom], negative: frozenset[Atom], terms: Mapping[str, Any]
    ) -> list[Any]:
        held = [self.atom(atom, terms) for atom in sorted(positive)]
        return [*held, *(self._manager.Not(self.atom(atom, terms)) for atom in sorted(negative))]

    def equalities(self, schema: ActionSchema, terms: Mapping[str, Any]) -> list[Any]:
        def equal(pair: tuple[str, str]) -> Any:
            return self._manager.Equals(*(terms[term] for term in pair))

        same = [equal(pair) for pair in sorted(schema.equalities)]
        return [*same, *(self._manager.Not(equal(pair)) for pair in sorted(schema.inequalities))]


def _action(
    schema: ActionSchema, objects: Mapping[str, Any], types: _Types, literals: _Literals
) -> Any:
    parameters = OrderedDict(
        (name.removeprefix("?"), types.of(kinds, f"action {schema.name}"))
        for name, kinds in schema.parameters
    )
    action = up.InstantaneousAction(schema.name, parameters, literals.environment)
    terms = {**objects, **{f"?{name}": action.parameter(name) for name in parameters}}
    positive, negative = schema.preconditions, schema.negative_preconditions
    for literal in literals.all_of(positive, negative, terms):
        action.add_precondition(literal)
    for literal in literals.equalities(schema, terms):
        action.add_precondition(literal)
    for atom in sorted(schema.add_effects):
        action.add_effect(literals.atom(atom, terms), True)
    for atom in sorted(schema.delete_effects - schema.add_effects):
        action.add_effect(literals.atom(atom, terms), False)
    return action
