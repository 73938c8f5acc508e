"""Transition graphs, prepared once so that a batch of them is quickly put together.

Edges of one type that enter one node share a message, W_t times the mean of their sources. And
messages of several types share a multiplication where they have the same sources and the same
target, since W_t h + W_u h = (W_t + W_u) h: the loop of a node with its types and unary atoms, a
symmetric relation with its reverse, an atom with its deletion. What is multiplied is then a
*row*: a bag of sources, a target, a *combination* of types.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from dias.arrays import ranges
from dias.nn.edges import EdgeTypes
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
        # One number for each edge, so that sorting brings rows and their sources together.
        node = edges.transition * width + edges.target
        numbers = np.sort((node * n_types + edges.type) * width + edges.source)
        place, source = np.divmod(numbers, width)
        first, size = _runs(place)
        node, edge_type = np.divmod(place[first], n_types)
        bag = _bag_numbers(source, first, size)
        left, self._combination, self._types = _combined(node, bag, edge_type, n, n_types)
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
        place = ranges((np.cumsum(n_blocks) - n_blocks) * n_block, counts)
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
        shift = np.cumsum(n_rows) - n_rows - first
        back_row = rank[self._back_row[pair] + np.repeat(shift, end - begin)]
        return Rows(
            n_block,
            put(self._types),
            Bags(put(np.arange(n_blocks.sum())), put(np.cumsum(n_blocks) - n_blocks)),
            put(np.repeat(np.arange(len(n_blocks)), n_blocks)),
            Bags(put(source), put(np.cumsum(size) - size), put(np.repeat(weight, size))),
            Bags(put(rank), put(_starts(node, n_nodes))),
            Bags(put(node[order]), put(np.cumsum(size > 0) - (size > 0))),
            Bags(put(back_row), put(_starts(back_source, n_nodes)), put(weight[back_row])),
        )


def _bag_numbers(source: np.ndarray, first: np.ndarray, size: np.ndarray) -> np.ndarray:
    """A number for each row, the same for the same sources: the source itself if it is alone."""
    number = source[first]
    several = size > 1
    if several.any():
        # Sets are told apart by sums of random numbers. That two of a million sets have the same
        # sum has a chance of 1e-7.
        mix = np.random.default_rng(0).integers(2**62, size=source.max() + 1)
        sums = np.add.reduceat(mix[source], first)[several]
        number[several] = source.max() + 1 + np.unique(sums, return_inverse=True)[1]
    return number


def _combined(
    node: np.ndarray, bag: np.ndarray, edge_type: np.ndarray, n_transitions: int, n_types: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Put rows with the same node and the same sources together, where that is common.

    Args:
        node: ``[U]`` target of each row; rows are ordered by node and type.
        bag: ``[U]`` number of the sources of each row.
        edge_type: ``[U]`` type of each row.
        n_transitions: Number of transitions.
        n_types: T.

    Returns:
        ``[V]`` the rows that are left, ascending; ``[V]`` the combination of each; ``[C, T]``
        the combinations.
    """
    order = np.lexsort((bag, node))  # stable: types stay ascending
    start, size = _runs(node[order] * (bag.max() + 1) + bag[order])
    mix = np.random.default_rng(1).integers(2**62, size=n_types)
    sums = np.add.reduceat(mix[edge_type[order]], start)
    _, kind, counts = np.unique(sums, return_inverse=True, return_counts=True)
    is_common = (counts >= COMMON * n_transitions)[kind]
    group = np.repeat(np.arange(len(start)), size)
    is_left = ~is_common[group]
    is_left[start] = True
    left, group = order[is_left], group[is_left]
    label = np.where(is_common[group], sums[group], mix[edge_type[left]])
    _, example, combination = np.unique(label, return_index=True, return_inverse=True)
    types = np.zeros((len(example), n_types), dtype=np.float32)
    for own, row in zip(types, example, strict=True):
        g = group[row]
        members = order[start[g] : start[g] + size[g]] if is_common[g] else left[row]
        own[edge_type[members]] = 1
    ascending = np.argsort(left)
    dtype = np.int16 if len(types) < 2**15 else np.int64  # NumPy sorts short numbers faster
    return left[ascending], combination[ascending].astype(dtype), types


def _runs(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where runs of equal values begin, and their lengths."""
    start = np.flatnonzero(np.diff(values, prepend=values[0] - 1))
    return start, np.diff(start, append=len(values))


def _starts(ascending: np.ndarray, n: int) -> np.ndarray:
    """Where 0, 1, …, n - 1 begin among ascending numbers: ``[n]``."""
    counts = np.bincount(ascending, minlength=n)
    return np.cumsum(counts) - counts
