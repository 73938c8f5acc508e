"""The edges of transition graphs and the numbering of their types.

Paper: Section "Selection of action arguments" (``sec:argument-selection``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from dias.nn.tables import AtomTable, Symbols, TransitionTables


class Edges(NamedTuple):
    """Edges of the graphs of all transitions, in no particular order: ``[E]`` each."""

    transition: np.ndarray
    type: np.ndarray
    source: np.ndarray
    target: np.ndarray


class EdgeTypes:
    """The numbering of edge types.

    Type 0 is the loop that every node has: its matrix is W₀. A relation p gives the types p,
    p_add, p_del; one of arity k ≥ 2 has a type for each ordered pair of argument positions, which
    covers the reverse edges. Arity 0 has no edges: its truth reaches the network as a bias shared
    by all nodes (see `RGCN`). The k-th given argument of action a has the type a^k, a loop that
    marks the object.
    """

    def __init__(self, vocabulary: Symbols) -> None:
        self.first: dict[tuple[int, int], int] = {}
        self.pairs: dict[int, list[tuple[int, int]]] = {}
        n_types = 1
        for k, group in vocabulary.relations.items():
            pairs = [(i, j) for i in range(k) for j in range(k) if i != j]
            self.pairs[k] = pairs or [(0, 0)] * (k == 1)
            for kind in range(3):  # true, added, deleted
                self.first[k, kind] = n_types
                n_types += len(group) * len(self.pairs[k])
        # First mark of each action; argument k of it is k types further on.
        self.first_mark = n_types + np.cumsum([0, *vocabulary.n_given])
        self.n_types = int(self.first_mark[-1])

    def edges(self, tables: TransitionTables) -> Edges:
        """The graphs of all transitions; nodes are numbered as the objects are."""
        everything = np.arange(len(tables))
        parts = [self._loops(tables), self._marks(tables)]
        for kind, group in enumerate((tables.state, tables.added, tables.deleted)):
            for k, table in group.items():
                parts += self._between(k, kind, table, everything)
        for k, table in tables.static.items():
            parts += self._between(k, 0, table, tables.segment)
        return Edges(*map(np.concatenate, zip(*parts, strict=True)))

    def _between(self, k: int, kind: int, table: AtomTable, sets: np.ndarray) -> Iterator[Edges]:
        """The edges of the atoms in the given sets, one set for each transition."""
        transition, rows = table.gather(sets)
        first = self.first[k, kind] + rows[:, 0] * len(self.pairs[k])
        for number, (i, j) in enumerate(self.pairs[k]):
            yield Edges(transition, first + number, rows[:, 1 + i], rows[:, 1 + j])

    def _loops(self, tables: TransitionTables) -> Edges:
        n_objects = tables.n_objects[tables.segment]
        transition = np.repeat(np.arange(len(tables)), n_objects)
        node = np.arange(len(transition)) - np.repeat(np.cumsum(n_objects) - n_objects, n_objects)
        return Edges(transition, np.zeros_like(node), node, node)

    def _marks(self, tables: TransitionTables) -> Edges:
        transition, argument = np.nonzero(tables.given >= 0)
        node = tables.given[transition, argument]
        return Edges(transition, self.first_mark[tables.action[transition]] + argument, node, node)
