"""Changes that noise made, and that steps may be bound by.

An action that leaves its effect as it is in many steps, since it holds already, shows no change
there. If noise makes another atom of the relation seem to change in such a step, the step looks
like one that changed that atom. Of such steps a few do no harm; more than may be odd take
preconditions away.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from dias.learning.noise.bind.binding import BoundAction
from dias.learning.score import max_odd


class Feigned(NamedTuple):
    """A relation whose changes in the steps of an action noise may have made, and in how many."""

    relation: str
    n_steps: int


def unaccounted(bound: BoundAction, totals: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """``[2]`` of each relation the atoms seen to become true, and false, beyond the effects.

    Args:
        bound: The action.
        totals: Relation to how often each pair was seen in its steps.
    """
    left = {relation: total[[1, 2]].copy() for relation, total in totals.items()}
    for atom, (role, _) in bound.action.verdicts.items():
        if role.is_effect:
            left[atom.relation][role.pair - 1] -= bound.counts[atom][role.pair]
    return left


def feigned(bound: BoundAction, totals: Mapping[str, np.ndarray]) -> Feigned | None:
    """The effect of which that is so in most steps; None if in no more than may be odd.

    Noise makes an atom seem to become true as often as it makes it seem to become false, and what
    the action does not account for shows how often.

    Args:
        bound: The action.
        totals: Relation to how often each pair was seen in its steps.
    """
    left = unaccounted(bound, totals)
    n_steps, found = len(bound.action.rows), Feigned("", 0)
    for atom, (role, _) in bound.action.verdicts.items():
        if role.is_effect:
            counts, contrary = bound.counts[atom], left[atom.relation][2 - role.pair]
            is_shown = counts[role.pair] / max(1.0, counts.sum())
            n = round(max(0.0, contrary) * (1 - is_shown))
            if n > found.n_steps:
                found = Feigned(atom.relation, n)
    return found if found.n_steps > max_odd(n_steps) > 0 else None
