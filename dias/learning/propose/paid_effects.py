"""Drops effects that only a few steps show, if it takes less to say that those were seen wrong.

The largest change set explains most steps, and one step that was seen wrong can make it: then the
schema has an effect, and parameters, that no other step needs, and allows far too much.
"""

from __future__ import annotations

from math import inf

from dias.learning.data.coded_states import CodedStates
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.explain.at_once import bind
from dias.learning.explain.bindings import is_explained
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
    if not max_odd(len(examples.examples)):
        return effects
    coded, best = CodedStates.of(traces), None
    pending = smaller_effects(effects)
    while (smaller := next(pending, None)) is not None:
        if not _explain_most(smaller, examples):
            continue
        if best is None:
            best = _score(effects, examples, traces, coded)
            if best == -inf:  # nothing to compare with
                break
        other = _score(smaller, examples, traces, coded)
        if other > best:
            effects, best, pending = smaller, other, smaller_effects(smaller)
    return effects


def _explain_most(effects: Effects, examples: Examples) -> bool:
    """Whether few steps stay unexplained."""
    left = max_odd(len(examples.examples))
    for example in examples.examples:
        if not is_explained(effects, example):
            left -= 1
            if left < 0:
                return False
    return True


def _score(effects: Effects, examples: Examples, traces: Traces, coded: CodedStates) -> float:
    """Score of the effects with the preconditions that never fail."""
    found = BindingTable.of(bind(effects, examples), effects.n_variables)
    schema = certify_table(effects, examples, found)
    return score(action_schema(schema, traces), traces, coded)
