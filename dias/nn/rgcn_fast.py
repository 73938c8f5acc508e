"""The relational graph convolution that training uses: that of `dias.nn.rgcn`, faster.

Transition graphs are prepared once, so that a batch of them is quickly put together. Edges of one
type that enter one node share a message, W_t times the mean of their sources. And messages of
several types share a multiplication where they have the same sources and the same target, since
W_t h + W_u h = (W_t + W_u) h: the loop of a node with its types and unary atoms, a symmetric
relation with its reverse, an atom with its deletion. What is multiplied is then a *row*: a bag of
sources, a target, a *combination* of types.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn import functional

from dias.arrays import ranges
from dias.nn.batches import Batch
from dias.nn.edges import EdgeTypes
from dias.nn.rgcn import EPS, RGCN
from dias.nn.tables import TransitionTables

COMMON = 0.25
"""Occurrences of a combination for each transition, at least, for a matrix of its own: rarer ones
are multiplied type by type, since every further matrix has its price too."""

BLOCKS = (16, 32, 64, 128)
"""Sizes of block to choose from: the larger, the faster the product, but the more filling up."""


class Bags(NamedTuple):
    """Which rows of a matrix are added up to each row of another one.

    Attributes:
        rows: ``[E]`` rows of the one, bag after bag.
        start: ``[n]`` where each bag begins.
        weight: ``[E]`` factors; None for 1.
    """

    rows: Tensor
    start: Tensor
    weight: Tensor | None = None

    def sum(self, matrix: Tensor) -> Tensor:
        """``[n, d]`` sums of the rows of `matrix` ``[m, d]``; an empty bag gives 0.

        No gradient is passed on: torch's function is slower where it expects to be asked for one.
        """
        return functional.embedding_bag(
            self.rows, matrix.detach(), self.start, mode="sum", per_sample_weights=self.weight
        )


class Rows(NamedTuple):
    """The rows of a batch of transition graphs.

    They are ordered by combination, and each combination is filled up with empty rows to whole
    blocks of K rows, so that one batched product multiplies them all.

    Attributes:
        n_block: K.
        types: ``[C, T]`` 1 where a type belongs to a combination.
        blocks: Blocks to combinations.
        block: ``[U / K]`` combination of each block.
        sources: Nodes to rows: the means.
        targets: Rows to the nodes that they enter.
        to_targets, to_sources: The ways back.
    """

    n_block: int
    types: Tensor
    blocks: Bags
    block: Tensor
    sources: Bags
    targets: Bags
    to_targets: Bags
    to_sources: Bags


class TransitionGraphs:
    """The graphs of all transitions of some tables, as rows ordered by transition and target.

    Args:
        tables: The transitions.
        edge_types: The numbering of edge types.
    """

    def __init__(self, tables: TransitionTables, edge_types: EdgeTypes) -> None:
        edges = edge_types.edges(tables)
        n, width, n_types = len(tables), int(tables.n_objects.max()), edge_types.n_types
        # One number for each edge, so that sorting brings those of a row together.
        node = edges.transition * width + edges.target
        numbers = np.sort((node * n_types + edges.type) * width + edges.source)
        place, source = np.divmod(numbers, width)
        first = np.flatnonzero(np.diff(place, prepend=-1))
        size = np.diff(first, append=len(place))
        node, edge_type = np.divmod(place[first], n_types)
        # A number for each row, the same for the same sources and the same target. That two of a
        # million sums of random numbers are the same has a chance of 1e-7.
        mix = np.random.default_rng(0).integers(2**62, size=width)
        bag = np.add.reduceat(mix[source], first) + node
        left, self._combination, self._types = _combined(bag, edge_type, n_types, COMMON * n)
        transition, self._target = np.divmod(node[left], width)
        self._start = np.searchsorted(transition, np.arange(n + 1))
        self._size = size[left]
        self._source = source[ranges(first[left], self._size)]
        self._source_start = np.cumsum([0, *self._size])
        # The same pairs of row and source, ordered by source.
        row = np.repeat(np.arange(len(left)), self._size)
        back = np.argsort(transition[row] * width + self._source, kind="stable")
        self._back_source, self._back_row = self._source[back], row[back]

    def rows(self, places: np.ndarray, n_objects: int, device: torch.device | str = "cpu") -> Rows:
        """The rows of the transitions at `places`, each graph padded to `n_objects` nodes.

        A node that only pads has no row.
        """

        def put(array: np.ndarray) -> Tensor:
            return torch.as_tensor(array, device=device)

        def bags(*columns: np.ndarray) -> Bags:
            return Bags(*map(put, columns))

        n_nodes = len(places) * n_objects
        first, n_rows = self._start[places], self._start[places + 1] - self._start[places]
        row, base = ranges(first, n_rows), np.arange(len(places)) * n_objects
        node = np.repeat(base, n_rows) + self._target[row]  # ascending
        combination = self._combination[row]
        counts = np.bincount(combination, minlength=len(self._types))
        n_block = next((k for k in reversed(BLOCKS) if 4 * k * len(counts) <= len(row)), BLOCKS[0])
        n_blocks = -(-counts // n_block)
        order = np.argsort(combination, kind="stable")
        # Where the rows go: those of a combination side by side from the start of a block.
        place = ranges(_begin(n_blocks) * n_block, counts)
        rank = np.empty_like(place)
        rank[order] = place
        row = row[order]
        size = np.zeros(n_blocks.sum() * n_block, dtype=np.int64)
        size[place] = self._size[row]
        source = self._source[ranges(self._source_start[row], self._size[row])]
        source += np.repeat(np.repeat(base, n_rows)[order], self._size[row])
        weight = (1 / np.maximum(size, 1)).astype(np.float32)
        # The pairs of all rows of a transition are neighbours, in either order.
        begin, end = self._source_start[first], self._source_start[first + n_rows]
        pair = ranges(begin, end - begin)
        back_source = np.repeat(base, end - begin) + self._back_source[pair]
        shift = _begin(n_rows) - first
        back_row = rank[self._back_row[pair] + np.repeat(shift, end - begin)]
        return Rows(
            n_block,
            put(self._types),
            bags(np.arange(n_blocks.sum()), _begin(n_blocks)),
            put(np.repeat(np.arange(len(n_blocks)), n_blocks)),
            bags(source, _begin(size), np.repeat(weight, size)),
            bags(rank, _begin(np.bincount(node, minlength=n_nodes))),
            bags(node[order], _begin(size > 0)),
            bags(back_row, _begin(np.bincount(back_source, minlength=n_nodes)), weight[back_row]),
        )


def _combined(
    bag: np.ndarray, edge_type: np.ndarray, n_types: int, n_common: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Put rows of the same `bag` together, where their types occur together `n_common` times.

    Returns:
        ``[V]`` the rows that are left, ascending; ``[V]`` the combination of each; ``[C, T]``
        the combinations.
    """
    _, first, group = np.unique(bag, return_index=True, return_inverse=True)
    mix = np.random.default_rng(1).integers(2**62, size=n_types)
    together = np.zeros(len(first), dtype=np.int64)
    np.add.at(together, group, mix[edge_type])
    _, kind, counts = np.unique(together, return_inverse=True, return_counts=True)
    is_common = (counts >= n_common)[kind][group]
    label = np.where(is_common, together[group], mix[edge_type])
    labels, combination = np.unique(label, return_inverse=True)
    types = np.zeros((len(labels), n_types), dtype=np.float32)
    types[combination, edge_type] = 1
    is_left = ~is_common
    is_left[first] = True
    dtype = np.int16 if len(types) < 2**15 else np.int64  # NumPy sorts short numbers faster
    return np.flatnonzero(is_left), combination[is_left].astype(dtype), types


def _begin(sizes: np.ndarray) -> np.ndarray:
    """Where parts of some sizes begin, one after another."""
    return np.cumsum(sizes) - sizes


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


class FastRGCN(RGCN):
    """`RGCN` with the same parameters and the same keys."""

    _graphs: tuple[TransitionTables, TransitionGraphs] | None = None
    """The tables that the last batch came from, and their graphs."""

    def convolve(self, hidden: Tensor, batch: Batch, n_objects: int) -> Tensor:
        """All layers: node features ``[B·O, d or d/2]`` to ``[B·O, d]``."""
        if self._graphs is None or self._graphs[0] is not batch.tables:
            self._graphs = batch.tables, TransitionGraphs(batch.tables, self.edge_types)
        rows = self._graphs[1].rows(batch.places, n_objects, hidden.device)
        for layer, weight in enumerate(self.weight):
            hidden = _Layer.apply(torch.relu(hidden) if layer else hidden, weight, rows)
        return hidden
