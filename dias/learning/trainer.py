"""The training loop.

Paper: Section "Loss formulation" and ``app:model-configuration``.
Departs: L_main + weight·L_aux instead of PCGrad (see docs/paper_map.md).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch

from dias.config import ModelConfig, TrainingConfig
from dias.nn.model import DiasModel
from dias.nn.objectives import auxiliary_loss, main_loss
from dias.tensors import TransitionTables, make_batch

REPORT_EVERY = 50
"""Steps between two progress reports; losses are read from the tensors only then."""


@dataclass(frozen=True)
class Progress:
    """What the training loop reports.

    Attributes:
        step: Steps done.
        n_steps: Steps planned.
        main_loss: L_main of the last batch.
        auxiliary_loss: L_aux, not weighted.
        tau: τ of the last step.
    """

    step: int
    n_steps: int
    main_loss: float
    auxiliary_loss: float
    tau: float


def tau_at(step: int, tau_steps: int) -> float:
    """τ, decaying exponentially from 1 at step 0 to 0.1 at `tau_steps` and on towards 0."""
    return 0.1 ** (step / tau_steps)


def balanced_indices(
    tables: TransitionTables, batch_size: int, rng: np.random.Generator
) -> np.ndarray:
    """Draw about `batch_size` transitions, equally many of each action, with replacement."""
    n_actions = len(tables.vocabulary.actions)
    share = max(1, batch_size // n_actions)
    draws = [
        rng.choice(np.flatnonzero(tables.action == action), share) for action in range(n_actions)
    ]
    return np.concatenate(draws)


def train(
    tables: TransitionTables,
    model_config: ModelConfig,
    config: TrainingConfig,
    seed: int,
    report: Callable[[Progress], None] | None = None,
) -> DiasModel:
    """Train a model on all transitions of `tables`.

    Args:
        tables: The transitions.
        model_config: Sizes of the network.
        config: Steps, batch size, rates.
        seed: Fixes the initial parameters, the batches and the node noise.
        report: Called every `REPORT_EVERY` steps and after the last one.
    """
    generator = torch.Generator().manual_seed(seed)
    rng = np.random.default_rng(seed)
    model = DiasModel(tables.vocabulary, model_config, generator)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay, fused=True
    )
    for step in range(config.n_steps):
        batch = make_batch(tables, balanced_indices(tables, config.batch_size, rng))
        tau = tau_at(step, config.tau_steps)
        selection = model.select(batch, generator)
        main = main_loss(model, batch, selection, tau)
        auxiliary = auxiliary_loss(model)
        optimizer.zero_grad()
        (main + config.aux_weight * auxiliary).backward()
        optimizer.step()
        if report and ((step + 1) % REPORT_EVERY == 0 or step + 1 == config.n_steps):
            report(Progress(step + 1, config.n_steps, main.item(), auxiliary.item(), tau))
    return model
