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

from dias.learning.apply import SchemaInTraces
from dias.learning.assemble import action_schema
from dias.learning.certify import LiftedSchema
from dias.traces.record import Traces, Transition

MAX_STATES = 2000
"""States looked at where the action was taken, and as many where it was not, spread evenly."""


class Evidence:
    """Weighs schemas that are narrower than a given one.

    Args:
        schema: The wide schema.
        traces: All transitions, those of other actions too.
    """

    def __init__(self, schema: LiftedSchema, traces: Traces) -> None:
        self._traces = traces
        self._log_passed_over = math.log(1 - 1 / max(2, len(traces.actions)))
        applied = SchemaInTraces(action_schema(schema, traces), traces)
        taken = [t for t in traces.transitions if t.action == schema.action]
        other = [t for t in traces.transitions if t.action != schema.action]
        self._taken = [(t, len(wide)) for t in _spread(taken) if (wide := applied.changes(t))]
        self._passed_over = [t for t in _spread(other) if applied.changes(t)]

    def log_chance(self, narrow: LiftedSchema) -> float:
        """Log of the chance that the steps obeyed the narrower schema by accident; at most 0."""
        applied = SchemaInTraces(action_schema(narrow, self._traces), self._traces)
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
