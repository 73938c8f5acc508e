"""How well the schemas explain a batch, in slot space.

The dense formulation of the paper predicts all R·O² atoms of s′. Said in slot space, only the
atoms that are true and those that changed have to be visited:

- an atom that changed costs -log(p_pre · q), q the probability that the schema changes it;
- every other change that the schema proposes costs its probability times p_pre.

For a hard selection and hard schemas both formulations are zero at the same place.

Paper: ``eq:effect-application``, ``eq:pre-factor-schedule``, Section "Loss formulation"
(``sec:loss-formulation``).
Departs: the cost of wrongly changed atoms is linear, Σ p_pre·q, where BCE has -log(1 - p_pre·q);
the two agree to first order. L_pre weights with the slot probabilities σ(w), as the paper's text
says, not with the logits w of its formula. The common factor 1/N is left out: L_main is a mean
over the batch, L_aux a mean over the actions.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from dias.nn.batches import Batch, BatchAtoms
from dias.nn.lifted import atom_weights, lifted_state, outer
from dias.nn.model import DiasModel, Probabilities, Selection, SelectionModel

EPS = 1e-6


def slot_weights(slot_probs: Tensor, k: int) -> Tensor:
    """σ(w_i)·σ(w_j)·… for every k-tuple of slots: ``[n, M]`` to ``[n, M^k]``."""
    return outer([slot_probs] * k) if k else slot_probs.new_ones(len(slot_probs), 1)


def flat(groups: Mapping[int, Tensor]) -> Tensor:
    """The lifted atoms of all arities side by side: ``[n, R_k, M^k]`` each to ``[n, F]``."""
    return torch.cat([group.flatten(1) for group in groups.values()], 1)


def truth_and_falsity(lifted: dict[int, Tensor], slot_probs: Tensor) -> tuple[Tensor, Tensor]:
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


def main_loss(model: DiasModel, batch: Batch, selection: Selection, tau: float) -> Tensor:
    """L_main in slot space, averaged over the batch; at least 0, up to rounding."""
    weights = atom_weights(selection.selection, batch.atoms)
    n_state = {k: len(atoms.transition) for k, atoms in batch.state.items()}
    of_state = {k: own[: n_state[k]] for k, own in weights.items()}
    of_changes = {k: own[n_state[k] :] for k, own in weights.items()}
    lifted = lifted_state(selection.selection, batch, model.n_relations, of_state)
    effects = model.effects().rows(batch.action)
    return successor_loss(model, batch, selection, lifted, effects, tau, of_changes)


def successor_loss(
    model: SelectionModel,
    batch: Batch,
    selection: Selection,
    lifted: dict[int, Tensor],
    effects: Probabilities,
    tau: float,
    of_changes: Mapping[int, Tensor] | None = None,
) -> Tensor:
    """L_main in slot space for the effects of each transition.

    Args:
        model: Gives the preconditions.
        batch: The transitions.
        selection: S̃ and what it is made of.
        lifted: Ã under that selection.
        effects: ``[B, R_k, M^k]`` per arity.
        tau: τ.
        of_changes: `atom_weights` of the atoms that changed, where they are known.
    """
    if of_changes is None:
        changes = {
            k: BatchAtoms(*(column[len(batch.state[k].transition) :] for column in atoms))
            for k, atoms in batch.atoms.items()
        }
        of_changes = atom_weights(selection.selection, changes)
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
            both = torch.stack([effects.positive[k], effects.negative[k]])  # [2, B, R_k, M^k]
            n_batch, count = both.shape[1:3]
            n_added = len(batch.added[k].transition)
            changes = BatchAtoms(*(column[-len(weight) :] for column in batch.atoms[k]))
            row = changes.transition * count + changes.relation
            row[n_added:] += n_batch * count
            own = both.flatten(0, 2).index_select(0, row)
            places.append(changes.transition)
            found.append((own * weight).sum(1))
    if not found:  # nothing changes anywhere
        return batch.action[:0], batch.action[:0].float()
    return torch.cat(places), torch.cat(found)


def effect_loss(effects: Probabilities) -> Tensor:
    """L_eff = -Σ log P_no_eff, per action: ``[A]``. Small means few effects."""
    return torch.stack([-torch.log(p + EPS).flatten(1).sum(1) for p in effects.none.values()]).sum(
        0
    )


def precondition_loss(preconditions: Probabilities, slot_logits: Tensor) -> Tensor:
    """L_pre = -Σ log(σ(w_i)σ(w_j)·(1 - P_no_pre)), per action: ``[A]``. Small means many."""
    slot_probs = torch.sigmoid(slot_logits)
    terms = []
    for k, none in preconditions.none.items():
        used = slot_weights(slot_probs, k).unsqueeze(1) * (1 - none)
        terms.append(-torch.log(used + EPS).flatten(1).sum(1))
    return torch.stack(terms).sum(0)


def auxiliary_loss(model: DiasModel) -> Tensor:
    """L_aux = L_eff + L_pre, averaged over the actions."""
    preconditions = model.preconditions()
    total = effect_loss(model.effects()) + precondition_loss(preconditions, model.slot_logits)
    return total.mean()
