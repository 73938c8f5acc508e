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


def by_object(selection: Tensor) -> Tensor:
    """``[B, M, O]`` selection S̃ to ``[B·O, M]``: a row for each object."""
    return selection.mT.flatten(0, 1)


def atom_weights(rows: Tensor, n_objects: int, atoms: BatchAtoms) -> Tensor:
    """Weight of every ground atom for every tuple of slots.

    Args:
        rows: ``[B·O, M]`` the selection S̃, `by_object`.
        n_objects: O.
        atoms: n atoms of arity k.

    Returns:
        ``[n, M^k]``: Π_l S̃[slot l, object l].
    """
    k = atoms.objects.shape[1]
    if k == 0:
        return rows.new_ones(len(atoms.transition), 1)
    nodes = atoms.objects + (atoms.transition * n_objects).unsqueeze(1)
    return outer([rows.index_select(0, column) for column in nodes.unbind(1)])


def lifted_state(selection: Tensor, batch: Batch, n_relations: dict[int, int]) -> dict[int, Tensor]:
    """Ã per arity: ``[B, R_k, M^k]``, each entry in [0, 1].

    Static relations share one set of atoms per segment and are contracted as matrix products.
    """
    n_batch, n_slots, n_objects = selection.shape
    rows = by_object(selection)
    lifted = {}
    for k, count in n_relations.items():
        total = _static(selection, batch, k, count)
        atoms = batch.state[k]
        if len(atoms.transition):
            place = atoms.transition * count + atoms.relation
            weights = atom_weights(rows, n_objects, atoms)
            total = total.flatten(0, 1).index_add(0, place, weights)
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
                sums.append((left @ columns[-1][:, :, own].mT).flatten(1))
        parts.append(torch.stack(sums, 1))
    return torch.cat(parts)
