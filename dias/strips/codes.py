"""Ground atoms as integers, states as sets of them.

A ground atom p(o₁, …, oₖ) becomes ``offset[p] + ((o₁·O + o₂)·O + …)``, with objects numbered
0 … O-1. Testing, adding and deleting an atom is then integer work, and no table of all atoms is
ever built.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from dias.strips.model import Atom

State = frozenset[int]
"""A state s: the codes of the atoms that hold."""


def tuple_number(objects: Iterable[Any], n_objects: Any) -> Any:
    """The place of a tuple of objects among all tuples of its length: ((o₁·O + o₂)·O + …).

    Args:
        objects: Their numbers, or arrays of them for many tuples at once.
        n_objects: O, or an array of it.
    """
    each = iter(objects)
    number = next(each, 0)
    for o in each:
        number = number * n_objects + o
    return number


class AtomCodes:
    """The numbering of the ground atoms over given predicates and objects.

    Args:
        arities: Predicate to arity; the order sets the offsets.
        objects: Object names; their order sets the numbers.

    Attributes:
        n_codes: How many codes there are: 0 … n_codes - 1.
    """

    def __init__(self, arities: Mapping[str, int], objects: Sequence[str]) -> None:
        self.arities = dict(arities)
        self.objects = tuple(objects)
        self.object_number = {name: number for number, name in enumerate(self.objects)}
        self.offset: dict[str, int] = {}
        end = 0
        for predicate, arity in self.arities.items():
            self.offset[predicate] = end
            end += len(self.objects) ** arity
        self.n_codes = end
        self._predicates = list(self.arities)
        self._offsets = list(self.offset.values())
        self._encoded = _Encoded(self.encode)
        self._decoded: dict[int, Atom] = {}
        self._split: dict[int, tuple[str, tuple[int, ...]]] = {}

    def encode(self, atom: Atom) -> int:
        """The code of a ground atom; KeyError for an unknown predicate or object."""
        return self.encode_words(atom.predicate, atom.terms)

    def encode_words(self, predicate: str, terms: Iterable[str]) -> int:
        """The code of the ground atom of a predicate and objects."""
        objects = map(self.object_number.__getitem__, terms)
        code: int = tuple_number(objects, len(self.objects)) + self.offset[predicate]
        return code

    def of(self, predicate: str) -> slice:
        """The codes of all ground atoms of a predicate."""
        first = self.offset[predicate]
        return slice(first, first + len(self.objects) ** self.arities[predicate])

    def encode_state(self, atoms: Iterable[Atom]) -> State:
        """The codes of `atoms`."""
        return frozenset(map(self._encoded.__getitem__, atoms))

    def decode(self, code: int) -> Atom:
        """The ground atom of a code."""
        atom = self._decoded.get(code)
        if atom is None:
            predicate, numbers = self.split(code)
            atom = Atom(predicate, tuple(self.objects[number] for number in numbers))
            self._decoded[code] = atom
        return atom

    def split(self, code: int) -> tuple[str, tuple[int, ...]]:
        """Predicate and object numbers of a code."""
        known = self._split.get(code)
        if known is not None:
            return known
        predicate = self._predicates[bisect_right(self._offsets, code) - 1]
        rest = code - self.offset[predicate]
        numbers = []
        for _ in range(self.arities[predicate]):
            rest, number = divmod(rest, len(self.objects))
            numbers.append(number)
        self._split[code] = predicate, tuple(reversed(numbers))
        return self._split[code]

    def decode_state(self, state: Iterable[int]) -> frozenset[Atom]:
        """The atoms of a state."""
        return frozenset(map(self.decode, state))


class _Encoded(dict[Atom, int]):
    """The codes of the atoms that have occurred in states; states have most of theirs in common."""

    def __init__(self, encode: Callable[[Atom], int]) -> None:
        self._encode = encode

    def __missing__(self, atom: Atom) -> int:
        code = self[atom] = self._encode(atom)
        return code
