"""Parameters that stand where the other schema has a constant."""

from __future__ import annotations

from collections.abc import Mapping

from dias.diff.literals import literals
from dias.strips.model import ActionSchema


def constants_instead(
    schema: ActionSchema,
    other: ActionSchema,
    terms: Mapping[str, str],
    unmatched: list[str],
    predicates: Mapping[str, str],
) -> dict[str, str]:
    """Parameters without a counterpart, and the constant that the other schema has in their place.

    That is the constant with which most literals of the parameter are the same on both sides; of
    equally good ones the first by name. One with which none is stands for nothing.

    Args:
        schema: The schema with the parameters.
        other: The schema with the constants.
        terms: Variable of `schema` to what it is called in `other`.
        unmatched: The variables without a counterpart.
        predicates: Predicate of `schema` to that of `other`.
    """
    theirs = set(literals(other))
    constants = sorted({t for a in theirs for t in a.atom.terms if not t.startswith("?")})
    found: dict[str, str] = {}
    for variable in unmatched:
        own = [literal for literal in literals(schema) if variable in literal.atom.terms]
        counts = {}
        for constant in constants:
            names = {**terms, **found, variable: constant}
            counts[constant] = sum(literal.rename(names, predicates) in theirs for literal in own)
        best = max(constants, key=lambda constant: counts[constant], default="")
        if counts.get(best):
            found[variable] = best
    return found
