"""Small domains as text, problems of them by numbers of objects, and whether they come out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import product

import pytest

from dias.config import LearningConfig
from dias.evaluation.evaluate import evaluate
from dias.learning.learn import learn
from dias.learning.result import LearningResult
from dias.strips.model import Domain, Instance
from dias.strips.pddl.reader import parse_domain, parse_problem
from dias.traces.record import LabelMode, Traces
from tests.learning.cases import sampled

N = 80
"""Samples of each action."""

N_STATES = 150
"""Test states; each problem has more."""

WAYS = {
    "full": (LabelMode.FULL, "symbolic"),  # which leaves nothing to a method
    "partial-symbolic": (LabelMode.STRIPS_PLUS, "symbolic"),
    "partial-hybrid": (LabelMode.STRIPS_PLUS, "hybrid"),
    "names-symbolic": (LabelMode.NAMES, "symbolic"),
    "names-hybrid": (LabelMode.NAMES, "hybrid"),
}
"""Labels and method."""

QUICK = ("full", "names-symbolic")
"""All arguments and none, without a network."""


def in_every_way(names: Iterable[str]) -> list:
    """Each world in each way, as the parameters of a test.

    The first, which takes little time, is learned with a network too, unless arguments are given,
    and with some of the arguments; else all but the quick ways are slow.
    """
    first, *others = names
    fast = {*product((first, *others), QUICK), (first, "partial-symbolic"), (first, "names-hybrid")}
    return [
        pytest.param(*pair, marks=[pytest.mark.slow] * (pair not in fast), id="-".join(pair))
        for pair in product((first, *others), WAYS)
    ]


@dataclass(frozen=True, eq=False)
class World:
    """A domain and two problems.

    Attributes:
        text: The domain.
        init: The atoms of the first state, ``at robot0 room1``, by the numbers of objects.
        train, test: The numbers of objects: to learn from, and in a larger problem.
    """

    text: str
    init: Callable[..., Iterable[str]]
    train: dict[str, int]
    test: dict[str, int]

    def domain(self) -> Domain:
        """The true domain."""
        return parse_domain(self.text)

    def problem(self, numbers: dict[str, int]) -> Instance:
        """Objects ``robot0``, ``robot1`` … of a type `robot`, if there is one."""
        domain = self.domain()
        objects = " ".join(
            " ".join(f"{kind}{i}" for i in range(n)) + f" - {kind}" * (kind in domain.types)
            for kind, n in numbers.items()
        )
        init = " ".join(f"({atom})" for atom in self.init(*numbers.values()))
        text = f"(define (problem p) (:domain {domain.name}) (:objects {objects}) (:init {init}))"
        return parse_problem(text, domain, needs_goal=False)


@cache
def walk(world: World, labels: LabelMode) -> Traces:
    """What a world is learned from."""
    return sampled(world.domain(), [world.problem(world.train)], N, labels)


def comes_out(world: World, way: str, preconditions: str = "concise") -> LearningResult:
    """Learn a world; all is explained, and in the larger problem each action is right."""
    labels, method = WAYS[way]
    domain = world.domain()
    traces = walk(world, labels)
    config = LearningConfig(method=method, preconditions=preconditions, check_every=25)
    result = learn(traces, config)
    assert result.explains_everything and result.noise is None
    evaluation = evaluate(result.domain, domain, [world.problem(world.test)], N_STATES)
    assert evaluation.not_tested == ()
    assert evaluation.pooled.n_states == N_STATES
    wrong = {
        name: (score.precision, score.recall)
        for name, score in evaluation.pooled.actions.items()
        if not (score.is_sound and score.is_complete)
    }
    assert not wrong
    assert evaluation.is_sound and evaluation.is_complete
    return result
