"""Whether the steps of a walk follow each other: each begins where the one before it led to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dias.strips.model import Atom
from dias.traces.places import place_of

Walk = tuple[int, str | int]
"""A segment, and what a walk is called there."""

N_NAMED = 3
"""Atoms that a finding names."""


class _Step(NamedTuple):
    """The step of a walk that was read last: its place there, its line, and where it led to."""

    number: int
    line: int
    next_state: frozenset[Atom]


class WalkChecks:
    """Compares each state that a step leads to with the one that the next step begins in."""

    def __init__(self) -> None:
        self._last: dict[Walk, _Step] = {}
        self._first: tuple[int, int, frozenset[Atom]] | None = None
        self._n_odd = 0

    def add(
        self,
        walk: Walk,
        number: int,
        line: int,
        state: frozenset[Atom],
        next_state: frozenset[Atom],
    ) -> None:
        """Take in a step, all of whose atoms are certain."""
        last = self._last.get(walk)
        # States are shared: mostly it is the same object.
        if last and last.number + 1 == number and last.next_state is not state:
            self._compare(last, line, state)
        self._last[walk] = _Step(number, line, next_state)

    def _compare(self, last: _Step, line: int, state: frozenset[Atom]) -> None:
        differing = last.next_state ^ state
        if differing:
            self._n_odd += 1
            self._first = self._first or (line, last.line, differing)

    def findings(self, source: str) -> Iterator[str]:
        """What is odd, in one line."""
        if self._first is None:
            return
        line, last_line, atoms = self._first
        named = " ".join(map(str, sorted(atoms)[:N_NAMED])) + " …" * (len(atoms) > N_NAMED)
        yield (
            f"{place_of(source, line)}: the step begins in another state than that of line"
            f" {last_line}, the one before it in its walk, led to: {named} differs; {self._n_odd}"
            " such step(s): noise, steps that are missing, or states that were not taken at the"
            " same time"
        )
