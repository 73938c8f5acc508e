"""What comes of planning, whoever the planner is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from dias.strips.grounding import GroundAction


class PlanStatus(Enum):
    """How planning ended."""

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    """No plan exists; that is proven."""
    NOT_FOUND = "not found"
    """An incomplete search gave up."""
    OUT_OF_TIME = "out of time"
    OUT_OF_MEMORY = "out of memory"


@dataclass(frozen=True)
class PlanResult:
    """The outcome of planning.

    Attributes:
        status: How planning ended.
        steps: The plan; empty unless solved.
        n_operators: Number of ground operators; 0 if grounding did not end, or was another
            planner's own affair.
        grounding_s: Seconds of grounding, or of writing the problem for another planner.
        search_s: Seconds of search; all of another planner's.
        message: The outcome in one sentence.
    """

    status: PlanStatus
    steps: tuple[GroundAction, ...]
    n_operators: int
    grounding_s: float
    search_s: float
    message: str


def found_plan(steps: tuple[GroundAction, ...]) -> str:
    """The sentence for a plan that was found."""
    return f"found a plan of {'1 step' if len(steps) == 1 else f'{len(steps)} steps'}"
