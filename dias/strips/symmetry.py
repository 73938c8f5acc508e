"""Which parameters of a schema stand for one another, and in which order to bind them.

Exchanged, they make the same schema: of the n! bindings of n of them to n objects, one is enough to
know what changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from dias.strips.model import ActionSchema


class Alike(NamedTuple):
    """Parameters that may be exchanged.

    Attributes:
        names: Two or more.
        must_differ: Whether inequalities keep all of them apart, and nothing else is about two.
        may_repeat: Whether nothing is about two of them: then it only matters which objects they
            are bound to, and not how many of them to each.
    """

    names: tuple[str, ...]
    must_differ: bool
    may_repeat: bool


def interchangeable(schema: ActionSchema) -> Iterator[Alike]:
    """The groups of parameters that may be exchanged.

    >>> from dias.strips.model import Atom, Parameter
    >>> names = "?x", "?y", "?z"
    >>> lit = frozenset(Atom("lit", (name,)) for name in names)
    >>> parameters = tuple(Parameter(name, ("lamp",)) for name in names)
    >>> list(interchangeable(ActionSchema("off", parameters, delete_effects=lit)))
    [Alike(names=('?x', '?y', '?z'), must_differ=False, may_repeat=True)]
    """
    atoms = {
        (part, atom.predicate, atom.terms)
        for part in ("preconditions", "negative_preconditions", "add_effects", "delete_effects")
        for atom in getattr(schema, part)
    }
    pairs = {
        (part, frozenset(pair))
        for part in ("equalities", "inequalities")
        for pair in getattr(schema, part)
    }
    places: dict[str, Counter[object]] = {name: Counter() for name in schema.variables}
    for part, predicate, terms in atoms:
        for place, term in enumerate(terms):
            if term in places:
                places[term][part, predicate, place] += 1
    for part, pair in pairs:
        for term in pair & places.keys():
            places[term][part] += 1

    def are_alike(one: str, other: str) -> bool:
        if places[one] != places[other]:
            return False
        new = {one: other, other: one}
        return all(
            (part, frozenset(new.get(t, t) for t in pair)) in pairs for part, pair in pairs
        ) and all(
            (part, name, tuple(new.get(t, t) for t in terms)) in atoms
            for part, name, terms in atoms
        )

    left = list(schema.parameters)
    while left:
        (first, kinds), *left = left
        names = (first, *(n for n, own in left if own == kinds and are_alike(first, n)))
        left = [parameter for parameter in left if parameter.name not in names]
        if len(names) > 1:
            group = set(names)
            is_about_two = any(len(group & set(terms)) > 1 for _, _, terms in atoms)
            compared = {part for part, pair in pairs if len(pair & group) > 1}
            yield Alike(
                names,
                must_differ=compared == {"inequalities"} and not is_about_two,
                may_repeat=not compared and not is_about_two,
            )
