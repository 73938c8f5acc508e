"""Walks through the states of a problem.

"Balanced" means: uniform over the names of the applicable actions, then uniform over the ground
actions of that name. (Uniform over ground actions, Satellite would be nine tenths `turn_to`.)

Paper: Section "Training data" (``app:training-data``).
Departs: the paper does not say how its walk restarts, but a walk in Sokoban gets stuck after a
few pushes and one in Spanner ends. See `SamplingConfig.restart_after`.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from dias.limits import OutOfTimeError
from dias.strips.breadth_first import breadth_first
from dias.strips.codes import State
from dias.strips.engines.choice import build_engine
from dias.strips.engines.engine import SuccessorEngine
from dias.strips.joins.successors import Successor
from dias.strips.model import Domain, Instance
from dias.strips.problem import CodedProblem
from dias.traces.sampling.deadline import Deadline
from dias.traces.sampling.labels import StripsPlusArguments
from dias.traces.sampling.samples import Sample, SamplingConfig, Visited, WalkStep

GIVE_UP_AFTER = 200
"""Restarts in a row that bring no sample still needed: what is missing counts as unreachable."""

GIVE_UP_AFTER_STATES = 20_000
"""The same for breadth-first search: states in a row, 200 restarts of 100 steps."""

MAX_REMEMBERED = 100_000
"""Atoms of states, and ground actions applicable in them, that are remembered at most."""


def by_name(successors: Iterable[Successor]) -> dict[str, list[Successor]]:
    """The applicable ground actions of one state by action name."""
    found: dict[str, list[Successor]] = {}
    for successor in successors:
        found.setdefault(successor.action, []).append(successor)
    return found


def remembering(
    successors: Callable[[State], Iterable[Successor]],
) -> Callable[[State], dict[str, list[Successor]]]:
    """The successors of a state by action name; a walk in a small problem often comes back."""
    known: dict[State, dict[str, list[Successor]]] = {}
    n_left = MAX_REMEMBERED

    def of(state: State) -> dict[str, list[Successor]]:
        nonlocal n_left
        if state in known:
            return known[state]
        applicable = by_name(successors(state))
        n_left -= len(state) + sum(map(len, applicable.values()))
        if n_left >= 0:
            known[state] = applicable
        return applicable

    return of


def choose_balanced(applicable: Mapping[str, Sequence[Successor]], rng: random.Random) -> Successor:
    """One of the applicable ground actions: uniform over names, then over those of the name."""
    return rng.choice(applicable[rng.choice(list(applicable))])


class Explorer(ABC):
    """A problem that is ready to be explored; the strategies below take the same arguments.

    Args:
        domain: The true domain.
        instance: The problem.
        config: When to restart.
        rng: Source of all choices.
        arguments: Told of every state that is visited for the first time.
        engine: A key of `dias.strips.engines.choice.ENGINES`; all give the same result.
        deadline: What ends it early.
    """

    def __init__(
        self,
        domain: Domain,
        instance: Instance,
        config: SamplingConfig,
        rng: random.Random,
        arguments: StripsPlusArguments | None = None,
        engine: str = "lifted",
        deadline: Deadline | None = None,
    ) -> None:
        self.domain = domain
        self.problem = CodedProblem.of(instance, domain)
        self._init = self.problem.init
        self._engine_name = engine
        self._config = config
        self._rng = rng
        self._arguments = arguments
        self._deadline = deadline
        self._seen: set[State | int] = set()
        self._visited = Visited()

    @cached_property
    def _engine(self) -> SuccessorEngine:
        """Built when it is first used: that may take time, and be ended."""
        check = self._deadline.check if self._deadline else None
        return build_engine(self._engine_name, self.domain, self.problem, check)

    @cached_property
    def _applicable(self) -> Callable[[State], dict[str, list[Successor]]]:
        return remembering(self._engine.successors)

    def collect(self, config: SamplingConfig) -> Sample:
        """Go on until every action has N_min samples, nothing new comes any more, or time ends."""
        sample = Sample(self.problem, self._visited)
        try:
            self._fill(sample, config)
        except OutOfTimeError:
            sample.is_out_of_time = True
        return sample

    @abstractmethod
    def _fill(self, sample: Sample, config: SamplingConfig) -> None:
        """Add steps to a sample, see `collect`."""

    def _check(self) -> None:
        if self._deadline:
            self._deadline.check()

    def _keep(self, sample: Sample, step: WalkStep, config: SamplingConfig) -> None:
        """Count a step, and keep it if its action has not enough of them."""
        sample.n_steps_walked += 1
        if sample.keep(step, config) and self._deadline:
            self._deadline.kept(self.problem, step)

    def _successors(self, state: State) -> dict[str, list[Successor]]:
        """The successors by action name; new states are counted, the STRIPS+ arguments told."""
        applicable = self._applicable(state)
        # Where nothing but a count is at stake, hashes do: states may be large, and many.
        key = hash(state) if self._arguments is None else state
        if key not in self._seen:
            self._seen.add(key)
            self._visited.note(applicable)
            if self._arguments is not None:
                self._arguments.observe(applicable)
        return applicable


class Walk(Explorer):
    """A walk that remembers where it is: the balanced one, with either rule of restarting."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._state = self._init
        self._walk = 0
        self._place = 0
        self._since_restart = 0

    def _fill(self, sample: Sample, config: SamplingConfig) -> None:
        idle_restarts = 0
        while sample.missing(self.domain, config):
            self._check()
            stuck = self._since_restart >= config.restart_after
            successor = None if stuck else self._choose()
            if successor is None:
                idle_restarts += 1
                if idle_restarts > GIVE_UP_AFTER:
                    break
                self._state = self._init
                self._walk += 1
                self._place = self._since_restart = 0
                sample.n_restarts += 1
                continue
            needed = sample.counts[successor.action] < config.min_per_action
            self._keep(sample, WalkStep(self._walk, self._place, self._state, successor), config)
            self._state = successor.next_state(self._state)
            self._place += 1
            self._since_restart += 1
            if needed:
                idle_restarts = 0
                if self._config.strategy != "restart":
                    self._since_restart = 0

    def _choose(self) -> Successor | None:
        """The next step; None at a dead end."""
        applicable = self._successors(self._state)
        return choose_balanced(applicable, self._rng) if applicable else None


