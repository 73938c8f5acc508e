"""Adds precondition-only variables to a schema, as long as the transitions ask for them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import product

from dias.learning.bindings import Effects
from dias.learning.certify import LiftedSchema, bind, certify_bindings, minimal_effects
from dias.learning.evidence import Evidence
from dias.learning.examples import Examples
from dias.learning.queries import Bindings, Query, common_queries, satisfying
from dias.traces.record import Traces

MAX_NEW_VARIABLES = 4
"""Precondition-only variables of one schema at most."""

LOG_CHANCE = -14.0
"""A query is believed if its survival by accident has a chance below e⁻¹⁴, one in a million."""

SAMPLE = 256
"""Transitions that queries are looked for in first."""

MAX_TRIED = 20
"""Queries whose evidence is weighed per round, largest first."""


def complete(
    proposal: Effects, examples: Examples, traces: Traces, without: Collection[str] = ()
) -> LiftedSchema:
    """Effects to a whole schema: fewest effects, all preconditions, further variables.

    Args:
        proposal: The effects.
        examples: The transitions of the action.
        traces: All transitions.
        without: What to leave out (`dias.config.PARTS`).
    """
    effects = proposal
    if "minimal-effects" not in without:
        effects = minimal_effects(proposal, examples)
    found = bind(effects, examples)
    schema = certify_bindings(effects, examples, found, effects.n_variables)
    if "extra-variables" in without:
        return schema
    return add_precondition_variables(schema, examples, found, traces)


def add_precondition_variables(
    schema: LiftedSchema, examples: Examples, found: Sequence[Bindings], traces: Traces
) -> LiftedSchema:
    """Add the variables that no effect mentions but every transition needs.

    One new variable at a time; when no single one says anything, two together (the first of
    Satellite's `calibrate`, a satellite that carries the instrument, rules out nothing without
    the direction it points to). First variables that share a literal with a known one, then
    others (some hand must be free). A query is kept only on evidence (`dias.learning.evidence`).

    Args:
        schema: The schema over the variables of its effects.
        examples: Its transitions.
        found: Per transition the bindings of those variables that explain it.
        traces: The traces that the transitions come from.
    """
    bindings = [list(own) for own in found]
    while schema.n_variables - schema.effects.n_variables < MAX_NEW_VARIABLES:
        evidence = Evidence(schema, traces)
        for linked, n_new in product((True, False), (1, 2)):
            # What every transition satisfies, those of a sample satisfy too, and a larger query
            # rules out more: where the sample's largest say nothing, no other has to be looked at.
            for asked in (_sample(bindings), bindings):
                queries = common_queries(examples, asked, schema.n_variables, n_new, linked)
                best = _best(queries, schema, n_new, evidence, at_least=asked is not bindings)
                if best is None:
                    break
            if best is not None:
                break
        else:
            return schema
        bindings = satisfying(examples, bindings, best, n_new, linked)
        schema = certify_bindings(schema.effects, examples, bindings, schema.n_variables + n_new)
    return schema


def _sample(bindings: list[Bindings]) -> list[Bindings]:
    """An even share of the transitions; the others are left without a binding."""
    every = -(-len(bindings) // SAMPLE)
    return [own if number % every == 0 else [] for number, own in enumerate(bindings)]


def _best(
    queries: list[Query], schema: LiftedSchema, n_new: int, evidence: Evidence, at_least: bool
) -> Query | None:
    """The query with the strongest evidence, None if no evidence suffices."""
    best: tuple[float, Query] | None = None
    for query in queries[:MAX_TRIED]:
        narrow = replace(
            schema,
            n_variables=schema.n_variables + n_new,
            positive=(*schema.positive, *query),
        )
        chance = evidence.log_chance(narrow, at_least)
        if chance < LOG_CHANCE and (best is None or chance < best[0]):
            best = chance, query
    return best[1] if best else None
