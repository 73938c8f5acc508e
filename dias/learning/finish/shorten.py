"""Fewer preconditions: those that the training states ask for.

Explaining the steps keeps every literal that no transition violates (`safe`). That is long: in
every reachable state most of them follow from the others, and some of the negative ones are mere
coincidences, which forbid in other problems what is possible. Here literals are dropped one after
another, those first that a person would think of last, as long as the schema has the same
successors in every training state, and nearly the same in states nearby (`nearby`).

- `concise` drops negative literals, inequalities among them. A positive literal costs nothing.
- `minimal` drops positive ones as well, which reads like a person's domain. What no training state
  asks for may still matter elsewhere.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dias.arrays import spread
from dias.learning.data.coded_states import CodedStates
from dias.learning.data.shares import predicate_shares
from dias.learning.data.visited import Spend, Visit, VisitedStates
from dias.learning.finish.conflicts import Conflicts
from dias.learning.finish.mirrored import mirrored
from dias.learning.finish.nearby import asked_nearby
from dias.learning.finish.parameter_types import narrows
from dias.learning.schema import (
    EQUAL,
    TYPE,
    LiftedSchema,
    Literal,
    preconditions,
    with_preconditions,
)
from dias.limits import Allowance, OutOfWorkError
from dias.traces.record import Traces

log = logging.getLogger(__name__)

SAMPLE = 200
"""States by which the shares of relations are measured, spread evenly."""

MIN_ROWS, ROWS_PER_STEP = 1_000_000, 3_000
"""How long that may take for one schema, in rows of joins: a million, and more with more steps. Of
the paper's domains Satellite needs most, 1,200 for each of its 2,000 steps."""


def concise_preconditions(schema: LiftedSchema, traces: Traces) -> LiftedSchema:
    """Keep the positive literals, and the negative ones that training states ask for.

    Of ``adjacent a b`` and ``adjacent b a`` one stays where adjacency has no direction.

    Args:
        schema: As for `minimal_preconditions`.
        traces: As for `minimal_preconditions`.
    """
    twice = {atom for pair in mirrored(schema.positive, schema.positive, traces) for atom in pair}
    droppable = [x for x in preconditions(schema) if not x.is_positive or x.atom in twice]
    return _without(droppable, schema, traces)


def minimal_preconditions(schema: LiftedSchema, traces: Traces) -> LiftedSchema:
    """Drop the preconditions without which all training states have the same successors.

    The states of refused attempts count as training states, and what rules an attempt out stays.
    Types stay, since they become those of the parameters. A parameter without
    a type keeps at least one positive literal (if it has any): left unbound it would multiply the
    ground actions. Which parameters there are is not decided here.

    Args:
        schema: The schema with every literal that is never violated.
        traces: All transitions, those of other actions too: their states are training states
            as well.
    """
    return _without(preconditions(schema), schema, traces)


SHORTEN = {"concise": concise_preconditions, "minimal": minimal_preconditions}
"""How preconditions are chosen to how they are shortened; the other ways leave them as they are."""


def _without(
    literals_to_drop: Iterable[Literal], schema: LiftedSchema, traces: Traces
) -> LiftedSchema:
    """The schema without those of some literals that no training state asks for, nor nearly."""
    allowance = Allowance(MIN_ROWS + ROWS_PER_STEP * len(traces.transitions))
    try:
        return _search(list(literals_to_drop), schema, traces, allowance.check)
    except OutOfWorkError:
        log.warning(
            "%s: too many bindings to find out which preconditions it could do without; "
            "none is left out",
            schema.action,
        )
        return schema


def _search(
    literals_to_drop: Sequence[Literal], schema: LiftedSchema, traces: Traces, spend: Spend
) -> LiftedSchema:
    """The same; what `spend` raises ends it."""
    literals = preconditions(schema)
    droppable = {
        x: None
        for x in literals_to_drop
        if not x.atom.relation.startswith(TYPE) or narrows(x, schema, traces)
    }
    fixed = [literal for literal in literals if literal not in droppable]
    seen: tuple[Visit, ...] = (*traces.masks, *traces.refused, *traces.transitions)
    visits = list({(visit.segment, visit.state): visit for visit in seen}.values())
    has_others = bool(traces.masks or traces.refused)
    states = VisitedStates(visits, traces) if has_others else CodedStates.of(traces).visited
    candidates = sorted(droppable, key=_preference(schema, traces, spread(visits, SAMPLE)))
    conflicts = Conflicts(schema, candidates, visits, states, traces, spend)

    def suffices(kept: Sequence[Literal]) -> bool:
        return _bound(kept) == _bound(literals) and conflicts.are_met_by(kept)

    while True:
        kept = {*fixed, *needed(candidates, fixed, suffices)}
        narrowed = with_preconditions(schema, [literal for literal in literals if literal in kept])
        if len(kept) == len(literals) or not conflicts.grow(narrowed):
            break
    dropped = [literal for literal in candidates if literal not in kept]
    kept |= asked_nearby(narrowed, dropped, states, traces, spend)
    return with_preconditions(schema, [literal for literal in literals if literal in kept])


def needed(
    candidates: Sequence[Literal],
    others: Sequence[Literal],
    suffices: Callable[[Sequence[Literal]], bool],
) -> list[Literal]:
    """What is left of `candidates` once each, in turn, is dropped if the rest suffices.

    Halving asks about k·log n questions where k of n candidates are left (QuickXplain).

    Args:
        candidates: In the order in which to try them.
        others: Literals that are there in any case.
        suffices: Whether some literals suffice. It must hold for all of them together, and with
            a set for every larger one.
    """
    if not candidates or suffices(others):
        return []
    if len(candidates) == 1:
        return list(candidates)
    middle = len(candidates) // 2
    first, last = candidates[:middle], candidates[middle:]
    left = needed(first, [*others, *last], suffices)
    return left + needed(last, [*others, *left], suffices)


def _bound(literals: Iterable[Literal]) -> set[int]:
    """The variables that occur in a positive literal."""
    return {v for atom, is_positive in literals if is_positive for v in atom.variables}


def _preference(
    schema: LiftedSchema, traces: Traces, sample: Sequence[Visit]
) -> Callable[[Literal], Any]:
    """A sort key by which literals that a person would think of last come first.

    Those are the negative ones; p(x, x); what the action does not delete; what excludes few
    bindings; and of ``link a b`` and ``link b a`` the one against the direction of the effects.
    """
    shares = predicate_shares(sample, traces)
    deleted = {v for atom in schema.effects.delete for v in atom.variables}
    added = {v for atom in schema.effects.add for v in atom.variables}

    def key(literal: Literal) -> Any:
        relation, variables = literal.atom
        share = shares.get(relation, 0.0)
        return (
            literal.is_positive,
            relation == EQUAL,  # that two objects differ is thought of sooner than what else may
            len(set(variables)) == len(variables),
            literal.atom in schema.effects.delete,
            1 - share if literal.is_positive else share,
            [(v in deleted) - (v in added) for v in variables],
            literal,
        )

    return key
