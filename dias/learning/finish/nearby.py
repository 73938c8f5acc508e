"""Literals that no training state asks for, though one would if a single atom were otherwise.

In a training state some binding breaks a literal L and one other precondition M, and nothing else.
Had an action made M true there, L would have ruled out a successor. That M excludes what breaks L
would explain why it never happened. But M is about other objects, and the two were seen together:

- No box of Sokoban was ever pushed towards the other one. But once player, cell and box were
  in a row, and elsewhere two boxes lay side by side.
- Whoever stood at a lift with open doors had checked in. Others stood there while it was closed,
  and while it was open elsewhere some had not checked in.

Of negative literals only those count that are over a relation which the action changes somewhere,
as it does boxes: what an action has nothing to do with seldom stands in its way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product

from dias.learning.data.visited import Spend, VisitedStates
from dias.learning.finish.assemble import action_schema, over_terms
from dias.learning.schema import (
    EQUAL,
    Effects,
    LiftedAtom,
    LiftedSchema,
    Literal,
    negated,
    preconditions,
    with_preconditions,
)
from dias.strips.model import ActionSchema
from dias.traces.record import Traces


def asked_nearby(
    schema: LiftedSchema,
    dropped: Sequence[Literal],
    states: VisitedStates,
    traces: Traces,
    spend: Spend,
) -> set[Literal]:
    """Those of some literals that would matter if a single atom of a state were otherwise.

    Args:
        schema: The schema without the literals.
        dropped: The literals; comparisons, and negative ones over what the action does not change,
            are passed over.
        states: The training states.
        traces: Where they are from.
        spend: Called with the number of rows looked at; it may raise to end the search.
    """
    kept = preconditions(schema)
    same = _one_for_all_that_are_equal(kept, schema.n_variables)

    def objects(literal: Literal) -> set[int]:
        return {same[variable] for variable in literal.atom.variables}

    def violated(literals: list[Literal], satisfied: list[Literal]) -> set[Literal]:
        """Those of some literals that a binding violates which satisfies the others."""
        found: set[Literal] = set()
        query = _query(satisfied, [*literals, *satisfied], schema, traces)
        for rows in states.bindings(query, spend=spend):
            for literal in literals:
                if literal not in found:
                    truth = states.holds(rows, over_terms(literal.atom, schema.terms))
                    if (truth != literal.is_positive).any():
                        found.add(literal)
        return found

    def were_seen_together(literal: Literal, other: Literal) -> bool:
        """Whether a binding satisfies the other one and what else is about both, but this one."""
        own, others = literal.atom.variables, other.atom.variables
        about = [x for x in kept if x is other or {*own, *others}.issuperset(x.atom.variables)]
        apart = (LiftedAtom(EQUAL, (min(pair), max(pair))) for pair in product(own, others))
        said = [*about, negated(literal), *(Literal(pair, False) for pair in apart)]
        found = states.bindings(_query(said, said, schema, traces), spend=spend)
        return any(len(rows.state) for rows in found)

    changed = {atom.relation for atom in (*schema.effects.add, *schema.effects.delete)}
    candidates = [
        x
        for x in dropped
        if x.atom.relation != EQUAL and (x.is_positive or x.atom.relation in changed)
    ]
    asked: set[Literal] = set()
    for other in kept:
        if other.atom.relation in traces.changing_predicates:
            rest = [*(x for x in kept if x is not other), negated(other)]
            elsewhere = [x for x in candidates if objects(x).isdisjoint(objects(other))]
            literals = [x for x in elsewhere if x not in asked]
            near = violated(literals, rest) if literals else ()
            asked.update(literal for literal in near if were_seen_together(literal, other))
    return asked


def _one_for_all_that_are_equal(kept: Iterable[Literal], n_variables: int) -> dict[int, int]:
    """Each variable with one of those that the literals say are the same object."""
    same = {variable: variable for variable in range(n_variables)}
    for (relation, variables), is_positive in kept:
        if relation == EQUAL and is_positive:
            one, other = map(same.__getitem__, variables)
            same = {variable: one if own == other else own for variable, own in same.items()}
    return same


def _query(
    literals: Iterable[Literal], about: Iterable[Literal], schema: LiftedSchema, traces: Traces
) -> ActionSchema:
    """Some preconditions as a schema, over the variables that other literals are about."""
    bare = replace(schema, effects=Effects(0, (), ()))
    written = action_schema(with_preconditions(bare, literals), traces)
    names = {schema.terms[variable] for literal in about for variable in literal.atom.variables}
    return replace(written, parameters=tuple(p for p in written.parameters if p.name in names))
