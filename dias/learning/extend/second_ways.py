"""Other ways to bind the steps that make a schema as good.

Where steps have several bindings, two schemas may explain them all, each with literals that the
other one lacks. The better one is written; one that is hardly worse is no worse for all that the
steps say, so it is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from dias.learning.extend.choice import Choice, Explanation
from dias.learning.schema import (
    EQUAL,
    LiftedAtom,
    LiftedSchema,
    Literal,
    SecondWay,
    is_inequality,
    preconditions,
)
from dias.learning.score import MARGIN
from dias.limits import Allowance, OutOfWorkError

MAX_NODES = 2_000
"""Partial assignments of variables that are tried before two schemas pass for the same."""


def second_ways(choice: Choice, known: Explanation) -> Iterator[SecondWay]:
    """The schemas that score as well within `MARGIN`, other bindings being taken.

    Only positive literals and inequalities count: of others dozens hold by the way.

    Args:
        choice: Weighs them.
        known: The better one.
    """
    best, own = choice.score(*known), _said(known.schema)
    seen: list[LiftedSchema] = []
    for other in choice.bound_anew(known):
        score = choice.score(*other)
        lost, new = (
            tuple(sorted(x)) for x in (own - _said(other.schema), _said(other.schema) - own)
        )
        if score <= best - MARGIN or not (lost and new):
            continue
        if not any(are_alike(other.schema, x) for x in (known.schema, *seen)):
            seen.append(other.schema)
            yield SecondWay(lost, new, score - best)


def _said(schema: LiftedSchema) -> set[Literal]:
    return {x for x in preconditions(schema) if x.is_positive or is_inequality(x)}


def are_alike(one: LiftedSchema, other: LiftedSchema) -> bool:
    """Whether two schemas say the same, negative literals apart, but for the names of variables.

    Args:
        one: A schema.
        other: One with as many variables and the same constants.
    """
    left, right = ([x for own in _parts(schema) for x in own] for schema in (one, other))
    if Counter((kind, atom.relation) for kind, atom in left) != Counter(
        (kind, atom.relation) for kind, atom in right
    ):
        return False
    n_fixed, target, allowance = len(one.constants), set(right), Allowance(MAX_NODES)

    def fits(place: list[int]) -> bool:
        """Whether what is over the variables placed so far is said there, too."""
        last = len(place) - 1
        return all(
            (kind, _renamed(atom, place)) in target
            for kind, atom in left
            if max(atom.variables, default=-1) == last  # those without any are counted above
        )

    def placed(place: list[int]) -> bool:
        allowance.check()
        if len(place) == one.n_variables:
            return True
        free = [len(place)] if len(place) < n_fixed else range(n_fixed, one.n_variables)
        return any(fits([*place, v]) and placed([*place, v]) for v in free if v not in place)

    try:
        return placed([])
    except OutOfWorkError:
        return True


def _parts(schema: LiftedSchema) -> Iterator[list[tuple[str, LiftedAtom]]]:
    yield [("add", atom) for atom in schema.effects.add]
    yield [("delete", atom) for atom in schema.effects.delete]
    yield [(f"{x.is_positive}", x.atom) for x in _said(schema)]


def _renamed(atom: LiftedAtom, place: Sequence[int]) -> LiftedAtom:
    variables = [place[v] for v in atom.variables]
    return atom._replace(
        variables=tuple(sorted(variables) if atom.relation == EQUAL else variables)
    )
