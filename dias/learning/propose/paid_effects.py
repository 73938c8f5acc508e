"""Drops effects that only a few steps show, if it takes less to say that those were seen wrong.

The largest change set explains most steps, and one step that was seen wrong can make it: then the
schema has an effect, and parameters, that no other step needs, and allows far too much.
"""

from __future__ import annotations

from math import inf

from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.explain.at_once import bind, count_explained
from dias.learning.explain.certify import certify_table
from dias.learning.finish.assemble import action_schema
from dias.learning.propose.trim import smaller_effects
from dias.learning.schema import Effects
from dias.learning.score import max_odd, score
from dias.traces.record import Traces


def paid_effects(effects: Effects, examples: Examples, traces: Traces) -> Effects:
    """The effects without those that are not worth the steps that they explain.

    Args:
        effects: The effects.
        examples: The steps of the action.
        traces: All steps.
    """
    n_steps = len(examples.examples)
    if not max_odd(n_steps):
        return effects
    best = None
    pending = smaller_effects(effects)
    while (smaller := next(pending, None)) is not None:
        if n_steps - count_explained(smaller, examples) > max_odd(n_steps):
            continue
        if best is None:
            best = _score(effects, examples, traces)
            if best == -inf:  # nothing to compare with
                break
        other = _score(smaller, examples, traces)
        if other > best:
            effects, best, pending = smaller, other, smaller_effects(smaller)
    return effects


def _score(effects: Effects, examples: Examples, traces: Traces) -> float:
    """Score of the effects with the preconditions that never fail."""
    found = BindingTable.of(bind(effects, examples), effects.n_variables)
    schema = certify_table(effects, examples, found)
    return score(action_schema(schema, traces), traces)
