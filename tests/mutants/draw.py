"""Draws a sample of the mutants: the same for the same seed, and much the same after an edit."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple


class Mutant(NamedTuple):
    """One change of one file, named by what is written there, not by its line number."""

    path: str
    line: int
    place: str
    operator: str
    occurrence: int
    """Which of the operator's changes of the file it is."""
    choice: int
    """Which of the operator's changes of the place it is."""

    @property
    def name(self) -> str:
        """What the mutant is called from one run to the next."""
        return f"{self.path} {self.place} {self.operator} {self.choice}"


def ranked(mutants: Iterable[Mutant], seed: int) -> list[Mutant]:
    """One mutant of each place, in random order: the sample of n is the first n.

    Places are drawn, not mutants, so that an operator with many variants weighs no more.
    """

    def rank(mutant: Mutant, *more: object) -> bytes:
        where = Path(mutant.path).name  # a file that moves keeps its place in the order
        return hashlib.sha256(f"{seed} {where} {mutant.place} {more}".encode()).digest()

    places = defaultdict(list)
    for mutant in sorted(mutants):
        places[mutant.path, mutant.place].append(mutant)
    drawn = (min(of, key=lambda m: rank(m, m.operator, m.choice)) for of in places.values())
    return sorted(drawn, key=rank)
