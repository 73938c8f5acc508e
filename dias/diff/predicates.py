"""Which predicates of two domains correspond to each other: by name, else by use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from dias.diff.alignment import Alignment, align
from dias.diff.literals import literals
from dias.strips.model import ActionSchema, Domain, Predicate
from dias.strips.pddl.declarations import EQUALITY

MAX_MATCHES = 500
"""Matches of predicates that are tried at most. Where all names are the same there is one."""

SchemaPairs = Sequence[tuple[ActionSchema, ActionSchema]]


def match_predicates(left: Domain, right: Domain, actions: SchemaPairs) -> dict[str, str]:
    """Left to right predicate: by name and arity, then the match that makes most literals equal.

    Of equally good matches of the predicates whose names differ, the one with more equal types
    is taken, then the first in the order of the search, which begins with those that occur most
    often in the same places. What makes no literal equal is not matched, unless no action of
    either domain uses it and the types are the same.

    Args:
        left: A domain.
        right: The domain to match it with.
        actions: The schemas that correspond to each other.
    """
    arities = {predicate.name: predicate.arity for predicate in right.predicates}
    named = {p.name: p.name for p in left.predicates if arities.get(p.name) == p.arity}
    lefts = [p for p in left.predicates if p.name not in named]
    rights = [p for p in right.predicates if p.name not in named]
    matched = named | _Search(lefts, rights, named, actions).run()
    used_left, used_right = _used(left), _used(right)
    idle = [p for p in rights if p.name not in used_right]
    for predicate in lefts:
        twin = next((p for p in idle if p.types == predicate.types), None)
        if twin and predicate.name not in used_left:
            matched[predicate.name] = twin.name
            idle.remove(twin)
    return matched


def _used(domain: Domain) -> set[str]:
    return {literal.atom.predicate for schema in domain.actions for literal in literals(schema)}


Match = tuple[Predicate | None, ...]
"""A right predicate, or none, for each left predicate of `_Search.open` in turn."""


class _Search:
    """Depth first over the predicates whose names differ, with a bound by counting.

    If x is y, as many literals of x can equal literals of y as both have at most in the same
    part of the same action with the same sign.
    """

    def __init__(
        self,
        lefts: Sequence[Predicate],
        rights: Sequence[Predicate],
        named: dict[str, str],
        actions: SchemaPairs,
    ) -> None:
        self._named, self._actions = named, actions
        self._counts = [(_counts(x), _counts(y)) for x, y in actions]
        options = {x: self._candidates(x, rights) for x in lefts}
        self.open = [x for x in lefts if options[x]]
        self._options = [options[x] for x in self.open]
        self._base = sum(self._common(name, name) for name in (*named, EQUALITY))
        self._most_types = len(self.open) + sum(min(x.arity, y.arity) for x, y in actions)
        self._known: dict[tuple[object, ...], Alignment] = {}
        self._n_tried = 0
        self._best = (-1, -1)
        self._best_match: Match = ()

    def run(self) -> dict[str, str]:
        """The best match; a pair that makes no literal equal is left out."""
        if self.open:
            self._extend((), self._base)
        match = self._best_match
        for place in range(len(match)):
            without = (*match[:place], None, *match[place + 1 :])
            if self._score(without)[0] == self._best[0]:
                match = without
        return {x.name: y.name for x, y in zip(self.open, match, strict=True) if y}

    def _common(self, x: str, y: str) -> int:
        """The most literals that can be equal if x is y."""
        none: Counter[tuple[str, bool]] = Counter()
        return sum((a.get(x, none) & b.get(y, none)).total() for a, b in self._counts)

    def _candidates(self, x: Predicate, rights: Sequence[Predicate]) -> list[Predicate]:
        """Those of the same arity that can make something equal, the most promising first."""
        gains = {y: self._common(x.name, y.name) for y in rights if y.arity == x.arity}
        promising = [y for y in rights if gains.get(y)]
        return sorted(promising, key=lambda y: (-gains[y], y.types != x.types, y.name))

    def _extend(self, match: Match, gained: int) -> None:
        """Try all ways to match the next predicate; `gained` bounds what is equal so far."""
        rest = range(len(match), len(self.open))
        reach = gained + sum(
            max((self._common(self.open[i].name, y.name) for y in self._free(i, match)), default=0)
            for i in rest
        )
        if (reach, self._most_types) <= self._best or self._n_tried >= MAX_MATCHES:
            return
        if not rest:
            self._n_tried += 1
            score = self._score(match)
            if score > self._best:
                self._best, self._best_match = score, match
            return
        for y in self._free(rest[0], match):
            more = self._common(self.open[rest[0]].name, y.name)
            self._extend((*match, y), gained + more)
        self._extend((*match, None), gained)

    def _free(self, place: int, match: Match) -> list[Predicate]:
        return [y for y in self._options[place] if y not in match]

    def _score(self, match: Match) -> tuple[int, int]:
        """Equal literals, and equal types of parameters and predicates."""
        pairs = [(x, y) for x, y in zip(self.open, match, strict=True) if y]
        names = {x.name: y.name for x, y in pairs}
        n_literals, n_types = 0, sum(x.types == y.types for x, y in pairs)
        for number, (x, y) in enumerate(self._actions):
            key = (
                number,
                *(names.get(p.name) for p in self.open if p.name in self._counts[number][0]),
            )
            if key not in self._known:
                self._known[key] = align(x, y, self._named | names)
            n_literals += self._known[key].n_literals
            n_types += self._known[key].n_types
        return n_literals, n_types


def _counts(schema: ActionSchema) -> dict[str, Counter[tuple[str, bool]]]:
    """Predicate to the number of its literals by part and sign."""
    counts: dict[str, Counter[tuple[str, bool]]] = {}
    for literal in literals(schema):
        counts.setdefault(literal.atom.predicate, Counter())[literal.part, literal.positive] += 1
    return counts
