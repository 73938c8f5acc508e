"""States seen through the slots: atoms contracted with the selection.

For every relation of arity k and every k-tuple of slots, the lifted state is the expected truth
of that lifted atom, Ã_{r,i,j} = Σ_{(x,y) true in s} S̃_{i,x} S̃_{j,y}. The cost is the number of
true atoms times M^k; nothing of size O² is built.

Paper: Ã is the paper's own lifted state of the MLP ablation (``eq:state-dependent-effects``).
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from dias.nn.batches import Batch, BatchAtoms


def outer(factors: list[Tensor]) -> Tensor:
    """Outer product over slots: k tensors ``[n, M]`` to ``[n, M^k]``; ``[n, 1]`` for k = 0."""
    product = factors[0]
    for factor in factors[1:]:
        product = (product.unsqueeze(2) * factor.unsqueeze(1)).flatten(1)
    return product


def slot_weights(slot_probs: Tensor, k: int) -> Tensor:
    """σ(w_i)·σ(w_j)·… for every k-tuple of slots: ``[n, M]`` to ``[n, M^k]``."""
    return outer([slot_probs] * k) if k else slot_probs.new_ones(len(slot_probs), 1)


def atom_weights(selection: Tensor, groups: Mapping[int, BatchAtoms]) -> dict[int, Tensor]:
    """Weight of every ground atom for every tuple of slots.

    Args:
        selection: ``[B, M, O]`` selection S̃.
        groups: Arity to atoms.

    Returns:
        Arity k to ``[n, M^k]``: Π_l S̃[slot l, object l].
    """
    n_objects = selection.shape[2]
    by_object = selection.mT.flatten(0, 1)  # a row of M for each object of each transition
    weights = {}
    for k, atoms in groups.items():
        if k == 0:
            weights[k] = selection.new_ones(len(atoms.transition), 1)
        else:
            nodes = atoms.objects + (atoms.transition * n_objects).unsqueeze(1)
            weights[k] = outer([by_object.index_select(0, node) for node in nodes.unbind(1)])
    return weights


def lifted_state(
    selection: Tensor,
    batch: Batch,
    n_relations: dict[int, int],
    weights: Mapping[int, Tensor] | None = None,
) -> dict[int, Tensor]:
    """Ã per arity: ``[B, R_k, M^k]``, each entry in [0, 1].

    Static relations share one set of atoms per segment and are contracted as matrix products.

    Args:
        selection: ``[B, M, O]`` selection S̃.
        batch: The transitions.
        n_relations: Arity k to R_k.
        weights: `atom_weights` of the states' atoms, where they are known.
    """
    n_batch, n_slots, _ = selection.shape
    weights = weights or atom_weights(selection, batch.state)
    lifted = {}
    for k, count in n_relations.items():
        total, atoms = _static(selection, batch, k, count), batch.state[k]
        if len(atoms.transition):
            place = atoms.transition * count + atoms.relation
            total = total.flatten(0, 1).index_add(0, place, weights[k])
        lifted[k] = total.reshape(n_batch, count, n_slots**k)
    return lifted


def _static(selection: Tensor, batch: Batch, k: int, count: int) -> Tensor:
    """The share of the static relations: ``[B, R_k, M^k]``."""
    parts = []
    for segment, first, end in batch.segments:
        relation, objects = batch.static[segment][k]  # ordered by relation
        chosen = selection[first:end]
        n, n_slots = chosen.shape[:2]
        if k == 1 and len(relation):
            member = selection.new_zeros(selection.shape[2], count)
            member[objects[:, 0], relation] = 1
            parts.append((chosen @ member).mT)
            continue
        columns = [chosen.index_select(2, column) for column in objects.unbind(1)]
        numbers = torch.arange(count + 1, device=relation.device)
        bounds = torch.searchsorted(relation, numbers).tolist()
        nothing = selection.new_zeros(n, n_slots**k)
        sums = []
        for own in map(slice, bounds, bounds[1:]):
            if own.start == own.stop:
                sums.append(nothing)
            elif k == 0:
                sums.append(nothing + 1)
            else:
                left = columns[0][:, :, own]  # [b, M, n_atoms]
                for column in columns[1:-1]:
                    left = (left.unsqueeze(2) * column[:, :, own].unsqueeze(1)).flatten(1, 2)
                sums.append(torch.bmm(left, columns[-1][:, :, own].mT).flatten(1))
        parts.append(torch.stack(sums, 1))
    return torch.cat(parts)
