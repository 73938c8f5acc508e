"""How likely the steps of an action are under its schemas."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from dias.learning.data.replay import CodedStates, SchemaInTraces
from dias.limits import Allowance
from dias.strips.joins.successors import Change
from dias.strips.model import ActionSchema, Atom
from dias.traces.record import Traces

MAX_OUTCOMES = 1_000
"""Outcomes counted in one state; more of them say the same: that the schema says next to nothing.
"""


class Likelihood:
    """Of the distinct steps of one action, under one schema after another.

    Args:
        action: The action.
        traces: The steps; other actions' are not looked at.
        coded: Their coded states, to be shared; None for new ones.
    """

    def __init__(self, action: str, traces: Traces, coded: CodedStates | None = None) -> None:
        self._traces, self._coded = traces, coded or CodedStates(traces)
        self._steps = [t for t in traces.transitions if t.action == action]
        place: dict[tuple[int, frozenset[Atom]], int] = {}
        own = [place.setdefault((t.segment, t.state), len(place)) for t in self._steps]
        self._state = np.array(own, dtype=np.int64)
        _, first = np.unique(self._state, return_index=True)
        self._firsts = [self._steps[number] for number in first]
        self._distinct: dict[frozenset[str], np.ndarray] = {}

    @property
    def n_steps(self) -> int:
        """How many there are."""
        return len(self._steps)

    def of(
        self,
        schema: ActionSchema,
        allowance: Allowance | None = None,
        shown: np.ndarray | None = None,
    ) -> tuple[float, int]:
        """What a schema says of them.

        Args:
            schema: The schema.
            allowance: Bindings that may be looked at; None for any number.
            shown: ``[n_steps]`` which are known to be allowed; those found so are marked.

        Returns:
            The sum of log P over the steps that the schema allows, at most 0; and how many it does
            not allow. P is one over the number of outcomes, `MAX_OUTCOMES` at most.

        Raises:
            OutOfWorkError: They are more.
        """
        applied = SchemaInTraces(schema, self._traces, self._coded, allowance)
        n_allowed = applied.n_changes(self._firsts, MAX_OUTCOMES)
        shown = np.zeros(self.n_steps, dtype=bool) if shown is None else shown
        steps = self._apart(schema.add_effects | schema.delete_effects, applied)
        left = steps[~shown[steps]]
        if len(left):
            shown[left] = applied.reproduced([self._steps[number] for number in left])
        said = steps[shown[steps]]
        likelihood = -np.log(np.maximum(1, n_allowed))[self._state[said]].sum()
        return float(likelihood), len(steps) - len(said)

    def _apart(self, effects: Collection[Atom], applied: SchemaInTraces) -> np.ndarray:
        """``[n]`` the steps without those that lead from the same state to the same one.

        What counts as a change depends on the predicates of the effects: of others, what a problem
        says holds in all its states.
        """
        changed = frozenset(effect.predicate for effect in effects)
        if changed not in self._distinct:
            last: dict[tuple[int, Change], int] = {}
            for number, state in enumerate(self._state.tolist()):
                last[state, applied.change(self._steps[number])] = number
            self._distinct[changed] = np.array(list(last.values()), dtype=np.int64)
        return self._distinct[changed]
