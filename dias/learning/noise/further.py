"""Precondition-only variables under noise.

`dias.learning.noise.candidates` says which queries come into question, `dias.learning.noise.odds`
whether they hold nearly always and whether anything speaks for them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dias.learning.bindings import Effects
from dias.learning.certify import LiftedSchema
from dias.learning.examples import BindingTable, Example, Examples, LiftedAtom, lifted_atoms
from dias.learning.extend import LOG_CHANCE, LOG_HINT, MAX_NEW_VARIABLES
from dias.learning.noise.binding import BoundAction, settle, sure_bindings
from dias.learning.noise.candidates import SAMPLE, improved_queries, sampled_queries
from dias.learning.noise.climb import Climb
from dias.learning.noise.denoise import generous
from dias.learning.noise.observations import Observations
from dias.learning.noise.odds import NoisyEvidence
from dias.learning.noise.rebind import rank_bindings
from dias.learning.noise.roles import ALWAYS, NEVER, FlipRates, Verdict
from dias.learning.noise.weights import background, weights
from dias.learning.origin import Hint
from dias.learning.queries import Query, satisfying
from dias.traces.record import Traces

N_CHECKED = 150
"""Transitions that every query is checked on."""

MIN_SHARE = 0.95
"""Share of the transitions in which a query must hold."""

MAX_LOST = 1 / (10 * SAMPLE)
"""Chance that the right binding of a transition is left out: a sample seldom lacks one then."""

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
        hint=bound.hint,
    )


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
    n_first, by_noise = bound.n_variables, _by_noise(bound, traces, rates)
    examples = Examples(bound.action, dict(seen.arities), generous(seen, corrected, bound.rows))
    while bound.n_variables - n_first < MAX_NEW_VARIABLES:
        literals = weights(
            bound.verdicts, rates, background(totals, bound.verdicts, len(bound.rows))
        )
        evidence = _evidence(seen, bound, examples, traces, literals)
        search = _Search(
            seen, bound, examples, _bindings(seen, bound, literals), evidence, by_noise
        )
        best, hint = search.best()
        if best is None:
            return replace(bound, hint=hint)
        query, n_new = best.hint.query, best.hint.n_new
        always = {atom: Verdict(ALWAYS, np.ones(1)) for atom in query}
        never = {atom: Verdict(NEVER, np.ones(1)) for atom in best.never}
        bound = replace(
            bound,
            n_variables=bound.n_variables + n_new,
            required=bound.required | frozenset(query),
            verdicts=bound.verdicts | always | never,
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


def _evidence(
    seen: Observations,
    bound: BoundAction,
    examples: Examples,
    traces: Traces,
    literals: Mapping[LiftedAtom, np.ndarray],
) -> NoisyEvidence:
    """What narrower schemas are weighed by."""
    every = _step(bound)
    checked = replace(examples, examples=examples.examples[::every])
    effects = {
        atom: table
        for atom, table in literals.items()
        if bound.verdicts[atom].role.adds or bound.verdicts[atom].role.deletes
    }
    places = range(0, len(bound.rows), every)
    rows = bound.rows[::every].tolist()
    return NoisyEvidence(lifted_schema(bound), traces, checked, places, rows, seen, effects)


def _step(bound: BoundAction) -> int:
    """Every how many transitions one is checked."""
    return -(-len(bound.rows) // N_CHECKED)


def _is_doubtful(bound: BoundAction) -> bool:
    """Whether the bindings of most transitions are in doubt."""
    return len(sure_bindings(bound)[0]) < len(bound.rows) / 2


def _bindings(
    seen: Observations, bound: BoundAction, literals: Mapping[LiftedAtom, np.ndarray]
) -> BindingTable:
    """The bindings that come into question, transition by transition, the likeliest first."""
    ranked = bound.ranked
    assert ranked is not None
    if _is_doubtful(bound):
        ranked = rank_bindings(seen, bound.rows, literals, bound.n_variables, bound.n_given, WIDTH)
    share = np.cumsum(ranked.posterior(), axis=1)
    n_kept = 1 + (share < 1 - MAX_LOST).sum(1)
    owner, place = np.nonzero(np.arange(share.shape[1]) < n_kept[:, None])
    return BindingTable(owner, ranked.bindings[owner, place])


class _Found(NamedTuple):
    """New variables, and the literals that nearly never hold of them."""

    hint: Hint
    never: tuple[LiftedAtom, ...]

    @property
    def log_chance(self) -> float:
        """Log of the chance that the steps obeyed all this by accident."""
        return self.hint.log_chance


class _Search(NamedTuple):
    """The search for new variables.

    Attributes:
        seen: The observations.
        bound: The action.
        examples: Its transitions, put right.
        bindings: The bindings of the variables so far that come into question.
        evidence: What narrower schemas are weighed by.
        by_noise: Log chance that noise alone may bring about.
    """

    seen: Observations
    bound: BoundAction
    examples: Examples
    bindings: BindingTable
    evidence: NoisyEvidence
    by_noise: float

    def best(self) -> tuple[_Found | None, Hint | None]:
        """The new variables that most speaks for, and a hint at some if none suffice."""
        hints = []
        for linked in (True, False):
            best = None
            for n_new in (1, 2):
                if best is not None and not _is_doubtful(self.bound):
                    break
                found = self._best_query(n_new, linked)
                if found is None:
                    continue
                if found.log_chance >= LOG_CHANCE:
                    hints.append(found.hint)
                elif best is None or found.log_chance < best.log_chance + LOG_CHANCE:
                    best = found  # what the second variable adds must be believed by itself
            if best is not None:
                return best, None
        return None, min(hints, key=lambda hint: hint.log_chance, default=None)

    def _best_query(self, n_new: int, linked: bool) -> _Found | None:
        """The query with the strongest evidence, None if nothing speaks for any."""
        schema, evidence = lifted_schema(self.bound), self.bound.evidence
        assert evidence is not None
        queries = sampled_queries(self.examples, self.bindings, evidence, n_new, linked)
        if queries and _is_doubtful(self.bound):
            asked = schema.n_variables, n_new, linked
            climb = Climb(self.seen, self.examples, self.evidence.choices, *asked)
            queries = improved_queries(queries, climb)
        best: _Found | None = None
        for query in queries:
            # With what nearly never holds it may rule out more; but noise strikes that, too.
            for never in dict.fromkeys(((), self._never(query, n_new, linked))):
                narrow = replace(
                    schema,
                    n_variables=schema.n_variables + n_new,
                    positive=(*schema.positive, *query),
                    negative=(*schema.negative, *never),
                )
                odds = self.evidence.odds(narrow)
                if odds.n_missed > (1 - MIN_SHARE) * odds.n_steps:
                    continue
                log_chance = odds.log_chance - self.by_noise
                if log_chance < LOG_HINT and (best is None or log_chance < best.log_chance):
                    best = _Found(Hint(query, n_new, log_chance), never)
        return best

    def _never(self, query: Query, n_new: int, linked: bool) -> tuple[LiftedAtom, ...]:
        """What nearly never holds of new variables that satisfy a query.

        A query cannot say it, but it may be what rules out the others (an anchor that nobody
        holds).
        """
        asked = self.bindings.where(self.bindings.owner % _step(self.bound) == 0)
        rows = satisfying(self.examples, asked, query, n_new, linked)
        n_known = self.bound.n_variables
        literals = [
            atom
            for atom in lifted_atoms(self.examples.arities, n_known + n_new)
            if any(v >= n_known for v in atom.variables) and atom not in query
        ]
        fails = ~self.examples.truth(*rows, literals)
        start = np.flatnonzero(np.diff(rows.owner, prepend=-1))
        if not len(start):
            return ()
        # What fails of nearly all of them tells none from the others.
        seldom = (fails.mean(0) < MIN_SHARE) & (
            np.logical_or.reduceat(fails, start).mean(0) >= MIN_SHARE
        )
        # In every transition the new objects of which most of that fails.
        order = np.lexsort((-fails[:, seldom].sum(1), rows.owner))
        seldom &= fails[order[start]].mean(0) >= MIN_SHARE
        return tuple(atom for atom, kept in zip(literals, seldom, strict=True) if kept)
