"""Effects that hardly any step shows together: one action name may stand for several things.

A STRIPS action has all of its effects in every step, though some change nothing there. For a lamp
that is toggled, "put some lamp on, put some other lamp out" explains nearly every step: one lamp is
then the one that was pressed, the other any that is in that state already. What gives it away is
that the two effects hardly ever changed something in the same step, although each did so often.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from dias.arrays import spread
from dias.learning.certificate.coincidence import log_tail
from dias.learning.certificate.literal_counts import atom_text
from dias.learning.certificate.support import ApartEffects
from dias.learning.data.replay import SchemaInTraces
from dias.learning.finish.assemble import action_schema
from dias.learning.schema import LiftedSchema
from dias.limits import check
from dias.traces.record import Traces

MAX_STEPS = 300
"""Steps looked at, spread evenly."""

MAX_TOGETHER = 6
"""Steps that show both effects, at most."""

LOG_APART = -14.0
"""Log of the chance below which it is no accident that so few steps show two effects together."""


def apart_effects(schema: LiftedSchema, traces: Traces) -> tuple[ApartEffects, ...]:
    """Pairs of effects that each change something often, and hardly ever in the same step.

    Had each changed something in its share of the n steps independently, in a and in b of them,
    n·a·b would have shown both. Only pairs count of which each effect has an object that the other
    has not: those of the same objects may exclude each other for a good reason, as "no longer
    unripe" and "no longer rotten" do.

    Args:
        schema: The schema.
        traces: The transitions that it explains, as far as it does.
    """
    written = action_schema(schema, traces)
    effects = [(atom, True) for atom in sorted(written.add_effects)]
    effects += [(atom, False) for atom in sorted(written.delete_effects)]
    texts = [atom_text(atom, is_added) for atom, is_added in effects]
    objects = [set(atom.terms) for atom, _ in effects]
    pairs = [  # where not all objects of one are those of the other, too
        (left, right)
        for left, right in combinations(range(len(effects)), 2)
        if not (objects[left] <= objects[right] or objects[right] <= objects[left])
    ]
    if not pairs:
        return ()
    applied = SchemaInTraces(written, traces)
    steps = spread([t for t in traces.transitions if t.action == schema.action], MAX_STEPS)
    changed = []
    for transition, bindings in zip(steps, applied.explanations_of(steps), strict=True):
        check()
        if bindings:
            names = applied.names(transition, bindings[0])
            before, after = transition.state, transition.next_state
            made = {True: after - before, False: before - after}  # what is added is not deleted
            changed.append([atom.substitute(names) in made[is_added] for atom, is_added in effects])
    table, n_steps = np.array(changed, int).reshape(len(changed), len(effects)), len(changed)
    together = (table.T @ table).tolist()
    found = []
    for left, right in pairs:
        n = together[left][right]
        expected = together[left][left] * together[right][right] / max(1, n_steps)
        log_chance = log_tail(n, n_steps, expected)
        if n <= MAX_TOGETHER and log_chance < LOG_APART:
            pair = texts[left], texts[right]
            found.append(ApartEffects(pair, n, n_steps, math.exp(log_chance)))
    return tuple(found)
