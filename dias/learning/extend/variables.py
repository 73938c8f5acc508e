"""From effects to a whole schema; precondition-only variables as long as the transitions ask."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import chain, product
from math import inf

from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.explain.at_once import bind
from dias.learning.explain.certify import certify_table
from dias.learning.explain.odd_steps import without_odd_steps
from dias.learning.extend.ahead import look_ahead
from dias.learning.extend.choice import Choice, Explanation
from dias.learning.extend.evidence import Evidence
from dias.learning.extend.queries import Query
from dias.learning.extend.search import Extended, Search
from dias.learning.extend.second_ways import second_ways
from dias.learning.propose.trim import minimal_effects, paid_effects
from dias.learning.schema import NETWORK, Effects, Hint, LiftedSchema, Origin, about_new
from dias.learning.score import MARGIN, ROUNDING, max_odd
from dias.limits import Attempts, check
from dias.traces.record import Traces

MAX_NEW_VARIABLES = 4
"""Precondition-only variables of one schema at most."""

PAIR = 2
"""New variables that are looked for together."""

KINDS = (*product((True, False), (1, PAIR), (False,)), (False, 1, True), (True, 1, True))
"""What is searched for, one after another: whether new variables are linked to known ones, how many
they are, and whether what does not hold of them matters; last whether what does not hold of them
and known ones does."""


def complete(
    proposal: Effects,
    examples: Examples,
    traces: Traces,
    without: Collection[str] = (),
    origin: Origin = NETWORK,
    is_exact: bool = True,
    attempts: Attempts | None = None,
) -> LiftedSchema:
    """Effects to a whole schema: fewest effects, all preconditions, further variables.

    Args:
        proposal: The effects.
        examples: The transitions of the action.
        traces: All transitions.
        without: What to leave out (`dias.config.PARTS`).
        origin: Where the effects come from.
        is_exact: Whether the transitions are as they were seen, not put right.
        attempts: What may be left undone for want of time is tried as one of these.
    """
    effects, name = proposal, examples.action
    attempts = attempts or Attempts()
    paid = effects
    if "minimal-effects" not in without:
        with attempts.at("fewer effects", name):
            check()
            effects = paid = minimal_effects(proposal, examples)
            if is_exact:  # steps put right leave out those in which it is not sure what was changed
                paid = paid_effects(effects, examples, traces)
    schema = _whole(paid, examples, traces, without, is_exact, attempts)
    n_steps = len(examples.examples)

    def has_odd(schema: LiftedSchema) -> bool:
        return is_exact and 0 < n_steps - schema.n_certain <= max_odd(n_steps)

    # These leave fewer steps; what comes later may turn the scale.
    rivals = [(effects, True)] if paid != effects else []
    rivals += [(paid, False)] if has_odd(schema) else []
    for own, may_be_odd in rivals:
        with attempts.at("odd steps", name):
            check()
            other = _whole(own, examples, traces, without, is_exact, Attempts(), may_be_odd)
            rivals += [(own, False)] if may_be_odd and has_odd(other) else []
            choice = Choice.among_all(examples, traces)
            best, score = choice.score(schema), choice.score(other)
            if score > -inf and score >= best - ROUNDING:
                schema = other
    effects = schema.effects
    n_dropped = len(proposal.add + proposal.delete) - len(effects.add + effects.delete)
    n_merged = proposal.n_variables - effects.n_variables
    return replace(schema, origin=origin._replace(n_dropped=n_dropped, n_merged=n_merged))


def _whole(
    effects: Effects,
    examples: Examples,
    traces: Traces,
    without: Collection[str],
    is_exact: bool,
    attempts: Attempts,
    may_be_odd: bool = True,
) -> LiftedSchema:
    """The whole schema of effects that stay as they are: arguments of `complete`.

    Unless steps `may_be_odd`, the preconditions and further variables leave none out.
    """
    name = examples.action
    schema = LiftedSchema(name, effects, effects.n_variables, constants=examples.constants)
    with attempts.needed("preconditions", name):
        check()
        found = BindingTable.of(bind(effects, examples), effects.n_variables)
        schema = certify_table(effects, examples, found)
        if may_be_odd:
            with attempts.at("odd steps", name):
                check()
                schema, found = without_odd_steps(schema, examples, found, traces)
        if "extra-variables" not in without:
            with attempts.at("further parameters", name):
                check()
                for better in with_variables(schema, examples, found, traces, is_exact, may_be_odd):
                    schema = better
    return schema


def _obeying(schema: LiftedSchema, examples: Examples, bindings: BindingTable) -> BindingTable:
    """The bindings that obey the positive literals of a schema; every step keeps some."""
    left = bindings
    for literal in schema.positive:
        left = left.where(examples.truth(*left, [literal])[:, 0])
    return left


def with_variables(
    schema: LiftedSchema,
    examples: Examples,
    found: BindingTable,
    traces: Traces,
    is_exact: bool = True,
    may_be_odd: bool = True,
) -> Iterator[LiftedSchema]:
    """The schema as it gets the variables that no effect mentions but every transition needs.

    First the known ones are bound anew where other bindings make a better schema. Then one new
    variable at a time; when no single one says anything, two together (the first of Satellite's
    `calibrate`, a satellite that carries the instrument, rules out nothing without the direction
    it points to). First variables that share a literal with a known one, then others (some hand
    must be free); where masks say what is applicable, the better of both. Where none pays, a pair
    that says nothing may lead to one that does (`look_ahead`). A query is kept if the
    schema scores better with it, and variables go that it makes idle. One that is kept, or not, by
    less than `MARGIN` is named (`hint`, `doubtful`).

    Args:
        schema: The schema over the variables of its effects.
        examples: Its transitions.
        found: The bindings of those variables that explain them.
        traces: The traces that the transitions come from.
        is_exact: Whether the transitions are as they were seen, not put right.
        may_be_odd: Whether further variables may leave a few exact steps unexplained.
    """
    choice, n_effects = Choice(examples, found, traces), schema.effects.n_variables
    schema, bindings = choice.bind_anew(Explanation(schema, found))
    doubtful: Hint | None = None
    while True:
        yield replace(schema, doubtful=doubtful)
        if schema.n_variables - n_effects >= MAX_NEW_VARIABLES:
            return
        bindings = _obeying(schema, examples, bindings)
        evidence = Evidence(schema, traces)
        best: Extended | None = None
        hint: Hint | None = None
        searches = [
            Search(
                *(examples, bindings, schema, n_new, linked, evidence, choice, is_exact, negative),
                *(may_be_odd, [], {}),
            )
            for linked, n_new, negative in KINDS
            if is_exact or not negative
        ]
        for search in searches:
            if best is not None and search.n_new > 1:
                continue
            own, runner_up = search.run()
            if own is not None and (best is None or own.gain > best.gain):
                best = own
            if best is not None and not evidence.has_masks:
                break
            if runner_up and (hint is None or runner_up.log_chance < hint.log_chance):
                hint = runner_up
        if best is None:
            yield replace(schema, hint=hint, doubtful=doubtful)
        n_left = MAX_NEW_VARIABLES - (schema.n_variables - n_effects)
        ahead: Query | None = None
        if best is None and n_left > PAIR:
            [in_pairs] = (own for own in searches if own.linked and own.n_new == PAIR)
            best, own_hint, ahead = look_ahead(in_pairs)
            hint = hint or own_hint
        if best is None:
            yield replace(schema, hint=hint, doubtful=doubtful)
            if not evidence.is_said:
                asked = dict.fromkeys(chain.from_iterable(one.untested() for one in searches))
                if ahead:
                    asked = {ahead: None, **asked}
                further = tuple(query for query in asked if hint is None or query != hint.query)
                schema = replace(schema, hint=hint, doubtful=doubtful, further=further)
                yield schema
            ways = second_ways(choice, Explanation(schema, bindings))
            yield replace(schema, hint=hint, doubtful=doubtful, second_ways=tuple(ways))
            return
        n_known, n_new = schema.n_variables, best.schema.n_variables - schema.n_variables
        # A single new variable is worth its cost; of two, one may do.
        n_most = n_known + (n_new if n_new > 1 else 0)
        schema, bindings = best.schema, best.bindings
        if not evidence.has_refused:  # which the score knows nothing of
            known = Explanation(schema, bindings)
            schema, bindings = choice.without_variables(known, n_effects, n_most)
        doubtful = None
        if 0 < best.gain < MARGIN and schema is best.schema:
            doubtful = Hint(about_new(schema.positive, n_known), n_new, -best.gain)
