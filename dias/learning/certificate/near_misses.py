"""Bindings that miss the preconditions of a schema, and by which literals they do.

All values of some variables are tested at once: a literal over two of them is one array. Of the
same states it is looked up once, whatever other variables are bound otherwise with these.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from dias.arrays import WORD, NumberSet, n_bits
from dias.learning.data.transitions import Example
from dias.learning.schema import EQUAL, LiftedAtom, Literal
from dias.limits import check
from dias.strips.codes import tuple_number

MAX_GROUP = 12
"""Bindings that violate more literals than this are not near."""

MAX_COUNTED = 12
"""Literals of which at most all patterns there can be are counted, 4,096."""

BoundExample = tuple[Example, tuple[int, ...]]
"""A state with a binding of all variables."""


def near_misses(
    grid: Grid, cell: tuple[int, ...], literals: Sequence[Literal]
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """How the bindings fare that differ from a step's own in the variables of `cell` only.

    Args:
        grid: B states, with a binding each.
        cell: The variables that are bound to all objects, ascending.
        literals: What is to hold.

    Returns:
        ``[B]`` the number of bindings that satisfy all literals; and of those that violate 1 …
        `MAX_GROUP` literals ``[n]`` the step, ``[n, words]`` which literals, and ``[n]`` how many
        bindings: alike ones may stand together.
    """
    n_words = -(-len(literals) // WORD)
    kind = np.dtype(np.uint16 if len(literals) <= MAX_COUNTED else np.uint64)
    parts: dict[tuple[int, ...], np.ndarray] = {}
    for number, (atom, is_positive) in enumerate(literals):
        check()
        violated = grid.truth(atom, cell) != is_positive
        word, bit = divmod(number, WORD)
        key = violated.shape  # literals over the same variables share an array, which is small
        bits = parts.setdefault(key, np.zeros((n_words, *key), kind))
        bits[word] |= violated.astype(kind) << kind.type(bit)
    patterns = np.zeros((n_words, *grid.shape(cell)), kind)
    for bits in parts.values():
        patterns |= bits
    step, missed, n_bindings = _rows(patterns.reshape(n_words, grid.n_steps, -1), len(literals))
    n_violated = n_bits(missed).sum(1)
    allowed = np.bincount(step, n_bindings * (n_violated == 0), grid.n_steps).astype(np.int64)
    near = (n_violated > 0) & (n_violated <= MAX_GROUP)
    return allowed, step[near], missed[near], n_bindings[near]


def _rows(patterns: np.ndarray, n_literals: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Step, pattern and how many bindings; few literals have few patterns, which are counted.

    Args:
        patterns: ``[words, B, bindings]`` the patterns.
        n_literals: How many bits they have.
    """
    n_words, n_steps, n_bindings = patterns.shape
    if n_literals > MAX_COUNTED:
        step = np.repeat(np.arange(n_steps), n_bindings)
        return step, patterns.reshape(n_words, -1).T, np.ones(len(step), np.int64)
    first = np.arange(n_steps)[:, None] << n_literals
    count = np.bincount((patterns[0] + first).ravel(), minlength=n_steps << n_literals)
    found = np.flatnonzero(count)
    missed = (found & (1 << n_literals) - 1).astype(np.uint64)
    return found >> n_literals, missed[:, None], count[found]


class Grid:
    """States, and whether literals hold in them for all values of some variables at once.

    Args:
        steps: B states of one problem, with a binding each.
    """

    def __init__(self, steps: Sequence[BoundExample]) -> None:
        self._codes = steps[0][0].codes
        self._bindings = np.array([binding for _, binding in steps], dtype=np.int64)
        self._n_objects = len(self._codes.objects)
        self.n_steps = len(steps)
        sizes = [len(example.state) for example, _ in steps]
        flat = chain.from_iterable(example.state for example, _ in steps)
        self._stride = self._codes.n_codes
        facts = np.fromiter(flat, np.int64, sum(sizes))
        numbers = np.sort(facts + np.repeat(np.arange(len(steps)), sizes) * self._stride)
        self._facts = NumberSet(numbers, len(steps) * self._stride)
        self._known: dict[tuple[LiftedAtom, tuple[int, ...]], np.ndarray] = {}

    def shape(self, cell: tuple[int, ...]) -> tuple[int, ...]:
        """The lengths of an axis for the states, and of one for each of some variables."""
        return (self.n_steps, *(self._n_objects for _ in cell))

    def truth(self, atom: LiftedAtom, cell: tuple[int, ...]) -> np.ndarray:
        """Truth of a lifted atom for all values of some variables, the others bound as they are.

        Args:
            atom: The atom.
            cell: The variables, ascending.

        Returns:
            An array with the axes of `shape`, of length 1 along those that do not matter.
        """
        free = tuple(variable for variable in cell if variable in atom.variables)
        if (atom, free) not in self._known:
            self._known[atom, free] = self._truth(atom, free)
        known = self._known[atom, free]
        return known.reshape(len(known), *(self._n_objects if v in free else 1 for v in cell))

    def _truth(self, atom: LiftedAtom, free: tuple[int, ...]) -> np.ndarray:
        """`truth`, with an axis for each of the variables, all of which the atom mentions."""
        values = [self._values(variable, free) for variable in atom.variables]
        if atom.relation == EQUAL:
            return np.asarray(values[0] == values[1])
        steps = _along(0, np.arange(self.n_steps), len(free))
        first = self._codes.offset[atom.relation] + steps * self._stride
        return self._facts.contains(first + tuple_number(values, self._n_objects))

    def _values(self, variable: int, free: tuple[int, ...]) -> np.ndarray:
        if variable in free:
            return _along(1 + free.index(variable), np.arange(self._n_objects), len(free))
        return _along(0, self._bindings[:, variable], len(free))


def _along(axis: int, values: np.ndarray, n_free: int) -> np.ndarray:
    """Values along one of 1 + `n_free` axes."""
    return values.reshape([-1 if place == axis else 1 for place in range(1 + n_free)])
