"""Which transitions effects explain, and how: those that change the same relations all at once.

Where the changed atoms leave a variable open, `explaining_bindings` looks at one after another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from math import perm, prod
from typing import NamedTuple

import numpy as np

from dias.learning.data.transitions import Examples
from dias.learning.explain.bindings import (
    MAX_BINDINGS,
    MAX_CHANGES,
    MIN_ALIKE,
    explaining_bindings,
    is_explained,
)
from dias.learning.schema import Effects, LiftedAtom
from dias.limits import check

MAX_COVERS = 24
"""Ways to match changes with effects that are gone through; of more, one after another."""

Literals = Sequence[tuple[bool, LiftedAtom]]
Bound = Mapping[int, np.ndarray]


class _Cover(NamedTuple):
    """One way to match the changes of some transitions with effects.

    Attributes:
        fits: ``[n]`` of which it is one.
        rows: ``[n, V]`` the bindings; None if they are still open.
    """

    fits: np.ndarray
    rows: np.ndarray | None


def explained(effects: Effects, examples: Examples) -> np.ndarray:
    """``[n]`` which transitions some binding explains."""
    found = np.zeros(len(examples.examples), dtype=bool)
    for bound, open_ones in _bound(effects, examples):
        for numbers, _ in bound:
            found[numbers] = True
        for number in open_ones[~found[open_ones]].tolist():
            found[number] = is_explained(effects, examples.examples[number])
    return found


def count_explained(effects: Effects, examples: Examples) -> int:
    """How many they are."""
    return int(explained(effects, examples).sum())


def bind(effects: Effects, examples: Examples) -> list[list[tuple[int, ...]]]:
    """Per transition the bindings of the effect variables that reproduce it.

    At most `MAX_BINDINGS`; none if the transition stays unexplained.
    """
    found: list[list[tuple[int, ...]]] = [[] for _ in examples.examples]
    for bound, open_ones in _bound(effects, examples):
        for numbers, rows in bound:
            for number, row in zip(numbers.tolist(), rows.tolist(), strict=True):
                own, binding = found[number], tuple(row)
                if binding not in own and len(own) < MAX_BINDINGS:
                    own.append(binding)
        for number in open_ones.tolist():
            explaining = explaining_bindings(effects, examples.examples[number])
            found[number] = list(islice(explaining, MAX_BINDINGS))
    return found


def _bound(
    effects: Effects, examples: Examples
) -> Iterator[tuple[list[tuple[np.ndarray, np.ndarray]], np.ndarray]]:
    """Of transitions that change the same relations those that are bound, and those left open.

    The first are ``[n]`` numbers and ``[n, V]`` bindings, a pair for each way to match changes with
    effects; the second, ``[n]``, have to be looked at one after another.
    """
    for numbers, covers in _covered(effects, examples):
        is_open, bound = np.full(len(numbers), covers is None), []
        for fits, rows in covers or ():
            if rows is None:
                is_open |= fits
            else:
                bound.append((numbers[fits], rows[fits]))
        yield bound, numbers[is_open]


def _covered(
    effects: Effects, examples: Examples
) -> Iterator[tuple[np.ndarray, list[_Cover] | None]]:
    """Transitions that change the same relations, and their covers; None where these are too many.

    Those that change more than there are effects are left out.
    """
    literals = [(True, atom) for atom in effects.add] + [(False, atom) for atom in effects.delete]
    offered = [(not is_add, atom.relation) for is_add, atom in literals]
    for kind, numbers in examples.kinds.items():
        check()
        ways = [(offered.count(change), kind.count(change)) for change in {*kind}]
        if len(kind) > MAX_CHANGES or any(n < asked for n, asked in ways):
            continue
        if effects.n_variables >= MIN_ALIKE or prod(perm(*way) for way in ways) > MAX_COVERS:
            yield numbers, None
            continue
        own = [examples.examples[number] for number in numbers]
        given = np.array([example.given[: effects.n_given] for example in own], np.int64)
        changes = [
            (is_add, relation, np.array([example.changes[place][2] for example in own]).T)
            for place, (is_add, relation, _) in enumerate(own[0].changes)
        ]
        start = {v: given[:, v] for v in range(effects.n_given)}
        covers = _covers(changes, literals, start, np.ones(len(own), dtype=bool))
        yield numbers, [_completed(*cover, effects, examples, numbers) for cover in covers]


def _covers(
    changes: Sequence[tuple[bool, str, np.ndarray]],
    literals: Literals,
    bound: Bound,
    fits: np.ndarray,
) -> Iterator[tuple[Literals, Bound, np.ndarray]]:
    """The effects that are left when each change has one of its own, what is bound, and where."""
    if not changes:
        yield literals, bound, fits
        return
    (is_add, relation, objects), *rest = changes
    for place, (adds, atom) in enumerate(literals):
        if adds == is_add and atom.relation == relation:
            extended, own = dict(bound), fits
            for variable, column in zip(atom.variables, objects, strict=True):
                own = own & (extended.setdefault(variable, column) == column)
            if own.any():
                yield from _covers(rest, [*literals[:place], *literals[place + 1 :]], extended, own)


def _completed(
    idle: Literals,
    bound: Bound,
    fits: np.ndarray,
    effects: Effects,
    examples: Examples,
    numbers: np.ndarray,
) -> _Cover:
    """A cover where the other effects change nothing."""
    if len(bound) < effects.n_variables:
        return _Cover(fits, None)
    columns = [bound[v] for v in range(effects.n_variables)]
    rows = np.array(columns, np.int64).reshape(len(columns), len(fits)).T
    there = examples.truth(numbers, rows, [atom for _, atom in idle], after=True)
    for (is_add, atom), holds in zip(idle, there.T, strict=True):
        if not is_add:  # it may be there if it is added, too
            fits = fits & examples.may_stand(numbers, rows, atom)
            for other in effects.add:
                if other.relation == atom.relation:
                    pair = rows[:, other.variables], rows[:, atom.variables]
                    holds = holds & ~(pair[0] == pair[1]).all(1)
        fits = fits & (holds == is_add)
    return _Cover(fits, rows)
