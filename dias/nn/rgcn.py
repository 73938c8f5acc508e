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

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from dias.tensors import Batch, BatchAtoms, Vocabulary


class Edges(NamedTuple):
    """The edges of a batch of transition graphs, grouped by type.

    Attributes:
        source, target: ``[E]`` node numbers, b·O + o.
        type: ``[E]`` edge types, ascending.
        weight: ``[E, 1]`` 1 / c of the target for that type.
        bounds: ``[T + 1]``: edges of type t are ``bounds[t]:bounds[t + 1]``.
    """

    source: Tensor
    target: Tensor
    type: Tensor
    weight: Tensor
    bounds: list[int]

    def parts(self) -> Iterator[tuple[int, slice]]:
        """Each type that has edges, with their place."""
        for t, (first, end) in enumerate(pairwise(self.bounds)):
            if first < end:
                yield t, slice(first, end)


class EdgeTypes:
    """The numbering of edge types.

    A relation p gives the types p, p_add, p_del; one of arity k ≥ 2 has a type for each ordered
    pair of argument positions, which covers the reverse edges. Arity 0 has no edges: its truth
    reaches the network as a bias shared by all nodes (see `RGCN`). The k-th given argument of
    action a has the type a^k, a self-loop that marks the object.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.first: dict[tuple[int, int], int] = {}
        self.pairs: dict[int, list[tuple[int, int]]] = {}
        n_types = 0
        for k, group in vocabulary.relations.items():
            pairs = [(i, j) for i in range(k) for j in range(k) if i != j]
            self.pairs[k] = pairs or [(0, 0)] * (k == 1)
            for kind in range(3):  # true, added, deleted
                self.first[k, kind] = n_types
                n_types += len(group) * len(self.pairs[k])
        # First mark of each action; argument k of it is k types further on.
        self.first_mark = n_types + torch.tensor([0, *vocabulary.n_given]).cumsum(0)
        self.n_types = int(self.first_mark[-1])

    def edges(self, batch: Batch, n_objects: int) -> Edges:
        """The transition graphs of `batch`, each padded to `n_objects` nodes."""
        nothing = torch.empty(0, dtype=torch.int64)  # there may be no relation with arguments
        sources, targets, types = [nothing], [nothing], [nothing]

        def add(k: int, kind: int, start: Tensor, relation: Tensor, objects: Tensor) -> None:
            for number, (i, j) in enumerate(self.pairs[k]):
                sources.append(start + objects[:, i])
                targets.append(start + objects[:, j])
                types.append(self.first[k, kind] + relation * len(self.pairs[k]) + number)

        for kind, table in enumerate((batch.state, batch.added, batch.deleted)):
            for k, atoms in table.items():
                add(k, kind, atoms.transition * n_objects, atoms.relation, atoms.objects)
        for segment, first, end in batch.segments:
            start = (torch.arange(first, end) * n_objects).unsqueeze(1)
            for k, (relation, objects) in batch.static[segment].items():
                for number, (i, j) in enumerate(self.pairs[k]):
                    sources.append((start + objects[:, i]).flatten())
                    targets.append((start + objects[:, j]).flatten())
                    edge_type = self.first[k, 0] + relation * len(self.pairs[k]) + number
                    types.append(edge_type.expand(end - first, -1).flatten())
        transition, argument = (batch.given >= 0).nonzero(as_tuple=True)
        marked = transition * n_objects + batch.given[transition, argument]
        sources.append(marked)
        targets.append(marked)
        types.append(self.first_mark[batch.action[transition]] + argument)
        edge_type = torch.cat(types)
        order = torch.argsort(edge_type, stable=True)
        edge_type, target = edge_type[order], torch.cat(targets)[order]
        n_nodes = len(batch.places) * n_objects
        slot = edge_type * n_nodes + target  # (type, target), for the counts c
        _, inverse, counts = torch.unique(slot, return_inverse=True, return_counts=True)
        weight = counts[inverse].float().reciprocal().unsqueeze(1)
        bounds = torch.searchsorted(edge_type, torch.arange(self.n_types + 1)).tolist()
        return Edges(torch.cat(sources)[order], target, edge_type, weight, bounds)


class _Convolution(torch.autograd.Function):
    """Σ_t (1 / c) Σ_j (W_t h_j + b_t): the messages of one layer, summed per target node.

    Written as one function because a tape over one slice per edge type costs more than the
    arithmetic.
    """

    @staticmethod
    def forward(ctx, hidden: Tensor, weight: Tensor, bias: Tensor, edges: Edges) -> Tensor:
        rows = hidden.index_select(0, edges.source)
        messages = torch.empty(len(rows), weight.shape[2])
        for t, part in edges.parts():
            torch.mm(rows[part], weight[t], out=messages[part])
        messages.add_(bias.index_select(0, edges.type)).mul_(edges.weight)
        ctx.save_for_backward(rows, weight)
        ctx.edges = edges
        ctx.n_nodes = len(hidden)
        return torch.zeros_like(hidden).index_add_(0, edges.target, messages)

    @staticmethod
    @once_differentiable
    def backward(ctx, gradient: Tensor):
        rows, weight = ctx.saved_tensors
        edges = ctx.edges
        d_messages = gradient.index_select(0, edges.target).mul_(edges.weight)
        d_weight = torch.zeros_like(weight)
        d_bias = torch.zeros(weight.shape[::2]).index_add_(0, edges.type, d_messages)
        d_rows = torch.empty_like(rows) if ctx.needs_input_grad[0] else None
        for t, part in edges.parts():
            torch.mm(rows[part].T, d_messages[part], out=d_weight[t])
            if d_rows is not None:
                torch.mm(d_messages[part], weight[t].T, out=d_rows[part])
        d_hidden = None
        if d_rows is not None:
            d_hidden = torch.zeros(ctx.n_nodes, rows.shape[1])
            d_hidden.index_add_(0, edges.source, d_rows)
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
            hidden = torch.nn.functional.layer_norm(hidden, (self.dim,))
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
