"""How likely the steps of an action are under its schemas."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property

import numpy as np

from dias.learning.data.coded_states import CodedStates
from dias.learning.data.looser import LooserSchema
from dias.learning.data.replay import SchemaInTraces
from dias.limits import Allowance
from dias.strips.joins.successors import Change
from dias.strips.model import ActionSchema, Atom
from dias.traces.record import Traces, Transition

MAX_OUTCOMES = 1_000
"""Outcomes counted in one state; more of them say the same: that the schema says next to nothing.
"""


class Growing:
    """Numbers that do not fall as literals go, of one schema after another.

    Attributes:
        found: ``[n]`` those of the last schema.
        least: ``[n]`` those of a schema that has all the literals of the others; None if not known.
        most: ``[n]`` those of one all of whose literals they have.
        loosest: That one.
    """

    found: np.ndarray | None = None
    least: np.ndarray | None = None
    most: np.ndarray | None = None
    loosest: ActionSchema | None = None
    _looser: LooserSchema | None = None
    _is_joined = False

    @property
    def _unclear(self) -> np.ndarray:
        """The places where the numbers of the schemas to come are not clear."""
        return np.flatnonzero(self.least != self.most)

    def looser(
        self, join: Callable[[ActionSchema, np.ndarray], LooserSchema | None]
    ) -> LooserSchema | None:
        """What the schemas to come are asked of once the loosest is known, if it can be.

        Args:
            join: Is given that one and the places where the numbers are not clear, once.
        """
        if self.loosest is not None and not self._is_joined:
            self._looser, self._is_joined = join(self.loosest, self._unclear), True
        return self._looser

    def ask(self, n: int, count: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """``[n]`` the numbers of a schema; `count` is given the places where they are not clear."""
        if self.least is None or self.most is None:
            found = count(np.arange(n))
        else:
            found, unclear = self.least.copy(), self._unclear
            if len(unclear):
                found[unclear] = count(unclear)
        self.found = found
        return found


class Known:
    """What is known of a schema from others with more literals, or fewer, of the same kind.

    Args:
        shown: ``[n]`` which steps one with more allows.

    Attributes:
        outcomes: Of each state that a step starts from, how many.
        applicable: Whether the schema is, in each state in which the action was passed over.
    """

    def __init__(self, shown: np.ndarray) -> None:
        self.shown, self._found = shown, shown
        self.outcomes, self.applicable = Growing(), Growing()

    def has_least(self) -> None:
        """The schema that was asked about last has all the literals of those to come."""
        self.shown = self._found
        for own in (self.outcomes, self.applicable):
            own.least = own.found

    def has_most(self, schema: ActionSchema) -> None:
        """The schema was asked about last; those to come have all its literals."""
        for own in (self.outcomes, self.applicable):
            own.most, own.loosest = own.found, schema

    def show(self, ask: Callable[[np.ndarray], np.ndarray], asked: np.ndarray) -> np.ndarray:
        """``[n]`` which steps a schema allows; `ask` is given the numbers of those to look for."""
        self._found = self.shown.copy()
        left = asked[~self.shown[asked]]
        if len(left):
            self._found[left] = ask(left)
        return self._found


class Likelihood:
    """Of the distinct steps of one action, under one schema after another.

    Args:
        action: The action.
        traces: The traces.
        steps: Those that are looked at; None for all.
    """

    def __init__(
        self, action: str, traces: Traces, steps: Sequence[Transition] | None = None
    ) -> None:
        self._traces, self._coded = traces, CodedStates.of(traces)
        own = traces.transitions if steps is None else steps
        self._steps = [t for t in own if t.action == action]
        place: dict[tuple[int, frozenset[Atom]], int] = {}
        found = [place.setdefault((t.segment, t.state), len(place)) for t in self._steps]
        self._state = np.array(found, dtype=np.int64)
        _, first = np.unique(self._state, return_index=True)
        self._firsts = [self._steps[number] for number in first]
        self._distinct: dict[frozenset[str], tuple[np.ndarray, list[Change]]] = {}

    def of(
        self, schema: ActionSchema, allowance: Allowance | None = None, known: Known | None = None
    ) -> tuple[float, int]:
        """What a schema says of them.

        Args:
            schema: The schema.
            allowance: Bindings that may be looked at; None for any number.
            known: What is known of it; what is found is added.

        Returns:
            The sum of log P over the steps that the schema allows, at most 0; and how many it does
            not allow. P is one over the number of outcomes, `MAX_OUTCOMES` at most.

        Raises:
            OutOfWorkError: They are more.
        """
        applied = SchemaInTraces(schema, self._traces, allowance)
        known = known or self.nothing_known()
        steps, changes = self._apart(schema.add_effects | schema.delete_effects, applied)

        def join(loosest: ActionSchema, unclear: np.ndarray) -> LooserSchema | None:
            left = steps[~known.shown[steps]]
            states = np.concatenate([unclear, self._state[left]])
            starts = self._numbers[self._state[left]].tolist()
            own = {
                n: (start, changes[n], applied.given(self._steps[n]))
                for n, start in zip(left.tolist(), starts, strict=True)
            }
            return LooserSchema.of(loosest, self._coded, self._numbers[states], allowance, own)

        looser = known.outcomes.looser(join)
        if looser is None:
            n_allowed = known.outcomes.ask(
                len(self._firsts),
                lambda own: applied.n_changes([self._firsts[n] for n in own], MAX_OUTCOMES),
            )
            shown = known.show(lambda own: applied.reproduced([self._steps[n] for n in own]), steps)
        else:
            n_allowed = known.outcomes.ask(
                len(self._firsts),
                lambda own: np.minimum(looser.n_changes(schema, self._numbers[own]), MAX_OUTCOMES),
            )
            shown = known.show(lambda own: looser.reproduces(schema, own), steps)
        said = steps[shown[steps]]
        likelihood = -np.log(np.maximum(1, n_allowed))[self._state[said]].sum()
        return float(likelihood), len(steps) - len(said)

    @cached_property
    def _numbers(self) -> np.ndarray:
        """``[n]`` the numbers of the states that steps start from."""
        return self._coded.numbers(self._firsts)

    def nothing_known(self) -> Known:
        """What is known of a schema of which no step is shown."""
        return Known(np.zeros(len(self._steps), dtype=bool))

    def _apart(
        self, effects: Collection[Atom], applied: SchemaInTraces
    ) -> tuple[np.ndarray, list[Change]]:
        """The steps, but those of the same state, arguments and change; what each changes.

        What counts as a change depends on the predicates of the effects: of others, what a problem
        says holds in all its states.
        """
        changed = frozenset(effect.predicate for effect in effects)
        if changed not in self._distinct:
            changes = list(map(applied.change, self._steps))
            starts = self._state.tolist()
            given = (step.arguments for step in self._steps)
            last = {own: n for n, own in enumerate(zip(starts, changes, given, strict=True))}
            self._distinct[changed] = np.array(list(last.values()), dtype=np.int64), changes
        return self._distinct[changed]
