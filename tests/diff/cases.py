"""Schemas for tests, and copies of domains in other names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from dias.strips.model import ActionSchema, Atom, Domain, Parameter


def schema(
    parameters: str, precondition: Iterable[str] = (), effect: Iterable[str] = (), name: str = "a"
) -> ActionSchema:
    """A schema from texts: ``schema("x y - t", ["p x", "not q y", "not = x y"])``."""
    variables = []
    for text in parameters.split(","):
        words = text.split()
        if words:
            variables.append(Parameter(f"?{words[0]}", tuple(words[2:]) or ("object",)))
    names = {parameter.name[1:] for parameter in variables}

    def atoms(texts: Iterable[str], positive: bool, equality: bool = False) -> set[Atom]:
        found = set()
        for text in texts:
            words = text.removeprefix("not ").split()
            if text.startswith("not ") is not positive and (words[0] == "=") is equality:
                terms = (f"?{word}" if word in names else word for word in words[1:])
                found.add(Atom(words[0], tuple(terms)))
        return found

    def pairs(positive: bool) -> frozenset[tuple[str, str]]:
        return frozenset(tuple(sorted(a.terms)) for a in atoms(precondition, positive, True))

    return ActionSchema(
        name,
        tuple(variables),
        frozenset(atoms(precondition, True)),
        frozenset(atoms(precondition, False)),
        pairs(True),
        pairs(False),
        frozenset(atoms(effect, True)),
        frozenset(atoms(effect, False)),
    )


def renamed_schema(
    action: ActionSchema, order: Sequence[int], predicates: Mapping[str, str]
) -> ActionSchema:
    """The schema with its parameters in another order and all names changed."""
    terms = {variable: f"?new{i}" for i, variable in enumerate(action.variables)}

    def atoms(old: Iterable[Atom]) -> frozenset[Atom]:
        renamed = (atom.substitute(terms) for atom in old)
        return frozenset(Atom(predicates.get(p, p), own) for p, own in renamed)

    def pairs(old: Iterable[tuple[str, str]]) -> frozenset[tuple[str, str]]:
        return frozenset(tuple(terms.get(term, term) for term in pair) for pair in old)

    parameters = [Parameter(terms[p.name], p.types) for p in action.parameters]
    return ActionSchema(
        action.name,
        tuple(parameters[place] for place in order),
        atoms(action.preconditions),
        atoms(action.negative_preconditions),
        pairs(action.equalities),
        pairs(action.inequalities),
        atoms(action.add_effects),
        atoms(action.delete_effects),
    )


def renamed_domain(
    domain: Domain, orders: Sequence[Sequence[int]], predicates: Mapping[str, str]
) -> Domain:
    """The domain with its actions turned round, and each as in `renamed_schema`."""
    return replace(
        domain,
        predicates=tuple(
            p._replace(name=predicates.get(p.name, p.name)) for p in reversed(domain.predicates)
        ),
        actions=tuple(
            renamed_schema(action, order, predicates)
            for action, order in zip(reversed(domain.actions), reversed(orders), strict=True)
        ),
    )
