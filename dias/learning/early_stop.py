"""Says when a network that is trained on its own has nothing more to learn.

Training ends when the schemas that it stands for (`dias.learning.extraction`) have not changed for
a while and explain every transition, preconditions included. That every transition is explained is
not enough: preconditions come last, and without them a schema explains everything and more.
"""

from __future__ import annotations

from collections.abc import Sequence

from dias.learning.apply import CodedStates, SchemaInTraces
from dias.learning.assemble import action_schema
from dias.learning.certify import LiftedSchema
from dias.learning.spread import spread
from dias.traces.record import Traces, Transition

SAMPLE = 64
"""Transitions of an action that are tried first."""


class Settling:
    """Watches the schemas of a network from check to check.

    Args:
        transitions: What the schemas must explain: the training transitions, and the validation
            transitions if there are any.
        n_still: Gradient steps for which nothing may change.

    Attributes:
        since: Step at which the schemas became what they are.
        is_over: Whether training can end.
    """

    def __init__(self, transitions: Sequence[Traces], n_still: int) -> None:
        self.since = 0
        self.is_over = False
        self._transitions = transitions
        self._n_still = n_still
        self._schemas: tuple[LiftedSchema, ...] = ()
        self._is_tried = False

    def look(self, schemas: tuple[LiftedSchema, ...], step: int) -> None:
        """Take note of what the schemas are after `step` steps."""
        if schemas != self._schemas:
            self._schemas, self.since, self._is_tried = schemas, step, False
        elif step - self.since >= self._n_still and not self._is_tried:
            self._is_tried = True
            self.is_over = all(map(self._are_explained, self._transitions))

    def go_on(self, schemas: tuple[LiftedSchema, ...], since: int, step: int) -> None:
        """Go on from where another run was after `step` steps."""
        self._schemas, self.since = schemas, since
        self.look(schemas, step)

    def _are_explained(self, traces: Traces) -> bool:
        """Whether s′ is always among the successors; a sample of each action is tried first."""
        own: dict[str, list[Transition]] = {schema.action: [] for schema in self._schemas}
        for transition in traces.transitions:
            if transition.action in own:
                own[transition.action].append(transition)
        coded = CodedStates(traces)
        tried = {
            schema.action: SchemaInTraces(action_schema(schema, traces), traces, coded)
            for schema in self._schemas
        }
        samples = {name: spread(group, SAMPLE) for name, group in own.items()}
        return all(
            tried[name].reproduces(transition)
            for groups in (samples, own)
            for name, group in groups.items()
            for transition in group
        )
