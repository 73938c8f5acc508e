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

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

import numpy as np

from dias.arrays import ranges, runs
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.extend.candidates import Candidates
from dias.learning.extend.literal_sets import contains, masks_of, maximal, meet, packed
from dias.learning.schema import DIFFERENT, NOT, TYPE, LiftedAtom, atoms_over_new, comparisons
from dias.limits import check

CHUNK, MAX_CHUNK = 16, 256
"""Transitions whose literals are evaluated together, those with the fewest bindings first: few at
first, after which few literals are left, then twice as many, and so on."""

ANSWERS = 1 << 16
"""Sets and bindings of which it is asked together whether one has what the other offers."""

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
        negative: Whether queries may say that atoms do not hold: those over new variables alone,
            and if `linked` any; what does not hold links them as well.

    Returns:
        The queries, largest first.
    """
    return Offers.of(examples, found, n_new, linked, negative).common()


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
        linked: Whether what holds links new ones to them.
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
        literals = query_literals(examples.arities, n_known, n_new, negative, linked)
        linked = linked and not negative
        extended = Candidates.of(examples, found, linked).few(n_new)
        first, sizes = runs(extended.owner)
        n_without = len(runs(found.owner)[0]) - len(first)
        return cls(examples, literals, extended, first, sizes, n_without, n_known, linked)

    def common(self) -> list[Query]:
        """The queries that all transitions satisfy, the largest first."""
        return [] if self.n_without else self.queries(self.frontier(np.arange(len(self.first))))

    def frontier(self, numbers: np.ndarray) -> list[int]:
        """The maximal sets of literals, as bit masks, that all of some transitions offer."""
        order = numbers[np.argsort(self.sizes[numbers], kind="stable")]
        frontier = [(1 << len(self.literals)) - 1]
        begin, size = 0, CHUNK
        while begin < len(order):
            chunk = order[begin : begin + size]
            begin, size = begin + size, min(2 * size, MAX_CHUNK)
            rows, union = ranges(self.first[chunk], self.sizes[chunk]), reduce(or_, frontier)
            alive = [place for place in range(len(self.literals)) if union >> place & 1]
            literals = [self.literals[place] for place in alive]
            holds = self.examples.truth(*self.extended.where(rows), literals)
            # What some transition does not offer at all is in no set that all of them offer.
            starts = np.cumsum(self.sizes[chunk]) - self.sizes[chunk]
            offered = np.flatnonzero(np.logical_or.reduceat(holds, starts).all(0))
            holds, alive = holds[:, offered], [alive[place] for place in offered.tolist()]
            # Sets of the few literals that are left take fewer words.
            own = maximal(_moved(mask, alive, range(len(alive))) for mask in frontier)
            own = _narrow(own, packed(holds, [*range(len(alive))]), self.sizes[chunk])
            if not any(own):
                return []
            frontier = [_moved(mask, range(len(alive)), alive) for mask in own]
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
    arities: dict[str, int], n_known: int, n_new: int, negative: bool = False, linked: bool = False
) -> list[LiftedAtom]:
    """What a query may consist of: atoms that mention a new variable, and that two differ.

    If `negative`, also that such an atom, which is no type, does not hold; unless `linked`, one
    over new variables alone.
    """
    atoms = atoms_over_new(arities, n_known, n_new)
    differ = comparisons(n_known + n_new, n_known, DIFFERENT)
    negated = [
        atom._replace(relation=NOT + atom.relation)
        for atom in atoms
        if negative
        and not atom.relation.startswith(TYPE)
        and (linked or min(atom.variables) >= n_known)
    ]
    return atoms + differ + negated


def is_linked(query: Query, n_known: int, n_new: int, linked: bool) -> bool:
    """Whether shared literals lead to all new variables, from known ones if `linked`."""
    # Without links the first new variable is reached from the start, by itself.
    reached = set(range(n_known)) if linked and n_known else {*range(n_known), n_known}
    for _ in range(n_known + n_new):
        for literal in query:
            if not literal.relation.startswith(NOT) and reached & set(literal.variables):
                reached |= set(literal.variables)
    return len(reached) == n_known + n_new


def _moved(mask: int, places: Sequence[int], other: Sequence[int]) -> int:
    """A bit mask, each of whose bits stands at one of some places, with its bits at other ones."""
    return sum(1 << new for place, new in zip(places, other, strict=True) if mask >> place & 1)


def _narrow(frontier: list[int], words: np.ndarray, sizes: np.ndarray) -> list[int]:
    """The maximal subsets of the kept literal sets that every transition offers.

    Args:
        frontier: Literal sets as bit masks, none within another.
        words: ``[W, n]`` what the bindings offer, as packed sets, transition by transition.
        sizes: How many bindings each of the transitions has, at least one.
    """
    starts = np.append(0, np.cumsum(sizes))
    position, n_looked_at = 0, 1
    while position < len(sizes) and any(frontier):
        check()
        # Most transitions offer all that is left; look only at the first one that does not.
        end = min(position + n_looked_at, len(sizes))
        own = words[:, starts[position] : starts[end]]
        complete = np.ones(end - position, dtype=bool)
        n_at_a_time = 1 + ANSWERS // own.shape[1]
        for begin in range(0, len(frontier), n_at_a_time):
            holds = contains(own, frontier[begin : begin + n_at_a_time])
            offered = np.logical_or.reduceat(holds, starts[position:end] - starts[position], axis=1)
            complete &= offered.all(0)
        if complete.all():
            position, n_looked_at = end, 2 * n_looked_at
            continue
        position += int(complete.argmin())
        own = words[:, starts[position] : starts[position + 1]]
        frontier = meet(frontier, maximal(masks_of(own)))
        position, n_looked_at = position + 1, 1
    return frontier
