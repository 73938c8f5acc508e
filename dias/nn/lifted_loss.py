"""How well the schemas explain a batch, in slot space.

The dense formulation of the paper predicts all R·O² atoms of s′. Said in slot space, only the
atoms that are true and those that changed have to be visited. A state seen through the slots is
Ã_{r,i,j} = Σ_{(x,y) true in s} S̃_{i,x} S̃_{j,y}, the expected truth of each lifted atom (`lifted`):

- an atom that changed costs -log(p_pre · q), q the probability that the schema changes it;
- every other change that the schema proposes costs its probability times p_pre.

For a hard selection and hard schemas both formulations are zero at the same place.

Paper: ``eq:effect-application``, ``eq:pre-factor-schedule``, Section "Loss formulation"
(``sec:loss-formulation``).
Departs: the cost of wrongly changed atoms is linear, Σ p_pre·q, where BCE has -log(1 - p_pre·q);
the two agree to first order. The common factor 1/N is left out: L_main is a mean over the batch,
L_aux a mean over the actions.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from dias.nn.aux_loss import EPS, action_losses
from dias.nn.batches import Batch, BatchAtoms, SoftBatch
from dias.nn.lifted import atom_weights, lifted_state, slot_weights
from dias.nn.model import DiasModel, Probabilities, Selection, SelectionModel


def flat(groups: Mapping[int, Tensor]) -> Tensor:
    """The lifted atoms of all arities side by side: ``[n, R_k, M^k]`` each to ``[n, F]``."""
    return torch.cat([group.flatten(1) for group in groups.values()], 1)


def truth_and_falsity(lifted: Mapping[int, Tensor], slot_probs: Tensor) -> tuple[Tensor, Tensor]:
    """Ã and σσ - Ã of all lifted atoms: ``[B, F]`` each."""
    weights = {
        k: slot_weights(slot_probs, k).unsqueeze(1).expand_as(group) for k, group in lifted.items()
    }
    truth = flat(lifted)
    return truth, flat(weights) - truth


def log_precondition_probability(
    truth: Tensor, falsity: Tensor, preconditions: Probabilities, action: Tensor, tau: float
) -> Tensor:
    """Log p_pre: ``[B]``, at most 0.

    p_pre = Π_{r,i,j} (1 - P_pre+·(σσ - Ã) - P_pre-·Ã)^(1 / (τ·n + 1 - τ)), n the number of
    lifted atoms: the geometric mean at τ = 1, the product at τ = 0 (``eq:pre-factor-schedule``).
    """
    positive = flat(preconditions.positive).index_select(0, action)
    negative = flat(preconditions.negative).index_select(0, action)
    fails = positive * falsity + negative * truth
    total = torch.log1p(-fails.clamp(0, 1 - EPS)).sum(1)
    return total / (tau * truth.shape[1] + (1 - tau))


def precondition_probabilities(
    model: SelectionModel, batch: Batch, selection: Selection, tau: float
) -> Tensor:
    """p_pre of each transition: ``[B]``."""
    lifted = lifted_state(selection.selection, batch, model.n_relations)
    atoms = truth_and_falsity(lifted, selection.slot_probs)
    return log_precondition_probability(*atoms, model.preconditions(), batch.action, tau).exp()


def main_loss(
    model: SelectionModel,
    batch: Batch,
    selection: Selection,
    effects: Probabilities,
    tau: float,
    lifted: Mapping[int, Tensor] | None = None,
) -> Tensor:
    """L_main in slot space, averaged over the batch; at least 0, up to rounding.

    Args:
        model: Gives the preconditions.
        batch: The transitions.
        selection: S̃ and what it is made of.
        effects: Those of each transition, ``[B, R_k, M^k]`` per arity.
        tau: τ.
        lifted: Ã under that selection, where it is known.
    """
    chosen = selection.selection
    n_state = {k: len(atoms.transition) for k, atoms in batch.state.items()}
    if lifted is None:
        weights = atom_weights(chosen, batch.atoms)
        parts = {k: own.split([n_state[k], len(own) - n_state[k]]) for k, own in weights.items()}
        of_state, of_changes = ({k: own[i] for k, own in parts.items()} for i in range(2))
        lifted = lifted_state(chosen, batch, model.n_relations, of_state)
    else:
        changes = {k: atoms.part(slice(n_state[k], None)) for k, atoms in batch.atoms.items()}
        of_changes = atom_weights(chosen, changes)
    truth, falsity = truth_and_falsity(lifted, selection.slot_probs)
    log_pre = log_precondition_probability(truth, falsity, model.preconditions(), batch.action, tau)
    # The expected number of atoms that the schema changes, then without those that do change.
    proposed = (flat(effects.positive) * falsity + flat(effects.negative) * truth).sum(1)
    wrong = torch.dot(log_pre.exp(), proposed)
    transition, changed = changed_probability(of_changes, batch, effects)
    log_own = log_pre.index_select(0, transition)
    missed = -(torch.log(changed + EPS) + log_own).sum()
    return (missed + wrong - torch.dot(log_own.exp(), changed)) / len(proposed)


def changed_probability(
    weights: Mapping[int, Tensor], batch: Batch, effects: Probabilities
) -> tuple[Tensor, Tensor]:
    """q: the probability that the schema changes each atom that changed.

    Args:
        weights: `atom_weights` of the atoms that were added, then of those that were deleted.
        batch: The transitions.
        effects: ``[B, R_k, M^k]`` P_add and P_del of each transition's action.

    Returns:
        ``[n]`` each: the atom's place in the batch, and q.
    """
    places, found = [], []
    for k, weight in weights.items():
        if len(weight):
            added, deleted = batch.added[k], batch.deleted[k]
            own = [_rows_of(effects.positive[k], added), _rows_of(effects.negative[k], deleted)]
            places += [added.transition, deleted.transition]
            found.append((torch.cat(own) * weight).sum(1))
    if not found:  # nothing changes anywhere
        return batch.action[:0], batch.action[:0].float()
    return torch.cat(places), torch.cat(found)


def _rows_of(probs: Tensor, atoms: BatchAtoms) -> Tensor:
    """What ``[B, R_k, M^k]`` says of some atoms: ``[n, M^k]``."""
    return probs.flatten(0, 1).index_select(0, atoms.transition * probs.shape[1] + atoms.relation)


def auxiliary_loss(model: DiasModel, batch: Batch | SoftBatch) -> Tensor:
    """L_aux = L_eff + L_pre, averaged over the actions."""
    return action_losses(model).mean()


def mean_loss(loss: Tensor, model: SelectionModel, batch: Batch | SoftBatch) -> Tensor:
    """The mean of a loss of each transition."""
    return loss.mean()
