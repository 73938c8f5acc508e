"""Is a precondition-only variable real, or a group of literals? What the transitions say.

Compare the schema without the query (wide) and with it (narrow) in the visited states:

- Where the action was taken, the wide schema allows k successors, the narrow one k′ < k, and the
  observed one is among the k′. Had all k been possible, a random policy would have stayed within
  the k′ with probability k′/k.
- Where the action was not taken, the wide schema allows it and the narrow one does not. Had it
  been applicable, a policy that draws among the A action names would have passed it over with
  probability 1 - 1/A at most. Steps after the last transition of the action in a problem do not
  count: where
  only so many transitions of an action are kept, as in the paper, that it was taken there would
  not have been written down.
- Where the action was tried and refused, the wide schema allows the attempt and the narrow one does
  not. A query that rules out k - k′ of k successors for no good reason would have ruled out the
  attempt too with probability (k - k′)/(k + 1); the one more stands for the attempt itself.
- Where a mask says what is applicable (`dias.learning.data.masks`), nothing has to be guessed. The
  wide schema allows what is refused in r states, and in b of them the narrow one does not. Had the
  query nothing to do with that, those b might as well be any of r + o states, where o are those in
  which the wide schema allows all that is listed: the chance is C(r, b)/C(r + o, b). A state in
  which the action was taken is one of the o if it does not count above, since the query rules out
  nothing there. A state in which it rules out all that is listed has the price of a wrong mask.

The product over all steps is the chance that the query holds by accident: the smaller, the surer.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from dias.arrays import spread
from dias.learning.data.masks import allows_unlisted, lacks_listed, price_of_mask
from dias.learning.data.refusals import attempts_at, is_decisive
from dias.learning.data.replay import CodedStates, SchemaInTraces
from dias.learning.finish.assemble import action_schema
from dias.learning.schema import LiftedSchema, Literal, preconditions, without_literals
from dias.learning.score import MAX_OUTCOMES
from dias.limits import Check
from dias.strips.model import ActionSchema, Atom
from dias.traces.record import ActionMask, RefusedAction, Traces, Transition

LOG_CHANCE = -14.0
"""What cannot be weighed otherwise is believed if its chance of being obeyed by accident is below
e⁻¹⁴, one in a million."""

MAX_STATES = 2000
"""States looked at where the action was taken, and as many where it was not."""


MAX_REFUTED = 8
"""Preconditions of one schema that are given up since masks refute them."""


class Visits(NamedTuple):
    """A state that was visited.

    Attributes:
        transition: One of the transitions from it.
        n_steps: Steps taken from it.
        n_wide: Successors that the wide schema allows in it; where the action was not taken it
            only matters that there are any, and 1 stands for them.
    """

    transition: Transition
    n_steps: int
    n_wide: int


class Evidence:
    """Weighs schemas that are narrower than a given one.

    Args:
        schema: The wide schema.
        traces: All transitions, those of other actions too, and the refused attempts.
        max_states: States looked at where the action was taken, and as many where it was not,
            spread evenly.
        weigh_taken: Whether the steps of the action count too, not only where it was not taken.
        coded: The coded states of the traces, to be shared; None for new ones.
    """

    def __init__(
        self,
        schema: LiftedSchema,
        traces: Traces,
        max_states: int = MAX_STATES,
        weigh_taken: bool = True,
        coded: CodedStates | None = None,
    ) -> None:
        self._traces = traces
        self._log_passed_over = math.log(1 - 1 / max(2, len(traces.actions)))
        self._coded = coded or CodedStates(traces)
        wide = SchemaInTraces(action_schema(schema, traces), traces, self._coded)
        self._masks = spread(traces.masks_of(schema.action), max_states)
        self._wide = wide
        masked = {(own.mask.segment, own.mask.state) for own in self._masks}
        taken = [(t, t.count) for t in traces.transitions if t.action == schema.action]
        self._taken_in = {(t.segment, t.state) for t, _ in taken}
        last = last_lines(t for t, _ in taken)
        other = [
            (t, t.steps_until(last.get(t.segment, 0)))
            for t in traces.transitions
            if t.action != schema.action and (t.segment, t.state) not in masked
        ]
        if not weigh_taken:
            taken = []
        self._taken = _visits(
            taken, lambda visit: len(wide.changes(visit, MAX_OUTCOMES)), max_states
        )
        self._passed_over = _visits(other, wide.is_applicable, max_states)
        self._refused: list[tuple[RefusedAction, int]] = []
        if is_decisive(schema.arity, traces.labels):
            attempts = attempts_at(schema.action, traces)[:max_states]
            self._refused = [(a, len(wide.changes(a))) for a in attempts if wide.allows(a)]

    def log_chance(self, narrow: LiftedSchema, at_least: bool = False) -> float:
        """Log of the chance that the steps obeyed the narrower schema by accident.

        Above 0 where the other schema is not narrower, but allows more.

        Args:
            narrow: The narrower schema.
            at_least: Do not take it that every step obeyed `narrow`, and return a lower bound of
                the chance for all schemas that lie between it and the wide one: where it allows
                nothing, such a schema allows one successor at least.
        """
        applied = SchemaInTraces(action_schema(narrow, self._traces), self._traces, self._coded)
        floor = int(at_least)
        total, n_idle = 0.0, 0
        for visits in self._taken:
            n_narrow = max(floor, len(applied.changes(visits.transition, MAX_OUTCOMES)))
            if n_narrow:
                total += visits.n_steps * math.log(n_narrow / visits.n_wide)
            n_idle += n_narrow == visits.n_wide
        for visits in self._passed_over:
            if not applied.is_applicable(visits.transition):
                total += visits.n_steps * self._log_passed_over
        for attempt, n_wide in self._refused:
            if not applied.allows(attempt):
                n_ruled_out = n_wide - len(applied.changes(attempt))
                total += math.log(max(1, n_ruled_out) / (n_wide + 1))
        return total + self._log_chance_of_masks(applied, n_idle, at_least)

    def _log_chance_of_masks(self, applied: SchemaInTraces, n_idle: int, at_least: bool) -> float:
        """The same of what the masks say alone.

        Args:
            applied: The narrower schema.
            n_idle: States in which the action was taken and it rules out nothing.
            at_least: As for `log_chance`.
        """
        if not self._masks:
            return 0.0
        n_blocked = sum(not allows_unlisted(applied, own) for own in self._refusing)
        n_wrong = 0 if at_least else sum(lacks_listed(applied, own) for own in self._allowing)
        n_open = n_idle + sum(
            (own.mask.segment, own.mask.state) not in self._taken_in for own in self._allowing
        )
        n_refusing = len(self._refusing)
        return (
            _log_choices(n_refusing, n_blocked)
            - _log_choices(n_refusing + n_open, n_blocked)
            + n_wrong * price_of_mask(self._traces)
        )

    @cached_property
    def _refusing(self) -> list[ActionMask]:
        """The masks against which the wide schema allows something."""
        return [own for own in self._masks if allows_unlisted(self._wide, own)]

    @cached_property
    def _allowing(self) -> list[ActionMask]:
        """The masks of which the wide schema allows all that they list, and they list something."""
        return [own for own in self._masks if own.listed and not lacks_listed(self._wide, own)]

    @property
    def has_masks(self) -> bool:
        """Whether masks say something of the action."""
        return bool(self._masks)

    @property
    def has_refused(self) -> bool:
        """Whether there are refused attempts that the wide schema allows, masks not counted."""
        return bool(self._refused)

    def passed_over(self, schema: ActionSchema, check: Check | None = None) -> float:
        """Log of the chance that the action was not taken where it could have been; at most 0.

        Each mask against which the schema allows something has its price. `check` is called again
        and again; it may raise to end that.
        """
        applied = SchemaInTraces(schema, self._traces, self._coded, check)
        return self._log_passed_over * sum(
            visits.n_steps
            for visits in self._passed_over
            if applied.is_applicable(visits.transition)
        ) - price_of_mask(self._traces) * sum(allows_unlisted(applied, own) for own in self._masks)

    def too_strict(self, schema: ActionSchema) -> float:
        """The price of the masks of which a schema does not allow what they list; at least 0."""
        if not self._masks:
            return 0.0
        applied = SchemaInTraces(schema, self._traces, self._coded)
        return price_of_mask(self._traces) * sum(lacks_listed(applied, own) for own in self._masks)

    def refuted_by(self, narrow: LiftedSchema) -> int:
        """Refused attempts, and masks, that the wide schema contradicts and the narrow one not."""
        applied = SchemaInTraces(action_schema(narrow, self._traces), self._traces, self._coded)
        return sum(not applied.allows(attempt) for attempt, _ in self._refused) + sum(
            not allows_unlisted(applied, own) for own in self._refusing
        )

    def refuted(self, narrow: LiftedSchema) -> list[Literal]:
        """Preconditions that alone rule out all that a mask lists, where the wide schema does not.

        One after another, those first that do so against most masks; `MAX_REFUTED` at most.
        """
        found: list[Literal] = []

        def lacking(schema: LiftedSchema, masks: Sequence[ActionMask]) -> list[ActionMask]:
            written = action_schema(schema, self._traces)
            applied = SchemaInTraces(written, self._traces, self._coded)
            return [own for own in masks if lacks_listed(applied, own)]

        left = lacking(narrow, self._allowing)
        while left and len(found) < MAX_REFUTED:
            literals = preconditions(narrow)
            others = {x: lacking(without_literals(narrow, [x]), left) for x in literals}
            best = min(literals, key=lambda literal: len(others[literal]))
            if len(others[best]) == len(left):
                break
            left, narrow = others[best], without_literals(narrow, [best])
            found.append(best)
        return found


def _log_choices(n: int, k: int) -> float:
    """Log of the number of ways to choose k of n."""
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def last_lines(taken: Iterable[Transition]) -> dict[int, int]:
    """Segment to the line where one of some transitions stands last in it."""
    last: dict[int, int] = {}
    for t in taken:
        last[t.segment] = max(t.last_line, last.get(t.segment, 0))
    return last


def _visits(
    steps: list[tuple[Transition, int]], n_wide: Callable[[Transition], int], max_states: int
) -> list[Visits]:
    """The states that steps start from, as far as the wide schema applies there.

    Args:
        steps: Transitions, each with how many steps of it count.
        n_wide: How many successors the wide schema allows where a transition starts.
        max_states: States looked at.
    """
    first: dict[tuple[int, frozenset[Atom]], Transition] = {}
    n_steps: Counter[tuple[int, frozenset[Atom]]] = Counter()
    for transition, n in steps:
        if n:
            key = transition.segment, transition.state
            first.setdefault(key, transition)
            n_steps[key] += n
    found = [
        Visits(first[key], n_steps[key], int(n_wide(first[key])))
        for key in spread(list(first), max_states)
    ]
    return [visits for visits in found if visits.n_wide]
