"""Says when a network that is trained on its own has nothing more to learn.

Training ends when the schemas that it stands for (`dias.learning.train.extraction`) have not
changed for a while and explain every transition, preconditions included. That every transition is
explained is not enough: preconditions come last, and without them a schema explains everything and
more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dias.arrays import spread
from dias.learning.finish.assemble import in_traces
from dias.learning.schema import LiftedSchema
from dias.traces.record import Traces, Transition

SAMPLE = 64
"""Transitions of an action that are tried first."""


class Settling:
    """Watches the schemas of a network from check to check.

    Args:
        n_still: Gradient steps for which nothing may change.

    Attributes:
        since: Step at which the schemas became what they are, or were last seen to leave
            something unexplained.
        is_over: Whether training can end.
    """

    def __init__(self, n_still: int) -> None:
        self.since = 0
        self.is_over = False
        self._n_still = n_still
        self._schemas: tuple[LiftedSchema, ...] = ()

    def look(
        self, schemas: tuple[LiftedSchema, ...], step: int, explain_everything: Callable[[], bool]
    ) -> None:
        """Take note of what the schemas are after `step` steps.

        Args:
            schemas: What the network says; effects that depend on the state are no part of it.
            step: Gradient steps done.
            explain_everything: Whether every transition is explained; asked seldom.
        """
        if schemas != self._schemas:
            self._schemas, self.since = schemas, step
        elif step - self.since >= self._n_still:
            self.is_over = explain_everything()
            self.since = step

    def state(self) -> tuple[int, bool]:
        """What `go_on` needs besides the schemas."""
        return self.since, self.is_over

    def go_on(self, schemas: tuple[LiftedSchema, ...], state: tuple[int, bool]) -> None:
        """Go on from where another run was, whose `state` this is."""
        self._schemas = schemas
        self.since, self.is_over = state


def are_explained(traces: Traces, explains: Callable[[Transition], bool]) -> bool:
    """Whether every transition is explained; a sample of each action is tried first.

    Args:
        traces: The transitions.
        explains: Whether one is.
    """
    by_action: dict[str, list[Transition]] = {}
    for transition in traces.transitions:
        by_action.setdefault(transition.action, []).append(transition)
    samples = [spread(group, SAMPLE) for group in by_action.values()]
    return all(
        explains(transition)
        for groups in (samples, by_action.values())
        for group in groups
        for transition in group
    )


def schemas_explain(schemas: Sequence[LiftedSchema], traces: Traces) -> bool:
    """Whether s′ is always among the successors; actions without a schema have no say."""
    tried = {schema.action: in_traces(schema, traces) for schema in schemas}
    return are_explained(traces, lambda t: t.action not in tried or tried[t.action].reproduces(t))
