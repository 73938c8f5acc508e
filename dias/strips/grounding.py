"""Grounding: the ground actions that delete-relaxed reachability cannot rule out.

The reachable atoms are the least fixpoint of "apply everything, delete nothing, ignore negative
fluent preconditions", and the ground actions applicable in that fixpoint are the operators. Both
come from lifted joins (`dias.strips.reachability`), so no Cartesian product of the parameters is
ever enumerated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from dias.strips.codes import AtomCodes, State
from dias.strips.model import Atom, Domain, Instance
from dias.strips.problem import CodedProblem
from dias.strips.reachability import relaxed_reachable

_Linear = tuple[int, list[tuple[int, int]]]
"""A base, and for some parameters (by number) the weight of their object number."""


class GroundAction(NamedTuple):
    """An action name with its arguments, one step of a plan."""

    name: str
    arguments: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join((self.name, *self.arguments))})"


class GroundOperator(NamedTuple):
    """A ground action over the codes of fluent atoms; its static literals hold and are gone.

    Attributes:
        action: Name and arguments.
        preconditions: Codes that must hold.
        negative_preconditions: Codes that must not hold; `ground` keeps the reachable ones.
        add_effects: Codes made true.
        delete_effects: Codes made false, none of them also added; `ground` keeps the reachable
            ones.
    """

    action: GroundAction
    preconditions: State
    negative_preconditions: State
    add_effects: State
    delete_effects: State


def ground(
    domain: Domain, instance: Instance, check: Callable[[], None] = lambda: None
) -> list[GroundOperator]:
    """Ground `domain` from the initial state of `instance`.

    An operator is kept if its arguments are of the right types, its (in)equalities and static
    literals hold in s₀ and its fluent preconditions are relaxed-reachable. Static are the
    predicates that no effect of `domain` touches.

    Args:
        domain: The domain to ground.
        instance: Objects and initial state.
        check: Called for each binding found, and again for its operator; it may raise to stop the
            grounding.

    Returns:
        The operators, sorted by name and arguments; the codes of atoms are those of `codes_for`.
    """
    typed = replace(instance, objects={**instance.objects, **domain.constants})
    problem = CodedProblem.of(typed, domain)
    found, reached = relaxed_reachable(domain, problem, check)

    # Object numbers follow the order of the names, so this sorts by name and arguments.
    operators = []
    for operator in bind_operators(domain, problem.codes, domain.fluents, sorted(found)):
        check()
        operators.append(
            operator._replace(
                negative_preconditions=operator.negative_preconditions & reached,
                delete_effects=operator.delete_effects & reached,
            )
        )
    return operators


def bind_operators(
    domain: Domain,
    codes: AtomCodes,
    fluents: frozenset[str],
    bindings: Iterable[tuple[str, tuple[int, ...]]],
) -> Iterator[GroundOperator]:
    """The operators of given bindings (action name, object numbers), their static literals gone.

    Args:
        domain: The domain whose schemas are bound.
        codes: The numbering of atoms and objects.
        fluents: The predicates whose atoms are in the states.
        bindings: The bindings, which must satisfy the static literals.
    """
    schemas = {
        schema.name: [
            [_linear(a, schema.variables, codes) for a in sorted(atoms) if a.predicate in fluents]
            for atoms in schema.atom_sets
        ]
        for schema in domain.actions
    }
    for name, binding in bindings:
        pre, negative, add, delete = (_bind(atoms, binding) for atoms in schemas[name])
        action = GroundAction(name, tuple(codes.objects[number] for number in binding))
        yield GroundOperator(action, pre, negative, add, delete - add)


def _linear(atom: Atom, variables: Sequence[str], codes: AtomCodes) -> _Linear:
    """The code of a lifted atom as a linear function of the object numbers of its parameters."""
    base, weights = codes.offset[atom.predicate], []
    weight = 1
    for term in reversed(atom.terms):
        if term in variables:
            weights.append((variables.index(term), weight))
        else:
            base += weight * codes.object_number[term]
        weight *= len(codes.objects)
    return base, weights


def _bind(atoms: Iterable[_Linear], binding: tuple[int, ...]) -> State:
    codes = []
    for code, weights in atoms:
        for parameter, weight in weights:
            code += weight * binding[parameter]
        codes.append(code)
    return frozenset(codes)
