"""The edges of transition graphs: their types, and how messages travel along them.

Paper: Section "Selection of action arguments" (``sec:argument-selection``).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from dias.tensors import Batch, Vocabulary


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
        """``[n, d]`` sums of the rows of `matrix` ``[m, d]``; an empty bag gives 0."""
        return functional.embedding_bag(
            self.rows, matrix, self.start, mode="sum", per_sample_weights=self.weight
        )


class Edges(NamedTuple):
    """The edges of a batch of transition graphs.

    Edges of one type that enter one node share a message, W_t times the mean of their sources:
    one row. Rows are ordered by type.

    Attributes:
        target: ``[U]`` node number, b·O + o, of each row.
        type: ``[U]`` edge type of each row, ascending.
        bounds: ``[T + 1]``: rows of type t are ``bounds[t]:bounds[t + 1]``.
        sources: Nodes to rows, with weight 1 / c.
        targets: Rows to the nodes that they enter.
        to_sources: Rows back to the nodes they come from, with weight 1 / c.
    """

    target: Tensor
    type: Tensor
    bounds: list[int]
    sources: Bags
    targets: Bags
    to_sources: Bags

    def parts(self) -> Iterator[tuple[int, slice]]:
        """Each type that has edges, with the place of its rows."""
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
        n_nodes = len(batch.places) * n_objects
        # Sorted by (type, target): every run of equal values is one row.
        place, order = torch.sort(torch.cat(types) * n_nodes + torch.cat(targets), stable=True)
        source = torch.cat(sources)[order]
        unique, row, counts = torch.unique_consecutive(
            place, return_inverse=True, return_counts=True
        )
        edge_type, target = unique // n_nodes, unique % n_nodes
        weight = counts.float().reciprocal()[row]
        by_target = torch.argsort(target, stable=True)
        by_source = torch.argsort(source, stable=True)
        return Edges(
            target,
            edge_type,
            torch.searchsorted(edge_type, torch.arange(self.n_types + 1)).tolist(),
            Bags(source, counts.cumsum(0) - counts, weight),
            Bags(by_target, _starts(target, n_nodes)),
            Bags(row[by_source], _starts(source, n_nodes), weight[by_source]),
        )


def _starts(numbers: Tensor, n: int) -> Tensor:
    """Where 0, 1, …, n - 1 begin when `numbers` are sorted: ``[n]``."""
    counts = torch.bincount(numbers, minlength=n)
    return counts.cumsum(0) - counts
