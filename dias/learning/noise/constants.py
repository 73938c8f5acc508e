"""Atoms that never change: their flips are noise, and show how much there is.

The two sightings of an atom whose truth is constant are independent of each other: a flip in s
says nothing about s′. Those of an atom that really changes now and then are not, action by action:
either it mostly keeps its value or it mostly changes. Nor do those of a constant depend on the
action, as they do of a hand that each action empties or fills. So every ground atom is tested for
independence over the transitions of its segment. Constant atoms of one relation are also wrong
equally often; one that is wrong far more often than the others varies. The constant ones are set
to what most sightings say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from dias.arrays import median
from dias.learning.noise.bind.binding import BoundAction
from dias.learning.noise.observations import N_PAIRS, Observations
from dias.limits import check
from dias.strips.model import Atom

MAX_Z = 4.0
"""Standard deviations by which an atom may be wrong more often than its relation's median."""

MIN_WRONG = 20
"""Wrong sightings below which their spread says nothing."""


@dataclass(frozen=True)
class RelationNoise:
    """How often the sightings of a relation's constant atoms were wrong.

    Attributes:
        n_true, n_false: Sightings of atoms that are constantly true, and false.
        n_lost, n_invented: Those that said the opposite.
        n_varying: Ground atoms that change now and then, all segments together.
    """

    n_true: int
    n_false: int
    n_lost: int
    n_invented: int
    n_varying: int


Changing = Mapping[int, Collection[Atom]]
"""Segment to ground atoms that are known to be true now and false then."""

NOTHING_KNOWN: Changing = MappingProxyType({})


def fix_constants(
    seen: Observations, changing: Changing = NOTHING_KNOWN
) -> dict[str, RelationNoise]:
    """Set every constant atom to its value, in place, and count the flips of each relation."""
    totals = {relation: np.zeros(5, dtype=np.int64) for relation in seen.arities}
    for segment, (example, view) in enumerate(seen.blocks):
        counts = _counts(seen, segment, view)
        changes = np.zeros(view.shape[1], dtype=bool)
        known = changing.get(example.transition.segment, ())
        changes[sorted(example.codes.encode_state(known))] = True
        varies, is_turned_over = _depends(counts), _depends_on_action(counts)
        n_true = (view & 1).sum(0, dtype=np.int64) + (view >> 1).sum(0, dtype=np.int64)
        n = 2 * len(view)
        is_true = 2 * n_true > n
        n_wrong = np.where(is_true, n - n_true, n_true)
        for relation in seen.arities:
            check()
            own = example.codes.of(relation)
            if varies[own].sum() <= _n_by_chance(n_wrong[own].size):
                varies[own] = False
            varies[own] |= is_turned_over[own]
            for value in (False, True):
                same = is_true[own] == value
                varies[own] |= same & _stands_out(n_wrong[own], n, same & ~varies[own])
                constant = same & ~varies[own]
                if _avoid_repeats(counts[:, :, own], value, constant) or _are_too_even(
                    view[:, own][:, constant], value
                ):
                    varies[own] |= same
            varies[own] |= changes[own]
            if 2 * varies[own].sum() > n_wrong[own].size:
                varies[own] = True
            fixed, true, wrong = ~varies[own], is_true[own], n_wrong[own]
            totals[relation] += (
                n * int((fixed & true).sum()),
                n * int((fixed & ~true).sum()),
                int(wrong[fixed & true].sum()),
                int(wrong[fixed & ~true].sum()),
                int((~fixed).sum()),
            )
        seen.varies[segment] = varies
        view[:, ~varies & is_true] = 3
        view[:, ~varies & ~is_true] = 0
    return {relation: RelationNoise(*map(int, total)) for relation, total in totals.items()}


def changed(
    seen: Observations, as_seen: np.ndarray, bound: Iterable[BoundAction]
) -> dict[int, set[Atom]]:
    """The atoms taken as constant that an action was seen to change, its binding beyond doubt.

    Args:
        seen: What was seen, constant atoms put right.
        as_seen: The pairs before that.
        bound: The actions.

    Returns:
        Segment to its atoms; segments without any are left out.
    """
    found: dict[int, set[Atom]] = {}
    for own in bound:
        rows, bindings = own.sure_bindings()
        for atom, (role, _) in own.action.verdicts.items():
            check()
            if not role.is_effect:
                continue
            codes = seen.code(rows, bindings, atom)
            is_seen = as_seen[seen.start[rows] + codes] == role.pair
            is_seen &= ~seen.is_varying(rows, bindings, atom)
            for row, code in zip(rows[is_seen].tolist(), codes[is_seen].tolist(), strict=True):
                example = seen.examples[row]
                there = found.setdefault(example.transition.segment, set())
                there.update(example.codes.decode_state([code]))
    return found


