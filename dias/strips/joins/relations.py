"""What a join runs over: relations, and the indexes through which it looks rows up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from dias.strips.codes import AtomCodes, State

Rows = Mapping[Any, Sequence[Any]]
"""An index: the values looked up, and what else is in the rows that have them."""


class IndexKey(NamedTuple):
    """Which rows of a relation a loop needs: those of `predicate`, looked up at `positions`."""

    predicate: str
    positions: tuple[int, ...]


class StaticRelations:
    """The static atoms of a problem with the indexes that joins over them ask for.

    Each index is made when it is first asked for; generators of the same problem may share it.

    Args:
        codes: The numbering of atoms and objects.
        atoms: Codes of the atoms.
    """

    def __init__(self, codes: AtomCodes, atoms: State) -> None:
        self.atoms = atoms
        self._by_predicate: dict[str, list[tuple[int, ...]]] = {}
        for predicate, row in map(codes.split, atoms):
            self._by_predicate.setdefault(predicate, []).append(row)
        self._indexes: dict[IndexKey, Rows] = {}
        self._fan_outs: dict[IndexKey, float] = {}

    def rows(self, key: IndexKey) -> Rows:
        """The index of a relation."""
        if key not in self._indexes:
            index: dict[Any, list[Any]] = {}
            for row in self._by_predicate.get(key.predicate, ()):
                values, rest = index_entry(row, key.positions)
                index.setdefault(values, []).append(rest)
            self._indexes[key] = index
        return self._indexes[key]

    def fan_out(self, key: IndexKey) -> float:
        """Rows of a lookup in the mean."""
        if key not in self._fan_outs:
            index = self.rows(key)
            self._fan_outs[key] = sum(map(len, index.values())) / max(len(index), 1)
        return self._fan_outs[key]


class Relations(NamedTuple):
    """What a schema is compiled against.

    Attributes:
        codes: The numbering of atoms and objects.
        static: Codes of the static atoms.
        fluents: Predicates whose atoms are in the states.
        static_rows: The index of a static relation.
        fan_out: Expected number of rows of an index lookup.
        candidates: Object numbers that a parameter's type admits.
    """

    codes: AtomCodes
    static: State
    fluents: frozenset[str]
    static_rows: Callable[[IndexKey], Rows]
    fan_out: Callable[[IndexKey], float]
    candidates: Callable[[tuple[str, ...]], tuple[int, ...]]


def index_entry(row: tuple[int, ...], positions: tuple[int, ...]) -> tuple[Any, Any]:
    """Split a row of a relation: the values at `positions`, by which it is looked up, the others.

    A single number stands for a one-element tuple.

    >>> index_entry((1, 2, 3), (0,))
    (1, (2, 3))
    """
    key = tuple(row[p] for p in positions)
    rest = tuple(row[p] for p in range(len(row)) if p not in positions)
    return key[0] if len(key) == 1 else key, rest[0] if len(rest) == 1 else rest
