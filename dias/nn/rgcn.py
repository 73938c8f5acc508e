"""Relational graph convolution over transition graphs.

Paper: Section "Selection of action arguments" (``sec:argument-selection``): nodes are objects;
every true atom, every added and every deleted atom is a typed edge; every edge has a reverse.

h'_i = W₀ h_i + b + Σ_t (1 / c_{i,t}) Σ_{j ∈ N_t(i)} W_t h_j, with c_{i,t} the number of edges of
type t that enter i, and ReLU between layers.

Departs: the paper is silent on the number of layers, their activation and normalisation. Here:
four layers, layer normalisation, ReLU between layers. Without normalisation the messages of a
dozen edge types add up, the scores grow layer by layer, Sinkhorn starts out hard and hardly a
gradient passes (Blocks-3: loss 7 after 1,200 steps, with normalisation 1 after 300). Every edge
type has a bias, so that the mere presence of a unary atom is visible although the node features
start as noise. A self-loop gets no reverse of its own: it would only double the same message.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn import functional

from dias.nn.edges import Edges, EdgeTypes
from dias.tensors import Batch, BatchAtoms


class _Convolution(torch.autograd.Function):
    """Σ_t (W_t (1 / c) Σ_j h_j + b_t): the messages of one layer, summed per target node.

    Written as one function because a tape over one slice per edge type costs more than the
    arithmetic.
    """

    @staticmethod
    def forward(ctx, hidden: Tensor, weight: Tensor, bias: Tensor, edges: Edges) -> Tensor:
        means = edges.sources.sum(hidden)
        messages = torch.empty(len(means), weight.shape[2])
        for t, part in edges.parts():
            torch.addmm(bias[t], means[part], weight[t], out=messages[part])
        ctx.save_for_backward(means, weight)
        ctx.edges = edges
        return edges.targets.sum(messages)

    @staticmethod
    @once_differentiable
    def backward(ctx, gradient: Tensor):
        means, weight = ctx.saved_tensors
        edges = ctx.edges
        d_messages = gradient.index_select(0, edges.target)
        d_weight = torch.zeros_like(weight)
        d_bias = torch.zeros(weight.shape[::2]).index_add_(0, edges.type, d_messages)
        d_means = torch.empty_like(means) if ctx.needs_input_grad[0] else None
        for t, part in edges.parts():
            torch.mm(means[part].T, d_messages[part], out=d_weight[t])
            if d_means is not None:
                torch.mm(d_messages[part], weight[t].T, out=d_means[part])
        d_hidden = None if d_means is None else edges.to_sources.sum(d_means)
        return d_hidden, d_weight, d_bias, None


class RGCN(nn.Module):
    """Keys K: one d-dimensional vector per object.

    Args:
        edge_types: Numbering of the edge types.
        n_nullary: Number of relations of arity 0.
        dim: Embedding size d.
        n_layers: Number of layers.
        generator: Source of the initial weights.
    """

    def __init__(
        self,
        edge_types: EdgeTypes,
        n_nullary: int,
        dim: int,
        n_layers: int,
        generator: torch.Generator,
    ) -> None:
        super().__init__()
        self.edge_types = edge_types
        self.dim = dim
        scale = dim**-0.5

        def normal(*shape: int) -> nn.Parameter:
            return nn.Parameter(torch.randn(*shape, generator=generator) * scale)

        self.weight = nn.ParameterList(
            normal(edge_types.n_types, dim, dim) for _ in range(n_layers)
        )
        self.type_bias = nn.ParameterList(normal(edge_types.n_types, dim) for _ in range(n_layers))
        self.root = nn.ParameterList(normal(dim, dim) for _ in range(n_layers))
        self.bias = nn.ParameterList(nn.Parameter(torch.zeros(dim)) for _ in range(n_layers))
        self.nullary = normal(3 * n_nullary, dim) if n_nullary else None

    def forward(self, batch: Batch, n_objects: int, noise: Tensor) -> Tensor:
        """Compute the keys.

        Args:
            batch: The transitions.
            n_objects: O, the padded number of objects.
            noise: ``[B, O, d/2]`` standard normal; breaks the symmetry between objects.

        Returns:
            ``[B, O, d]`` keys K.
        """
        edges = self.edge_types.edges(batch, n_objects)
        n_batch = len(batch.places)
        hidden = torch.cat([0.1 * noise, torch.zeros_like(noise)], 2)
        if self.nullary is not None:
            hidden = hidden + self._nullary(batch, n_batch)
        hidden = hidden.reshape(n_batch * n_objects, self.dim)
        last = len(self.weight) - 1
        for layer, weight in enumerate(self.weight):
            messages = _Convolution.apply(hidden, weight, self.type_bias[layer], edges)
            hidden = torch.addmm(self.bias[layer], hidden, self.root[layer]) + messages
            hidden = functional.layer_norm(hidden, (self.dim,))
            if layer < last:
                hidden = torch.relu(hidden)
        return hidden.reshape(n_batch, n_objects, self.dim)

    def _nullary(self, batch: Batch, n_batch: int) -> Tensor:
        """``[B, 1, d]`` sum of the embeddings of the arity-0 atoms true, added, deleted."""
        assert self.nullary is not None
        n = len(self.nullary) // 3
        total = torch.zeros(n_batch, self.dim)
        for kind, table in enumerate((batch.state, batch.added, batch.deleted)):
            atoms: BatchAtoms = table[0]
            total = total.index_add(0, atoms.transition, self.nullary[kind * n + atoms.relation])
        for segment, first, end in batch.segments:
            relation, _ = batch.static[segment][0]
            rows = self.nullary[relation].sum(0)
            total[first:end] += rows
        return total.unsqueeze(1)
