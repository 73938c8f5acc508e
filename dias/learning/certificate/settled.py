"""What refused attempts and masks settle, and what an attempt would settle that nobody made.

All literals of the true schema never fail, so they are among those that never fail. If all of these
but one allow what was refused, that one is needed: no count of steps has to say so, as long as the
schema lacks no parameter. Where nobody has tried yet, some state of the traces may have objects
that violate a doubted literal and nothing else: to try it there would tell.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import islice
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from dias.arrays import spread
from dias.learning.certificate.coincidence import Group
from dias.learning.certificate.shown_states import States
from dias.learning.certificate.untested import with_literals
from dias.learning.data.refusals import allows_unlisted, attempts_at, is_decisive
from dias.learning.data.replay import SchemaInTraces
from dias.learning.extend.evidence import LOG_CHANCE
from dias.learning.extend.queries import Query
from dias.learning.finish.assemble import in_traces
from dias.learning.schema import (
    EQUAL,
    TYPE,
    LiftedSchema,
    Literal,
    as_literal,
    negated,
    preconditions,
)
from dias.strips.model import Atom, is_subtype
from dias.traces.record import LabelMode, RefusedAction, Traces, Transition

MAX_BINDINGS = 2_000
"""Bindings of one state that are looked at for something to try."""

MAX_REFUSALS = 200
"""Refused attempts, and masks, that are looked at, spread evenly."""


def needed(written: LiftedSchema, safe: LiftedSchema, traces: Traces) -> set[Literal]:
    """The preconditions that refused attempts or masks show to be needed.

    Args:
        written: The schema as it is written.
        safe: The same with every literal that never fails.
        traces: The traces.
    """
    every = preconditions(safe)
    found: set[Literal] = set()
    masks = spread(traces.masks_of(safe.action), MAX_REFUSALS)
    attempts: list[RefusedAction] = []
    if is_decisive(safe.arity, traces.labels):
        attempts = list(spread(attempts_at(safe.action, traces), MAX_REFUSALS))
    for attempt in attempts:
        if len(attempt.arguments) >= safe.arity:
            violated = [x for x in every if not _holds(x, attempt, safe, traces)]
            found |= {*violated} if len(violated) == 1 else set()
    partly = [attempt for attempt in attempts if len(attempt.arguments) < safe.arity]
    asked = [x for x in preconditions(written) if x not in found] if masks or partly else []
    whole = in_traces(safe, traces) if asked else None
    if whole:
        masks = [own for own in masks if not allows_unlisted(whole, own)]
        partly = [attempt for attempt in partly if not whole.allows(attempt)]
    for literal in asked:
        loose = with_literals(safe, [x for x in every if x != literal], traces)
        if any(allows_unlisted(loose, own) for own in masks) or any(map(loose.allows, partly)):
            found.add(literal)
    return found


def with_needed(groups: Sequence[Group], sure: Collection[Literal]) -> list[Group]:
    """The groups, but each literal that is needed in one of its own, which no accident explains."""
    alone = {own.literals[0]: own.log_chance for own in groups if len(own.literals) == 1}
    found = [own for own in groups if not any(x in sure for x in own.literals)]
    return found + [Group((x,), min(LOG_CHANCE, alone.get(x, 0.0))) for x in sorted(sure)]


def _holds(literal: Literal, attempt: RefusedAction, schema: LiftedSchema, traces: Traces) -> bool:
    """Whether a literal holds of what was tried, all arguments being known."""
    segment = traces.segments[attempt.segment]
    terms = (*schema.terms[: len(schema.constants)], *attempt.arguments)
    (relation, variables), is_positive = literal
    names = tuple(terms[variable] for variable in variables)
    if relation == EQUAL:
        does = len(set(names)) == 1
    elif relation.startswith(TYPE):
        does = is_subtype(segment.objects[names[0]], (relation.removeprefix(TYPE),), traces.types)
    else:
        atom = Atom(relation, names)
        does = atom in attempt.state or atom in segment.static
    return does == is_positive


class Where(NamedTuple):
    """What to try: the line whose state is meant, and each parameter with its object."""

    line: int
    objects: tuple[tuple[str, str], ...]


class Trials:
    """Finds what an attempt in some state of the traces would settle.

    Args:
        written: The schema as it is written.
        safe: The same with every literal that never fails.
        states: Some of the traces.
        traces: The traces.
    """

    def __init__(
        self, written: LiftedSchema, safe: LiftedSchema, states: States, traces: Traces
    ) -> None:
        self._written, self._safe, self._traces = written, safe, traces
        self._states = states
        self._visits = sorted((e.transition for e in states.every()), key=lambda own: own.line)

    def breaking(self, literals: Collection[Literal]) -> Where | None:
        """Where some literals, written or left out, can be broken and nothing else.

        If possible all others hold that never fail, else all others that are written.
        """
        if any(x.atom.relation.startswith(TYPE) for x in literals):
            return None  # nobody can try what is of another type
        broken = [*map(negated, literals)]
        for schema in (self._safe, self._written):
            others = [x for x in preconditions(schema) if x not in literals]
            applied = self._applied([*others, *broken], schema)
            for visit in self._first(applied):
                if found := _bindings(applied, visit):
                    return Where(visit.line, tuple(applied.names(visit, min(found)).items()))
        return None

    def may_break(self, literal: Literal) -> bool:
        """Whether some state has objects that violate it alone; no where they are too many."""
        others = [x for x in preconditions(self._written) if x != literal]
        return self._states.show([negated(literal), *others])

    def without(self, query: Query, n_new: int) -> Where | None:
        """Where the schema is applicable to objects for which no others satisfy a query."""
        narrow = replace(self._written, n_variables=self._written.n_variables + n_new)
        kept = preconditions(self._written)
        asked = self._applied([*kept, *map(as_literal, query)], narrow)
        written = self._applied(kept, self._written)
        for visit in self._first(written):
            arity = self._written.arity
            known = {own.binding[:arity] for own in asked.successors(visit)}
            if left := _bindings(written, visit) - known:
                return Where(visit.line, tuple(written.names(visit, min(left)).items()))
        return None

    def _first(self, applied: SchemaInTraces) -> list[Transition]:
        """The states where a schema is applicable.

        With names only those first where nothing else of that name is: there a mask can say no.
        """
        there = [self._visits[n] for n in np.flatnonzero(applied.are_applicable(self._visits))]
        if self._traces.labels is not LabelMode.NAMES or not there:
            return there
        usual = self._applied(preconditions(self._written), self._written)
        is_open = usual.are_applicable(there).tolist()
        return [visit for _, visit in sorted(zip(is_open, there, strict=True), key=itemgetter(0))]

    def _applied(self, literals: Sequence[Literal], schema: LiftedSchema) -> SchemaInTraces:
        return with_literals(schema, literals, self._traces)


def _bindings(applied: SchemaInTraces, visit: Transition) -> set[tuple[int, ...]]:
    """The bindings in a state; none where they are too many: which are found first is chance."""
    found = {own.binding for own in islice(applied.successors(visit), MAX_BINDINGS + 1)}
    return found if len(found) <= MAX_BINDINGS else set()
