"""The search for precondition-only variables under noise.

`dias.learning.noise.extend.candidates` says which queries come into question,
`dias.learning.noise.extend.odds` whether they hold nearly always and whether anything speaks for
them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.extend.evidence import LOG_CHANCE
from dias.learning.extend.queries import Query, satisfying
from dias.learning.extend.variables import LOG_HINT
from dias.learning.noise.bind.binding import BoundAction, lifted_schema
from dias.learning.noise.extend.candidates import improved_queries, sampled_queries
from dias.learning.noise.extend.climb import Climb
from dias.learning.noise.extend.odds import NoisyEvidence
from dias.learning.noise.observations import Observations
from dias.learning.schema import Hint, LiftedAtom, atoms_over_new, comparisons

N_CHECKED = 150
"""Transitions that every query is checked on."""

MIN_SHARE = 0.95
"""Share of the transitions in which a query must hold."""


def every_nth(bound: BoundAction) -> int:
    """One in how many transitions is checked."""
    return -(-len(bound.action.rows) // N_CHECKED)


def is_doubtful(bound: BoundAction) -> bool:
    """Whether the bindings of most transitions are in doubt."""
    return len(bound.sure_bindings()[0]) < len(bound.action.rows) / 2


class Found(NamedTuple):
    """New variables, and the literals that nearly never hold of them."""

    hint: Hint
    never: tuple[LiftedAtom, ...]

    @property
    def log_chance(self) -> float:
        """Log of the chance that the steps obeyed all this by accident."""
        return self.hint.log_chance


class Search(NamedTuple):
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

    def best(self) -> tuple[Found | None, Hint | None]:
        """The new variables that most speaks for, and a hint at some if none suffice."""
        hints = []
        for linked in (True, False):
            best = None
            for n_new in (1, 2):
                if best is not None and not is_doubtful(self.bound):
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

    def _best_query(self, n_new: int, linked: bool) -> Found | None:
        """The query with the strongest evidence, None if nothing speaks for any."""
        schema, evidence = lifted_schema(self.bound), self.bound.evidence
        queries = sampled_queries(self.examples, self.bindings, evidence, n_new, linked)
        if queries and is_doubtful(self.bound):
            asked = schema.n_variables, n_new, linked
            climb = Climb(self.seen, self.examples, self.evidence.choices, *asked)
            queries = improved_queries(queries, climb)
        best: Found | None = None
        for query in queries:
            # The search binds variables to different objects.
            apart = comparisons(schema.n_variables + n_new, schema.n_variables)
            # With what nearly never holds it may rule out more; but noise strikes that, too.
            for never in dict.fromkeys(((), self._never(query, n_new, linked))):
                narrow = replace(
                    schema,
                    n_variables=schema.n_variables + n_new,
                    positive=(*schema.positive, *query),
                    negative=(*schema.negative, *never, *apart),
                )
                odds = self.evidence.odds(narrow)
                if odds.n_missed > (1 - MIN_SHARE) * odds.n_steps:
                    continue
                log_chance = odds.log_chance - self.by_noise
                if log_chance < LOG_HINT and (best is None or log_chance < best.log_chance):
                    best = Found(Hint(query, n_new, log_chance), never)
        return best

    def _never(self, query: Query, n_new: int, linked: bool) -> tuple[LiftedAtom, ...]:
        """What nearly never holds of new variables that satisfy a query.

        A query cannot say it, but it may be what rules out the others (an anchor that nobody
        holds).
        """
        asked = self.bindings.where(self.bindings.owner % every_nth(self.bound) == 0)
        rows = satisfying(self.examples, asked, query, n_new, linked, injective=True)
        atoms = atoms_over_new(self.examples.arities, self.bound.action.n_variables, n_new)
        literals = [atom for atom in atoms if atom not in query]
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
