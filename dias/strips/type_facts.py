"""Types that a problem says by facts: ``(ball b)``, where ``ball`` is a type of the domain alone.

So a domain with types is used with problems that have none, but relations of their names, as those
have that its traces come from (`dias.traces.infer_types`). One relation cannot give its name to a
type, ``(object p)``: `object` is the root of all. Its type is called `OF_OBJECTS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from dias.errors import PDDLInputError
from dias.strips.model import OBJECT, Atom, Domain, Instance, is_subtype

OF_OBJECTS = "obj"
"""The type of what a relation called as the root holds of."""


def type_relations(domain: Domain) -> dict[str, str]:
    """The relations that may say types in facts, each with its type.

    They are called like types that no predicate is called like, and ``object`` says `OF_OBJECTS`.
    """
    predicates = {predicate.name for predicate in domain.predicates}
    found = {name: name for name in sorted(domain.types.keys() - predicates)}
    if OF_OBJECTS in found and OBJECT not in predicates:
        found[OBJECT] = OF_OBJECTS
    return found


def narrower(kind: str, other: str, parents: Mapping[str, str]) -> str | None:
    """Of two types the one that is below the other, None if neither is."""
    for one, above in ((kind, other), (other, kind)):
        if is_subtype(one, (above,), parents):
            return one
    return None


def types_said(
    objects: Mapping[str, str], facts: Iterable[Atom], domain: Domain, where: str
) -> dict[str, str]:
    """Objects with the types of a domain that facts say of them; `where` names their problem.

    Raises:
        PDDLInputError: An object is said to be of two types.
    """
    relations = type_relations(domain)
    found = dict(objects)
    for atom in sorted(atom for atom in facts if atom.predicate in relations):
        if len(atom.terms) == 1:
            (name,) = atom.terms
            said = relations[atom.predicate]
            kind = narrower(said, found[name], domain.types)
            if kind is None:
                raise PDDLInputError(
                    f"expected one type of domain {domain.name} for each object, found "
                    f"{found[name]} and {said} for {name} in {where}",
                    remedy="Learn with --no-infer-types",
                )
            found[name] = kind
    return found


def with_types_said(instance: Instance, domain: Domain) -> Instance:
    """The instance, of another domain, with the types of this one that its facts say.

    Raises:
        PDDLInputError: An object is said to be of two types.
    """
    where = f"problem {instance.name}"
    return replace(instance, objects=types_said(instance.objects, instance.init, domain, where))


def check_all_typed(instance: Instance, domain: Domain, place: str) -> None:
    """Refuse a problem of a domain with types in which nothing says what some object is.

    Where the root type has a predicate of its name, it may say so of objects of that type.

    Raises:
        PDDLInputError: There is such an object.
    """
    for name, kind in sorted(instance.objects.items()):
        if domain.types and kind == OBJECT and Atom(OBJECT, (name,)) not in instance.init:
            raise PDDLInputError(
                f"expected a type of domain {domain.name} for each object, found none for {name}",
                place=place,
                remedy=f"Add a fact such as ({min(domain.types)} {name}), or learn with "
                "--no-infer-types",
            )
