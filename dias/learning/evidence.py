"""Is a precondition-only variable real? What the transitions say.

Compare the schema without the query (wide) and with it (narrow) in the visited states:

- Where the action was taken, the wide schema allows k successors, the narrow one k′ < k, and the
  observed one is among the k′. Had all k been possible, a random policy would have stayed within
  the k′ with probability k′/k.
- Where the action was not taken, the wide schema allows it and the narrow one does not. Had it
  been applicable, a policy that draws among the A action names would have passed it over with
  probability 1 - 1/A at most.

The product over all steps is the chance that the query holds by accident: the smaller, the surer.
"""

from __future__ import annotations

import math
from itertools import islice

from dias.learning.assemble import action_schema
from dias.learning.certify import LiftedSchema
from dias.strips.codes import AtomCodes, State
from dias.strips.model import Domain
from dias.strips.successors import SuccessorGenerator, split_static
from dias.traces.record import Traces, Transition

MAX_SUCCESSORS = 20_000
"""Successors counted per state."""

MAX_STATES = 300
"""States looked at where the action was taken, and as many where it was not, spread evenly."""


class SchemaInTraces:
    """One schema, ready to be applied in the states of the traces.

    Args:
        schema: The schema.
        traces: The traces, for types, objects and static atoms.
    """

    def __init__(self, schema: LiftedSchema, traces: Traces) -> None:
        self._traces = traces
        action = action_schema(schema, traces)
        self._domain = Domain("learned", dict(traces.types), {}, traces.predicates, (action,))
        self._ready: dict[int, tuple[AtomCodes, State, SuccessorGenerator]] = {}

    def changes(self, transition: Transition) -> set[tuple[State, State]]:
        """What the schema can add and delete in the state before `transition`."""
        codes, always, generator = self._segment(transition.segment)
        state = codes.encode_state(transition.state) | always
        found = islice(generator.iterate(state), MAX_SUCCESSORS)
        return {(successor.added, successor.deleted) for successor in found}

    def _segment(self, number: int) -> tuple[AtomCodes, State, SuccessorGenerator]:
        if number not in self._ready:
            segment = self._traces.segments[number]
            arities = {p.name: p.arity for p in self._domain.predicates}
            codes = AtomCodes(arities, list(segment.objects))
            static_names = {atom.predicate for atom in segment.static} - self._domain.fluents
            fluents = arities.keys() - static_names
            static, always = split_static(segment.static, codes, fluents)
            generator = SuccessorGenerator(self._domain, segment.objects, codes, static, fluents)
            self._ready[number] = codes, always, generator
        return self._ready[number]


class Evidence:
    """Weighs schemas that are narrower than a given one.

    Args:
        schema: The wide schema.
        traces: All transitions, those of other actions too.
    """

    def __init__(self, schema: LiftedSchema, traces: Traces) -> None:
        self._traces = traces
        self._log_passed_over = math.log(1 - 1 / max(2, len(traces.actions)))
        applied = SchemaInTraces(schema, traces)
        taken = [t for t in traces.transitions if t.action == schema.action]
        other = [t for t in traces.transitions if t.action != schema.action]
        self._taken = [(t, len(wide)) for t in _spread(taken) if (wide := applied.changes(t))]
        self._passed_over = [t for t in _spread(other) if applied.changes(t)]

    def log_chance(self, narrow: LiftedSchema) -> float:
        """Log of the chance that the steps obeyed the narrower schema by accident; at most 0."""
        applied = SchemaInTraces(narrow, self._traces)
        total = 0.0
        for transition, n_wide in self._taken:
            n_narrow = len(applied.changes(transition))
            if n_narrow:
                total += transition.count * math.log(n_narrow / n_wide)
        for transition in self._passed_over:
            if not applied.changes(transition):
                total += transition.count * self._log_passed_over
        return total


def _spread(transitions: list[Transition]) -> list[Transition]:
    """At most about `MAX_STATES` of the transitions, evenly spread."""
    return transitions[:: -(-len(transitions) // MAX_STATES)] if transitions else []
