"""The threshold decides which literals of a network count."""

from __future__ import annotations

import pytest
import torch

from dias.config import LearningConfig, ModelConfig
from dias.learning.train.extraction import thresholded_schema
from dias.nn.model import DiasModel
from tests.nn.cases import TABLES


def test_a_higher_threshold_keeps_fewer_literals():
    vocabulary = TABLES.vocabulary
    generator = torch.Generator().manual_seed(0)
    model = DiasModel(vocabulary, ModelConfig(n_slots=2, dim=8, n_layers=2), generator)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator))

    def literals(threshold):
        schema = thresholded_schema(model, vocabulary.actions[0], threshold)
        return {*schema.positive}, {*schema.negative}, {*schema.effects.add}

    low, high = literals(0.5), literals(0.75)
    assert all(fewer <= more for fewer, more in zip(high, low, strict=True))
    assert high != low


@pytest.mark.parametrize("threshold", [0.0, 1.0])
def test_a_threshold_without_meaning_is_refused(threshold):
    with pytest.raises(ValueError, match="threshold"):
        LearningConfig(threshold=threshold)
