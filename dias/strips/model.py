"""STRIPS with typing, negative preconditions and inequality, as plain values.

The nouns are the field's own: a `Domain` has `Predicate` s and `ActionSchema` s; an `Instance`
adds objects, an initial state and a goal. Names are lower case everywhere (PDDL is
case-insensitive) and variables keep their question mark (``?x``).

Paper: Section "STRIPS" (``sec:preliminaries``).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

OBJECT = "object"
"""The root of every type hierarchy."""


class Atom(NamedTuple):
    """A predicate with its terms: p(x₁, …, xₖ) lifted (``?x``) or ground (object names)."""

    predicate: str
    terms: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join((self.predicate, *self.terms))})"

    def substitute(self, binding: Mapping[str, str]) -> Atom:
        """Replace every term that `binding` maps; constants stay as they are."""
        return Atom(self.predicate, tuple(binding.get(term, term) for term in self.terms))


class Predicate(NamedTuple):
    """A predicate and, per position, the alternatives of its type (more than one: ``either``)."""

    name: str
    types: tuple[tuple[str, ...], ...] = ()

    @property
    def arity(self) -> int:
        """Number of terms, |p|."""
        return len(self.types)


class Parameter(NamedTuple):
    """A variable of an action schema (``?x``) and the alternatives of its type."""

    name: str
    types: tuple[str, ...] = (OBJECT,)


def typed(name: str, types: tuple[str, ...]) -> str:
    """``name - type``; the root type is not said.

    >>> typed("?x", ("block",)), typed("?x", ("object",)), typed("?x", ("car", "van"))
    ('?x - block', '?x', '?x - (either car van)')
    """
    if types == (OBJECT,):
        return name
    return f"{name} - {types[0]}" if len(types) == 1 else f"{name} - (either {' '.join(types)})"


@dataclass(frozen=True)
class ActionSchema:
    """A lifted action a(x⃗) = ⟨Pre, Add, Del⟩.

    Attributes:
        name: The action name.
        parameters: The variables x⃗; |a| is their number.
        preconditions: Atoms that must hold.
        negative_preconditions: Atoms that must not hold.
        equalities: Pairs of terms that must be the same object.
        inequalities: Pairs of terms that must differ.
        add_effects: Atoms made true. An atom both added and deleted ends up true.
        delete_effects: Atoms made false.
    """

    name: str
    parameters: tuple[Parameter, ...] = ()
    preconditions: frozenset[Atom] = frozenset()
    negative_preconditions: frozenset[Atom] = frozenset()
    equalities: frozenset[tuple[str, str]] = frozenset()
    inequalities: frozenset[tuple[str, str]] = frozenset()
    add_effects: frozenset[Atom] = frozenset()
    delete_effects: frozenset[Atom] = frozenset()

    @property
    def arity(self) -> int:
        """Number of parameters, |a|."""
        return len(self.parameters)

    @property
    def variables(self) -> tuple[str, ...]:
        """The parameter names in order."""
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def atom_sets(self) -> tuple[frozenset[Atom], ...]:
        """The preconditions, the negative ones, what is added, what is deleted."""
        negative, added = self.negative_preconditions, self.add_effects
        return self.preconditions, negative, added, self.delete_effects


@dataclass(frozen=True)
class Domain:
    """A lifted domain D = ⟨P, A⟩ with its types and constants.

    Attributes:
        name: The domain name.
        types: Type to parent type; the root `OBJECT` is implied and never a key.
        constants: Constant to type.
        predicates: In the order of the file.
        actions: In the order of the file.
    """

    name: str
    types: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    predicates: tuple[Predicate, ...] = ()
    actions: tuple[ActionSchema, ...] = ()

    def predicate(self, name: str) -> Predicate:
        """The predicate of that name; KeyError if there is none."""
        return {predicate.name: predicate for predicate in self.predicates}[name]

    def action(self, name: str) -> ActionSchema:
        """The action schema of that name; KeyError if there is none."""
        return {action.name: action for action in self.actions}[name]

    def with_constants_of(self, other: Domain) -> Domain:
        """This domain with the constants that only the other one declares.

        Each gets the nearest of its types that this domain knows; the root if it knows none.
        """
        found = {
            name: next((t for t in supertypes(kind, other.types) if t in self.types), OBJECT)
            for name, kind in other.constants.items()
        }
        return replace(self, constants={**found, **self.constants})

    @property
    def fluents(self) -> frozenset[str]:
        """Names of the predicates that some action adds or deletes."""
        return frozenset(
            atom.predicate
            for action in self.actions
            for atom in action.add_effects | action.delete_effects
        )


@dataclass(frozen=True)
class Instance:
    """Instance information I = ⟨O, s₀, g⟩ of one problem.

    Attributes:
        name: The problem name.
        domain_name: The domain that the problem says it belongs to.
        objects: Object to type, the domain's constants included.
        init: The atoms true in s₀.
        goal: Atoms that must hold at the end.
        negative_goal: Atoms that must not hold at the end.
        has_goal: False when the file has no ``:goal`` at all, or it was not asked for.
    """

    name: str
    domain_name: str
    objects: Mapping[str, str]
    init: frozenset[Atom]
    goal: frozenset[Atom] = frozenset()
    negative_goal: frozenset[Atom] = frozenset()
    has_goal: bool = True


def supertypes(name: str, parents: Mapping[str, str]) -> tuple[str, ...]:
    """The type itself and its ancestors up to the root, nearest first.

    >>> supertypes("truck", {"truck": "vehicle", "vehicle": "object"})
    ('truck', 'vehicle', 'object')
    """
    chain = [name]
    while chain[-1] != OBJECT:
        chain.append(parents.get(chain[-1], OBJECT))
    return tuple(chain)


def is_subtype(name: str, alternatives: Collection[str], parents: Mapping[str, str]) -> bool:
    """Whether an object of type `name` may stand where one of `alternatives` is asked for."""
    while name not in alternatives and name != OBJECT:
        name = parents.get(name, OBJECT)
    return name in alternatives
