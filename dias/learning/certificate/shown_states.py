"""What some states of the traces show: which literals hold together under some binding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain

import numpy as np

from dias.arrays import spread
from dias.learning.certificate.near_misses import Grid
from dias.learning.data.transitions import Example, Examples
from dias.learning.schema import Literal
from dias.limits import check

MAX_STATES = 40
"""States of each problem that are looked at, spread evenly."""

MAX_CELLS = 200_000
"""Truth values of one literal in memory at a time."""


Truth = Callable[[Literal], np.ndarray]
"""Tells where a literal holds."""


class States:
    """States of some problems in which bindings are looked for.

    Args:
        states: Those of each problem.
    """

    def __init__(self, states: Iterable[Sequence[Example]]) -> None:
        self._states = list(states)
        self._grids: dict[tuple[int, int], Grid | None] = {}

    @classmethod
    def of(cls, examples: Mapping[str, Examples]) -> States:
        """Some states of each problem, whatever action was taken there."""
        found: dict[int, dict[frozenset[int], Example]] = {}
        for group in examples.values():
            for example in group.examples:
                own = found.setdefault(example.transition.segment, {})
                own.setdefault(example.state, example)
        return cls(list(spread(list(own.values()), MAX_STATES)) for own in found.values())

    def every(self) -> Iterator[Example]:
        """All of them, problem by problem."""
        return chain.from_iterable(self._states)

    def show(self, literals: Sequence[Literal]) -> bool:
        """Whether some binding satisfies literals; no where there are too many to look at."""
        variables = tuple(sorted({v for x in literals for v in x.atom.variables}))
        for number in range(len(self._states)):
            check()
            truth = self._truth(number, variables)
            if truth is None:
                return False
            if reduce(np.logical_and, map(truth, literals)).any():
                return True
        return False

    def never(
        self, asked: Sequence[Literal], given: Sequence[Literal], unless: Sequence[Literal] = ()
    ) -> list[Literal]:
        """Those that hold under no binding that satisfies given ones; none if there is no such.

        Nor where there are too many bindings to look at.

        Args:
            asked: The literals.
            given: What bindings have to satisfy.
            unless: Bindings that satisfy all of these do not count.
        """
        every = (*asked, *given, *unless)
        variables = tuple(sorted({v for x in every for v in x.atom.variables}))
        is_any = False
        for number in range(len(self._states)):
            check()
            here = self._truth(number, variables)
            if here is None:
                return []
            there = reduce(np.logical_and, map(here, given))
            if unless:
                there = there & ~reduce(np.logical_and, map(here, unless))
            if there.any():
                is_any = True
                asked = [x for x in asked if not (here(x) & there).any()]
        return [*asked] if is_any else []

    def _truth(self, number: int, variables: tuple[int, ...]) -> Truth | None:
        """Where literals hold under all bindings of some variables; None if they are too many."""
        states = self._states[number]
        constants = states[0].constants
        free = tuple(v for v in variables if v >= len(constants))
        key = number, len(free)
        if key not in self._grids:
            n_states = MAX_CELLS // len(states[0].codes.objects) ** len(free)
            steps = [(e, constants) for e in spread(states, n_states)] if n_states else []
            self._grids[key] = Grid(steps) if steps else None
        grid = self._grids[key]
        if grid is None:
            return None
        return lambda literal: grid.truth(literal.atom, free) == literal.is_positive
