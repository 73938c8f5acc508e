"""The relational graph convolution of `dias.nn.rgcn` over atoms that hold with some probability.

h'_i = Σ_t (1 / max(c_{i,t}, 1)) Σ_j A_{t,j,i} (W_t h_j + b_t), with A_{t,j,i} the probability of an
edge of type t from j to i and c_{i,t} = Σ_j A_{t,j,i} their expected number. Where every
probability is 0 or 1 this is what `RGCN` says; below one expected edge a message fades out with
its probability instead of being a mean of next to nothing. The parameters are those of the given
network. Everything is dense: O² entries for each edge type.

Paper: Section "Selection of action arguments" (``sec:argument-selection``).
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from dias.nn.batches import SoftBatch
from dias.nn.rgcn import EPS, RGCN


def soft_keys(rgcn: RGCN, batch: SoftBatch, noise: Tensor) -> Tensor:
    """Keys K with gradients towards the probabilities of the atoms.

    Args:
        rgcn: Whose parameters are used.
        batch: The transitions.
        noise: ``[B, O, d/2]`` standard normal.

    Returns:
        ``[B, O, d]``; 0 for an object that only pads.
    """
    hidden = 0.1 * noise
    if rgcn.nullary is not None:
        hidden = torch.cat([hidden, torch.zeros_like(noise)], 2)
        truth = torch.cat([kind.flatten(1) for kind in batch.kinds(0)], 1)
        hidden = hidden + (truth @ rgcn.nullary).unsqueeze(1)
    adjacency = edge_probabilities(rgcn, batch)
    degree = adjacency.sum(3)
    scale = degree.clamp(min=1)
    # A row for each target and type, so that one product serves all types of a transition.
    means_of = (adjacency / scale.unsqueeze(3)).transpose(1, 2).flatten(1, 2)
    share = (degree / scale).mT
    for layer, weight in enumerate(rgcn.weight):
        h = torch.relu(hidden) if layer else hidden
        means = torch.bmm(means_of, h).reshape(*h.shape[:2], -1)
        total = means @ weight[:, :-1].flatten(0, 1) + share @ weight[:, -1]
        hidden = functional.layer_norm(total, (rgcn.dim,), eps=EPS)
    return hidden


def edge_probabilities(rgcn: RGCN, batch: SoftBatch) -> Tensor:
    """The expected number of edges of each type: ``[B, T, O, O]``, target by source.

    The numbering of types is that of `dias.nn.edges.EdgeTypes`.
    """
    types, n_objects = rgcn.edge_types, batch.width
    exists = torch.arange(n_objects, device=batch.action.device)
    like = next(iter(rgcn.parameters()))
    loops = torch.diag_embed((exists < batch.n_objects.unsqueeze(1)).to(like))
    parts = [loops.unsqueeze(1)]
    for k in batch.before:
        for kind in batch.kinds(k) if k else ():
            parts.append(_between(kind, types.pairs[k], n_objects))
    marks = like.new_zeros(len(loops), types.n_types - int(types.first_mark[0]), n_objects)
    transition, argument = (batch.given >= 0).nonzero(as_tuple=True)
    first = torch.as_tensor(types.first_mark - types.first_mark[0], device=like.device)
    own = first[batch.action[transition]] + argument
    marks[transition, own, batch.given[transition, argument]] = 1
    return torch.cat([*parts, torch.diag_embed(marks)], 1)


def _between(atoms: Tensor, pairs: list[tuple[int, int]], n_objects: int) -> Tensor:
    """The edges of atoms ``[B, R_k, O^k]``, a type for each of P pairs: ``[B, R_k·P, O, O]``."""
    if pairs == [(0, 0)]:
        return torch.diag_embed(atoms)
    n_batch, n_relations = atoms.shape[:2]
    k = max(map(max, pairs)) + 1
    whole = atoms.reshape(n_batch, n_relations, *[n_objects] * k)
    found = []
    for i, j in pairs:
        others = [2 + axis for axis in range(k) if axis not in (i, j)]
        between = whole.sum(others) if others else whole
        found.append(between.mT if i < j else between)
    return torch.stack(found, 2).flatten(1, 2)
