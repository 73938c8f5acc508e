"""Slots of networks with state-dependent effects: those that serve nothing are switched off."""

from __future__ import annotations

import pytest
import torch

from dias.learning.mlp import spare_slots
from dias.learning.mlp.dynamics import MLPDynamics, explains_all
from dias.learning.mlp.spare_slots import switch_off_spare_slots
from dias.learning.train.extraction import active_slots
from tests.learning.conditional_cases import nameless, reap, toggle
from tests.learning.mlp.planted import SURE, planted


def with_spare_slot(case):
    """A planted network of which one slot more is active, and the transitions."""
    domain, worlds = case()
    traces = nameless(domain, worlds)
    arity = max(action.arity for action in domain.actions)
    network = planted(domain, traces, arity + 1).network
    with torch.no_grad():
        network.slot_logits.fill_(SURE)
    return network, traces, tuple(range(arity))


@pytest.mark.parametrize("case", [toggle, reap])
def test_a_slot_that_no_literal_is_over_is_switched_off_and_the_others_stay(case):
    network, traces, needed = with_spare_slot(case)
    [action] = network.vocabulary.actions
    assert active_slots(network, action) == (*needed, len(needed))
    switch_off_spare_slots(network, traces, 0.5)
    assert active_slots(network, action) == needed
    assert explains_all(MLPDynamics.of(network, traces), traces)


def test_what_allows_too_much_to_be_looked_at_is_left_alone(monkeypatch):
    network, traces, needed = with_spare_slot(reap)
    [action] = network.vocabulary.actions
    monkeypatch.setattr(spare_slots, "MAX_GROUNDINGS", 0)
    switch_off_spare_slots(network, traces, 0.5)
    assert active_slots(network, action) == (*needed, len(needed))
