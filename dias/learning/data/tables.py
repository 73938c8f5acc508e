"""The true atoms of many states as one table for each relation."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np

from dias.arrays import NumberSet
from dias.strips.codes import AtomCodes, State, tuple_number


class Index(NamedTuple):
    """A relation, ready to be looked up.

    Attributes:
        keys: ``[n]`` of each atom the place and the objects it is looked up by, as a number;
            ascending.
        others: ``[n]`` object numbers for each of the other positions.
    """

    keys: np.ndarray
    others: list[np.ndarray]


class Relation:
    """The atoms of one relation that are true in each place.

    Args:
        keys: ``[n]`` of each atom the place and the objects, as a `tuple_number`.
        arity: How many objects an atom has.
        n_places: Number of places.
        base: One more than the largest object number.
        is_static: Whether a place is a problem, in all states of which the atom is true, and not
            a state.
    """

    def __init__(
        self, keys: np.ndarray, arity: int, n_places: int, base: int, is_static: bool
    ) -> None:
        self.is_static = is_static
        self._arity, self._base = arity, base
        self._atoms = NumberSet(np.sort(keys), n_places * base**arity)
        self._per_place = len(keys) / max(1, n_places)
        self._indexes: dict[tuple[int, ...], Index] = {}

    def contains(self, place: np.ndarray, objects: Iterable[np.ndarray]) -> np.ndarray:
        """Which atoms are true, each in its place."""
        return self._atoms.contains(tuple_number((place, *objects), self._base))

    def fan_out(self, n_known: int) -> float:
        """About how many atoms a lookup by so many objects finds."""
        return self._per_place / float(self._base) ** n_known

    def index(self, known: tuple[int, ...]) -> Index:
        """The atoms for lookups by the objects at some positions."""
        if known not in self._indexes:
            place, *objects = self.columns
            keys = tuple_number((place, *(objects[p] for p in known)), self._base)
            others = [own for p, own in enumerate(objects) if p not in known]
            if known != tuple(range(len(known))):  # otherwise they are in order already
                order = np.argsort(keys, kind="stable")
                keys, others = keys[order], [own[order] for own in others]
            self._indexes[known] = Index(keys, others)
        return self._indexes[known]

    @cached_property
    def columns(self) -> list[np.ndarray]:
        """Of each atom the place, then the objects."""
        powers = [self._base**power for power in range(self._arity, -1, -1)]
        place, *objects = (self._atoms.numbers // power for power in powers)
        return [place, *(own % self._base for own in objects)]


def relations(
    states: Sequence[State],
    segments: np.ndarray,
    codes: Sequence[AtomCodes],
    names: Collection[str],
    is_static: bool,
) -> dict[str, Relation]:
    """Some relations of states, or of problems.

    Args:
        states: The true atoms of each.
        segments: ``[n]`` the number of the problem that each belongs to.
        codes: The numbering of the atoms of every problem; all have the same predicates.
        names: Which relations.
        is_static: Whether `states` are what is true in all states of a problem.
    """
    place = np.repeat(np.arange(len(states)), [len(state) for state in states])
    atoms = np.fromiter(chain.from_iterable(states), np.int64, len(place))
    n_objects = np.array([len(own.objects) for own in codes])
    base = int(n_objects.max(initial=1))
    size = n_objects[segments[place]]
    found = {}
    for name in names:
        arity = codes[0].arities[name]
        rest = atoms - np.array([own.offset[name] for own in codes])[segments[place]]
        own = (rest >= 0) & (rest < size**arity)
        key = place[own]
        for power in range(arity - 1, -1, -1):
            key = key * base + rest[own] // size[own] ** power % size[own]
        found[name] = Relation(key, arity, len(states), base, is_static)
    return found
