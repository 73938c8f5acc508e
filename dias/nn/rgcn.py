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
W₀ and b are the matrix and the bias of a type of their own, the loop that every node has; which
messages share a multiplication is said in `dias.nn.graphs`.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from dias.nn.batches import Batch, BatchAtoms
from dias.nn.edges import EdgeTypes
from dias.nn.graphs import Rows, TransitionGraphs
from dias.nn.tables import TransitionTables

EPS = 1e-5
"""Added to the variance in the layer normalisation."""


class _Layer(torch.autograd.Function):
    """h'_i = normalised Σ_t (W_t (1 / c) Σ_j h_j + b_t).

    Written as one function, since a tape over its parts costs more than they do. The mean that
    the normalisation takes off is taken off W and b beforehand.
    """

    @staticmethod
    def forward(ctx, hidden: Tensor, weight: Tensor, rows: Rows) -> Tensor:
        d_in, d = hidden.shape[1], weight.shape[2]
        weight = rows.types @ (weight - weight.mean(2, keepdim=True)).flatten(1)
        weight = weight.index_select(0, rows.block).reshape(-1, d_in + 1, d)
        weight, bias = weight.split([d_in, 1], 1)
        means = rows.sources.sum(hidden).reshape(-1, rows.n_block, d_in)
        total = rows.targets.sum(torch.baddbmm(bias, means, weight).flatten(0, 1))
        scale = torch.rsqrt((total * total) @ total.new_full((d, 1), 1 / d) + EPS)
        total *= scale
        ctx.save_for_backward(means, weight, total, scale)
        ctx.rows = rows
        return total

    @staticmethod
    @once_differentiable
    def backward(ctx, gradient: Tensor):
        means, weight, normal, scale = ctx.saved_tensors
        rows: Rows = ctx.rows
        d = normal.shape[1]
        along = (gradient * normal) @ normal.new_full((d, 1), 1 / d)
        d_total = torch.addcmul(gradient, normal, along, value=-1).mul_(scale)
        d_messages = rows.to_targets.sum(d_total).reshape(-1, rows.n_block, d)
        d_hidden = None
        if ctx.needs_input_grad[0]:
            d_hidden = rows.to_sources.sum(torch.bmm(d_messages, weight.mT).flatten(0, 1))
        d_bias = d_messages.sum(1, keepdim=True)
        d_weight = torch.cat([torch.bmm(means.mT, d_messages), d_bias], 1)
        d_weight = (rows.types.T @ rows.blocks.sum(d_weight.flatten(1))).unflatten(1, (-1, d))
        return d_hidden, d_weight - d_weight.mean(2, keepdim=True), None


class RGCN(nn.Module):
    """Keys K: one d-dimensional vector per object.

    Args:
        edge_types: Numbering of the edge types.
        n_nullary: Number of relations of arity 0.
        dim: Embedding size d.
        n_layers: Number of layers.
        generator: Source of the initial weights.

    Attributes:
        weight: For each layer ``[T, d + 1, d]``: W_t and, as its last row, b_t. The first layer
            has only the rows of W_t that meet something other than zero.
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
        self._graphs: tuple[TransitionTables, TransitionGraphs] | None = None
        scale = dim**-0.5

        def normal(*shape: int) -> nn.Parameter:
            return nn.Parameter(torch.randn(*shape, generator=generator) * scale)

        inputs = [dim if n_nullary else dim // 2, *[dim] * (n_layers - 1)]
        self.weight = nn.ParameterList(normal(edge_types.n_types, d_in + 1, dim) for d_in in inputs)
        self.nullary = normal(3 * n_nullary, dim) if n_nullary else None
        with torch.no_grad():
            for weight in self.weight:
                weight[0, -1] = 0  # the bias of the loop that every node has

    def forward(self, batch: Batch, n_objects: int, noise: Tensor) -> Tensor:
        """Compute the keys.

        Args:
            batch: The transitions.
            n_objects: O, the padded number of objects.
            noise: ``[B, O, d/2]`` standard normal; breaks the symmetry between objects.

        Returns:
            ``[B, O, d]`` keys K; 0 for an object that only pads.
        """
        rows = self._graphs_of(batch.tables).rows(batch.places, n_objects, noise.device)
        n_batch = len(batch.places)
        hidden = 0.1 * noise
        if self.nullary is not None:
            hidden = torch.cat([hidden, torch.zeros_like(noise)], 2)
            hidden = hidden + self._nullary(batch, n_batch)
        hidden = hidden.flatten(0, 1)
        for layer, weight in enumerate(self.weight):
            hidden = _Layer.apply(torch.relu(hidden) if layer else hidden, weight, rows)
        return hidden.reshape(n_batch, n_objects, self.dim)

    def _graphs_of(self, tables: TransitionTables) -> TransitionGraphs:
        """The graphs of the tables that the batch comes from; the last ones are kept."""
        if self._graphs is None or self._graphs[0] is not tables:
            self._graphs = tables, TransitionGraphs(tables, self.edge_types)
        return self._graphs[1]

    def _nullary(self, batch: Batch, n_batch: int) -> Tensor:
        """``[B, 1, d]`` sum of the embeddings of the arity-0 atoms true, added, deleted."""
        assert self.nullary is not None
        n = len(self.nullary) // 3
        total = self.nullary.new_zeros(n_batch, self.dim)
        for kind, table in enumerate((batch.state, batch.added, batch.deleted)):
            atoms: BatchAtoms = table[0]
            total = total.index_add(0, atoms.transition, self.nullary[kind * n + atoms.relation])
        for segment, first, end in batch.segments:
            relation, _ = batch.static[segment][0]
            rows = self.nullary[relation].sum(0)
            total[first:end] += rows
        return total.unsqueeze(1)
