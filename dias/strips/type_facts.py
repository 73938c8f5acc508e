"""Types that a problem says by facts: ``(ball b)``, where ``ball`` is a type of the domain alone.

So a domain with types is used with problems that have none, but relations of their names, as those
have that its traces come from (`dias.traces.infer_types`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dias.errors import PDDLInputError
from dias.strips.model import Domain, Instance, is_subtype


def type_relations(domain: Domain) -> frozenset[str]:
    """The types that facts may say: those that no predicate is called like."""
    return frozenset(domain.types) - {predicate.name for predicate in domain.predicates}


def narrower(kind: str, other: str, parents: Mapping[str, str]) -> str | None:
    """Of two types the one that is below the other, None if neither is."""
    for one, above in ((kind, other), (other, kind)):
        if is_subtype(one, (above,), parents):
            return one
    return None


def with_types_said(instance: Instance, domain: Domain) -> Instance:
    """The instance, of another domain, with the types of this one that its facts say.

    Raises:
        PDDLInputError: An object is said to be of two types.
    """
    relations = type_relations(domain)
    objects = dict(instance.objects)
    for atom in sorted(atom for atom in instance.init if atom.predicate in relations):
        if len(atom.terms) == 1:
            (name,) = atom.terms
            kind = narrower(atom.predicate, objects[name], domain.types)
            if kind is None:
                raise PDDLInputError(
                    f"expected one type of domain {domain.name} for each object, found "
                    f"{objects[name]} and {atom.predicate} for {name} in problem {instance.name}",
                    remedy="Learn with --no-infer-types",
                )
            objects[name] = kind
    return replace(instance, objects=objects)
