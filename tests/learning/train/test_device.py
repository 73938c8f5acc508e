"""The network is trained on the device that was asked for, and on no other."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from dias.config import LearningConfig, ModelConfig, TrainingConfig, paper_training
from dias.errors import DeviceError
from dias.learning.learn import learn
from dias.learning.mlp.learn import MLPTrainer
from dias.learning.train.checkpoint import fingerprint
from dias.learning.train.trainer import Trainer
from dias.nn.tables import build_tables
from tests.learning.explain.test_strips_plus import TRACES as WITH_ARGUMENTS
from tests.learning.explain.test_strips_plus import VOCABULARY as VOCABULARY_WITH_ARGUMENTS
from tests.nn.cases import TABLES, TRACES

SMALL = ModelConfig(n_slots=2, dim=8, n_layers=2)
TRAINING = {
    "lifted": TrainingConfig(n_steps=3, batch_size=12),
    "dense": paper_training(n_steps=3, batch_size=12),
}


@pytest.mark.parametrize("objective", TRAINING)
@pytest.mark.parametrize("kind", [Trainer, MLPTrainer])
@pytest.mark.parametrize(
    "tables", [TABLES, build_tables(WITH_ARGUMENTS, VOCABULARY_WITH_ARGUMENTS)]
)
def test_every_tensor_is_made_on_the_device_of_the_network(objective, kind, tables):
    """What is made without naming a device would be made on another one here, and not fit."""
    plain, elsewhere = (kind(tables, SMALL, TRAINING[objective], seed=0) for _ in range(2))
    plain.advance(2)
    with torch.device("meta"):
        elsewhere.advance(2)
    assert elsewhere.main_loss == plain.main_loss
    assert elsewhere.p_pre == plain.p_pre


def test_a_device_that_is_not_there_is_said(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(DeviceError, match="found none") as raised:
        learn(TRACES, LearningConfig(device="cuda"))
    assert "--device cpu" in raised.value.remedy
    assert learn(TRACES, LearningConfig(device="cuda", method="symbolic")).n_steps == 0
    with pytest.raises(ValueError, match="device must be one of cpu, cuda"):
        LearningConfig(device="tpu")


def test_a_checkpoint_says_nothing_of_the_device(tmp_path):
    config = LearningConfig(
        method="neural", check_every=1, model=SMALL, training=TRAINING["lifted"]
    )
    learn(TRACES, config, None, tmp_path / "run.ckpt")
    saved = torch.load(tmp_path / "run.ckpt", weights_only=True)["state"]["trainer"]
    tensors = [*saved["model"].values(), *saved["optimizer"]["mean"], saved["generator"]]
    assert {tensor.device.type for tensor in tensors} == {"cpu"}
    assert fingerprint(TABLES, config) == fingerprint(TABLES, replace(config, device="cuda"))
