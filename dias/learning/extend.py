"""Adds precondition-only variables to a schema, as long as the transitions ask for them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import product
from math import log

from dias.learning.bindings import Effects
from dias.learning.certify import LiftedSchema, bind, certify_bindings, minimal_effects
from dias.learning.evidence import Evidence
from dias.learning.examples import Examples
from dias.learning.origin import NETWORK, Hint, Origin
from dias.learning.queries import Bindings, Query, common_queries, satisfying
from dias.traces.record import Traces

MAX_NEW_VARIABLES = 4
"""Precondition-only variables of one schema at most."""

LOG_CHANCE = -14.0
"""A query is believed if its survival by accident has a chance below e⁻¹⁴, one in a million."""

LOG_CHANCE_REFUSED = log(0.01)
"""The same for a query that rules out a refused attempt: then something is missing for sure, and
what is asked is only what."""

LOG_HINT = log(0.05)
"""A query that is not believed is still a hint if its chance is below this."""

MAX_TRIED = 20
"""Queries whose evidence is weighed per round, largest first."""


def complete(
    proposal: Effects,
    examples: Examples,
    traces: Traces,
    without: Collection[str] = (),
    origin: Origin = NETWORK,
) -> LiftedSchema:
    """Effects to a whole schema: fewest effects, all preconditions, further variables.

    Args:
        proposal: The effects.
        examples: The transitions of the action.
        traces: All transitions.
        without: What to leave out (`dias.config.PARTS`).
        origin: Where the effects come from.
    """
    effects = proposal
    if "minimal-effects" not in without:
        effects = minimal_effects(proposal, examples)
    found = bind(effects, examples)
    schema = certify_bindings(effects, examples, found, effects.n_variables)
    if "extra-variables" not in without:
        schema = add_precondition_variables(schema, examples, found, traces)
    n_dropped = len(proposal.add + proposal.delete) - len(effects.add + effects.delete)
    n_merged = proposal.n_variables - effects.n_variables
    return replace(schema, origin=origin._replace(n_dropped=n_dropped, n_merged=n_merged))


def add_precondition_variables(
    schema: LiftedSchema, examples: Examples, found: Sequence[Bindings], traces: Traces
) -> LiftedSchema:
    """Add the variables that no effect mentions but every transition needs.

    One new variable at a time; when no single one says anything, two together (the first of
    Satellite's `calibrate`, a satellite that carries the instrument, rules out nothing without
    the direction it points to). First variables that share a literal with a known one, then
    others (some hand must be free). A query is kept only on evidence (`dias.learning.evidence`);
    the strongest one that is not kept in the end becomes the schema's hint.

    Args:
        schema: The schema over the variables of its effects.
        examples: Its transitions.
        found: Per transition the bindings of those variables that explain it.
        traces: The traces that the transitions come from.
    """
    bindings = [list(own) for own in found]
    while schema.n_variables - schema.effects.n_variables < MAX_NEW_VARIABLES:
        evidence = Evidence(schema, traces)
        hint: Hint | None = None
        for linked, n_new in product((True, False), (1, 2)):
            queries = common_queries(examples, bindings, schema.n_variables, n_new, linked)
            best, runner_up = _best(queries, schema, n_new, evidence)
            if best is not None:
                break
            if runner_up and (hint is None or runner_up.log_chance < hint.log_chance):
                hint = runner_up
        else:
            return replace(schema, hint=hint)
        bindings = satisfying(examples, bindings, best, n_new, linked)
        schema = certify_bindings(schema.effects, examples, bindings, schema.n_variables + n_new)
    return schema


def _best(
    queries: list[Query], schema: LiftedSchema, n_new: int, evidence: Evidence
) -> tuple[Query | None, Hint | None]:
    """The query with the strongest evidence that suffices, and the strongest that does not."""
    best: tuple[float, Query] | None = None
    hint: Hint | None = None
    for query in queries[:MAX_TRIED]:
        narrow = replace(
            schema,
            n_variables=schema.n_variables + n_new,
            positive=(*schema.positive, *query),
        )
        chance = evidence.log_chance(narrow)
        limit = LOG_CHANCE
        if limit <= chance < LOG_CHANCE_REFUSED and evidence.refuted_by(narrow):
            limit = LOG_CHANCE_REFUSED
        if chance < limit:
            if best is None or chance < best[0]:
                best = chance, query
        elif chance < LOG_HINT and (hint is None or chance < hint.log_chance):
            hint = Hint(query, n_new, chance)
    return best[1] if best else None, hint
