"""Precondition-only variables under noise: added to an action as long as something speaks for them.

`dias.learning.noise.extend.new_variables` searches for the next ones.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from dias.learning.data.transitions import BindingTable, Example, Examples
from dias.learning.extend.variables import MAX_NEW_VARIABLES
from dias.learning.noise.bind.binding import BoundAction, lifted_schema, settle
from dias.learning.noise.bind.rebind import rank_bindings
from dias.learning.noise.bind.roles import ALWAYS, NEVER, FlipRates, Judgement
from dias.learning.noise.bind.weights import background, weights
from dias.learning.noise.denoise import generous
from dias.learning.noise.extend.candidates import SAMPLE
from dias.learning.noise.extend.new_variables import Search, every_nth, is_doubtful
from dias.learning.noise.extend.odds import NoisyEvidence
from dias.learning.noise.observations import Observations
from dias.learning.schema import LiftedAtom
from dias.traces.record import Traces

MAX_LOST = 1 / (10 * SAMPLE)
"""Chance that the right binding of a transition is left out: a sample seldom lacks one then."""

WIDTH = 128
"""Bindings looked at per transition where most are in doubt: steps that change nothing."""


def add_variables(
    seen: Observations,
    bound: BoundAction,
    corrected: Sequence[Example],
    traces: Traces,
    rates: Mapping[str, FlipRates],
    totals: Mapping[str, np.ndarray],
) -> BoundAction:
    """Add the variables that no effect mentions but every transition needs.

    One at a time, and two together when no single one says anything. While most bindings are in
    doubt, one and two compete: the instrument of Satellite's `take_image` alone, most steps of
    which change nothing, would settle the bindings wrongly, and its satellite were then not found.
    """
    n_first, by_noise = bound.action.n_variables, _by_noise(bound, traces, rates)
    rows = bound.action.rows
    examples = Examples(bound.action.name, dict(seen.arities), generous(seen, corrected, rows))
    while bound.action.n_variables - n_first < MAX_NEW_VARIABLES:
        action = bound.action
        literals = weights(action.verdicts, rates, background(totals, action.verdicts, len(rows)))
        evidence = _evidence(seen, bound, examples, traces, literals)
        search = Search(seen, bound, examples, _bindings(seen, bound, literals), evidence, by_noise)
        best, hint = search.best()
        if best is None:
            return replace(bound, hint=hint)
        query, n_new = best.hint.query, best.hint.n_new
        always = {atom: Judgement(ALWAYS, np.ones(1)) for atom in query}
        never = {atom: Judgement(NEVER, np.ones(1)) for atom in best.never}
        wider = replace(
            action,
            n_variables=action.n_variables + n_new,
            required=action.required | frozenset(query),
            verdicts=action.verdicts | always | never,
        )
        bound = settle(seen, wider, rates, totals)
    return bound


def _by_noise(bound: BoundAction, traces: Traces, rates: Mapping[str, FlipRates]) -> float:
    """Log chance that noise alone may bring about; at most 0.

    Where a false atom was seen twice, the action seems applicable without being so, and was not
    taken: any query that fails there seems to say why.
    """
    schema = lifted_schema(bound)
    twice = sum(rates[atom.relation].invented ** 2 for atom in schema.positive)
    n_others = sum(t.action != schema.action for t in traces.transitions)
    return n_others * min(1.0, twice) * math.log(1 - 1 / max(2, len(traces.actions)))


def _evidence(
    seen: Observations,
    bound: BoundAction,
    examples: Examples,
    traces: Traces,
    literals: Mapping[LiftedAtom, np.ndarray],
) -> NoisyEvidence:
    """What narrower schemas are weighed by."""
    every, verdicts = every_nth(bound), bound.action.verdicts
    checked = replace(examples, examples=examples.examples[::every])
    effects = {
        atom: table
        for atom, table in literals.items()
        if verdicts[atom].role.adds or verdicts[atom].role.deletes
    }
    places = range(0, len(bound.action.rows), every)
    rows = bound.action.rows[::every].tolist()
    return NoisyEvidence(lifted_schema(bound), traces, checked, places, rows, seen, effects)


def _bindings(
    seen: Observations, bound: BoundAction, literals: Mapping[LiftedAtom, np.ndarray]
) -> BindingTable:
    """The bindings that come into question, transition by transition, the likeliest first."""
    action, ranked = bound.action, bound.ranked
    if is_doubtful(bound):
        n_variables, n_given = action.n_variables, action.n_given
        ranked = rank_bindings(seen, action.rows, literals, n_variables, n_given, WIDTH)
    share = np.cumsum(ranked.posterior(), axis=1)
    n_kept = 1 + (share < 1 - MAX_LOST).sum(1)
    owner, place = np.nonzero(np.arange(share.shape[1]) < n_kept[:, None])
    return BindingTable(owner, ranked.bindings[owner, place])
