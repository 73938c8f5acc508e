"""The paper's own objective: every ground atom of the successor state is predicted.

Everything is a dense tensor over objects, so a step costs R·O²·M where the lifted objective
(`dias.nn.lifted_loss`) visits the true atoms only.

The paper has relations of arity 1 and 2, stored as one adjacency tensor ``[R, O, O]`` with the
unary ones on diagonals. Here relations of arity k are a tensor ``[B, R_k, O^k]``, for every
k ≥ 0. What lies off the diagonal of a unary relation contributes nothing to a product or a sum,
so only the number of entries has to be remembered (`n_entries`).

Axes: B batch, R_k relations of arity k, O objects (the most of any transition in the batch),
M slots, A actions. Dictionaries are from arity to tensor.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import torch
from torch import Tensor
from torch.nn import functional

from dias.nn.aux_loss import EPS, action_losses
from dias.nn.batches import Batch, SoftBatch
from dias.nn.model import DiasModel, Probabilities, Selection, SelectionModel


def adjacency(
    batch: Batch, n_objects: int, n_relations: dict[int, int]
) -> tuple[dict[int, Tensor], dict[int, Tensor]]:
    """A of the states and A′ of the successor states: ``[B, R_k, O^k]`` of 0 and 1 each.

    Paper: Section "Application of effects" (A ∈ {0, 1}^{R×O×O}).
    """
    before, after = {}, {}
    device = batch.action.device
    for k, count in n_relations.items():
        # The place of a tuple of objects in the axis O^k.
        place = n_objects ** torch.arange(k - 1, -1, -1, device=device)
        table = torch.zeros(len(batch.places), count, n_objects**k, device=device)
        atoms = batch.state[k]
        table[atoms.transition, atoms.relation, (atoms.objects * place).sum(1)] = 1
        for segment, first, end in batch.segments:
            relation, objects = batch.static[segment][k]
            table[first:end, relation, (objects * place).sum(1)] = 1
        before[k], after[k] = table, table.clone()
        for changes, truth in ((batch.added[k], 1), (batch.deleted[k], 0)):
            column = (changes.objects * place).sum(1)
            after[k][changes.transition, changes.relation, column] = truth
    return before, after


def project(probs: dict[int, Tensor], selection: Tensor) -> dict[int, Tensor]:
    """P̃ = S̃ᵀ P S̃: lifted probabilities onto ground atoms, one factor S̃ for each argument.

    Paper: Sections "Application of effects" and "Evaluation of preconditions" (P̃_add, P̃_del,
    P̃_pre+, P̃_pre-).
    Departs: holds for every arity: S̃ᵀ P at k = 1 (the paper's diagonal), P itself at k = 0.

    Args:
        probs: ``[B, R_k, M^k]`` P of each transition's action.
        selection: ``[B, M, O]`` S̃.

    Returns:
        ``[B, R_k, O^k]``.
    """
    n_slots, factor = selection.shape[1], selection.unsqueeze(1)
    grounded = {}
    for k, value in probs.items():
        n_batch, count = value.shape[:2]
        for _ in range(k):
            # The first slot axis goes, its object axis comes last: k rounds keep the order.
            value = value.reshape(n_batch, count, n_slots, -1).mT @ factor
        grounded[k] = value.reshape(n_batch, count, -1)
    return grounded


def n_entries(batch: Batch | SoftBatch, n_relations: dict[int, int]) -> Tensor:
    """R·O², the number of entries of A of each transition: ``[B]``.

    Paper: the exponent of ``eq:pre-factor-schedule`` and the first term of N.
    Departs: O^k entries where k > 2; O is each transition's own, padding does not count.
    """
    sizes = [count * batch.n_objects ** max(k, 2) for k, count in n_relations.items()]
    return torch.stack(sizes).sum(0).float()


def precondition_probability(
    before: dict[int, Tensor],
    positive: dict[int, Tensor],
    negative: dict[int, Tensor],
    n_entries: Tensor,
    tau: float,
) -> Tensor:
    """p_pre, the probability that all preconditions hold: ``[B]``.

    p_pre = (Π_{r,i,j} (1 - P̃_pre+ ⊙ (1 - A)) ⊙ (1 - P̃_pre- ⊙ A))^(1 / (τ·R·O² + 1 - τ)).

    Paper: ``eq:pre-factor-schedule``; at τ = 0 the unnumbered product before it.

    Args:
        before: A.
        positive: P̃_pre+.
        negative: P̃_pre-.
        n_entries: ``[B]`` R·O².
        tau: τ.
    """
    # A is 0 or 1, so one of the two factors is 1.
    fails = (torch.where(A > 0, negative[k], positive[k]) for k, A in before.items())
    return scheduled_root(fails, n_entries, tau)


def scheduled_root(fails: Iterable[Tensor], n_entries: Tensor, tau: float) -> Tensor:
    """The product of 1 - p over all probabilities p in `fails`, and its root: p_pre."""
    total = torch.zeros_like(n_entries)
    for own in fails:
        total = total + torch.log1p(-own.clamp(0, 1 - EPS)).flatten(1).sum(1)
    return torch.exp(total / (tau * n_entries + (1 - tau)))


def change_probability(
    before: dict[int, Tensor], add: dict[int, Tensor], delete: dict[int, Tensor], p_pre: Tensor
) -> dict[int, Tensor]:
    """How far Â′ = A + p_pre·((1 - A) ⊙ P̃_add - A ⊙ P̃_del) is from A: ``[B, R_k, O^k]``.

    Paper: ``eq:effect-application``.
    Departs: gives |Â′ - A|, the probability that an atom changes. A is 0 or 1, so it says the
    same as Â′, but 1 - Â′ of an atom that is hardly ever deleted would be lost in rounding.
    """
    scale = p_pre.reshape(-1, 1, 1)
    return {k: scale * torch.where(A > 0, delete[k], add[k]) for k, A in before.items()}


def adjacency_loss(
    change: dict[int, Tensor], before: dict[int, Tensor], after: dict[int, Tensor]
) -> Tensor:
    """L_adj = BCE(Â′, A′) = -Σ A′ log Â′ + (1 - A′) log(1 - Â′), summed over the atoms: ``[B]``.

    Paper: L_adj of ``sec:loss-formulation``.
    Departs: the printed sum lacks its minus sign. Computed as BCE(|Â′ - A|, |A′ - A|), which is
    the same number (see `change_probability`). A logarithm ends at -100, as in torch.
    """
    terms = [
        # Rounding may carry a probability past 1.
        functional.binary_cross_entropy(
            probability.clamp(0, 1), (after[k] - before[k]).abs(), reduction="none"
        )
        for k, probability in change.items()
    ]
    return torch.stack([term.flatten(1).sum(1) for term in terms]).sum(0)


def n_terms(n_entries: Tensor, n_relations: dict[int, int], n_slots: int) -> Tensor:
    """N = R·O² + 2·Σ_r M^|p_r|, the terms in all losses of each transition: ``[B]``.

    Paper: N of ``sec:loss-formulation``.
    """
    return n_entries + 2 * sum(count * n_slots**k for k, count in n_relations.items())


def precondition_probabilities(
    model: SelectionModel,
    batch: Batch,
    selection: Selection,
    tau: float,
    before: dict[int, Tensor] | None = None,
) -> Tensor:
    """p_pre of each transition: ``[B]``; A where it is known."""
    chosen, n_relations = selection.selection, model.n_relations
    before = before or adjacency(batch, chosen.shape[2], n_relations)[0]
    probs = model.preconditions().rows(batch.action)
    positive, negative = project(probs.positive, chosen), project(probs.negative, chosen)
    return precondition_probability(before, positive, negative, n_entries(batch, n_relations), tau)


def main_loss(
    model: SelectionModel,
    batch: Batch,
    selection: Selection,
    effects: Probabilities,
    tau: float,
    lifted: Mapping[int, Tensor] | None = None,
) -> Tensor:
    """L_main = L_adj / N, averaged over the batch.

    Paper: L_main of ``sec:loss-formulation``.
    """
    chosen = selection.selection
    before, after = adjacency(batch, chosen.shape[2], model.n_relations)
    p_pre = precondition_probabilities(model, batch, selection, tau, before)
    add, delete = project(effects.positive, chosen), project(effects.negative, chosen)
    change = change_probability(before, add, delete, p_pre)
    return mean_loss(adjacency_loss(change, before, after), model, batch)


def auxiliary_loss(model: DiasModel, batch: Batch | SoftBatch) -> Tensor:
    """L_aux = (L_eff + L_pre) / N, averaged over the batch.

    Paper: L_aux of ``sec:loss-formulation``.
    """
    return mean_loss(action_losses(model)[batch.action], model, batch)


def mean_loss(loss: Tensor, model: SelectionModel, batch: Batch | SoftBatch) -> Tensor:
    """The mean over the batch of a loss of each transition, divided by its N."""
    entries = n_entries(batch, model.n_relations)
    return (loss / n_terms(entries, model.n_relations, model.config.n_slots)).mean()
