"""What to sample, and what was sampled."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from dias.strips.codes import State
from dias.strips.joins.successors import Successor
from dias.strips.model import Domain
from dias.strips.problem import CodedProblem

STRATEGIES = ("walk", "restart", "novelty", "bfs")
"""How the states come about.

`walk`: a balanced random walk that goes on until it is stuck. `restart`: the same, begun anew
every `restart_after` steps. `novelty`: a walk that takes what was tried least. `bfs`: all
successors of the reachable states, in breadth-first order.
"""


@dataclass(frozen=True)
class SamplingConfig:
    """How much to collect, and how to walk.

    Attributes:
        min_per_action: N_min, samples of each action to collect. Paper: 20 to 2,000.
        max_per_action: N_max, samples of each action kept; further ones are walked, not kept.
        strategy: One of `STRATEGIES`.
        restart_after: Steps. Walks restart at a dead end, and when so many steps in a row brought
            no sample that was still needed; with `restart` after so many steps in any case.
    """

    min_per_action: int = 100
    max_per_action: int = 1000
    strategy: str = "walk"
    restart_after: int = 100

    def __post_init__(self) -> None:
        if self.min_per_action < 1:
            raise ValueError("min_per_action must be at least 1")
        if self.max_per_action < self.min_per_action:
            raise ValueError("max_per_action must not be below min_per_action")
        if self.strategy not in STRATEGIES:
            raise ValueError(f"strategy must be one of {', '.join(STRATEGIES)}")
        if self.restart_after < 1:
            raise ValueError("restart_after must be at least 1")


class WalkStep(NamedTuple):
    """One step of a walk: `place` counts from the last restart, `walk` counts the restarts."""

    walk: int
    place: int
    state: State
    successor: Successor

    @property
    def next_state(self) -> State:
        """s′."""
        return self.successor.next_state(self.state)


@dataclass
class Sample:
    """What was collected in one problem.

    Attributes:
        problem: The problem.
        steps: The steps kept, in walking order.
        counts: Action name to number of steps kept.
        n_steps_walked: Steps taken, kept or not.
        n_restarts: Times the walk began anew.
    """

    problem: CodedProblem
    steps: list[WalkStep] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    n_steps_walked: int = 0
    n_restarts: int = 0

    def keep(self, step: WalkStep, config: SamplingConfig) -> None:
        """Keep a step unless its action has N_max samples already."""
        action = step.successor.action
        if self.counts[action] < config.max_per_action:
            self.steps.append(step)
            self.counts[action] += 1

    def missing(self, domain: Domain, config: SamplingConfig) -> dict[str, int]:
        """Actions with fewer than N_min samples, and how many they have."""
        return {
            action.name: self.counts[action.name]
            for action in domain.actions
            if self.counts[action.name] < config.min_per_action
        }
