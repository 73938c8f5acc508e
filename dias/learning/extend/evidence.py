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
- Where a mask says what is applicable, nothing has to be guessed
  (`dias.learning.extend.mask_evidence`).

The product over all steps is the chance that the query holds by accident: the smaller, the surer.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

import numpy as np

from dias.arrays import spread
from dias.learning.data.coded_states import CodedStates
from dias.learning.data.looser import LooserSchema
from dias.learning.data.refusals import attempts_at, is_decisive
from dias.learning.data.replay import SchemaInTraces
from dias.learning.extend.mask_evidence import MaskEvidence, MaskPrices
from dias.learning.finish.assemble import action_schema, in_traces
from dias.learning.likelihood import MAX_OUTCOMES, Growing, Known
from dias.learning.schema import LiftedSchema, Literal, preconditions, without_literals
from dias.limits import Allowance
from dias.strips.model import ActionSchema, Atom
from dias.traces.record import ActionMask, RefusedAction, Traces, Transition

LOG_CHANCE = -14.0
"""What cannot be weighed otherwise is believed if its chance of being obeyed by accident is below
e⁻¹⁴, one in a million."""

MAX_STATES = 2000
"""States looked at where the action was taken, and as many where it was not."""

MAX_REFUTED = 8
"""Preconditions of one schema that are given up since masks refute them."""


class Evidence:
    """Weighs schemas that are narrower than a given one.

    Args:
        schema: The wide schema.
        traces: All transitions, those of other actions too, and the refused attempts.
        max_states: States looked at where the action was taken, and as many where it was not,
            spread evenly.
    """

    def __init__(self, schema: LiftedSchema, traces: Traces, max_states: int = MAX_STATES) -> None:
        self._traces, self._coded = traces, CodedStates.of(traces)
        self._log_passed_over = log_passed_over(traces)
        self._found: dict[tuple[ActionSchema, bool], float] = {}
        written = action_schema(schema, traces)
        wide = SchemaInTraces(written, traces)
        taken = [(t, t.count) for t in traces.transitions if t.action == schema.action]
        self._masks = MaskEvidence(wide, schema.action, traces, max_states)
        visits = _visits(taken, max_states)
        n_wide = wide.n_changes([t for t, _ in visits], MAX_OUTCOMES).tolist()
        self._taken = [(*own, n) for own, n in zip(visits, n_wide, strict=True) if n]
        self._starts = self._coded.numbers([t for t, _, _ in self._taken])
        self._passed_over = PassedOver.of(schema.action, traces, max_states)
        self._is_wide = self._passed_over.are_applicable(wide)
        states = np.concatenate([self._starts, self._passed_over.numbers[self._is_wide]])
        self._looser = LooserSchema.of(written, self._coded, states)
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
        written = action_schema(narrow, self._traces)
        if (written, at_least) not in self._found:
            self._found[written, at_least] = self._log_chance(written, at_least)
        return self._found[written, at_least]

    def _log_chance(self, narrow: ActionSchema, at_least: bool) -> float:
        """The same of a schema that is written."""
        applied = SchemaInTraces(narrow, self._traces)
        floor = int(at_least)
        total = 0.0
        looser = self._looser
        if looser is not None and looser.knows(narrow):
            left = np.minimum(looser.n_changes(narrow, self._starts), MAX_OUTCOMES)
            is_left = looser.is_applicable(narrow, self._passed_over.numbers)
        else:
            left = applied.n_changes([t for t, _, _ in self._taken], MAX_OUTCOMES, self._starts)
            is_left = self._passed_over.are_applicable(applied)
        n_idle = 0
        narrowed = np.maximum(floor, left).tolist()
        for (_, n_steps, n_wide), n_narrow in zip(self._taken, narrowed, strict=True):
            if n_narrow:
                total += n_steps * math.log(n_narrow / n_wide)
            n_idle += n_narrow == n_wide
        is_ruled_out = self._is_wide & ~is_left
        total += self._log_passed_over * int(self._passed_over.n_steps[is_ruled_out].sum())
        for attempt, n_wide in self._refused:
            if not applied.allows(attempt):
                n_ruled_out = n_wide - len(applied.changes(attempt))
                total += math.log(max(1, n_ruled_out) / (n_wide + 1))
        return total + self._masks.log_chance(applied, n_idle, at_least)

    @property
    def has_masks(self) -> bool:
        """Whether masks say something of the action."""
        return self._masks.n_states > 0

    @property
    def is_said(self) -> bool:
        """Whether masks say of each state that a step begins in how it is with the action."""
        return self._masks.say_all

    @property
    def has_refused(self) -> bool:
        """Whether there are refused attempts that the wide schema allows, masks not counted."""
        return bool(self._refused)

    def refuted_by(self, narrow: LiftedSchema) -> int:
        """Refused attempts, and masks, that the wide schema contradicts and the narrow one not."""
        applied = in_traces(narrow, self._traces)
        n_attempts = sum(not applied.allows(attempt) for attempt, _ in self._refused)
        return n_attempts + self._masks.n_blocked(applied)

    def is_refuted(self, narrow: LiftedSchema) -> bool:
        """Whether a schema rules out what a mask lists, where the wide one does not."""
        applied = in_traces(narrow, self._traces)
        return bool(self._masks.lacking(applied))

    def refuted(self, narrow: LiftedSchema) -> list[Literal]:
        """Preconditions that alone rule out all that a mask lists, where the wide schema does not.

        One after another, those first without which most speaks for what is left; `MAX_REFUTED` at
        most.
        """
        found: list[Literal] = []

        def lacking(
            schema: LiftedSchema, masks: Sequence[ActionMask] | None = None
        ) -> list[ActionMask]:
            return self._masks.lacking(in_traces(schema, self._traces), masks)

        left = lacking(narrow)
        while left and len(found) < MAX_REFUTED:
            looser = {x: without_literals(narrow, [x]) for x in preconditions(narrow)}
            others = {x: lacking(own, left) for x, own in looser.items()}
            restoring = [x for x, own in others.items() if len(own) < len(left)]
            if not restoring:
                break
            best = min(restoring, key=lambda literal: self.log_chance(looser[literal]))
            left, narrow = others[best], looser[best]
            found.append(best)
        return found


