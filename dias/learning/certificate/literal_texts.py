"""Lifted literals in the words of the domain file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dias.learning.certificate.literal_counts import atom_text
from dias.learning.extend.queries import Query
from dias.learning.schema import (
    DIFFERENT,
    EQUAL,
    NOT,
    LiftedAtom,
    LiftedSchema,
    Literal,
    as_literal,
    type_relation,
)
from dias.strips.model import Atom
from dias.traces.record import Traces


def said(query: Query, schema: LiftedSchema, traces: Traces) -> tuple[str, ...]:
    """What further variables would have to satisfy, as text."""
    last = max(variable for atom in query for variable in atom.variables)
    terms = replace(schema, n_variables=last + 1).terms
    found = [as_literal(atom) for atom in query if atom.relation != DIFFERENT]
    if not found:  # else inequalities, one for nearly each pair, say little
        found = [Literal(LiftedAtom(EQUAL, pair), False) for _, pair in query]
    return tuple(literal_text(literal, terms, traces) for literal in found)


def literal_text(literal: Literal, terms: Sequence[str], traces: Traces) -> str:
    """A lifted literal as in the domain file; one over a type like the type of a parameter.

    PDDL has no words for a parameter that is not of a type: ``?x - not boat``.
    """
    (relation, variables), is_positive = literal
    own = tuple(terms[variable] for variable in variables)
    for name in traces.types:
        if relation == type_relation(name):
            return f"{own[0]} - {'' if is_positive else NOT}{name}"
    return atom_text(Atom(relation, own), is_positive)
