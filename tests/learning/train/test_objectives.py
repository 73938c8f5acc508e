"""The objectives of the table can stand for each other."""

from __future__ import annotations

from inspect import signature

import numpy as np
import pytest
import torch

from dias import config
from dias.learning.train.trainer import OBJECTIVES
from dias.nn.batches import make_batch
from dias.nn.lifted import lifted_state
from tests.nn.cases import TABLES, random_selection, small_model

BATCH = make_batch(TABLES, np.arange(len(TABLES)))


def test_the_names_are_those_of_the_settings():
    assert tuple(OBJECTIVES) == config.OBJECTIVES


@pytest.mark.parametrize("name", ["main_loss", "auxiliary_loss", "mean_loss"])
def test_all_are_asked_in_the_same_way(name):
    lifted, dense = (getattr(OBJECTIVES[objective], name) for objective in config.OBJECTIVES)
    assert signature(lifted) == signature(dense)


@pytest.mark.parametrize("name", OBJECTIVES)
def test_a_lifted_state_that_is_known_changes_no_loss_and_no_gradient(name):
    model = small_model()
    chosen = random_selection(BATCH, model)
    selection = chosen.selection.requires_grad_()
    found = []
    for known in (None, lifted_state(selection, BATCH, model.n_relations)):
        effects = model.effects().rows(BATCH.action)
        loss = OBJECTIVES[name].main_loss(model, BATCH, chosen, effects, 0.5, known)
        wanted = [selection, *model.effect_logits.values()]
        found.append((loss, *torch.autograd.grad(loss, wanted)))
    for alone, given in zip(*found, strict=True):
        torch.testing.assert_close(alone, given)
        assert alone.abs().max() > 0
