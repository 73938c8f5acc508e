"""Batches of transitions: atoms gathered from the tables, as tensors on a device.

Axes: B batch, O objects, G given arguments, k arity.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import torch

from dias.nn.tables import TransitionTables


class BatchAtoms(NamedTuple):
    """Atoms of equal arity over a batch.

    Attributes:
        transition: ``[n]`` position in the batch.
        relation: ``[n]`` relation within its arity group.
        objects: ``[n, k]`` object numbers.
    """

    transition: torch.Tensor
    relation: torch.Tensor
    objects: torch.Tensor

    def part(self, rows: slice) -> BatchAtoms:
        """Some of them, side by side."""
        return BatchAtoms(*(column[rows] for column in self))


Groups = dict[int, BatchAtoms]


class Batch(NamedTuple):
    """A batch of transitions, ordered by segment.

    Attributes:
        tables: Where the transitions come from.
        places: ``[B]`` their places there.
        action: ``[B]``.
        given: ``[B, G]`` object numbers of the given arguments, -1 for none.
        n_objects: ``[B]``; O below is the largest of them.
        segments: (segment, first, end) of each run of equal segments in the batch.
        atoms: Arity to `BatchAtoms`: those of the states, then those added, then those deleted.
        state, added, deleted: The parts of `atoms`.
        static: Segment to arity to (relation ``[n]``, objects ``[n, k]``).
    """

    tables: TransitionTables
    places: np.ndarray
    action: torch.Tensor
    given: torch.Tensor
    n_objects: torch.Tensor
    segments: tuple[tuple[int, int, int], ...]
    atoms: Groups
    state: Groups
    added: Groups
    deleted: Groups
    static: dict[int, dict[int, tuple[torch.Tensor, torch.Tensor]]]


class SoftBatch(NamedTuple):
    """Transitions whose atoms hold with some probability, each for itself.

    Attributes:
        action: ``[B]``.
        given: ``[B, G]`` object numbers of the given arguments, -1 for none.
        n_objects: ``[B]``; of what lies beyond, up to O, nothing is true.
        width: O, at least the number of slots.
        before, after: Arity k to ``[B, R_k, O^k]``, the probability of each ground atom in s and
            in s′; static relations and types are there like any others.
    """

    action: torch.Tensor
    given: torch.Tensor
    n_objects: torch.Tensor
    width: int
    before: dict[int, torch.Tensor]
    after: dict[int, torch.Tensor]

    def kinds(self, k: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """A, (1 - A)A′ and A(1 - A′): that atoms are true, are added, are deleted."""
        before, after = self.before[k], self.after[k]
        return before, (1 - before) * after, before * (1 - after)


def make_batch(
    tables: TransitionTables, index: np.ndarray, device: torch.device | str = "cpu"
) -> Batch:
    """Gather the transitions at `index` (any order, repeats allowed) on a device."""

    def put(array: np.ndarray) -> torch.Tensor:
        return torch.as_tensor(array, device=device)

    index = index[np.argsort(tables.segment[index], kind="stable")]
    segment = tables.segment[index]
    present, first = np.unique(segment, return_index=True)
    ends = [*first[1:], len(index)]
    sets = np.concatenate([index + kind * len(tables) for kind in range(3)])
    atoms: Groups = {}
    parts: tuple[Groups, Groups, Groups] = ({}, {}, {})  # state, added, deleted
    for k, table in tables.together.items():
        owner, gathered = table.gather(sets)
        kind, transition = np.divmod(owner, len(index))
        atoms[k] = BatchAtoms(put(transition), put(gathered[:, 0]), put(gathered[:, 1:]))
        bounds = np.searchsorted(kind, range(4)).tolist()
        for part, bound in zip(parts, pairwise(bounds), strict=True):
            part[k] = atoms[k].part(slice(*bound))
    static: dict[int, dict[int, tuple[torch.Tensor, torch.Tensor]]] = {}
    for number in present:
        static[int(number)] = {}
        for k, group in tables.static.items():
            rows = put(group.rows[group.start[number] : group.start[number + 1]])
            static[int(number)][k] = (rows[:, 0].contiguous(), rows[:, 1:])
    return Batch(
        tables,
        index,
        put(tables.action[index]),
        put(tables.given[index]),
        put(tables.n_objects[segment]),
        tuple(zip(present.tolist(), first.tolist(), map(int, ends), strict=True)),
        atoms,
        *parts,
        static,
    )
