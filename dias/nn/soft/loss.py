"""L_main of both objectives where atoms of s and s′ hold with some probability.

The dense one is the paper's as it is printed, which nowhere needs A and A′ to be 0 or 1. The
lifted one asks of each ground atom how likely what was seen of it is: that it stays, or that it is
added, with probability (1 - A)A′, or deleted, with A(1 - A′), and that the schema says so. Where
all atoms are 0 or 1 both equal `dias.nn.dense_loss` and `dias.nn.lifted_loss`, up to rounding.
Both have gradients towards A and A′, and both cost O^k for each relation.

Paper: ``eq:effect-application``, ``eq:pre-factor-schedule``, ``sec:loss-formulation``.
"""

from __future__ import annotations

import torch
from torch import Tensor

from dias.nn import dense_loss, lifted_loss
from dias.nn.aux_loss import EPS
from dias.nn.batches import SoftBatch
from dias.nn.dense_loss import n_entries, project, scheduled_root
from dias.nn.lifted_loss import flat, log_precondition_probability, truth_and_falsity
from dias.nn.model import DiasModel, Probabilities, Selection

MIN_LOG = -100.0
"""Where logarithms of the BCE end, as in torch."""


def dense_main_loss(
    model: DiasModel, batch: SoftBatch, selection: Selection, effects: Probabilities, tau: float
) -> Tensor:
    """L_main = BCE(Â′, A′) / N with Â′ = A + p_pre·((1 - A) ⊙ P̃_add - A ⊙ P̃_del).

    Â′ and 1 - Â′ are computed side by side, as A(1 - p_pre·P̃_del) + (1 - A)p_pre·P̃_add and its
    counterpart: the digits of the smaller one would be lost in rounding.

    Paper: ``eq:effect-application``, L_adj and L_main of ``sec:loss-formulation``.
    """
    chosen = selection.selection
    literals = model.preconditions().rows(batch.action)
    positive, negative, add, delete = (
        project(probs, chosen)
        for probs in (literals.positive, literals.negative, effects.positive, effects.negative)
    )
    entries = n_entries(batch, model.n_relations).to(chosen)
    atoms = batch.before.items()
    fails = (own for k, A in atoms for own in (positive[k] * (1 - A), negative[k] * A))
    p_pre = scheduled_root(fails, entries, tau)
    scale = p_pre.reshape(-1, 1, 1)
    total = torch.zeros_like(p_pre)
    for k, A in batch.before.items():
        adds, deletes = (scale * add[k]).clamp(0, 1), (scale * delete[k]).clamp(0, 1)
        is_true = A * (1 - deletes) + (1 - A) * adds
        is_false = A * deletes + (1 - A) * (1 - adds)
        after = batch.after[k]
        total = total - (after * _log(is_true) + (1 - after) * _log(is_false)).flatten(1).sum(1)
    return dense_loss.mean_loss(total, model, batch)


def lifted_main_loss(
    model: DiasModel, batch: SoftBatch, selection: Selection, effects: Probabilities, tau: float
) -> Tensor:
    """L_main in slot space.

    Σ over ground atoms of -log(P(stays) + p_pre·(P(added)·q_add + P(deleted)·q_del)), plus p_pre
    times the expected number of atoms that the schema changes and that were not seen to change.
    """
    chosen = selection.selection
    lifted = project(batch.before, chosen.mT)  # Ã = S̃ A S̃ᵀ
    truth, falsity = truth_and_falsity(lifted, selection.slot_probs)
    log_pre = log_precondition_probability(truth, falsity, model.preconditions(), batch.action, tau)
    proposed = (flat(effects.positive) * falsity + flat(effects.negative) * truth).sum(1)
    add, delete = project(effects.positive, chosen), project(effects.negative, chosen)
    p_pre = log_pre.exp()
    unexplained, own = torch.zeros_like(log_pre), torch.zeros_like(log_pre)
    for k in batch.before:
        _, added, deleted = batch.kinds(k)
        stays, explained = 1 - added - deleted, added * add[k] + deleted * delete[k]
        changes = explained + EPS * (added + deleted)
        seen = stays + p_pre.reshape(-1, 1, 1) * changes
        unexplained = unexplained - torch.log(seen).flatten(1).sum(1)
        own = own + explained.flatten(1).sum(1)
    return lifted_loss.mean_loss(unexplained + p_pre * (proposed - own), model, batch)


def _log(probability: Tensor) -> Tensor:
    """The logarithm, which ends at `MIN_LOG`; its gradient ends there too."""
    tiny = torch.finfo(probability.dtype).tiny
    return torch.log(probability.clamp(min=tiny)).clamp(min=MIN_LOG)
