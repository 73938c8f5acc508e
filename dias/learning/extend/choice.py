"""Chooses between complete explanations of the same steps by their score.

A search keeps what never fails under the bindings it has settled on. Which bindings that should be,
and whether a further variable is one too many, only shows in the schema that comes of it: so other
bindings are tried out, and what scores better stays. Negative literals count as far as they are
worth their cost, so that no accidental ones decide, and the steps of other actions count as well:
an agent that draws among the names might have taken the action there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from math import comb, inf
from typing import NamedTuple

import numpy as np

from dias.arrays import different_rows, distinct
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.explain.certify import certify_table
from dias.learning.extend.evidence import PassedOver
from dias.learning.finish.assemble import action_schema, over_terms
from dias.learning.schema import EQUAL, TYPE, LiftedSchema, literals_over
from dias.learning.score import MAX_CHECKS, ROUNDING, Scales, price_of_odd_step
from dias.limits import Allowance, OutOfWorkError, check
from dias.strips.model import ActionSchema
from dias.traces.record import Traces

MAX_FORCED = 100
"""Lost literals that are put back on trial, one after another."""


class Explanation(NamedTuple):
    """A schema and the bindings of all its variables that it holds under."""

    schema: LiftedSchema
    bindings: BindingTable


class Choice:
    """Explanations of the steps of one action, weighed against each other.

    Args:
        examples: The steps.
        found: Bindings that explain them; steps without any are not looked at.
        traces: The traces that they come from.
    """

    def __init__(self, examples: Examples, found: BindingTable, traces: Traces) -> None:
        self._examples, self._found, self._traces = examples, found, traces
        self._known: dict[ActionSchema, tuple[ActionSchema, float | None]] = {}

    @classmethod
    def among_all(cls, examples: Examples, traces: Traces) -> Choice:
        """One that looks at all steps of the action, whatever explains them."""
        return cls(examples, BindingTable.of([[()]] * len(examples.examples), 0), traces)

    @cached_property
    def _explained(self) -> np.ndarray:
        """``[n]`` the numbers of the steps that are looked at."""
        return distinct(self._found.owner)

    @cached_property
    def passed_over(self) -> PassedOver:
        """What it says that the action was not taken where it could have been."""
        return PassedOver.of(self._examples.action, self._traces)

    def score(self, schema: LiftedSchema, bindings: BindingTable | None = None) -> float:
        """Of a schema, without the negative literals that are not worth their cost, in nats.

        -inf if it leaves more steps than may be odd unexplained, or allows too much to be weighed.

        Args:
            schema: The schema.
            bindings: Some that it holds under, if they are known: that saves looking for them.
        """
        score = self._concise(schema, bindings)[1]
        return -inf if score is None else score

    def plain_score(self, schema: LiftedSchema) -> float:
        """The same of a schema with all its negative literals."""
        written = action_schema(schema, self._traces)
        score: float | None = None
        with suppress(OutOfWorkError):
            score = self._scales.score(written, Allowance(MAX_CHECKS))
        return -inf if score is None else score - self.passed_over.too_strict(written)

    def paid(self, schema: LiftedSchema) -> LiftedSchema:
        """The schema without the negative literals that are not worth their cost.

        Inequalities and types stay: no state is seen wrong in them.
        """
        others = [x for x in schema.negative if not x.relation.startswith((EQUAL, TYPE))]
        if not others:
            return schema
        left, terms = self._concise(schema)[0].negative_preconditions, schema.terms
        lost = {x for x in others if over_terms(x, terms) not in left}
        return replace(schema, negative=tuple(x for x in schema.negative if x not in lost))

    def _concise(
        self, schema: LiftedSchema, bindings: BindingTable | None = None
    ) -> tuple[ActionSchema, float | None]:
        written = action_schema(schema, self._traces)
        if written not in self._known:
            shown = None if bindings is None else np.isin(self._explained, bindings.owner)
            shorter, score = self._scales.concise(written, shown)
            if score is not None:
                score -= self.passed_over.too_strict(shorter)
            self._known[written] = shorter, score
        return self._known[written]

    @cached_property
    def _scales(self) -> Scales:
        """What schemas are weighed by; a few steps may have been seen wrong."""
        steps = [self._examples.examples[number].transition for number in self._explained]
        price, bonus = price_of_odd_step(self._traces), self.passed_over.log_chance
        return Scales(self._traces, steps, self._examples.constants, price, bonus)

    def explain(self, like: LiftedSchema, bindings: BindingTable) -> Explanation:
        """What never fails under some bindings, with the effects of a schema."""
        return Explanation(certify_table(like.effects, self._examples, bindings), bindings)

    def bind_anew(self, known: Explanation) -> Explanation:
        """The best that comes of putting lost literals back, as long as it becomes better."""
        while others := list(self.bound_anew(known)):
            best = max(others, key=lambda other: self.score(*other))
            if self.score(*best) <= self.score(*known) + ROUNDING:
                break
            known = best
        return known

    def bound_anew(self, known: Explanation) -> Iterator[Explanation]:
        """The explanations with a literal more, which every step allows under some binding.

        All inequalities count as one, too: without one of them the others may say little.
        """
        owner, rows = known.bindings
        _, first = np.unique(owner, return_index=True)
        if len(first) == len(owner):
            return
        n_variables = rows.shape[1]
        literals = literals_over(self._examples.arities, n_variables)
        truth = self._examples.truth(owner, rows, literals)
        n_pairs = comb(n_variables, 2)
        apart = np.flatnonzero(~truth[:, len(literals) - n_pairs :].any(axis=1))
        if len(apart) < len(owner) and len(distinct(owner[apart])) == len(first):
            yield self.explain(known.schema, known.bindings.where(apart))
        n_tried = 0
        for holds, kept in ((truth, known.schema.positive), (~truth, known.schema.negative)):
            possible = np.all(np.logical_or.reduceat(holds, first), axis=0)
            for number in np.flatnonzero(possible):
                check()
                if literals[number] not in kept and n_tried < MAX_FORCED:
                    n_tried += 1
                    yield self.explain(known.schema, known.bindings.where(holds[:, number]))

    def without_variables(self, known: Explanation, n_least: int, n_most: int) -> Explanation:
        """Without the further variables that are not worth their cost, the last ones first.

        Args:
            known: The explanation.
            n_least: The first variables, which stay.
            n_most: Variables after which they stay, too.
        """
        for variable in reversed(range(n_least, n_most)):
            owner, rows = known.bindings
            rest = np.delete(rows, variable, axis=1)
            both = different_rows(np.concatenate([owner[:, None], rest], axis=1))
            shorter = self.explain(known.schema, BindingTable(both[:, 0], both[:, 1:]))
            if self.score(*shorter) >= self.score(*known):
                known = shorter
        return known