class PassedOver:
    """What it says of schemas of an action that it was not taken where it could have been.

    Args:
        action: Its name.
        traces: All transitions.
        max_states: States looked at, spread evenly.

    Attributes:
        n_steps: ``[n]`` of each of these states the steps from it.
    """

    def __init__(self, action: str, traces: Traces, max_states: int = MAX_STATES) -> None:
        self._traces, self._coded = traces, CodedStates.of(traces)
        self._log_chance = log_passed_over(traces)
        self._masks = MaskPrices(action, traces, max_states)
        others = passing_over(action, traces, self._masks.states)
        visits = _visits(others, max_states)
        self._states = [own for own, _ in visits]
        self.n_steps = np.array([n for _, n in visits], dtype=np.int64)

    @cached_property
    def numbers(self) -> np.ndarray:
        """``[n]`` the numbers of the states in which it was passed over."""
        return self._coded.numbers(self._states)

    @classmethod
    def of(cls, action: str, traces: Traces, max_states: int = MAX_STATES) -> PassedOver:
        """That of an action in traces; it is kept with these."""
        kept: dict[tuple[str, int], PassedOver] = vars(traces).setdefault("passed_over", {})
        if (action, max_states) not in kept:
            kept[action, max_states] = cls(action, traces, max_states)
        return kept[action, max_states]

    def are_applicable(self, applied: SchemaInTraces) -> np.ndarray:
        """``[n]`` whether a schema is applicable in each state."""
        return applied.are_applicable(self._states, self.numbers)

    def log_chance(
        self, schema: ActionSchema, allowance: Allowance | None = None, known: Known | None = None
    ) -> float:
        """Log of the chance of that; at most 0. Masks that the schema contradicts have their price.

        Args:
            schema: The schema.
            allowance: Bindings that may be looked at; None for any number.
            known: What is known of the schema; what is found is added.

        Raises:
            OutOfWorkError: They are more.
        """
        applied = SchemaInTraces(schema, self._traces, allowance)
        applicable = known.applicable if known else Growing()
        looser = applicable.looser(
            lambda loosest, own: LooserSchema.of(loosest, self._coded, self.numbers[own], allowance)
        )
        found = applicable.ask(
            len(self._states),
            lambda own: (
                applied.are_applicable([self._states[n] for n in own])
                if looser is None
                else looser.is_applicable(schema, self.numbers[own])
            ),
        )
        n_steps = int(self.n_steps[found].sum())
        return self._log_chance * n_steps - self._masks.price_of_allowed(applied)

    def too_strict(self, schema: ActionSchema) -> float:
        """The price of the masks of which a schema does not allow what they list; at least 0."""
        return self._masks.price_of_lacking(SchemaInTraces(schema, self._traces))


def log_passed_over(traces: Traces) -> float:
    """Log of the chance that a policy that draws among the names passes one over, at most."""
    return math.log(1 - 1 / max(2, len(traces.actions)))


def passing_over(
    action: str, traces: Traces, without: Collection[tuple[int, frozenset[Atom]]] = ()
) -> list[tuple[Transition, int]]:
    """The steps of other actions, each with how many of it count; none from some states."""
    last = last_lines(t for t in traces.transitions if t.action == action)
    return [
        (t, t.steps_until(last.get(t.segment, 0)))
        for t in traces.transitions
        if t.action != action and (t.segment, t.state) not in without
    ]


def last_lines(taken: Iterable[Transition]) -> dict[int, int]:
    """Segment to the line where one of some transitions stands last in it."""
    last: dict[int, int] = {}
    for t in taken:
        last[t.segment] = max(t.last_line, last.get(t.segment, 0))
    return last


def _visits(steps: list[tuple[Transition, int]], max_states: int) -> list[tuple[Transition, int]]:
    """A step from each state, with how many of all the steps from it count; some of many states."""
    first: dict[tuple[int, frozenset[Atom]], Transition] = {}
    n_steps: Counter[tuple[int, frozenset[Atom]]] = Counter()
    for transition, n in steps:
        if n:
            key = transition.segment, transition.state
            first.setdefault(key, transition)
            n_steps[key] += n
    return [(first[key], n_steps[key]) for key in spread(list(first), max_states)]
