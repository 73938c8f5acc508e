"""Precondition-only variables: objects that an action needs but does not change.

Logistics' `drive` needs the city of both locations, Spanner's `tighten_nut` a man at the nut's
place. Such a variable z occurs in no effect; it stands for a query: is there an object z with
p(z, x) and q(z) …? It may be an object that is bound already, unless the query says that they
differ. The queries that every transition satisfies are found as maximal sets of such literals:
each transition offers, for every binding that explains it and every candidate object, the set of
literals that hold there; sets are intersected transition by transition and only maximal ones are
kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_
from typing import NamedTuple

import numpy as np

from dias.arrays import ranges, runs
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.extend.literal_sets import contains, masks_of, maximal, meet, packed
from dias.learning.schema import DIFFERENT, NOT, TYPE, LiftedAtom, atoms_over_new, comparisons
from dias.limits import check

MAX_ROWS = 2000
"""Candidate bindings looked at per transition; more of them say next to nothing."""

CHUNK = 256
"""Transitions whose literals are evaluated together, those with the fewest bindings first."""

ANSWERS = 1 << 16
"""Sets and bindings of which it is asked together whether one has what the other offers."""

CELLS = 1_000_000
"""Pairs of objects of transitions that are looked at together: it limits the memory."""

Query = tuple[LiftedAtom, ...]


def common_queries(
    examples: Examples, found: BindingTable, n_new: int, linked: bool = True, negative: bool = False
) -> list[Query]:
    """The maximal queries over `n_new` new variables that every explained transition satisfies.

    Args:
        examples: The transitions.
        found: The bindings of the known variables 0 … n_known-1 that explain the transitions;
            those without any are not asked.
        n_new: 1 or 2 new variables, n_known ….
        linked: Whether every new variable must be linked to a known one, directly or through
            the other one. If not, two new variables must still be linked to each other.
        negative: Whether queries may say that atoms over new variables alone do not hold.

    Returns:
        The queries, largest first.
    """
    offers = Offers.of(examples, found, n_new, linked, negative)
    return [] if offers.n_without else offers.queries(offers.frontier(np.arange(len(offers.first))))


class Offers(NamedTuple):
    """What transitions offer: the literals that hold for any objects as new variables.

    Attributes:
        examples: The transitions.
        literals: What a query may consist of.
        extended: The bindings of all variables, transition by transition.
        first: ``[m]`` the first binding of each transition that has any.
        sizes: ``[m]`` how many it has.
        n_without: Transitions whose bindings of the known variables have no extension.
        n_known: Known variables.
        linked: Whether new ones are linked to them.
    """

    examples: Examples
    literals: list[LiftedAtom]
    extended: BindingTable
    first: np.ndarray
    sizes: np.ndarray
    n_without: int
    n_known: int
    linked: bool

    @classmethod
    def of(
        cls,
        examples: Examples,
        found: BindingTable,
        n_new: int,
        linked: bool,
        negative: bool = False,
    ) -> Offers:
        """Of the transitions that `found` has bindings of; see `common_queries`."""
        n_known = found.rows.shape[1]
        extended = extended_rows(examples, found, n_new, linked)
        first, sizes = runs(extended.owner)
        literals = query_literals(examples.arities, n_known, n_new, negative)
        n_without = len(runs(found.owner)[0]) - len(first)
        return cls(examples, literals, extended, first, sizes, n_without, n_known, linked)

    def frontier(self, numbers: np.ndarray, truth: np.ndarray | None = None) -> list[int]:
        """The maximal sets of literals, as bit masks, that all of some transitions offer.

        Args:
            numbers: The transitions.
            truth: ``[n, L]`` which literals hold under all bindings, if that is known.
        """
        order = numbers[np.argsort(self.sizes[numbers], kind="stable")]
        frontier = [(1 << len(self.literals)) - 1]
        for begin in range(0, len(order), CHUNK):
            chunk = order[begin : begin + CHUNK]
            rows, union = ranges(self.first[chunk], self.sizes[chunk]), reduce(or_, frontier)
            alive = [place for place in range(len(self.literals)) if union >> place & 1]
            if truth is None:
                literals = [self.literals[place] for place in alive]
                holds = self.examples.truth(*self.extended.where(rows), literals)
            else:
                holds = truth[rows[:, None], alive]
            frontier = _narrow(frontier, packed(holds, alive), self.sizes[chunk])
            if not any(frontier):
                return []
        return frontier

    def query(self, mask: int) -> Query:
        """A set of literals, given as a bit mask."""
        return tuple(x for place, x in enumerate(self.literals) if mask >> place & 1)

    def queries(self, masks: Iterable[int]) -> list[Query]:
        """The sets of literals that are queries, the largest first."""
        n_new, found = self.extended.rows.shape[1] - self.n_known, map(self.query, masks)
        linked = {q for q in found if q and is_linked(q, self.n_known, n_new, self.linked)}
        return sorted(linked, key=lambda query: (-len(query), query))


def query_literals(
    arities: dict[str, int], n_known: int, n_new: int, negative: bool = False
) -> list[LiftedAtom]:
    """What a query may consist of: atoms that mention a new variable, and that two differ.

    If `negative`, also that such an atom over new variables alone, which is no type, does not hold.
    """
    atoms = atoms_over_new(arities, n_known, n_new)
    differ = comparisons(n_known + n_new, n_known, DIFFERENT)
    negated = [
        atom._replace(relation=NOT + atom.relation)
        for atom in atoms
        if negative and not atom.relation.startswith(TYPE) and min(atom.variables) >= n_known
    ]
    return atoms + differ + negated


def extended_rows(
    examples: Examples, found: BindingTable, n_new: int, linked: bool
) -> BindingTable:
    """The `extensions` of bindings, `MAX_ROWS` of each transition at most."""
    sizes = np.zeros(len(examples.examples), dtype=np.int64)
    parts = []
    for part in extensions(examples, found, n_new, linked):
        # The rows of a transition stand together, but they may have begun in another part.
        first = np.searchsorted(part.owner, part.owner)
        rank = sizes[part.owner] + np.arange(len(part.owner)) - first
        parts.append(part.where(rank < MAX_ROWS))
        sizes += np.bincount(part.owner, minlength=len(sizes))
    return _joined(parts, found.rows.shape[1] + n_new)


def is_linked(query: Query, n_known: int, n_new: int, linked: bool) -> bool:
    """Whether shared literals lead to all new variables, from known ones if `linked`."""
    # Without links the first new variable is reached from the start, by itself.
    reached = set(range(n_known)) if linked and n_known else {*range(n_known), n_known}
    for _ in range(n_known + n_new):
        for literal in query:
            if not literal.relation.startswith(NOT) and reached & set(literal.variables):
                reached |= set(literal.variables)
    return len(reached) == n_known + n_new


def satisfying(
    examples: Examples, found: BindingTable, query: Query, n_new: int, linked: bool = True
) -> BindingTable:
    """The bindings of `found`, extended by all objects that satisfy `query`."""
    parts = []
    for part in extensions(examples, found, n_new, linked):
        for literal in query:
            part = part.where(examples.truth(*part, [literal])[:, 0])
        parts.append(part)
    return _joined(parts, found.rows.shape[1] + n_new)


def extensions(
    examples: Examples, found: BindingTable, n_new: int, linked: bool
) -> Iterator[BindingTable]:
    """All extensions of bindings by linked objects; by any if links are not asked for.

    Linked are objects that share a true atom with a bound one; a second new object may also be
    linked to the first.
    They come in parts that fit in memory.
    """
    n_known = found.rows.shape[1]
    size = max(1, CELLS // max(1, int(examples.n_objects.max()) ** 2))
    for begin in range(0, len(found.owner), size):
        check()
        owner, rows = found.where(np.arange(begin, min(begin + size, len(found.owner))))
        first_row, n_rows = runs(owner)
        numbers, place = owner[first_row], np.repeat(np.arange(len(n_rows)), n_rows)
        shared = examples.neighbours(numbers)
        everything = np.arange(shared.shape[1]) < examples.n_objects[owner][:, None]
        reached = shared[place[:, None], rows].any(1) if linked and n_known else everything
        binding, first = np.nonzero(reached)
        if n_new == 2:
            candidates = shared[place[binding], first]
            if linked and n_known:
                candidates |= reached[binding]
            pair, second = np.nonzero(candidates)
            binding, new = binding[pair], np.stack([first[pair], second], axis=1)
        else:
            new = first[:, None]
        yield BindingTable(owner[binding], np.concatenate([rows[binding], new], axis=1))


def _joined(parts: list[BindingTable], n_variables: int) -> BindingTable:
    """The tables one after another."""
    owner, rows = zip(BindingTable.of([], n_variables), *parts, strict=True)
    return BindingTable(np.concatenate(owner), np.concatenate(rows))


def _narrow(frontier: list[int], words: np.ndarray, sizes: np.ndarray) -> list[int]:
    """The maximal subsets of the kept literal sets that every transition offers.

    Args:
        frontier: Literal sets as bit masks, none within another.
        words: ``[W, n]`` what the bindings offer, as packed sets, transition by transition.
        sizes: How many bindings each of the transitions has, at least one.
    """
    starts = np.cumsum(sizes) - sizes
    position = 0
    while position < len(sizes) and any(frontier):
        check()
        # Most transitions offer all that is left; look only at the first one that does not.
        complete = np.ones(len(sizes) - position, dtype=bool)
        first_row = starts[position]
        n_at_a_time = 1 + ANSWERS // (words.shape[1] - first_row)
        for begin in range(0, len(frontier), n_at_a_time):
            holds = contains(words[:, first_row:], frontier[begin : begin + n_at_a_time])
            offered = np.logical_or.reduceat(holds, starts[position:] - first_row, axis=1)
            complete &= offered.all(0)
        if complete.all():
            break
        position += int(complete.argmin())
        own = words[:, starts[position] : starts[position] + sizes[position]]
        frontier = meet(frontier, maximal(masks_of(own)))
        position += 1
    return frontier