class NoveltyWalk(Walk):
    """A walk that takes what was tried least.

    In each state: the action name tried least there, then the ground action tried least there,
    then the one whose next state was visited least; ties at random.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._tried_names: Counter[tuple[State, str]] = Counter()
        self._tried: Counter[tuple[State, str, tuple[int, ...]]] = Counter()
        self._visits: Counter[State] = Counter()

    def _choose(self) -> Successor | None:
        applicable = self._successors(self._state)
        if not applicable:
            return None
        state, draw = self._state, self._rng.random
        name = min(applicable, key=lambda n: (self._tried_names[state, n], draw()))

        def novelty(successor: Successor) -> tuple[int, int, float]:
            n_visits = self._visits[successor.next_state(state)]
            return self._tried[state, name, successor.binding], n_visits, draw()

        chosen = min(applicable[name], key=novelty)
        self._tried_names[state, name] += 1
        self._tried[state, name, chosen.binding] += 1
        self._visits[chosen.next_state(state)] += 1
        return chosen


class BreadthFirst(Explorer):
    """Every successor of every reachable state, in breadth-first order.

    A further sample goes on where the one before it ended. Each state is a walk of its own.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._number = {self._init: 0}
        self._expansions = breadth_first(
            self._number, lambda state: chain.from_iterable(self._successors(state).values())
        )

    def _fill(self, sample: Sample, config: SamplingConfig) -> None:
        idle_states = 0
        while sample.missing(self.domain, config) and idle_states < GIVE_UP_AFTER_STATES:
            self._check()
            expansion = next(self._expansions, None)
            if expansion is None:
                self._visited.is_all = True
                break
            idle_states += 1
            state, steps = expansion
            for successor, _ in steps:
                if sample.counts[successor.action] < config.min_per_action:
                    idle_states = 0
                self._keep(sample, WalkStep(self._number[state], 0, state, successor), config)


EXPLORERS: dict[str, type[Explorer]] = {
    "walk": Walk,
    "restart": Walk,
    "novelty": NoveltyWalk,
    "bfs": BreadthFirst,
}
"""Strategy to the class that carries it out."""
