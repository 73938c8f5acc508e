"""L_eff and L_pre: few effects, many preconditions.

An effect that changes nothing costs the main loss nothing, and a precondition that always holds
earns it nothing: only these two tell the right schema from others that explain as much.

Paper: Section "Loss formulation" (``sec:loss-formulation``).
Departs: L_pre weights with the slot probabilities σ(w), as the paper's text says, not with the
logits w of its formula. Off-diagonal entries of unary relations do not exist, so both leave them
out, as N does.
"""

from __future__ import annotations

import torch
from torch import Tensor

from dias.nn.lifted import slot_weights
from dias.nn.model import DiasModel, Probabilities

EPS = 1e-6
"""Keeps logarithms of probabilities finite."""


def effect_loss(effects: Probabilities) -> Tensor:
    """L_eff = -Σ log P_no_eff, of each action or transition: ``[n]``. Small means few effects."""
    terms = [-torch.log(none + EPS).flatten(1).sum(1) for none in effects.none.values()]
    return torch.stack(terms).sum(0)


def precondition_loss(preconditions: Probabilities, slot_logits: Tensor) -> Tensor:
    """L_pre = -Σ log(σ(w_i)σ(w_j)·(1 - P_no_pre)), per action: ``[A]``. Small means many."""
    slot_probs = torch.sigmoid(slot_logits)
    terms = []
    for k, none in preconditions.none.items():
        used = slot_weights(slot_probs, k).unsqueeze(1) * (1 - none)
        terms.append(-torch.log(used + EPS).flatten(1).sum(1))
    return torch.stack(terms).sum(0)


def action_losses(model: DiasModel) -> Tensor:
    """L_eff + L_pre of each action: ``[A]``."""
    return effect_loss(model.effects()) + precondition_loss(
        model.preconditions(), model.slot_logits
    )
