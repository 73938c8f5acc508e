"""Which parameters of two schemas correspond to each other.

Names do not say it: a learned ``?x2`` may be the true ``?block``. The one-to-one match does under
which most literals are the same on both sides. Branch and bound finds it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from dias.diff.literals import literals
from dias.strips.model import ActionSchema
from dias.strips.pddl.declarations import EQUALITY

MAX_NODES = 200_000
"""Partial matches that one search looks at; a few hundred do for the schemas of benchmarks."""


class Alignment(NamedTuple):
    """A match of the parameters of two schemas.

    Attributes:
        parameters: Left to right variable, one to one; of the schema with fewer parameters every
            one is matched.
        n_literals: Literals that are the same on both sides under the match.
        n_types: Matched parameters of the same type.
        is_best: False if the search gave up before it was sure that no match is better.
    """

    parameters: dict[str, str]
    n_literals: int
    n_types: int
    is_best: bool


def align(
    left: ActionSchema, right: ActionSchema, predicates: Mapping[str, str] | None = None
) -> Alignment:
    """The one-to-one match of parameters under which most literals are the same.

    Of equally good matches the one with more equal parameter types is taken, and of those the one
    that keeps the order of the parameters: the lexicographically first sequence of positions.

    Args:
        left: A schema.
        right: The schema to match it with.
        predicates: Left to right predicate; one that is not in it has no counterpart. None: by
            name.
    """
    return _Search(left, right, predicates).run()


Terms = tuple[int | str, ...]
"""The terms of an atom: a parameter as its position, a constant as its name."""


class _Search:
    """Depth first: the left parameters in order, for each the right parameters in order.

    A candidate is a left literal with a right one that it equals under some match. Sets of
    candidates are the bits of an integer. A partial match can reach at most the left literals
    that have a candidate left, which bounds the search. Only a better match replaces the best one,
    so of equals the first stays.
    """

    def __init__(
        self, left: ActionSchema, right: ActionSchema, predicates: Mapping[str, str] | None
    ) -> None:
        self._left, self._right = left, right
        self._n_unmatched = max(0, left.arity - right.arity)
        self._same_type = [[x.types == y.types for y in right.parameters] for x in left.parameters]
        self._n_nodes = 0
        self._best = (-1, -1)
        self._best_match: tuple[int | None, ...] = ()

        self._of_literal: list[int] = []  # the candidates of each left literal
        self._touch_left, self._touch_right = [0] * left.arity, [0] * right.arity
        self._touch_both = [[0] * right.arity for _ in range(left.arity)]
        n_candidates = 0
        theirs = _by_kind(right)
        for kind, rows in _by_kind(left).items():
            part, positive, name = kind
            if name != EQUALITY and predicates is not None:
                name = predicates.get(name, "")
            for terms in rows:
                fitting = [
                    other
                    for row in theirs.get((part, positive, name), ())
                    for other in _orders(row, name)
                    if _can_equal(terms, other)
                ]
                if fitting:
                    self._of_literal.append(((1 << len(fitting)) - 1) << n_candidates)
                for other in fitting:
                    self._touch(1 << n_candidates, terms, other)
                    n_candidates += 1
        self._all = (1 << n_candidates) - 1

    def _touch(self, candidate: int, terms: Terms, other: Terms) -> None:
        for x, y in zip(terms, other, strict=True):
            if isinstance(x, int) and isinstance(y, int):
                self._touch_left[x] |= candidate
                self._touch_right[y] |= candidate
                self._touch_both[x][y] |= candidate

    def run(self) -> Alignment:
        """The best match."""
        self._extend((), self._all, 0)
        matched = {
            variable: self._right.variables[position]
            for variable, position in zip(self._left.variables, self._best_match, strict=True)
            if position is not None
        }
        return Alignment(matched, *self._best, is_best=self._n_nodes <= MAX_NODES)

    def _extend(self, match: tuple[int | None, ...], alive: int, n_types: int) -> None:
        """Try all ways to match the next parameter; `alive` are the candidates that agree."""
        self._n_nodes += 1
        x = len(match)
        n_literals = sum(1 for candidates in self._of_literal if candidates & alive)
        bound = (n_literals, n_types + self._left.arity - x)
        if bound <= self._best or (self._n_nodes > MAX_NODES and self._best_match):
            return
        if x == self._left.arity:
            self._best, self._best_match = bound, match
            return
        for y in range(self._right.arity):
            if y not in match:
                broken = (self._touch_left[x] | self._touch_right[y]) & ~self._touch_both[x][y]
                self._extend((*match, y), alive & ~broken, n_types + self._same_type[x][y])
        if match.count(None) < self._n_unmatched:
            self._extend((*match, None), alive & ~self._touch_left[x], n_types)


def _by_kind(schema: ActionSchema) -> dict[tuple[str, bool, str], list[Terms]]:
    """Part, sign and predicate to the literals."""
    kinds: dict[tuple[str, bool, str], list[Terms]] = {}
    for part, positive, (predicate, own) in literals(schema):
        terms = [schema.variables.index(t) if t.startswith("?") else t for t in own]
        kinds.setdefault((part, positive, predicate), []).append(tuple(terms))
    return kinds


def _orders(terms: Terms, predicate: str) -> list[Terms]:
    """The ways to write the terms: equality is symmetric."""
    return [terms, terms[::-1]] if predicate == EQUALITY and len(set(terms)) > 1 else [terms]


def _can_equal(terms: Terms, other: Terms) -> bool:
    """Whether some one-to-one match of the parameters makes the terms equal."""
    pairs = set(zip(terms, other, strict=True))
    constants_agree = all(x == y or (isinstance(x, int) and isinstance(y, int)) for x, y in pairs)
    return constants_agree and len(pairs) == len(set(terms)) == len(set(other))
