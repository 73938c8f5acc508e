from __future__ import annotations

import numpy as np
import pytest
import torch

from dias.config import ModelConfig
from dias.nn.batches import make_batch
from dias.nn.lifted_loss import auxiliary_loss
from dias.nn.model import NEGATIVE, NONE, POSITIVE, DiasModel, SelectionModel
from dias.nn.sinkhorn import sinkhorn
from tests.nn.cases import TABLES, VOCABULARY, lifted_main_loss, small_model

BATCH = make_batch(TABLES, np.array([4, 0, 2, 1, 3, 2]))
N_OBJECTS = 5


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def fresh_model(n_slots=2, seed=0):
    return DiasModel(VOCABULARY, ModelConfig(n_slots, 8, 2), generator(seed))


def test_a_network_without_effects_cannot_be_made():
    class Idle(SelectionModel):
        """Says nothing of effects."""

    with pytest.raises(TypeError, match="_add_effects"):
        Idle(VOCABULARY, ModelConfig(2, 8, 2), generator())


def test_selection_follows_the_formulas():
    """C = Q^a Kᵀ / √d entry by entry, S = Sinkhorn(C), S̃ = diag(σ(w^a)) S."""
    model = small_model(n_slots=2)
    chosen = model.select(BATCH, generator(5))
    noise = torch.randn(len(BATCH.places), N_OBJECTS, model.config.dim // 2, generator=generator(5))
    keys = model.rgcn(BATCH, N_OBJECTS, noise)
    for place, action in enumerate(BATCH.action.tolist()):
        n_objects = int(BATCH.n_objects[place])
        scores = torch.tensor(
            [
                [(model.queries[action, i] @ keys[place, o]).item() for o in range(n_objects)]
                for i in range(2)
            ]
        )
        assignment = sinkhorn(scores.unsqueeze(0) / model.config.dim**0.5)[0]
        found = chosen.assignment[place]
        # Alone or in a batch, Sinkhorn stops at the same tolerance but not at the same iteration.
        torch.testing.assert_close(found[:, :n_objects], assignment, atol=2e-3, rtol=0)
        assert (found[:, n_objects:] == 0).all()
        for slot in range(2):
            active = 1 / (1 + np.exp(-model.slot_logits[action, slot].item()))
            assert chosen.slot_probs[place, slot].item() == pytest.approx(active, rel=1e-5)
            torch.testing.assert_close(chosen.selection[place, slot], active * found[slot])


@pytest.mark.parametrize("n_slots", [1, 2, 3])
def test_rows_are_distributions_over_the_objects(n_slots):
    assignment = small_model(n_slots=n_slots).select(BATCH, generator()).assignment
    assert assignment.shape == (6, n_slots, N_OBJECTS)
    row_error = (assignment.sum(2) - 1).abs().max().item()
    assert assignment.sum(1).max().item() <= 1 + 1e-6
    assert row_error < 0.01


@pytest.mark.parametrize("kind", ["effect", "precondition"])
def test_probabilities_are_a_softmax_over_three_cases(kind):
    model = small_model()
    logits = getattr(model, f"{kind}_logits")
    probs = model.effects() if kind == "effect" else model.preconditions()
    for k, group in VOCABULARY.relations.items():
        shape = (len(VOCABULARY.actions), len(group), 2**k)
        for case, found in (
            (NONE, probs.none),
            (POSITIVE, probs.positive),
            (NEGATIVE, probs.negative),
        ):
            powers = logits[str(k)].exp()
            assert found[k].shape == shape
            torch.testing.assert_close(found[k], powers[..., case] / powers.sum(-1))


def test_training_starts_undecided():
    model = fresh_model()
    for probs in (*model.effects(), *model.preconditions()):
        for value in probs.values():
            torch.testing.assert_close(value, torch.full_like(value, 1 / 3))
    assert (model.select(BATCH, generator()).slot_probs == 0.5).all()


def test_every_parameter_receives_a_gradient():
    model = small_model()
    loss = lifted_main_loss(model, BATCH, model.select(BATCH, generator()), 0.5) + auxiliary_loss(
        model, BATCH
    )
    loss.backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.isfinite().all(), name
        assert parameter.grad.abs().max() > 0, name


def test_gradient_steps_lower_the_loss():
    model = fresh_model()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    noise, losses = generator(), []
    for _ in range(30):
        loss = lifted_main_loss(model, BATCH, model.select(BATCH, noise), 0.5)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert sum(losses[-5:]) < 0.5 * sum(losses[:5])


def test_same_seeds_same_selection():
    first, second = (fresh_model().select(BATCH, generator(7)).selection for _ in range(2))
    assert torch.equal(first, second)
    assert not torch.equal(first, fresh_model().select(BATCH, generator(8)).selection)
    assert not torch.equal(first, fresh_model(seed=1).select(BATCH, generator(7)).selection)


@pytest.mark.parametrize("wrong", [{"n_slots": 0}, {"dim": 5}, {"dim": 0}, {"n_layers": 0}])
def test_impossible_sizes_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        ModelConfig(**wrong)
