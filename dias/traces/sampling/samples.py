"""What to sample, and what was sampled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
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
class Visited:
    """What the states that were looked at allow, each counted once.

    Attributes:
        n_states: How many there are.
        states: Action name to the number of those in which it is applicable.
        steps: Action name to the number of its ground actions applicable there: different steps.
        is_all: Whether no other state is reachable, as far as that is known.
    """

    n_states: int = 0
    states: Counter[str] = field(default_factory=Counter)
    steps: Counter[str] = field(default_factory=Counter)
    is_all: bool = False

    def note(self, applicable: Mapping[str, Sequence[Successor]]) -> None:
        """Count a state that has not been looked at before, by what is applicable in it."""
        self.n_states += 1
        self.states.update(applicable.keys())
        self.steps.update({name: len(own) for name, own in applicable.items()})


@dataclass
class Sample:
    """What was collected in one problem.

    Attributes:
        problem: The problem.
        visited: What the states allow that all samples of the problem together have looked at.
        steps: The steps kept, in walking order.
        counts: Action name to number of steps kept.
        n_steps_walked: Steps taken, kept or not.
        n_restarts: Times the walk began anew.
        is_out_of_time: Whether the time ended before there was enough.
    """

    problem: CodedProblem
    visited: Visited = field(default_factory=Visited)
    steps: list[WalkStep] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    n_steps_walked: int = 0
    n_restarts: int = 0
    is_out_of_time: bool = False

    def keep(self, step: WalkStep, config: SamplingConfig) -> bool:
        """Keep a step unless its action has N_max samples already; whether it was kept."""
        action = step.successor.action
        if self.counts[action] >= config.max_per_action:
            return False
        self.steps.append(step)
        self.counts[action] += 1
        return True

    def missing(self, domain: Domain, config: SamplingConfig) -> dict[str, int]:
        """Actions with fewer than N_min samples, and how many they have."""
        return {
            action.name: self.counts[action.name]
            for action in domain.actions
            if self.counts[action.name] < config.min_per_action
        }
