"""Which lifted atoms hold in the states that steps start from, or lead to, under bindings.

Every relation is a table of its own: a small one is looked up at once, and what never holds for the
objects that a variable stands for, such as a position for a piece, need not be looked up.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from dias.arrays import NumberSet, distinct
from dias.learning.data.tables import Relation, relations
from dias.learning.schema import EQUAL, NOT, LiftedAtom
from dias.limits import check
from dias.strips.codes import AtomCodes, State

MIN_LITERALS = 8
"""Literals below which it does not pay to ask first what may hold at all."""


class StepFacts:
    """The true atoms of the states of steps.

    Args:
        states: ``[2, n]`` the state that each step starts from, and the one that it leads to.
        problems: ``[n]`` the number of the problem of each step.
        codes: The numbering of the atoms of every problem.
        changing: The relations of which the states of a problem differ.
    """

    def __init__(
        self,
        states: tuple[Sequence[State], Sequence[State]],
        problems: np.ndarray,
        codes: Sequence[AtomCodes],
        changing: Collection[str],
    ) -> None:
        self._problems, self._n_problems = problems, len(codes)
        self._base = max(len(own.objects) for own in codes)
        place: dict[tuple[int, State], int] = {}
        own = [
            [place.setdefault(key, len(place)) for key in zip(problems.tolist(), part, strict=True)]
            for part in states
        ]
        self._states = np.array(own, dtype=np.int64)
        self._problem_of = np.array([problem for problem, _ in place], dtype=np.int64)
        every = [state for _, state in place]
        arities: Mapping[str, int] = codes[0].arities
        _, first = np.unique(problems, return_index=True)
        self._relations: dict[str, Relation] = {
            **relations(
                every, self._problem_of, codes, [r for r in arities if r in changing], False
            ),
            **relations(
                [states[0][number] for number in first],
                np.arange(len(codes)),
                codes,
                [r for r in arities if r not in changing],
                True,
            ),
        }
        self._occurring: dict[tuple[str, int], NumberSet] = {}

    def truth(
        self, owner: np.ndarray, bindings: np.ndarray, literals: Sequence[LiftedAtom], after: bool
    ) -> np.ndarray:
        """Truth of lifted atoms under bindings; see `Examples.truth`."""
        table = np.zeros((len(bindings), len(literals)), dtype=bool)
        values = np.ascontiguousarray(bindings.T)
        problem, state = self._problems[owner], self._states[int(after)][owner]
        fits: dict[tuple[str, int, int], np.ndarray | bool] = {}
        for column, literal in enumerate(literals):
            check()
            name = literal.relation.removeprefix(NOT)
            is_positive = name == literal.relation
            if name == EQUAL:
                one, other = (values[v] for v in literal.variables)
                table[:, column] = (one == other) == is_positive
                continue
            relation = self._relations[name]
            place = problem if relation.is_static else state
            rows: np.ndarray | None = None
            if len(literals) >= MIN_LITERALS:
                asked: np.ndarray | bool = True
                for position, v in enumerate(literal.variables):
                    key = name, position, v
                    if key not in fits:
                        fits[key] = self._fits(relation, *key[:2], problem, values[v])
                    asked = _both(asked, fits[key])
                    if asked is False:
                        break
                if asked is False:
                    table[:, column] = not is_positive
                    continue
                if asked is not True:
                    rows = np.flatnonzero(asked)
                    if 2 * len(rows) > len(bindings):
                        rows = None
            if rows is None:
                holds = relation.contains(place, [values[v] for v in literal.variables])
                table[:, column] = holds == is_positive
            else:
                holds = relation.contains(place[rows], [values[v][rows] for v in literal.variables])
                if not is_positive:
                    table[:, column] = True
                table[rows, column] = holds == is_positive
        return table

    def _fits(
        self, relation: Relation, name: str, position: int, problem: np.ndarray, values: np.ndarray
    ) -> np.ndarray | bool:
        """``[n]`` whether objects stand at a position of any atom; True or False if all do so."""
        key = name, position
        if key not in self._occurring:
            place, *objects = relation.columns
            problems = place if relation.is_static else self._problem_of[place]
            numbers = distinct(problems * self._base + objects[position])
            self._occurring[key] = NumberSet(numbers, self._n_problems * self._base)
        found = self._occurring[key].contains(problem * self._base + values)
        return found if (is_any := bool(found.any())) and not found.all() else is_any


def _both(one: np.ndarray | bool, other: np.ndarray | bool) -> np.ndarray | bool:
    """Both of two conditions; False, and no array, if they exclude each other."""
    if one is True or other is False:
        return other
    if other is True or one is False:
        return one
    both = np.logical_and(one, other)
    return both if both.any() else False
