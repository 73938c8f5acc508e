"""Preconditions that masks refute: an action is applicable where they leave nothing applicable.

Where a mask says all the arguments, what they violate is no precondition, unless more masks speak
against what is left. Where it says less, some binding must be right that the schema rules out, and
which literal is to blame has to be found out. One is dropped if without it the schema allows
something there and scores better, masks included, and better than without any other. What no single
literal explains, and what several explain alike, is left as it is, and the certificate names it
(`dias.learning.data.refusals.check_masks`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import compress

import numpy as np

from dias.learning.data.refusals import check_masks, lacks_listed
from dias.learning.data.replay import SchemaInTraces
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.data.visited import Rows, VisitedStates
from dias.learning.extend.choice import Choice
from dias.learning.finish.assemble import action_schema, in_traces, over_terms
from dias.learning.schema import (
    EQUAL,
    TYPE,
    LiftedAtom,
    LiftedSchema,
    Literal,
    preconditions,
    without_literals,
)
from dias.learning.score import MARGIN, ROUNDING
from dias.strips.model import Atom, is_subtype, supertypes
from dias.traces.record import ActionMask, Traces

Shorten = Callable[[LiftedSchema, Traces], LiftedSchema]
"""What makes of a schema the one that will be written."""


def loosened(
    schema: LiftedSchema, examples: Examples, traces: Traces, shorten: Shorten
) -> LiftedSchema:
    """The schema without the preconditions that masks refute.

    Args:
        schema: The schema with every literal that no step violates.
        examples: The steps of the action.
        traces: All steps and masks.
        shorten: What it is shortened by before literals are blamed: of those that rule out what
            others rule out as well, none alone is to blame.
    """
    certain = _without_violated(schema, traces)
    if _n_against(certain, traces) <= _n_against(schema, traces):
        schema = certain  # else some mask is wrong, and the score has to say which
    while _too_strict(schema, traces):
        view = shorten(schema, traces)
        literal = _to_blame(schema, view, shorten, examples, traces)
        if literal is None:
            break
        schema = without_literal(schema, literal, traces.types)
    return _without_excluding(schema, shorten, traces)


def _without_excluding(schema: LiftedSchema, shorten: Shorten, traces: Traces) -> LiftedSchema:
    """Without what excludes all that the shortened schema allows where a mask lists something.

    What is left out of a shortened schema matters only where it is not shortened.
    """
    strict = _too_strict(schema, traces)
    if not strict:
        return schema
    view = action_schema(shorten(schema, traces), traces)
    applied = SchemaInTraces(view, traces)
    excluding: set[Literal] = set()
    for own in strict:
        listed: dict[tuple[int, ...], list[dict[str, str]]] = {row: [] for row in own.listed}
        for found in applied.successors(own.mask):
            if (row := found.binding[: own.n_known]) in listed:
                listed[row].append(applied.names(own.mask, found.binding))
        state = own.mask.state | traces.segments[own.mask.segment].static
        excluding |= {
            literal
            for literal in preconditions(schema)
            if not literal.atom.relation.startswith(TYPE)
            for bindings in listed.values()
            if bindings and not any(_holds(literal, b, schema, state) for b in bindings)
        }
    return without_literals(schema, excluding)


def _holds(
    literal: Literal, binding: Mapping[str, str], schema: LiftedSchema, state: frozenset[Atom]
) -> bool:
    """Whether a literal that is not about a type holds."""
    ground = over_terms(literal.atom, schema.terms).substitute(binding)
    if ground.predicate == EQUAL:
        return (ground.terms[0] == ground.terms[1]) == literal.is_positive
    return (ground in state) == literal.is_positive


def _without_violated(schema: LiftedSchema, traces: Traces) -> LiftedSchema:
    """Without the literals that a ground action violates of which a mask says all arguments."""
    arity = schema.arity
    masks = [own for own in traces.masks_of(schema.action) if own.n_known == arity and own.listed]
    if not masks:
        return schema
    states = VisitedStates([own.mask for own in masks], traces)
    table = np.array([[n, *row] for n, own in enumerate(masks) for row in sorted(own.listed)])
    rows = Rows(table[:, 0], dict(zip(schema.terms[-arity:], table.T[1:], strict=False)))

    def is_violated(literal: Literal) -> bool:
        truth = states.holds(rows, over_terms(literal.atom, schema.terms))
        return bool((truth != literal.is_positive).any())

    return without_literals(schema, [x for x in preconditions(schema) if is_violated(x)])


def _n_against(schema: LiftedSchema, traces: Traces) -> int:
    """How many masks speak against a schema."""
    return check_masks(action_schema(schema, traces), traces).n_against


def _too_strict(schema: LiftedSchema, traces: Traces) -> list[ActionMask]:
    """The masks that list what a schema does not allow."""
    applied = in_traces(schema, traces)
    return [own for own in traces.masks_of(schema.action) if lacks_listed(applied, own)]


def _to_blame(
    schema: LiftedSchema, view: LiftedSchema, shorten: Shorten, examples: Examples, traces: Traces
) -> Literal | None:
    """The literal without which a schema scores best; None if none is to blame.

    One is to blame for a mask if without it the schema would allow what is listed there, and score
    better, also than without any other of which that is true. Asked about are those that are left
    once the schema is shortened (`view`); without one of them, others may be, or must go as well.
    """
    strict = _too_strict(view, traces)
    applied = in_traces(view, traces)
    explained = [
        number
        for number, example in enumerate(examples.examples)
        if applied.reproduces(example.transition)
    ]
    if not strict or not explained:
        return None
    found = BindingTable(np.array(explained), np.zeros((len(explained), 0), np.int64))
    choice = Choice(examples, found, traces)
    least = choice.plain_score(view) + ROUNDING
    restoring: list[list[tuple[float, Literal]]] = [[] for _ in strict]
    for literal in preconditions(view):
        other = without_literal(view, literal, traces.types)
        own = in_traces(other, traces)
        restored = [not lacks_listed(own, mask) for mask in strict]
        if any(restored):
            anew = shorten(without_literal(schema, literal, traces.types), traces)
            score = max(choice.plain_score(other), choice.plain_score(anew))
            for place in compress(range(len(strict)), restored if score > least else ()):
                restoring[place].append((score, literal))
    blamed = []
    for scores in filter(None, restoring):
        (best, literal), *others = sorted(scores, reverse=True)
        if all(best - score >= MARGIN for score, _ in others):
            blamed.append((best, literal))
    return max(blamed)[1] if blamed else None


def without_literal(
    schema: LiftedSchema, literal: Literal, parents: Mapping[str, str]
) -> LiftedSchema:
    """Without a literal, and the further variables that nothing binds any more.

    Without a type a variable may be whatever the next wider one includes.

    Args:
        schema: The schema.
        literal: One of its preconditions.
        parents: Types to the next wider ones.
    """
    dropped, relation = [literal], literal.atom.relation
    if literal.is_positive and relation.startswith(TYPE):
        wider = supertypes(relation.removeprefix(TYPE), parents)[1:2]
        dropped += [
            other
            for other in preconditions(schema)
            if other.atom.variables == literal.atom.variables
            and other.atom.relation.startswith(TYPE)
            and not other.is_positive
            and is_subtype(other.atom.relation.removeprefix(TYPE), wider, parents)
        ]
    schema = without_literals(schema, dropped)
    for variable in reversed(range(schema.effects.n_variables, schema.n_variables)):
        if not any(variable in atom.variables for atom in _binding(schema)):
            schema = _without_variable(schema, variable)
    return schema


def _binding(schema: LiftedSchema) -> Iterator[LiftedAtom]:
    """The positive literals that bind variables."""
    for atom in schema.positive:
        if atom.relation != EQUAL and not atom.relation.startswith(TYPE):
            yield atom


def _without_variable(schema: LiftedSchema, variable: int) -> LiftedSchema:
    """Without a variable and all that is about it."""
    number = [v - (v > variable) for v in range(schema.n_variables)]
    positive, negative = (
        tuple(atom.renamed(number) for atom in atoms if variable not in atom.variables)
        for atoms in (schema.positive, schema.negative)
    )
    n_left = schema.n_variables - 1
    return replace(
        schema,
        n_variables=n_left,
        positive=positive,
        negative=negative,
        hint=None,
        doubtful=None,
        further=(),
    )
