"""The objects that may be new variables of the steps, and those that satisfy a query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from dias.arrays import runs
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.schema import LiftedAtom
from dias.limits import check

MAX_ROWS = 2000
"""Candidate bindings looked at per transition; more of them say next to nothing."""

CELLS = 1_000_000
"""Pairs of objects of transitions that are looked at together: it limits the memory."""

MAX_PARTS, MAX_KEPT = 4, 4
"""Parts of that size that are kept, and bindings of an action whose parts are."""


class Candidates:
    """The bindings of known variables, each with every object that may be a new one, or two.

    Args:
        examples: The transitions.
        found: The bindings.
        linked: Whether only objects are candidates that share a true atom with a bound one; a
            second new object may also be linked to the first.
    """

    @classmethod
    def of(cls, examples: Examples, found: BindingTable, linked: bool) -> Candidates:
        """Those of bindings; the last ones are kept with the transitions."""
        kept: list[Candidates] = vars(examples).setdefault("candidates", [])
        for own in kept:
            if own._found.rows is found.rows and own._linked == linked:
                return own
        kept[MAX_KEPT - 1 :] = []
        kept.insert(0, cls(examples, found, linked))
        return kept[0]

    def __init__(self, examples: Examples, found: BindingTable, linked: bool) -> None:
        self._examples, self._found = examples, found
        self._n_known = found.rows.shape[1]
        self._linked = linked
        self._size = max(1, CELLS // max(1, int(examples.n_objects.max(initial=0)) ** 2))

    def few(self, n_new: int) -> BindingTable:
        """Those of 1 or 2 new variables, `MAX_ROWS` of each transition at most."""
        sizes = np.zeros(len(self._examples.examples), dtype=np.int64)
        tables = []
        for part in self._parts():
            table = part.satisfying((), n_new, MAX_ROWS)
            # The rows of a transition stand together, but they may have begun in another part.
            first = np.searchsorted(table.owner, table.owner)
            rank = sizes[table.owner] + np.arange(len(table.owner)) - first
            tables.append(table.where(rank < MAX_ROWS))
            sizes += np.bincount(table.owner, minlength=len(sizes))
        return self._joined(tables, n_new)

    def satisfying(self, query: Sequence[LiftedAtom], n_new: int) -> BindingTable:
        """Those that satisfy a query, of which each literal is about a new variable."""
        return self._joined([part.satisfying(query, n_new) for part in self._parts()], n_new)

    def _parts(self) -> Iterator[_Part]:
        """All of them, in parts that fit in memory."""
        if len(self._found.owner) <= MAX_PARTS * self._size:
            return iter(self._kept)
        return self._made()

    @cached_property
    def _kept(self) -> list[_Part]:
        return list(self._made())

    def _made(self) -> Iterator[_Part]:
        for begin in range(0, len(self._found.owner), self._size):
            check()
            end = min(begin + self._size, len(self._found.owner))
            own = self._found.where(np.arange(begin, end))
            yield _Part(self._examples, own, self._linked and self._n_known > 0)

    def _joined(self, tables: list[BindingTable], n_new: int) -> BindingTable:
        """The tables one after another."""
        none = BindingTable.of([], self._n_known + n_new)
        owner, rows = zip(none, *tables, strict=True)
        return BindingTable(np.concatenate(owner), np.concatenate(rows))


class _Part:
    """Some bindings, and which objects may be new variables: each pair of both is a cell."""

    def __init__(self, examples: Examples, found: BindingTable, is_linked: bool) -> None:
        self._examples, self._found, self._is_linked = examples, found, is_linked
        first_row, n_rows = runs(found.owner)
        self._place = np.repeat(np.arange(len(n_rows)), n_rows)
        self._shared = examples.neighbours(found.owner[first_row])
        size = self._shared.shape[1]
        self._everything = np.arange(size) < examples.n_objects[found.owner][:, None]
        self._reached = self._everything
        if is_linked:
            self._reached = self._shared[self._place[:, None], found.rows].any(1)
        self._numbers = found.owner[first_row]
        self._known: dict[LiftedAtom, np.ndarray] = {}
        self._pairs: dict[LiftedAtom, np.ndarray] = {}

    def satisfying(
        self, query: Sequence[LiftedAtom], n_new: int, n_most: int | None = None
    ) -> BindingTable:
        """See `Candidates.satisfying`; of each transition the first `n_most`, at least."""
        owner, rows = self._found
        n_known = rows.shape[1]
        may_be = [self._reached, self._everything]
        both: list[LiftedAtom] = []
        for literal in query:
            new = {v - n_known for v in literal.variables if v >= n_known}
            if len(new) == 1:
                (own,) = new
                may_be[own] = may_be[own] & self._holds(literal, n_known + own)
            else:
                both.append(literal)
        binding, first = np.nonzero(may_be[0])
        if n_most is not None and (n_new == 1 or self._is_linked):  # each is one row at least
            own = owner[binding]
            few = np.arange(len(own)) - np.searchsorted(own, own) < n_most
            binding, first = binding[few], first[few]
        if n_new == 1:
            return BindingTable(owner[binding], np.column_stack([rows[binding], first]))
        candidates = self._shared[self._place[binding], first]
        if self._is_linked:
            candidates |= self._reached[binding]
        candidates &= may_be[1][binding]
        is_many = np.count_nonzero(candidates) > self._shared.size // 2
        pairs = {x for x in both if min(x.variables) >= n_known and (is_many or x in self._pairs)}
        for literal in pairs:
            candidates &= self._hold(literal)[self._place[binding], first]
        pair, second = np.nonzero(candidates)
        for literal in (x for x in both if x not in pairs):
            own = [
                second if v > n_known else first[pair] if v == n_known else rows[binding[pair], v]
                for v in literal.variables
            ]
            kept = self._examples.truth(
                owner[binding[pair]],
                np.column_stack(own),
                [literal._replace(variables=(*range(len(own)),))],
            )[:, 0]
            pair, second = pair[kept], second[kept]
        binding = binding[pair]
        return BindingTable(owner[binding], np.column_stack([rows[binding], first[pair], second]))

    def _holds(self, literal: LiftedAtom, new: int) -> np.ndarray:
        """``[b, O]`` whether a literal holds of each object as the one new variable in it."""
        owner, rows = self._found
        n_known, size = rows.shape[1], self._everything.shape[1]
        literal = literal._replace(
            variables=tuple(n_known if v == new else v for v in literal.variables)
        )
        if literal not in self._known:
            # Only what the literal is about has to be looked at.
            about = sorted({*literal.variables} - {n_known})
            number = {v: place for place, v in enumerate([*about, n_known])}
            table = np.empty((len(owner), size, len(number)), dtype=np.int64)
            table[:, :, :-1] = rows[:, None, about]
            table[:, :, -1] = np.arange(size)
            truth = self._examples.truth(
                np.repeat(owner, size), table.reshape(-1, len(number)), [literal.renamed(number)]
            )
            self._known[literal] = truth[:, 0].reshape(len(owner), size)
        return self._known[literal]

    def _hold(self, literal: LiftedAtom) -> np.ndarray:
        """``[n, O, O]`` whether a literal holds of pairs of objects in each transition."""
        if literal not in self._pairs:
            n, size, _ = self._shared.shape
            pairs = np.indices((size, size)).reshape(2, -1).T
            number = {self._found.rows.shape[1] + v: v for v in (0, 1)}
            truth = self._examples.truth(
                np.repeat(self._numbers, len(pairs)),
                np.tile(pairs, (n, 1)),
                [literal.renamed(number)],
            )
            self._pairs[literal] = truth[:, 0].reshape(n, size, size)
        return self._pairs[literal]
