from __future__ import annotations

from math import exp, inf, log, prod

import numpy as np
import pytest
import torch

from dias.nn.aux_loss import effect_loss, precondition_loss
from dias.nn.batches import make_batch
from dias.nn.lifted_loss import auxiliary_loss
from dias.nn.model import NONE
from tests.nn.cases import TABLES, VOCABULARY, lifted_atoms, small_model, softmax


def test_effect_loss_is_the_bce_of_the_unused_case_with_target_one():
    model = small_model()
    expected = torch.zeros(len(VOCABULARY.actions))
    for action in range(len(expected)):
        for relation, r, _, column in lifted_atoms(2):
            logits = model.effect_logits[str(relation.arity)][action, r, column].tolist()
            expected[action] -= log(softmax(logits)[NONE])
    torch.testing.assert_close(effect_loss(model.effects()), expected, rtol=1e-4, atol=1e-4)


def precondition_loss_by_loop(model, action):
    total = 0.0
    for relation, r, slots, column in lifted_atoms(model.config.n_slots):
        logits = model.precondition_logits[str(relation.arity)][action, r, column].tolist()
        active = prod(1 / (1 + exp(-model.slot_logits[action, slot].item())) for slot in slots)
        total -= log(active * (1 - softmax(logits)[NONE]))
    return total


def test_precondition_loss_weights_each_entry_with_its_slots():
    model = small_model()
    found = precondition_loss(model.preconditions(), model.slot_logits)
    expected = [precondition_loss_by_loop(model, a) for a in range(len(VOCABULARY.actions))]
    torch.testing.assert_close(found, torch.tensor(expected), rtol=1e-4, atol=1e-4)


def test_auxiliary_loss_is_the_mean_of_both_over_the_actions():
    model, batch = small_model(seed=5), make_batch(TABLES, np.arange(len(TABLES)))
    both = effect_loss(model.effects()) + precondition_loss(
        model.preconditions(), model.slot_logits
    )
    assert auxiliary_loss(model, batch).item() == pytest.approx(both.sum().item() / 3)


def test_closing_a_slot_does_not_lower_the_precondition_loss():
    model = small_model()
    before = precondition_loss(model.preconditions(), model.slot_logits)
    with torch.no_grad():
        model.slot_logits[0, 1] = -inf
    after = precondition_loss(model.preconditions(), model.slot_logits)
    assert after[0] > before[0]
    assert torch.equal(after[1:], before[1:])
    assert after.isfinite().all()
