"""The trace sampler: a balanced random walk in a problem of a known domain.

"Balanced" means: uniform over the names of the applicable actions, then uniform over the ground
actions of that name. (Uniform over ground actions, Satellite would be nine tenths `turn_to`.)

Paper: Section "Training data" (``app:training-data``).
Departs: the paper does not say how its walk restarts, but a walk in Sokoban gets stuck after a
few pushes and one in Spanner ends. See `SamplingConfig.restart_after`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dias.strips.codes import AtomCodes, State
from dias.strips.engines import build_engine
from dias.strips.model import Domain, Instance
from dias.strips.successors import Successor, codes_for, split_static
from dias.traces.labels import StripsPlusArguments
from dias.traces.record import LabelMode
from dias.traces.writer import Block, Step, trace_header

STRATEGIES = ("walk", "restart")
"""`walk` goes on until it is stuck; `restart` begins anew every `restart_after` steps."""

GIVE_UP_AFTER = 200
"""Restarts in a row that bring no sample still needed: what is missing counts as unreachable."""


@dataclass(frozen=True)
class SamplingConfig:
    """How much to collect, and how to walk.

    Attributes:
        min_per_action: N_min, samples of each action to collect. Paper: 20 to 2,000.
        max_per_action: N_max, samples of each action kept; further ones are walked, not kept.
        strategy: One of `STRATEGIES`.
        restart_after: Steps. `walk` restarts at a dead end, and when so many steps in a row
            brought no sample that was still needed; `restart` after so many steps in any case.
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
        return (self.state - self.successor.deleted) | self.successor.added


@dataclass
class Sample:
    """What was collected in one problem.

    Attributes:
        instance: The problem.
        codes: The numbering of its atoms.
        static: Codes of the atoms that hold throughout and are not in the states.
        steps: The steps kept, in walking order.
        counts: Action name to number of steps kept.
        n_steps_walked: Steps taken, kept or not.
        n_restarts: Times the walk began anew.
    """

    instance: Instance
    codes: AtomCodes
    static: State
    steps: list[WalkStep] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    n_steps_walked: int = 0
    n_restarts: int = 0

    def missing(self, domain: Domain, config: SamplingConfig) -> dict[str, int]:
        """Actions with fewer than N_min samples, and how many they have."""
        return {
            action.name: self.counts[action.name]
            for action in domain.actions
            if self.counts[action.name] < config.min_per_action
        }


class Walk:
    """A balanced random walk that remembers where it is.

    Args:
        domain: The true domain.
        instance: The problem to walk in.
        config: When to restart.
        rng: Source of all choices.
        arguments: Told of every state that is visited for the first time.
        engine: A key of `dias.strips.engines.ENGINES`; all give the same walk.
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
        self.instance = instance
        self.codes = codes_for(instance, domain)
        self.static, self._init = split_static(instance.init, self.codes, domain.fluents)
        self._engine = build_engine(
            engine, domain, instance, self.codes, self.static, domain.fluents
        )
        self._config = config
        self._rng = rng
        self._arguments = arguments
        self._seen: set[State] = set()
        self._state = self._init
        self._walk = 0
        self._place = 0
        self._since_restart = 0

    def collect(self, config: SamplingConfig) -> Sample:
        """Walk on until every action has N_min samples or nothing new comes any more."""
        sample = Sample(self.instance, self.codes, self.static)
        names = [action.name for action in self.domain.actions]
        idle_restarts = 0
        while any(sample.counts[name] < config.min_per_action for name in names):
            stuck = self._since_restart >= config.restart_after
            successor = None if stuck else self._choose()
            if successor is None:
                idle_restarts += 1
                if idle_restarts > GIVE_UP_AFTER:
                    break
                self._restart()
                sample.n_restarts += 1
                continue
            needed = sample.counts[successor.action] < config.min_per_action
            if sample.counts[successor.action] < config.max_per_action:
                sample.steps.append(WalkStep(self._walk, self._place, self._state, successor))
                sample.counts[successor.action] += 1
            if needed:
                idle_restarts = 0
            self._advance(successor, progress=needed)
            sample.n_steps_walked += 1
        return sample

    def _choose(self) -> Successor | None:
        by_name: dict[str, list[Successor]] = {}
        for successor in self._engine.successors(self._state):
            by_name.setdefault(successor.action, []).append(successor)
        if self._arguments is not None and self._state not in self._seen:
            self._seen.add(self._state)
            self._arguments.observe(by_name)
        if not by_name:
            return None
        return self._rng.choice(by_name[self._rng.choice(list(by_name))])

    def _advance(self, successor: Successor, progress: bool) -> None:
        self._state = (self._state - successor.deleted) | successor.added
        self._place += 1
        restart_on_stall = self._config.strategy == "walk"
        self._since_restart = 0 if restart_on_stall and progress else self._since_restart + 1

    def _restart(self) -> None:
        self._state = self._init
        self._walk += 1
        self._place = 0
        self._since_restart = 0


def sample_traces(
    domain: Domain,
    instances: Sequence[Instance],
    splits: Sequence[SamplingConfig],
    rng: random.Random,
    arguments: StripsPlusArguments | None = None,
    engine: str = "lifted",
) -> Iterator[list[Sample]]:
    """Walk in each problem and collect one sample per split, the walk going on between them.

    N_min and N_max hold for each problem.

    Args:
        domain: The true domain.
        instances: The problems.
        splits: The limits of each split; the first says how to walk.
        rng: Source of all choices.
        arguments: Told of every state that is visited for the first time.
        engine: A key of `dias.strips.engines.ENGINES`; all give the same samples.

    Yields:
        For each problem, the samples of all splits (training, validation).
    """
    for instance in instances:
        walk = Walk(domain, instance, splits[0], rng, arguments, engine)
        yield [walk.collect(config) for config in splits]


def trace_block(
    domain: Domain, sample: Sample, labels: LabelMode, arguments: StripsPlusArguments | None = None
) -> Block:
    """A sample as a header and its steps, for `dias.traces.writer.write_traces`.

    Args:
        domain: The domain that was walked in.
        sample: What was collected.
        labels: The action arguments to keep.
        arguments: The STRIPS+ arguments; needed for `LabelMode.STRIPS_PLUS`.
    """
    codes = sample.codes
    kept = {}
    for action in domain.actions:
        if labels is LabelMode.FULL:
            kept[action.name] = tuple(range(action.arity))
        elif labels is LabelMode.STRIPS_PLUS:
            if arguments is None:
                raise ValueError("STRIPS+ labels need the arguments that were observed")
            kept[action.name] = arguments.positions(action.name)
        else:
            kept[action.name] = ()
    header = trace_header(
        domain=domain.name,
        problem=sample.instance.name,
        labels=labels,
        types=domain.types,
        predicates=domain.predicates,
        objects=sample.instance.objects,
        actions=[action.name for action in domain.actions],
        static=codes.decode_state(sample.static),
    )
    steps = (
        Step(
            codes.decode_state(step.state),
            step.successor.action,
            tuple(codes.objects[step.successor.binding[p]] for p in kept[step.successor.action]),
            codes.decode_state(step.next_state),
            step.walk,
            step.place,
        )
        for step in sample.steps
    )
    return header, steps
