"""Which parameters partial labels give: their order is known, their places are not.

In a learned domain the given parameters come first. In one that somebody wrote they may stand
anywhere; then the places count under which the steps go best with the schema.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from dias.arrays import spread
from dias.learning.soft.bindings import Binder
from dias.learning.soft.sightings import Sightings
from dias.learning.soft.smooth import FIRST_RATE, steps_by_action, unguided
from dias.limits import check
from dias.strips.model import ActionSchema, Domain
from dias.traces.record import LabelMode, Traces

MAX_STEPS = 50
"""Steps of an action in each problem that are looked at, spread evenly."""


def with_given_first(domain: Domain, sightings: Sequence[Sightings], traces: Traces) -> Domain:
    """The domain with the parameters first in each action that the arguments stand for.

    Args:
        domain: The domain.
        sightings: What was seen.
        traces: Where it was seen; all steps of an action give as many arguments.
    """
    if traces.labels is not LabelMode.STRIPS_PLUS:
        return domain
    n_given = {t.action: len(t.arguments) for t in traces.transitions}
    messages = unguided(sightings)

    def gain(schema: ActionSchema) -> float:
        """Nats by which the steps of an action go better with a schema than with nothing."""
        total = 0.0
        for own, known in zip(sightings, messages, strict=True):
            check()
            rates = np.full(own.log_odds.shape[1], FIRST_RATE)
            segment = traces.segments[own.segment]
            for rows, given in steps_by_action(own, {schema.name: schema}).values():
                some = np.array(spread(range(len(rows)), MAX_STEPS), np.int64)
                binder = Binder(schema, domain, segment, own, known, rates)
                total += float(binder.rank(rows[some], given[some]).gains.sum())
        return total

    actions = []
    for schema in domain.actions:
        parameters = schema.parameters
        orders = [
            replace(schema, parameters=(*own, *(x for x in parameters if x not in own)))
            for own in combinations(parameters, n_given.get(schema.name, 0))
        ]
        actions.append(max(orders, key=gain) if len(orders) > 1 else schema)
    return replace(domain, actions=tuple(actions))
