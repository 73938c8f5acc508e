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

CHUNK = 16
"""Transitions whose literals are evaluated together, those with the fewest bindings first."""

Bindings = list[tuple[int, ...]]
Query = tuple[LiftedAtom, ...]


def common_queries(
    examples: Examples, found: Sequence[Bindings], n_known: int, n_new: int
) -> list[Query]:
    """The maximal queries over `n_new` new variables that every explained transition satisfies.

    Args:
        examples: The transitions.
        found: Per transition the bindings of the known variables that explain it.
        n_known: Number of known variables, 0 … n_known-1.
        n_new: 1 or 2 new variables, n_known ….

    Returns:
        Queries in which every new variable is linked, directly or through the other one, to a
        known variable (if there is any), largest first.
    """
    literals = [
        literal
        for literal in lifted_atoms(examples.arities, n_known + n_new)
        if any(variable >= n_known for variable in literal.variables)
    ]
    neighbours = _Neighbours(examples)
    rows = []
    for number, bindings in enumerate(found):
        extended = [
            candidate
            for binding in bindings
            for candidate in neighbours.extend(number, binding, n_new)
        ]
        if bindings and not extended:
            return []
        if bindings:
            rows.append((len(extended), number, extended[:MAX_ROWS]))
    rows.sort(key=lambda entry: entry[:2])
    frontier: list[int] | None = None
    for start in range(0, len(rows), CHUNK):
        chunk = rows[start : start + CHUNK]
        for offered in _offers(examples, literals, chunk, frontier):
            frontier = offered if frontier is None else _meet(frontier, offered)
            if not any(frontier):
                return []
    queries = [_decode(mask, literals) for mask in frontier or []]
    linked = {query for query in (_linked_part(q, n_known, n_new) for q in queries) if query}
    maximal = [q for q in linked if not any(set(q) < set(other) for other in linked)]
    return sorted(maximal, key=lambda query: (-len(query), query))


def satisfying(
    examples: Examples, found: Sequence[Bindings], query: Query, n_new: int
) -> list[Bindings]:
    """Per transition the bindings of `found`, extended by all objects that satisfy `query`."""
    neighbours = _Neighbours(examples)
    extended: list[Bindings] = []
    for number, bindings in enumerate(found):
        rows = [c for b in bindings for c in neighbours.extend(number, b, n_new)]
        if rows:
            owner = np.full(len(rows), number)
            holds = examples.truth(owner, np.array(rows, dtype=np.int64), query).all(1)
            rows = [row for row, ok in zip(rows, holds.tolist(), strict=True) if ok]
        extended.append(rows)
    return extended


class _Neighbours:
    """Candidate objects for new variables: those that share a true atom with a known one."""

    def __init__(self, examples: Examples) -> None:
        self._examples = examples
        self._linked: dict[int, dict[int, frozenset[int]]] = {}

    def extend(
        self, number: int, binding: tuple[int, ...], n_new: int
    ) -> Iterator[tuple[int, ...]]:
        """All injective extensions of a binding by linked objects; by all if nothing is bound."""
        if n_new == 0:
            yield binding
            return
        table = self._table(number)
        if binding:
            candidates = set().union(*(table.get(o, frozenset()) for o in binding))
        else:
            candidates = set(range(len(self._examples.examples[number].codes.objects)))
        chain = n_new > 1
        for first in sorted(candidates - set(binding)):
            if not chain:
                yield (*binding, first)
                continue
            further = candidates | table.get(first, frozenset())
            for second in sorted(further - set(binding) - {first}):
                yield (*binding, first, second)

    def _table(self, number: int) -> dict[int, frozenset[int]]:
        if number not in self._linked:
            example = self._examples.examples[number]
            linked: dict[int, set[int]] = {}
            for code in example.state:
                relation, objects = example.codes.split(code)
                if example.codes.arities[relation] > 1:
                    for o in objects:
                        linked.setdefault(o, set()).update(objects)
            self._linked[number] = {o: frozenset(s - {o}) for o, s in linked.items()}
        return self._linked[number]


def _offers(
    examples: Examples,
    literals: list[LiftedAtom],
    chunk: list[tuple[int, int, Bindings]],
    frontier: list[int] | None,
) -> Iterator[list[int]]:
    """Per transition of the chunk the maximal literal sets that it offers, as bit masks.

    Literals that no set of the frontier has any more are not looked at.
    """
    alive = list(range(len(literals)))
    if frontier is not None:
        union = 0
        for mask in frontier:
            union |= mask
        alive = [place for place in alive if union >> place & 1]
    owner = np.repeat([number for _, number, _ in chunk], [len(rows) for _, _, rows in chunk])
    rows = np.array([row for _, _, own in chunk for row in own], dtype=np.int64)
    truth = examples.truth(owner, rows, [literals[place] for place in alive])
    start = 0
    for _, _, own in chunk:
        patterns = np.unique(truth[start : start + len(own)], axis=0)
        start += len(own)
        masks = [sum(1 << alive[p] for p in np.flatnonzero(pattern)) for pattern in patterns]
        yield _maximal(masks)


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


def _linked_part(query: Query, n_known: int, n_new: int) -> Query:
    """The query if each of its new variables is linked to a known one, otherwise nothing."""
    reached = set(range(n_known))
    if not reached:
        return query
    for _ in range(n_new):
        for literal in query:
            if reached & set(literal.variables):
                reached |= set(literal.variables)
    return query if reached >= set(range(n_known + n_new)) else ()
