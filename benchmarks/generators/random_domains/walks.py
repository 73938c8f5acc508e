"""Whether anything goes on in a random domain: what is seen of it in random walks."""

from __future__ import annotations

import random
from collections.abc import Iterable

from dias.strips.codes import State
from dias.strips.engines.choice import build_engine
from dias.strips.joins.successors import Change
from dias.strips.model import Domain, Instance
from dias.strips.problem import CodedProblem
from dias.traces.sampling.walk import choose_balanced, remembering

N_STEPS = 400
"""Steps of the walk in each instance."""

WALK_LENGTH = 100
"""Steps after which it begins anew."""

MIN_DISTINCT = 15
"""Different steps of each action that change the state, in each walk."""

MAX_IDLE = 0.25
"""Share of an action's steps that change nothing."""

MAX_DEAD_ENDS = N_STEPS // 25
"""States of a walk without applicable action."""


def is_alive(domain: Domain, instances: Iterable[Instance], rng: random.Random) -> bool:
    """Whether a balanced walk in each instance shows every action, and goes on changing states."""
    return all(_is_alive_in(domain, instance, rng) for instance in instances)


def _is_alive_in(domain: Domain, instance: Instance, rng: random.Random) -> bool:
    problem = CodedProblem.of(instance, domain)
    known = remembering(build_engine("lifted", domain, problem).successors)
    distinct: dict[str, set[tuple[State, Change]]] = {one.name: set() for one in domain.actions}
    n_steps, n_idle = (dict.fromkeys(distinct, 0) for _ in range(2))
    n_dead_ends = 0
    state = problem.init
    for number in range(N_STEPS):
        applicable = known(state)
        if not applicable:
            n_dead_ends += 1
            if state == problem.init or n_dead_ends > MAX_DEAD_ENDS:
                return False
        if not applicable or number % WALK_LENGTH == 0:
            state = problem.init
            continue
        step = choose_balanced(applicable, rng)
        n_steps[step.action] += 1
        if step.added or step.deleted:
            distinct[step.action].add((state, (step.added, step.deleted)))
        else:
            n_idle[step.action] += 1
        state = step.next_state(state)
    return all(
        len(distinct[name]) >= MIN_DISTINCT and n_idle[name] <= MAX_IDLE * n_steps[name]
        for name in distinct
    )
