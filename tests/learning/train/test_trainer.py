"""The objective and the way to combine the losses that the settings name are what is trained."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from dias.config import (
    PAPER_NOISE_MIN_PER_ACTION,
    PAPER_NOISE_THRESHOLD,
    ModelConfig,
    TrainingConfig,
    paper_noise_training,
    paper_training,
)
from dias.learning.train import trainer as trainer_module
from dias.learning.train.pcgrad import total_gradient
from dias.learning.train.trainer import Trainer, TrainingRun, tau_at
from dias.nn.start import linked
from tests.nn.cases import TABLES

SMALL = ModelConfig(n_slots=2, dim=8, n_layers=2)
CONFIGS = {
    "lifted, sum": TrainingConfig(n_steps=40, batch_size=12),
    "lifted, PCGrad": TrainingConfig(n_steps=40, batch_size=12, alpha=0.5),
    "dense, sum": TrainingConfig(n_steps=40, batch_size=12, objective="dense"),
    "dense, PCGrad": paper_training(n_steps=40, batch_size=12, learning_rate=2e-2),
}


def weights(trainer):
    return torch.cat([p.detach().flatten() for p in trainer.model.parameters()])


def test_a_run_says_which_network_and_which_losses():
    class Idle(TrainingRun):
        """Says neither."""

    with pytest.raises(TypeError, match="_losses"):
        Idle(TABLES, SMALL, CONFIGS["lifted, sum"], seed=0)


def test_the_settings_of_the_paper():
    paper = paper_training()
    assert (paper.n_steps, paper.batch_size, paper.learning_rate) == (10_000, 200, 5e-3)
    assert (paper.objective, paper.alpha, paper.tau_steps) == ("dense", 1.0, 500)
    assert paper_training(alpha=0.1) == replace(paper, alpha=0.1)
    assert [tau_at(step, 500) for step in (0, 500, 1000)] == pytest.approx([1, 0.1, 0.01])


def test_the_settings_of_the_paper_under_noise():
    paper = paper_noise_training()
    assert paper == replace(paper_training(), batch_size=50, tau_floor=0.1)
    assert paper_noise_training(n_steps=7).n_steps == 7
    floored = [tau_at(step, 500, paper.tau_floor) for step in (0, 250, 500, 5000)]
    assert floored == pytest.approx([1, 0.1**0.5, 0.1, 0.1])
    assert (PAPER_NOISE_THRESHOLD, PAPER_NOISE_MIN_PER_ACTION) == (0.75, 200)


def test_the_floor_of_tau_is_what_is_trained_with():
    trainers = [
        Trainer(TABLES, SMALL, TrainingConfig(4, 12, tau_steps=1, tau_floor=floor), seed=1)
        for floor in (0.0, 0.1)
    ]
    for trainer in trainers:
        trainer.advance(4)
    assert not torch.equal(*map(weights, trainers))


@pytest.mark.parametrize(
    "changes", [{"objective": "sparse"}, {"alpha": -1.0}, {"alpha": 1e400}, {"tau_floor": 1.5}]
)
def test_settings_without_meaning_are_refused(changes):
    with pytest.raises(ValueError, match=next(iter(changes))):
        TrainingConfig(**changes)


@pytest.mark.parametrize("name", CONFIGS)
def test_the_loss_falls_and_a_run_can_be_repeated(name):
    trainer, again = (Trainer(TABLES, SMALL, CONFIGS[name], seed=1) for _ in range(2))
    trainer.advance(1)
    first = trainer.main_loss
    trainer.advance(100)
    again.advance(40)
    assert trainer.is_finished
    assert trainer.main_loss < 0.7 * first
    assert torch.equal(weights(trainer), weights(again))


def test_no_two_settings_train_the_same():
    found = []
    for config in CONFIGS.values():
        trainer = Trainer(TABLES, SMALL, config, seed=1)
        trainer.advance(3)
        found.append(weights(trainer))
    assert not any(torch.equal(a, b) for i, a in enumerate(found) for b in found[:i])


def test_pcgrad_weighs_the_gradients_of_all_parameters(monkeypatch):
    """The gradient of L_aux is zero outside the logits, and the result is what is followed."""
    seen = []

    def spy(main, aux, alpha):
        total = total_gradient(main, aux, alpha)
        seen.append((main, aux, alpha, total))
        return total

    monkeypatch.setattr("dias.learning.train.trainer.total_gradient", spy)
    trainer = Trainer(TABLES, SMALL, paper_training(batch_size=12, alpha=0.25), seed=0)
    followed = []
    monkeypatch.setattr(trainer._optimizer, "step", followed.extend)
    trainer.advance(1)
    [(main, aux, alpha, total)] = seen
    assert alpha == 0.25
    assert all(a is b for a, b in zip(followed, total, strict=True))
    for (name, parameter), m, a in zip(trainer.model.named_parameters(), main, aux, strict=True):
        assert (a != 0).any() == name.split(".")[0].endswith("_logits")
        assert m.shape == a.shape == parameter.shape


@pytest.mark.parametrize("start", ["linked", "undecided", "auto"])
def test_slots_look_for_related_objects_within_a_step_only(start, monkeypatch):
    trainer = Trainer(TABLES, replace(SMALL, start=start), CONFIGS["lifted, PCGrad"], seed=0)
    model, seen = trainer.model, []
    assert bool(model.links) == (start == "linked")
    losses = trainer._losses

    def look(*arguments):
        seen.append((model.link_weight, model.preconditions()))
        return losses(*arguments)

    monkeypatch.setattr(trainer, "_losses", look)
    monkeypatch.setattr(trainer_module, "LINK_STEPS", 2)
    trainer.advance(3)
    assert [weight for weight, _ in seen] == pytest.approx([1, 0.1**0.5, 0.1])
    assert model.link_weight == 0
    first = seen[0][1].positive[2]
    expected = torch.full_like(first, 1 / 3)
    if start == "linked":
        expected = linked(torch.zeros(*first.shape, 3), model.links[2], 1.0).softmax(-1)[..., 1]
        assert first.max() > 0.5
    torch.testing.assert_close(first, expected)
