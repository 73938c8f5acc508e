"""What must hold of parameters, and in which order joins bind these."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

import numpy as np

from dias.learning.data.tables import Relation


class Condition(NamedTuple):
    """What must be true of some terms, or false: a relation, or (None) that they are one object."""

    relation: Relation | None
    terms: tuple[str, ...]
    variables: frozenset[str]
    is_positive: bool

    @classmethod
    def of(
        cls, relation: Relation | None, terms: tuple[str, ...], is_positive: bool = True
    ) -> Condition:
        """The one whose variables are those of its terms that begin with a question mark."""
        variables = frozenset(term for term in terms if term[0] == "?")
        return cls(relation, terms, variables, is_positive)

    def fan_out(self, bound: set[str]) -> float:
        """About how many rows a join makes of each; infinite if it binds nothing."""
        free = self.variables - bound
        if not self.is_positive or not free:
            return np.inf
        n_known = sum(term not in free for term in self.terms)
        if self.relation is None:
            return 1.0 if n_known else np.inf
        return self.relation.fan_out(n_known)


class Step(NamedTuple):
    """A join, and what can be tested then."""

    join: Condition
    tests: list[Condition]


def plan(
    conditions: Sequence[Condition], bound: AbstractSet[str] = frozenset()
) -> tuple[list[Condition], list[Step]]:
    """What can be tested at once, and the joins, in an order in which few rows are expected.

    Args:
        conditions: What must hold. Of every variable one of them can bind it.
        bound: Variables that are bound beforehand.
    """
    known, waiting = set(bound), list(conditions)

    def ready(join: Condition | None = None) -> list[Condition]:
        own = [x for x in waiting if x.variables <= known]
        waiting[:] = [x for x in waiting if not x.variables <= known]
        return [x for x in own if x is not join]

    first, steps = ready(), []
    while waiting:
        join = min(waiting, key=lambda condition: condition.fan_out(known))
        known |= join.variables
        steps.append(Step(join, ready(join)))
    return first, steps
