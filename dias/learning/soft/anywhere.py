"""What steps do where nothing is known of their bindings: any of them is as likely as any other.

The first bindings of a step are ranked by what the states around it say, and that depends on what
the other steps do. If each of those is taken to leave all as it is, two steps of which one undoes
the other, with nothing seen between them, confirm each other in that neither did anything.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dias.learning.soft.messages import Kernels
from dias.learning.soft.sightings import Sightings
from dias.strips.codes import AtomCodes
from dias.strips.model import ActionSchema
from dias.traces.record import HALF


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
    varies = (sightings.log_odds > 0).any(0) & (sightings.log_odds < 0).any(0)
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