def _counts(seen: Observations, segment: int, view: np.ndarray) -> np.ndarray:
    """How often each pair of sightings occurred: ``[actions, 4, C]``."""
    first = np.searchsorted(seen.segment, segment)
    found = []
    for rows in seen.actions.values():
        check()
        own = rows[seen.segment[rows] == segment] - first
        if len(own):
            part = view[own]
            found.append(np.stack([(part == pair).sum(0) for pair in range(N_PAIRS)]))
    return np.stack(found).astype(float)


def _depends(counts: np.ndarray) -> np.ndarray:
    """Whether the two sightings of each atom depend on each other: ``[C]``."""
    total = sum(_g_statistic(own.reshape(2, 2, -1)) for own in counts)
    return np.asarray(total > _chi_square(len(counts)))


def _depends_on_action(counts: np.ndarray) -> np.ndarray:
    """Whether what is seen of each atom depends on the action, for sure: ``[C]``.

    That is above what 99 of 100 problems show of none of their atoms (Laurent and Massart's bound).
    """
    before, after = counts[:, [0, 2]] + counts[:, [1, 3]], counts[:, :2] + counts[:, 2:]
    total = _g_statistic(before) + _g_statistic(after)
    degrees, log_level = 2 * (len(counts) - 1), np.log(100 * max(1, counts.shape[2]))
    return np.asarray(total > degrees + 2 * (degrees * log_level) ** 0.5 + 2 * log_level)


def _avoid_repeats(counts: np.ndarray, value: bool, constant: np.ndarray) -> bool:
    """Whether atoms taken as constant are wrong twice in a row less often than by chance.

    That is how atoms look that change in every step in which they matter (a robot's place).
    """
    own = counts[:, :, constant]
    n = own.sum(1)
    twice = own[:, 0 if value else 3]
    expected = ((twice + own[:, 1]) * (twice + own[:, 2]) / np.maximum(n, 1)).sum(1)
    found = twice.sum(1)
    short = found < expected
    log_ratio = np.log(np.maximum(found, 1e-12) / np.maximum(expected, 1e-12))
    total = 2 * (found * log_ratio - (found - expected))
    return bool(total[short].sum() > _chi_square(len(counts)))


def _are_too_even(pairs: np.ndarray, value: bool) -> bool:
    """Whether the number of wrong atoms differs less from state to state than by chance.

    Flips come independently; of the places of a robot exactly one is true in every state.

    Args:
        pairs: ``[T, n]`` the pairs of atoms taken as constant.
        value: What they are taken to be.
    """
    seen = np.concatenate([pairs >> 1, pairs & 1]) != value
    share = seen.mean(0)
    expected = float((share * (1 - share)).sum())
    if expected * len(seen) < MIN_WRONG:
        return False
    ratio = float(seen.sum(1).var()) / expected
    return (ratio - 1) * (len(seen) / 2) ** 0.5 < -MAX_Z


def _chi_square(degrees: int) -> float:
    """The 0.99 quantile of χ², by Wilson and Hilferty."""
    spread = 2 / (9 * degrees)
    return float(degrees * (1 - spread + 2.326 * spread**0.5) ** 3)


def _n_by_chance(n_atoms: int) -> float:
    """Constant atoms that fail a test of level 0.01, three standard deviations included."""
    return 0.01 * n_atoms + 3 * (0.01 * n_atoms) ** 0.5


def _stands_out(n_wrong: np.ndarray, n: int, constant: np.ndarray) -> np.ndarray:
    """Which atoms are wrong far more often than the median of the constant ones."""
    if not constant.any():
        return np.zeros(len(n_wrong), dtype=bool)
    expected = median(n_wrong[constant]) + 1
    return n_wrong > expected + MAX_Z * (expected * (1 - min(0.5, expected / n))) ** 0.5


def _g_statistic(counts: np.ndarray) -> np.ndarray:
    """G of independence between rows and columns: ``[R, K, C]`` counts to ``[C]``."""
    rows, columns = counts.sum(1, keepdims=True), counts.sum(0)
    expected = np.maximum(rows * columns / counts.sum((0, 1)), 1e-12)
    terms = np.where(counts > 0, counts * np.log(np.maximum(counts, 1) / expected), 0.0)
    return np.asarray(2 * terms.sum((0, 1)))
