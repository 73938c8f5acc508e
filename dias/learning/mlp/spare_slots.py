"""Switches off the slots of a network with state-dependent effects that serve nothing.

As with effects that are the same in every state (`dias.learning.train.spare_slots`). But what the
network changes can only be asked, grounding by grounding, and may depend on any active slot.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice

import torch

from dias.arrays import spread
from dias.learning.extend.evidence import PassedOver
from dias.learning.mlp.dynamics import MAX_GROUNDINGS, MLPDynamics, changes
from dias.learning.score import MAX_CHECKS, price_of_odd_step
from dias.learning.train.early_stop import SAMPLE
from dias.learning.train.extraction import active_slots, thresholded_preconditions
from dias.learning.train.spare_slots import Said, n_given, needed_slots
from dias.limits import Allowance, OutOfWorkError
from dias.nn.mlp_effects import MLPEffectsModel
from dias.nn.start import ACTIVE
from dias.traces.record import Traces


def switch_off_spare_slots(network: MLPEffectsModel, traces: Traces, threshold: float) -> None:
    """Make the slots inactive that nothing is lost without, on a sample of each action's steps.

    Args:
        network: The trained network, on the processor.
        traces: The transitions that it was trained on.
        threshold: Probability above which a literal counts.
    """
    for action in network.vocabulary.actions:
        worth = _Worth(network, action, traces, threshold)
        schema = thresholded_preconditions(network, action, threshold)
        worth.activate(needed_slots(schema, n_given(action, traces), worth.of))


class _Worth:
    """What the transitions say of an action of a network; its active slots count from 0."""

    def __init__(
        self, network: MLPEffectsModel, action: str, traces: Traces, threshold: float
    ) -> None:
        self._network, self._action, self._slots = network, action, active_slots(network, action)
        self._logits = network.slot_logits[network.vocabulary.actions.index(action)]
        self._trained = self._logits.detach().clone()
        self._traces, self._threshold = traces, threshold
        self._steps = spread([t for t in traces.transitions if t.action == action], SAMPLE)
        self._passed_over = PassedOver(action, traces)

    def activate(self, slots: Sequence[int]) -> None:
        """Let these slots be active and no others."""
        off = [slot for number, slot in enumerate(self._slots) if number not in slots]
        with torch.no_grad():
            self._logits.copy_(self._trained)
            self._logits[off] = -ACTIVE

    def of(self, slots: Sequence[int]) -> Said | None:
        """What they say if only these slots are active; None if too much is allowed."""
        self.activate(slots)
        dynamics = MLPDynamics.of(self._network, self._traces, self._threshold)
        changes_of = changes(dynamics, self._traces)
        n_missed, nats = 0, 0.0
        for step in self._steps:
            change, found = changes_of(step)
            groundings = list(islice(found, MAX_GROUNDINGS))
            if len(groundings) == MAX_GROUNDINGS:
                return None
            outcomes = {(one.added, one.deleted) for one in groundings}
            n_missed += change not in outcomes
            nats -= math.log(len(outcomes)) if change in outcomes else 0.0
        [schema] = [own for own in dynamics.domain.actions if own.name == self._action]
        try:
            nats += self._passed_over.log_chance(schema, Allowance(MAX_CHECKS))
        except OutOfWorkError:
            return None
        return Said(n_missed, nats - n_missed * price_of_odd_step(self._traces))
