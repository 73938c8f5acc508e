"""Precondition-only variables under noise.

The queries are those of `dias.learning.queries`, asked of small samples of transitions: in most
samples no transition has lost an atom of the query twice over, so what holds in all of a sample
includes what always holds. The other transitions then say whether a query really holds nearly
always, and whether anything speaks for it (`dias.learning.evidence`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from dias.learning.bindings import Effects
from dias.learning.certify import LiftedSchema
from dias.learning.evidence import Evidence
from dias.learning.examples import BindingTable, Example, Examples
from dias.learning.extend import LOG_CHANCE, MAX_NEW_VARIABLES, MAX_TRIED
from dias.learning.noise.binding import BoundAction, settle, sure_bindings
from dias.learning.noise.denoise import generous
from dias.learning.noise.observations import Observations
from dias.learning.noise.rebind import rank_bindings
from dias.learning.noise.roles import ALWAYS, FlipRates, Verdict
from dias.learning.noise.weights import background, weights
from dias.learning.queries import Query, common_queries, satisfying
from dias.traces.record import Traces

N_SAMPLES, SAMPLE = 3, 50
"""Samples that queries are taken from, and transitions in each."""

N_CHECKED = 150
"""Transitions that every query is checked on."""

MIN_SHARE = 0.95
"""Share of the transitions in which a query must hold."""

MISS = 4.0
"""Nats that every transition costs in which it does not."""

WIDTH = 128
"""Bindings looked at per transition where most are in doubt: steps that change nothing."""


def lifted_schema(bound: BoundAction) -> LiftedSchema:
    """The schema that the roles amount to."""
    roles = {atom: verdict.role for atom, verdict in sorted(bound.verdicts.items())}
    assert bound.ranked is not None
    return LiftedSchema(
        bound.action,
        Effects(
            bound.n_variables,
            tuple(atom for atom, role in roles.items() if role.adds),
            tuple(atom for atom, role in roles.items() if role.deletes),
            bound.n_given,
        ),
        bound.n_variables,
        tuple(atom for atom, role in roles.items() if role.requires is True),
        tuple(atom for atom, role in roles.items() if role.requires is False),
        int((bound.ranked.posterior()[:, 0] < 0.5).sum()),
    )


def add_variables(
    seen: Observations,
    bound: BoundAction,
    corrected: Sequence[Example],
    traces: Traces,
    rates: Mapping[str, FlipRates],
    totals: Mapping[str, np.ndarray],
) -> BoundAction:
    """Add the variables that no effect mentions but every transition needs."""
    examples = Examples(bound.action, dict(seen.arities), generous(seen, corrected, bound.rows))
    n_first, threshold = bound.n_variables, LOG_CHANCE + _by_noise(bound, traces, rates)
    while bound.n_variables - n_first < MAX_NEW_VARIABLES:
        evidence = Evidence(lifted_schema(bound), traces)
        bindings = _bindings(seen, bound, rates, totals)
        for linked, n_new in product((True, False), (1, 2)):
            query = _best_query(examples, bindings, bound, n_new, linked, evidence, threshold)
            if query is not None:
                break
        else:
            return bound
        bound = replace(
            bound,
            n_variables=bound.n_variables + n_new,
            required=bound.required | frozenset(query),
            verdicts=bound.verdicts | {literal: Verdict(ALWAYS, np.ones(1)) for literal in query},
        )
        bound = settle(seen, bound, rates, totals)
    return bound


def _by_noise(bound: BoundAction, traces: Traces, rates: Mapping[str, FlipRates]) -> float:
    """Log chance that noise alone may bring about; at most 0.

    Where a false atom was seen twice, the action seems applicable without being so, and was not
    taken: any query that fails there seems to say why.
    """
    schema = lifted_schema(bound)
    twice = sum(rates[atom.relation].invented ** 2 for atom in schema.positive)
    n_others = sum(t.action != bound.action for t in traces.transitions)
    return n_others * min(1.0, twice) * math.log(1 - 1 / max(2, len(traces.actions)))


def _bindings(
    seen: Observations,
    bound: BoundAction,
    rates: Mapping[str, FlipRates],
    totals: Mapping[str, np.ndarray],
) -> BindingTable:
    """The bindings that are about as likely as the best one of their transition."""
    ranked = bound.ranked
    assert ranked is not None
    if len(sure_bindings(bound)[0]) < len(bound.rows) / 2:
        usual = background(totals, bound.verdicts, len(bound.rows))
        literals = weights(bound.verdicts, rates, usual)
        ranked = rank_bindings(seen, bound.rows, literals, bound.n_variables, bound.n_given, WIDTH)
    share = ranked.posterior()
    owner, place = np.nonzero(share > 0.1 * share[:, :1])
    return BindingTable(owner, ranked.bindings[owner, place])


def _best_query(
    examples: Examples,
    bindings: BindingTable,
    bound: BoundAction,
    n_new: int,
    linked: bool,
    evidence: Evidence,
    threshold: float,
) -> Query | None:
    """The query with the strongest evidence, None if no evidence suffices."""
    queries: dict[Query, None] = {}
    n = len(examples.examples)
    assert bound.evidence is not None
    order = np.argsort(-bound.evidence, kind="stable")
    for number in range(N_SAMPLES):
        likeliest = order[: max(1, n * 2 // 3)]
        chosen = likeliest[number :: max(1, len(likeliest) // SAMPLE)]
        own = bindings.where(np.isin(bindings.owner, chosen))
        found = common_queries(examples, own, n_new, linked)
        queries |= dict.fromkeys(found[:MAX_TRIED])
    schema = lifted_schema(bound)
    checked = np.arange(0, n, max(1, n // N_CHECKED))
    sample = bindings.where(np.isin(bindings.owner, checked))
    best: tuple[float, Query] | None = None
    for query in list(queries)[:MAX_TRIED]:
        held = satisfying(examples, sample, query, n_new, linked)
        n_missed = len(checked) - len(np.unique(held.owner))
        if n_missed > (1 - MIN_SHARE) * len(checked):
            continue
        narrow = replace(
            schema,
            n_variables=schema.n_variables + n_new,
            positive=(*schema.positive, *query),
        )
        chance = evidence.log_chance(narrow) + MISS * n_missed * n / len(checked)
        if chance < threshold and (best is None or chance < best[0]):
            best = chance, query
    return best[1] if best else None
