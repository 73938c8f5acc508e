"""Relational graph convolution over transition graphs.

Paper: Section "Selection of action arguments" (``sec:argument-selection``): nodes are objects;
every true atom, every added and every deleted atom is a typed edge; every edge has a reverse.

h'_i = Σ_t (1 / c_{i,t}) Σ_{j ∈ N_t(i)} (W_t h_j + b_t), with c_{i,t} the number of edges of type t
that enter i. Type 0 is the loop that every node has: W₀ h_i.

Departs: the paper is silent on the number of layers, their activation and normalisation. Here:
four layers, layer normalisation, ReLU between layers. Without normalisation the messages of a
dozen edge types add up, the scores grow layer by layer, Sinkhorn starts out hard and hardly a
gradient passes (Blocks-3: loss 7 after 1,200 steps, with normalisation 1 after 300). Every edge
type has a bias, so that the mere presence of a unary atom is visible although the node features
start as noise. A self-loop gets no reverse of its own: it would only double the same message.

Training uses `dias.nn.rgcn_fast`, which must equal this.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from dias.config import ModelConfig
from dias.nn.batches import Batch
from dias.nn.edges import EdgeTypes
from dias.nn.tables import Symbols

EPS = 1e-5
"""Added to the variance in the layer normalisation."""


class RGCN(nn.Module):
    """Keys K: one d-dimensional vector per object.

    Args:
        vocabulary: Relations and actions.
        config: Sizes.
        generator: Source of the initial weights.

    Attributes:
        weight: For each layer ``[T, d + 1, d]``: W_t and, as its last row, b_t. The first layer
            has only the rows of W_t that meet something other than zero.
        nullary: ``[3·R_0, d]`` embeddings of the arity-0 atoms: true, added, deleted.
    """

    def __init__(
        self, vocabulary: Symbols, config: ModelConfig, generator: torch.Generator
    ) -> None:
        super().__init__()
        self.edge_types = EdgeTypes(vocabulary)
        self.dim = d = config.dim
        n_nullary = len(vocabulary.relations.get(0, ()))

        def normal(*shape: int) -> nn.Parameter:
            return nn.Parameter(torch.randn(*shape, generator=generator) * d**-0.5)

        inputs = [d if n_nullary else d // 2, *[d] * (config.n_layers - 1)]
        n_types = self.edge_types.n_types
        self.weight = nn.ParameterList(normal(n_types, d_in + 1, d) for d_in in inputs)
        self.nullary = normal(3 * n_nullary, d) if n_nullary else None
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
        hidden = 0.1 * noise
        if self.nullary is not None:
            hidden = torch.cat([hidden, torch.zeros_like(noise)], 2)
            hidden = hidden + self._true_of_all(batch, self.nullary).unsqueeze(1)
        keys = self.convolve(hidden.flatten(0, 1), batch, n_objects)
        return keys.reshape(len(batch.places), n_objects, self.dim)

    def convolve(self, hidden: Tensor, batch: Batch, n_objects: int) -> Tensor:
        """All layers: node features ``[B·O, d or d/2]`` to ``[B·O, d]``."""
        edges = self.edge_types.edges(batch.tables)
        place, edge = np.nonzero(batch.places[:, None] == edges.transition)
        kind = torch.as_tensor(edges.type[edge], device=hidden.device)
        source, target = (
            torch.as_tensor(place * n_objects + node[edge], device=hidden.device)
            for node in (edges.source, edges.target)
        )
        entered = target * self.edge_types.n_types + kind  # i and t as one number
        c = torch.bincount(entered)[entered].unsqueeze(1)
        for layer, weight in enumerate(self.weight):
            h = torch.relu(hidden) if layer else hidden
            W, b = weight[:, :-1], weight[:, -1]
            messages = torch.einsum("ei,eio->eo", h[source], W[kind]) + b[kind]
            total = h.new_zeros(len(h), self.dim).index_add(0, target, messages / c)
            hidden = functional.layer_norm(total, (self.dim,), eps=EPS)
        return hidden

    def _true_of_all(self, batch: Batch, nullary: Tensor) -> Tensor:
        """``[B, d]`` sum of the embeddings of the arity-0 atoms true, added, deleted."""
        n, total = len(nullary) // 3, nullary.new_zeros(len(batch.places), self.dim)
        for kind, table in enumerate((batch.state, batch.added, batch.deleted)):
            atoms = table[0]
            total = total.index_add(0, atoms.transition, nullary[kind * n + atoms.relation])
        for segment, first, end in batch.segments:
            relation, _ = batch.static[segment][0]
            total[first:end] += nullary[relation].sum(0)
        return total
