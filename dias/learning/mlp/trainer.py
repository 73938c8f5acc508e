"""Training with state-dependent effects: the same loop, other effects.

Paper: ``app:mlp-effects``.
"""

from __future__ import annotations

from torch import Tensor

from dias.learning.train.trainer import TrainingRun
from dias.nn.aux_loss import effect_loss, precondition_loss
from dias.nn.batches import Batch
from dias.nn.lifted import lifted_state
from dias.nn.mlp_effects import MLPEffectsModel
from dias.nn.model import Selection


class MLPTrainer(TrainingRun[MLPEffectsModel]):
    """A training run of the ablation.

    L_main and PCGrad are those of the main model. P_no_eff differs from transition to transition,
    so L_eff is that of the transitions, averaged over the batch, which holds equally many of each
    action. It reaches the selection too, since the effects depend on it through Ã.
    """

    _network = MLPEffectsModel

    def _losses(self, batch: Batch, selection: Selection, tau: float) -> tuple[Tensor, Tensor]:
        model = self.model
        lifted = lifted_state(selection.selection, batch, model.n_relations)
        effects = model.effects(lifted, batch.action)
        wanted = precondition_loss(model.preconditions(), model.slot_logits)
        cost = effect_loss(effects) + wanted[batch.action]
        main = self._objective.main_loss(model, batch, selection, effects, tau, lifted)
        return main, self._objective.mean_loss(cost, model, batch)
