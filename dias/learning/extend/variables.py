"""Adds precondition-only variables to a schema, as long as the transitions ask for them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import islice, product
from math import inf, log
from typing import NamedTuple

from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.explain.bindings import bind
from dias.learning.explain.certify import certify_table
from dias.learning.explain.odd_steps import without_odd_steps
from dias.learning.extend.choice import Choice, Explanation
from dias.learning.extend.evidence import LOG_CHANCE, Evidence
from dias.learning.extend.queries import Query, common_queries, satisfying
from dias.learning.propose.paid_effects import paid_effects
from dias.learning.propose.trim import minimal_effects
from dias.learning.schema import (
    DIFFERENT,
    EQUAL,
    NETWORK,
    Effects,
    Hint,
    LiftedAtom,
    LiftedSchema,
    Origin,
    atoms_over_new,
)
from dias.learning.score import MARGIN, ROUNDING
from dias.traces.record import Traces

MAX_NEW_VARIABLES = 4
"""Precondition-only variables of one schema at most."""

N_SAMPLED = 256
"""Transitions that queries are looked for in first."""

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
        effects = paid_effects(minimal_effects(proposal, examples), examples, traces)
    found = BindingTable.of(bind(effects, examples), effects.n_variables)
    schema = certify_table(effects, examples, found)
    schema, found = without_odd_steps(schema, examples, found, traces)
    if "extra-variables" not in without:
        schema = add_precondition_variables(schema, examples, found, traces)
    n_dropped = len(proposal.add + proposal.delete) - len(effects.add + effects.delete)
    n_merged = proposal.n_variables - effects.n_variables
    return replace(schema, origin=origin._replace(n_dropped=n_dropped, n_merged=n_merged))


def add_precondition_variables(
    schema: LiftedSchema, examples: Examples, found: BindingTable, traces: Traces
) -> LiftedSchema:
    """Add the variables that no effect mentions but every transition needs.

    First the known ones are bound anew where other bindings make a better schema. Then one new
    variable at a time; when no single one says anything, two together (the first of Satellite's
    `calibrate`, a satellite that carries the instrument, rules out nothing without the direction
    it points to). First variables that share a literal with a known one, then others (some hand
    must be free). A query is kept if the schema scores better with it, and variables go that it
    makes idle. One that is kept, or not, by less than `MARGIN` is named (`hint`, `doubtful`).

    Args:
        schema: The schema over the variables of its effects.
        examples: Its transitions.
        found: The bindings of those variables that explain them.
        traces: The traces that the transitions come from.
    """
    choice, n_effects = Choice(examples, found, traces), schema.effects.n_variables
    schema, bindings = choice.bind_anew(Explanation(schema, found))
    doubtful: Hint | None = None
    while schema.n_variables - n_effects < MAX_NEW_VARIABLES:
        evidence = Evidence(schema, traces, coded=choice.coded)
        hint: Hint | None = None
        for linked, n_new in product((True, False), (1, 2)):
            # What every transition satisfies, those of a sample satisfy too, and a larger query
            # rules out more: where the sample's largest say nothing, no other has to be looked at.
            for asked in (*_samples(bindings, len(examples.examples)), bindings):
                search = _Search(examples, asked, schema, n_new, linked)
                best, runner_up = search.best(evidence, choice, at_least=asked is not bindings)
                if best is None:
                    break
            if best is not None:
                break
            if runner_up and (hint is None or runner_up.log_chance < hint.log_chance):
                hint = runner_up
        else:
            return replace(schema, hint=hint, doubtful=doubtful)
        n_known, n_new = schema.n_variables, best.schema.n_variables - schema.n_variables
        # A single new variable is worth its cost; of two, one may do.
        n_most = n_known + (n_new if n_new > 1 else 0)
        schema, bindings = best.schema, best.bindings
        if not evidence.has_refused:  # which the score knows nothing of
            known = Explanation(schema, bindings)
            schema, bindings = choice.without_variables(known, n_effects, n_most)
        doubtful = None
        if 0 < best.gain < MARGIN and schema is best.schema:
            query = tuple(x for x in schema.positive if any(v >= n_known for v in x.variables))
            doubtful = Hint(query, n_new, -best.gain)
    return replace(schema, doubtful=doubtful)


def _samples(bindings: BindingTable, n_transitions: int) -> Iterator[BindingTable]:
    """The bindings of an even share of the transitions; none if all are that few."""
    every = -(-n_transitions // N_SAMPLED)
    if every > 1:
        yield bindings.where(bindings.owner % every == 0)


class _Extended(NamedTuple):
    """A schema with new variables, its nats above one without, and the bindings of all of them."""

    gain: float
    schema: LiftedSchema
    bindings: BindingTable


class _Search(NamedTuple):
    """The search for new variables of one kind.

    Attributes:
        examples: The transitions.
        bindings: The bindings of the variables so far; transitions without any are not asked.
        schema: The schema so far.
        n_new: How many new variables.
        linked: Whether they are linked to the others (`dias.learning.extend.queries`).
    """

    examples: Examples
    bindings: BindingTable
    schema: LiftedSchema
    n_new: int
    linked: bool

    def best(
        self, evidence: Evidence, choice: Choice, at_least: bool
    ) -> tuple[_Extended | None, Hint | None]:
        """The extension that is best, if it is better than none, and a hint at one that is not.

        Args:
            evidence: What tells those that may be better.
            choice: What weighs these.
            at_least: The bindings are a sample's, so nothing can be weighed: the first extension
                that may be better is returned.
        """
        best: _Extended | None = None
        hint: Hint | None = None
        found = common_queries(self.examples, self.bindings, self.n_new, self.linked)
        queries = (query for query in found if not self._is_idle(query))
        for query in islice(queries, MAX_TRIED):
            extended = self._extended(query)
            chance = evidence.log_chance(extended.schema, at_least)
            if chance >= (-self._price if at_least else LOG_HINT):
                continue
            if at_least:
                return extended._replace(gain=-chance), None
            without = choice.score(self.schema)
            gain = LOG_CHANCE - chance
            if without > -inf:
                gain = choice.score(extended.schema) - without
            is_refuted = chance < LOG_CHANCE_REFUSED and evidence.refuted_by(extended.schema)
            if gain > ROUNDING or is_refuted:
                if best is None or gain > best.gain:
                    best = extended._replace(gain=gain)
                continue
            if gain > -MARGIN and (hint is None or chance < hint.log_chance):
                hint = Hint(query, self.n_new, chance)
        return best, hint

    @property
    def _price(self) -> float:
        """What it takes to say which atoms bind the new variables, in nats."""
        atoms = atoms_over_new(self.examples.arities, self.schema.n_variables, self.n_new)
        return self.n_new * log(max(1, len(atoms)))

    def _is_idle(self, query: Query) -> bool:
        """Whether some variable of the schema, or the other new one, may stand for a new one."""
        n_known, every = self.schema.n_variables, range(self.schema.n_variables + self.n_new)
        same = [*every]  # in place of variables that are one object the first of them
        for atom in self.schema.positive:
            if atom.relation == EQUAL:
                one, other = atom.variables
                same[other] = same[one]
        apart = (
            LiftedAtom(DIFFERENT, pair)
            for relation, pair in self.schema.negative
            if relation == EQUAL
        )
        known = (*self.schema.positive, *apart, *query)
        holds = {_ordered(atom.renamed(same)) for atom in known}
        for new, other in product(every[n_known:], every):
            place = [same[other if v == new else v] for v in every]
            if other != new and all(_ordered(atom.renamed(place)) in holds for atom in query):
                return True
        return False

    def _extended(self, query: Query) -> _Extended:
        """The schema with all that never fails once the new variables satisfy a query.

        That includes what a query cannot say: what the new objects must not be (an anchor that
        nobody holds).
        """
        rows = satisfying(self.examples, self.bindings, query, self.n_new, self.linked)
        schema = certify_table(self.schema.effects, self.examples, rows)
        return _Extended(0.0, schema, rows)


def _ordered(atom: LiftedAtom) -> LiftedAtom:
    """The atom; that two variables differ is said in one order."""
    if atom.relation == DIFFERENT:
        return atom._replace(variables=tuple(sorted(atom.variables)))
    return atom
