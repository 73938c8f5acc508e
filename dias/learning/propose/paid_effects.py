"""Drops effects that only a few steps show, if it takes less to say that those were seen wrong.

The largest change set explains most steps, and one step that was seen wrong can make it: then the
schema has an effect, and parameters, that no other step needs, and allows far too much.
"""

from __future__ import annotations

from dataclasses import replace

from dias.learning.data.replay import CodedStates
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.explain.bindings import bind, is_explained
from dias.learning.explain.certify import certify_table
from dias.learning.explain.odd_steps import MAX_SHARE, MIN_STEPS
from dias.learning.finish.assemble import action_schema
from dias.learning.propose.trim import smaller_effects
from dias.learning.schema import EQUAL, Effects
from dias.learning.score import cost, log_likelihood, price_of_odd_step
from dias.traces.record import Traces


def paid_effects(effects: Effects, examples: Examples, traces: Traces) -> Effects:
    """The effects without those that are not worth the steps that they explain.

    Args:
        effects: The effects.
        examples: The steps of the action.
        traces: All steps.
    """
    if len(examples.examples) < MIN_STEPS:
        return effects
    coded, score = CodedStates(traces), None
    pending = smaller_effects(effects)
    while (smaller := next(pending, None)) is not None:
        if not _explain_most(smaller, examples):
            continue
        if score is None:
            score = _score(effects, examples, traces, coded)
        other = _score(smaller, examples, traces, coded)
        if other > score:
            effects, score, pending = smaller, other, smaller_effects(smaller)
    return effects


def _explain_most(effects: Effects, examples: Examples) -> bool:
    """Whether few steps stay unexplained."""
    left = int(MAX_SHARE * len(examples.examples))
    for example in examples.examples:
        if not is_explained(effects, example):
            left -= 1
            if left < 0:
                return False
    return True


def _score(effects: Effects, examples: Examples, traces: Traces, coded: CodedStates) -> float:
    """Score of the effects with the positive preconditions and inequalities that never fail."""
    found = BindingTable.of(bind(effects, examples), effects.n_variables)
    schema = certify_table(effects, examples, found)
    apart = tuple(atom for atom in schema.negative if atom.relation == EQUAL)
    written = action_schema(replace(schema, negative=apart), traces)
    likelihood, n_odd = log_likelihood(written, traces, coded)
    said = cost(replace(written, inequalities=frozenset()), traces.predicates, traces.constants)
    return likelihood - said - n_odd * price_of_odd_step(traces)
