"""Training with state-dependent effects: the same loop, other effects.

Paper: ``app:mlp-effects``.
"""

from __future__ import annotations

import torch
from torch import Tensor

from dias.config import ModelConfig
from dias.learning.train.trainer import TrainingRun
from dias.nn import dense, objectives
from dias.nn.batches import Batch
from dias.nn.lifted import lifted_state
from dias.nn.mlp_effects import MLPEffectsModel
from dias.nn.model import Selection
from dias.nn.tables import TransitionTables


class MLPTrainer(TrainingRun[MLPEffectsModel]):
    """A training run of the ablation.

    L_main and PCGrad are those of the main model. P_no_eff differs from transition to transition,
    so L_eff is that of the transitions, averaged over the batch, which holds equally many of each
    action. It reaches the selection too, since the effects depend on it through Ã.
    """

    def _new_model(
        self, tables: TransitionTables, config: ModelConfig, generator: torch.Generator
    ) -> MLPEffectsModel:
        return MLPEffectsModel(tables.vocabulary, config, generator)

    def _losses(self, batch: Batch, selection: Selection, tau: float) -> tuple[Tensor, Tensor]:
        model = self.model
        lifted = lifted_state(selection.selection, batch, model.n_relations)
        effects = model.effects(lifted, batch.action)
        wanted = objectives.precondition_loss(model.preconditions(), model.slot_logits)
        cost = objectives.effect_loss(effects) + wanted[batch.action]
        if self._config.objective == "dense":
            entries = dense.n_entries(batch, model.n_relations)
            n_terms = dense.n_terms(entries, model.n_relations, model.config.n_slots)
            main = dense.successor_loss(model, batch, selection, effects, tau)
            return main, (cost / n_terms).mean()
        main = objectives.successor_loss(model, batch, selection, lifted, effects, tau)
        return main, cost.mean()
