"""What steps do to atoms, on the average over their bindings: as they are ranked, or all alike.

The first bindings of a step are ranked by what the states around it say, and that depends on what
the other steps do. If each of those were taken to leave all as it is, two steps of which one undoes
the other, with nothing seen between them, would confirm each other in that neither did anything.
So at first any binding is as likely as any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dias.learning.soft.bindings import SLIP, Binder, Ranked
from dias.learning.soft.messages import Kernels
from dias.learning.soft.sightings import Sightings
from dias.limits import check
from dias.strips.codes import AtomCodes
from dias.strips.model import ActionSchema
from dias.traces.record import HALF

MIN_SHARE = 0.01
"""Share of a binding below which what it would do is left out."""


def anywhere(
    sightings: Sightings, schemas: Mapping[str, ActionSchema], rates: np.ndarray
) -> Kernels:
    """The kernels of all steps, averaged over all bindings.

    Args:
        sightings: The walks.
        schemas: Action to its schema; steps of others touch nothing.
        rates: ``[C]`` chance that an atom changes in a step that does not touch it.
    """
    shares = {
        relation: sightings.share(relation)
        for schema in schemas.values()
        for relation in {atom.predicate for atom in schema.add_effects | schema.delete_effects}
        if relation in sightings.codes.arities
    }
    varies = sightings.varies
    own = {
        name: _of_action(schema, sightings.codes, shares, rates, varies)
        for name, schema in schemas.items()
    }
    nothing = np.zeros(0, np.int64), np.zeros((0, 2, 2))
    found = {
        row: own.get(t.action, nothing)
        for row, t in zip(sightings.rows.tolist(), sightings.steps, strict=True)
    }
    every = [found.get(row, nothing) for row in range(len(sightings.first))]
    begin = np.cumsum([0, *(len(codes) for codes, _ in every)])
    codes, tables = (np.concatenate(part) for part in zip(*every, strict=True))
    return Kernels(begin, codes, tables)


def _of_action(
    schema: ActionSchema,
    codes: AtomCodes,
    shares: Mapping[str, float],
    rates: np.ndarray,
    varies: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """``[k]`` what varies of the relations that an action changes, ``[k, 2, 2]`` the kernels."""
    found: list[np.ndarray] = [np.zeros(0, np.int64)]
    tables: list[np.ndarray] = [np.zeros((0, 2, 2))]
    for relation, share in shares.items():
        n_added, n_deleted = (
            sum(atom.predicate == relation for atom in atoms)
            for atoms in (schema.add_effects, schema.delete_effects)
        )
        if n_added or n_deleted:
            own = np.arange(codes.n_codes)[codes.of(relation)]
            n_codes, own = len(own), own[varies[own]]
            added, deleted = (
                np.maximum(rates[own], min(HALF, n / max(1.0, part * n_codes)))
                for n, part in ((n_added, 1 - share), (n_deleted, share))
            )
            found.append(own)
            tables.append(np.stack([1 - added, added, deleted, 1 - deleted], 1).reshape(-1, 2, 2))
    return np.concatenate(found), np.concatenate(tables)


def kernels(
    found: Sequence[tuple[Binder, np.ndarray, Ranked]], rates: np.ndarray, n_rows: int
) -> Kernels:
    """What the steps do to atoms, on the average over their bindings.

    What an atom itself says for a binding is left out there, as belief propagation does: the atom
    would else hear it again and again, from the steps that it told.

    Args:
        found: Per action its binder, the states that its steps begin in, and their bindings.
        rates: ``[C]`` chance that an atom changes in a step that does not touch it.
        n_rows: R.
    """
    keys, shares, weights, tables = [], [], [], []
    n_codes = len(rates)
    for binder, rows, ranked in found:
        bound = {*range(ranked.bindings.shape[2])}
        for number in range(len(binder.touches)):
            check()
            codes, table, counts = binder.touched(number, ranked.bindings, bound)
            others = ranked.shares * np.exp(-binder.gain(table, rows[:, None], codes))
            is_likely = (ranked.shares > MIN_SHARE) | (others > MIN_SHARE)
            at, place = np.nonzero(is_likely & counts)
            keys.append(rows[at] * n_codes + codes[at, place])
            shares.append(ranked.shares[at, place])
            weights.append(others[at, place])
            tables.append(np.broadcast_to(table, (*codes.shape, 2, 2))[at, place])
    if not keys:
        return Kernels(np.zeros(n_rows + 1, np.int64), np.zeros(0, np.int64), np.zeros((0, 2, 2)))
    unique, inverse = np.unique(np.concatenate(keys), return_inverse=True)
    whole, weight = np.concatenate(tables), np.concatenate(weights)
    made = np.stack(
        [
            np.bincount(inverse, weight * whole[:, x, y], minlength=len(unique))
            for x in (0, 1)
            for y in (0, 1)
        ],
        axis=1,
    ).reshape(-1, 2, 2)
    total, total_share = (
        np.bincount(inverse, part, minlength=len(unique))[:, None, None]
        for part in (weight, np.concatenate(shares))
    )
    rows, codes = np.divmod(unique, n_codes)
    rate = rates[codes][:, None, None]
    idle = np.where(np.eye(2, dtype=bool), 1 - rate, rate)
    left = np.maximum(0.0, 1 - total_share)
    mixed = (1 - SLIP) * made + SLIP * HALF * total + left * idle
    return Kernels(
        np.searchsorted(rows, np.arange(n_rows + 1)),
        codes,
        mixed / mixed.sum((1, 2), keepdims=True),
    )
