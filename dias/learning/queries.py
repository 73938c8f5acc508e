"""Precondition-only variables: objects that an action needs but does not change.

Logistics' `drive` needs the city of both locations, Spanner's `tighten_nut` a man at the nut's
place. Such a variable z occurs in no effect; it stands for a query: is there an object z with
p(z, x) and q(z) …? The queries that every transition satisfies are found as maximal sets of
positive literals: each transition offers, for every binding that explains it and every candidate
object, the set of literals that hold there; sets are intersected transition by transition and
only maximal ones are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from dias.learning.examples import Examples, LiftedAtom, lifted_atoms

MAX_FRONTIER = 500
"""Maximal literal sets kept at a time; beyond it the largest stay."""

MAX_ROWS = 2000
"""Candidate bindings looked at per transition; more of them say next to nothing."""

CHUNK = 256
"""Transitions whose literals are evaluated together, those with the fewest bindings first."""

Bindings = list[tuple[int, ...]]
Query = tuple[LiftedAtom, ...]


def common_queries(
    examples: Examples, found: Sequence[Bindings], n_known: int, n_new: int, linked: bool = True
) -> list[Query]:
    """The maximal queries over `n_new` new variables that every explained transition satisfies.

    Args:
        examples: The transitions.
        found: Per transition the bindings of the known variables that explain it.
        n_known: Number of known variables, 0 … n_known-1.
        n_new: 1 or 2 new variables, n_known ….
        linked: Whether every new variable must be linked to a known one, directly or through
            the other one. If not, two new variables must still be linked to each other.

    Returns:
        The queries, largest first.
    """
    literals = [
        literal
        for literal in lifted_atoms(examples.arities, n_known + n_new)
        if any(variable >= n_known for variable in literal.variables)
    ]
    rows = []
    for number, bindings in enumerate(found):
        if bindings:
            extended = [
                row for b in bindings for row in extensions(examples, number, b, n_new, linked)
            ]
            if not extended:
                return []
            rows.append((len(extended), number, extended[:MAX_ROWS]))
    rows.sort(key=lambda entry: entry[:2])
    frontier = [(1 << len(literals)) - 1]
    for start in range(0, len(rows), CHUNK):
        frontier = _narrow(frontier, examples, literals, rows[start : start + CHUNK])
        if not any(frontier):
            return []
    queries = [_decode(mask, literals) for mask in frontier]
    queries = [query for query in queries if is_linked(query, n_known, n_new, linked)]
    return sorted(queries, key=lambda query: (-len(query), query))


def is_linked(query: Query, n_known: int, n_new: int, linked: bool) -> bool:
    """Whether shared literals lead to all new variables, from known ones if `linked`."""
    # Without links the first new variable is reached from the start, by itself.
    reached = set(range(n_known)) if linked and n_known else {*range(n_known), n_known}
    for _ in range(n_known + n_new):
        for literal in query:
            if reached & set(literal.variables):
                reached |= set(literal.variables)
    return len(reached) == n_known + n_new


def satisfying(
    examples: Examples, found: Sequence[Bindings], query: Query, n_new: int, linked: bool = True
) -> list[Bindings]:
    """Per transition the bindings of `found`, extended by all objects that satisfy `query`."""
    extended: list[Bindings] = []
    for number, bindings in enumerate(found):
        rows = [row for b in bindings for row in extensions(examples, number, b, n_new, linked)]
        if rows:
            owner = np.full(len(rows), number)
            truth = examples.truth(owner, np.array(rows, dtype=np.int64), query)
            rows = [rows[place] for place in np.flatnonzero(np.all(truth, axis=1))]
        extended.append(rows)
    return extended


def extensions(
    examples: Examples, number: int, binding: tuple[int, ...], n_new: int, linked: bool
) -> Iterator[tuple[int, ...]]:
    """All injective extensions of a binding by linked objects; by any if links are not asked for.

    Linked are objects that share a true atom with a bound one; a second new object may also be
    linked to the first.
    """
    table = examples.neighbours(number)
    nothing: set[int] = set()
    if binding and linked:
        candidates = nothing.union(*(table.get(o, nothing) for o in binding))
    else:
        candidates = set(range(len(examples.examples[number].codes.objects)))
    for first in sorted(candidates.difference(binding)):
        if n_new == 1:
            yield (*binding, first)
            continue
        further = table.get(first, nothing) | (candidates if linked and binding else nothing)
        for second in sorted(further.difference(binding, (first,))):
            yield (*binding, first, second)


def _narrow(
    frontier: list[int],
    examples: Examples,
    literals: list[LiftedAtom],
    chunk: list[tuple[int, int, Bindings]],
) -> list[int]:
    """The maximal subsets of the kept literal sets that every transition of `chunk` offers.

    Args:
        frontier: Literal sets as bit masks, none within another.
        examples: The transitions.
        literals: What the bits stand for; literals in no set are not looked at.
        chunk: Number of bindings, number of the transition, its bindings.
    """
    union = 0
    for mask in frontier:
        union |= mask
    alive = [place for place in range(len(literals)) if union >> place & 1]
    sizes = [len(own) for _, _, own in chunk]
    owner = np.repeat([number for _, number, _ in chunk], sizes)
    rows = np.array([row for _, _, own in chunk for row in own], dtype=np.int64)
    truth = examples.truth(owner, rows, [literals[place] for place in alive])
    starts = np.cumsum([0, *sizes[:-1]])
    position = 0
    while position < len(chunk) and any(frontier):
        # Most transitions offer all that is left; look only at the first one that does not.
        complete = np.ones(len(chunk) - position, dtype=bool)
        first_row = starts[position]
        for mask in frontier:
            columns = [column for column, place in enumerate(alive) if mask >> place & 1]
            holds = truth[first_row:, columns].all(1)
            complete &= np.logical_or.reduceat(holds, starts[position:] - first_row)
        if complete.all():
            break
        position += int(complete.argmin())
        own = truth[starts[position] : starts[position] + sizes[position]]
        offered = [
            sum(1 << alive[column] for column in np.flatnonzero(pattern))
            for pattern in np.unique(own, axis=0)
        ]
        frontier = _meet(frontier, _maximal(offered))
        position += 1
    return frontier


def _meet(frontier: list[int], offered: list[int]) -> list[int]:
    """The maximal intersections of a kept set with an offered one."""
    kept = [mask for mask in frontier if any(mask & other == mask for other in offered)]
    rest = [mask for mask in frontier if mask not in set(kept)]
    return _maximal([*kept, *{mask & other for mask in rest for other in offered}])


def _maximal(masks: list[int]) -> list[int]:
    kept: list[int] = []
    for mask in sorted(set(masks), key=lambda m: (-m.bit_count(), m)):
        if len(kept) == MAX_FRONTIER:
            break
        if not any(mask & other == mask for other in kept):
            kept.append(mask)
    return kept


def _decode(mask: int, literals: list[LiftedAtom]) -> Query:
    return tuple(literal for place, literal in enumerate(literals) if mask >> place & 1)
