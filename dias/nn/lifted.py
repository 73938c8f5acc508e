"""States seen through the slots: atoms contracted with the selection.

For every relation of arity k and every k-tuple of slots, the lifted state is the expected truth
of that lifted atom, Ã_{r,i,j} = Σ_{(x,y) true in s} S̃_{i,x} S̃_{j,y}. The cost is the number of
true atoms times M^k; nothing of size O² is built.

Paper: Ã is the paper's own lifted state of the MLP ablation (``eq:state-dependent-effects``).
"""

from __future__ import annotations

import torch
from torch import Tensor

from dias.tensors import Batch, BatchAtoms


def outer(factors: list[Tensor]) -> Tensor:
    """Outer product over slots: k tensors ``[n, M]`` to ``[n, M^k]``; ``[n, 1]`` for k = 0."""
    product = factors[0]
    for factor in factors[1:]:
        product = (product.unsqueeze(2) * factor.unsqueeze(1)).flatten(1)
    return product


def atom_weights(selection: Tensor, atoms: BatchAtoms) -> Tensor:
    """Weight of every ground atom for every tuple of slots.

    Args:
        selection: ``[B, M, O]`` selection S̃.
        atoms: n atoms of arity k.

    Returns:
        ``[n, M^k]``: Π_l S̃[slot l, object l].
    """
    k = atoms.objects.shape[1]
    if k == 0:
        return selection.new_ones(len(atoms.transition), 1)
    n_batch, n_slots, n_objects = selection.shape
    by_object = selection.mT.reshape(n_batch * n_objects, n_slots)
    start = atoms.transition * n_objects
    return outer([by_object.index_select(0, start + atoms.objects[:, p]) for p in range(k)])


def lifted_state(selection: Tensor, batch: Batch, n_relations: dict[int, int]) -> dict[int, Tensor]:
    """Ã per arity: ``[B, R_k, M^k]``, each entry in [0, 1].

    Static relations share one set of atoms per segment and are contracted as matrix products.
    """
    n_batch, n_slots, _ = selection.shape
    lifted = {}
    for k, count in n_relations.items():
        atoms = batch.state[k]
        flat = selection.new_zeros(n_batch * count, n_slots**k)
        place = atoms.transition * count + atoms.relation
        total = flat.index_add(0, place, atom_weights(selection, atoms))
        lifted[k] = total.reshape(n_batch, count, n_slots**k) + _static(selection, batch, k, count)
    return lifted


def _static(selection: Tensor, batch: Batch, k: int, count: int) -> Tensor:
    """The share of the static relations: ``[B, R_k, M^k]``."""
    parts = []
    for segment, first, end in batch.segments:
        relation, objects = batch.static[segment][k]  # ordered by relation
        chosen = selection[first:end]
        n, n_slots = chosen.shape[:2]
        columns = [chosen.index_select(2, objects[:, place]) for place in range(k)]
        bounds = torch.searchsorted(relation, torch.arange(count + 1)).tolist()
        rows = []
        for own in map(slice, bounds, bounds[1:]):
            if own.start == own.stop:
                rows.append(selection.new_zeros(n, n_slots**k))
            elif k == 0:
                rows.append(selection.new_ones(n, 1))
            elif k == 1:
                rows.append(columns[0][:, :, own].sum(2))
            else:
                left = columns[0][:, :, own]  # [b, M, n_atoms]
                for column in columns[1:-1]:
                    left = (left.unsqueeze(2) * column[:, :, own].unsqueeze(1)).flatten(1, 2)
                rows.append((left @ columns[-1][:, :, own].mT).flatten(1))
        parts.append(torch.stack(rows, 1))
    return torch.cat(parts)
