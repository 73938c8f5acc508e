"""Walks through the states of a problem.

"Balanced" means: uniform over the names of the applicable actions, then uniform over the ground
actions of that name. (Uniform over ground actions, Satellite would be nine tenths `turn_to`.)

Paper: Section "Training data" (``app:training-data``).
Departs: the paper does not say how its walk restarts, but a walk in Sokoban gets stuck after a
few pushes and one in Spanner ends. See `SamplingConfig.restart_after`.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import chain
from typing import Any

from dias.strips.breadth_first import breadth_first
from dias.strips.codes import State
from dias.strips.engines.choice import build_engine
from dias.strips.joins.successors import Successor
from dias.strips.model import Domain, Instance
from dias.strips.problem import CodedProblem
from dias.traces.sampling.labels import StripsPlusArguments
from dias.traces.sampling.samples import Sample, SamplingConfig, WalkStep

GIVE_UP_AFTER = 200
"""Restarts in a row that bring no sample still needed: what is missing counts as unreachable."""

GIVE_UP_AFTER_STATES = 20_000
"""The same for breadth-first search: states in a row, 200 restarts of 100 steps."""


class Explorer:
    """A problem that is ready to be explored; the strategies below take the same arguments.

    Args:
        domain: The true domain.
        instance: The problem.
        config: When to restart.
        rng: Source of all choices.
        arguments: Told of every state that is visited for the first time.
        engine: A key of `dias.strips.engines.choice.ENGINES`; all give the same result.
    """

    def __init__(
        self,
        domain: Domain,
        instance: Instance,
        config: SamplingConfig,
        rng: random.Random,
        arguments: StripsPlusArguments | None = None,
        engine: str = "lifted",
    ) -> None:
        self.domain = domain
        self.problem = CodedProblem.of(instance, domain)
        self._init = self.problem.init
        self._engine = build_engine(engine, domain, self.problem)
        self._config = config
        self._rng = rng
        self._arguments = arguments
        self._seen: set[State] = set()

    def _successors(self, state: State) -> dict[str, list[Successor]]:
        """The successors by action name; the STRIPS+ arguments are told of new states."""
        by_name: dict[str, list[Successor]] = {}
        for successor in self._engine.successors(state):
            by_name.setdefault(successor.action, []).append(successor)
        if self._arguments is not None and state not in self._seen:
            self._seen.add(state)
            self._arguments.observe(by_name)
        return by_name


class Walk(Explorer):
    """A walk that remembers where it is: the balanced one, with either rule of restarting."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._state = self._init
        self._walk = 0
        self._place = 0
        self._since_restart = 0

    def collect(self, config: SamplingConfig) -> Sample:
        """Walk on until every action has N_min samples or nothing new comes any more."""
        sample = Sample(self.problem)
        idle_restarts = 0
        while sample.missing(self.domain, config):
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
            sample.keep(WalkStep(self._walk, self._place, self._state, successor), config)
            self._state = successor.next_state(self._state)
            self._place += 1
            self._since_restart += 1
            sample.n_steps_walked += 1
            if needed:
                idle_restarts = 0
                if self._config.strategy != "restart":
                    self._since_restart = 0
        return sample

    def _choose(self) -> Successor | None:
        """The next step; None at a dead end."""
        by_name = self._successors(self._state)
        if not by_name:
            return None
        return self._rng.choice(by_name[self._rng.choice(list(by_name))])


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
        by_name = self._successors(self._state)
        if not by_name:
            return None
        state, draw = self._state, self._rng.random
        name = min(by_name, key=lambda n: (self._tried_names[state, n], draw()))

        def novelty(successor: Successor) -> tuple[int, int, float]:
            n_visits = self._visits[successor.next_state(state)]
            return self._tried[state, name, successor.binding], n_visits, draw()

        chosen = min(by_name[name], key=novelty)
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

    def collect(self, config: SamplingConfig) -> Sample:
        """Go on until every action has N_min samples or nothing new comes any more."""
        sample = Sample(self.problem)
        idle_states = 0
        while sample.missing(self.domain, config) and idle_states < GIVE_UP_AFTER_STATES:
            expansion = next(self._expansions, None)
            if expansion is None:
                break
            idle_states += 1
            state, steps = expansion
            for successor, _ in steps:
                if sample.counts[successor.action] < config.min_per_action:
                    idle_states = 0
                sample.keep(WalkStep(self._number[state], 0, state, successor), config)
                sample.n_steps_walked += 1
        return sample


EXPLORERS: dict[str, type[Walk] | type[BreadthFirst]] = {
    "walk": Walk,
    "restart": Walk,
    "novelty": NoveltyWalk,
    "bfs": BreadthFirst,
}
"""Strategy to the class that carries it out."""
