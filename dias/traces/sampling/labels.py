"""Which action arguments a label mode keeps.

STRIPS+ keeps the smallest set of arguments that determines all others in every state. It is
computed from the applicable ground actions of the visited states, not listed by hand.

Paper: Section "STRIPS+" (``sec:preliminaries``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from dias.strips.joins.successors import Successor

Positions = tuple[int, ...]


class StripsPlusArguments:
    """Finds the STRIPS+ arguments of every action while states go by.

    A set of argument positions is a candidate as long as in no state two applicable bindings of
    the action agree on it. The smallest candidate wins; among equally small ones the first in
    lexicographic order, so that the choice does not depend on the walk's order.

    Args:
        arities: Action name to number of arguments.
    """

    def __init__(self, arities: Mapping[str, int]) -> None:
        self._candidates: dict[str, list[Positions]] = {
            name: [c for size in range(arity + 1) for c in combinations(range(arity), size)]
            for name, arity in arities.items()
        }

    def observe(self, applicable: Mapping[str, Sequence[Successor]]) -> None:
        """Rule out what does not determine the ground actions applicable in one state.

        Args:
            applicable: Action name to the applicable ground actions of that name.
        """
        for action, successors in applicable.items():
            rows = [successor.binding for successor in successors]
            if len(rows) > 1:
                self._candidates[action] = [
                    positions
                    for positions in self._candidates[action]
                    if len({tuple(row[p] for p in positions) for row in rows}) == len(rows)
                ]

    def equally_small(self, action: str) -> list[Positions]:
        """All smallest sets of positions, first the one that `positions` gives."""
        smallest = len(self._candidates[action][0])
        return [c for c in self._candidates[action] if len(c) == smallest]

    def positions(self, action: str) -> Positions:
        """The argument positions that stay explicit."""
        return self._candidates[action][0]
