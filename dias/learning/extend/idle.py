"""Queries that say nothing, since known variables satisfy them in place of the new ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import product

from dias.learning.extend.queries import Query
from dias.learning.schema import DIFFERENT, EQUAL, NOT, LiftedAtom, LiftedSchema


class Idle:
    """Tells whether some variable of a schema, or the other new one, may stand for a new one.

    No part of a query that is idle says anything, either.

    Args:
        schema: The schema.
        n_new: 1 or 2 new variables.
    """

    def __init__(self, schema: LiftedSchema, n_new: int) -> None:
        n_known, every = schema.n_variables, range(schema.n_variables + n_new)
        same = [*every]  # in place of variables that are one object the first of them
        for atom in schema.positive:
            if atom.relation == EQUAL:
                one, other = atom.variables
                same[other] = same[one]
        self._places = [same] + [
            [same[other if v == new else v] for v in every]
            for new, other in product(every[n_known:], every)
            if other != new
        ]
        self._said = cache(lambda atom, place: _ordered(atom.renamed(self._places[place])))
        apart = (atom._replace(relation=NOT + atom.relation) for atom in schema.negative)
        self._holds = {self._said(atom, 0) for atom in (*schema.positive, *apart)}
        self._known: dict[Query, bool] = {}
        self._n_new = n_new

    def __call__(self, query: Query) -> bool:
        """Whether a query is idle."""
        if query not in self._known:
            own = {self._said(atom, 0) for atom in query}
            self._known[query] = any(
                all((x := self._said(atom, place)) in own or x in self._holds for atom in query)
                for place in range(1, len(self._places))
            )
        return self._known[query]

    def passed(self, queries: Iterable[Query]) -> Iterator[Query]:
        """Those that are not idle; of two that differ in the order of new variables the first."""
        twins = set[frozenset[LiftedAtom]]()
        n = len(self._places[0])
        swapped = [*range(n - self._n_new), *range(n - 1, n - self._n_new - 1, -1)]
        for query in queries:
            own = frozenset(map(_ordered, query))
            if not self(query) and own not in twins:
                twins.add(frozenset(_ordered(atom.renamed(swapped)) for atom in query))
                yield query


@lru_cache(maxsize=4)
def idle(schema: LiftedSchema, n_new: int) -> Idle:
    """The test for a schema, which remembers what it was asked."""
    return Idle(schema, n_new)


def _ordered(atom: LiftedAtom) -> LiftedAtom:
    """The atom; that two variables differ is said in one order."""
    if atom.relation == DIFFERENT:
        return atom._replace(variables=tuple(sorted(atom.variables)))
    return atom
