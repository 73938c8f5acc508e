"""A problem given as two pictures: read, planned in the learned domain, checked in the true one."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

import dias
from dias.errors import GroundingError, PlannerError
from dias.planning.replay import replay
from dias.planning.result import PlanStatus
from dias.strips.model import Domain, Instance
from examples.pictures.reader import SUREST, Reader, likely_states
from examples.pictures.world import World

WALK = 30
"""Random steps between the two states."""


def solved_problems(world: World, domain: Domain, reader: Reader, n: int) -> int:
    """How many of `n` problems are solved.

    A plan is found, and in the true domain it leads from the true start to the true goal.

    Args:
        world: Gives two states of a walk for each problem, and held-out pictures of them.
        domain: The learned domain, in which the plan is sought.
        reader: Reads the pictures.
        n: Number of problems.
    """
    n_solved = 0
    for _ in range(n):
        states = world.walk(WALK)[0][[0, -1]]
        true = problem(world, states)
        probs = reader.probabilities(world.draw(states, held_out=True))
        seen = np.log(np.clip(probs, SUREST, 1))
        read = problem(world, likely_states(seen, world.once, world.rng, n_tries=1)[:, 0])
        # Too many ground actions (a domain that allows anything), or a start that was read wrong.
        with suppress(GroundingError, PlannerError):
            found = dias.plan(domain, read, time_limit_s=20)
            if found.status is PlanStatus.SOLVED:
                n_solved += replay(found.steps, domain, world.domain, true).valid
    return n_solved


def problem(world: World, states: np.ndarray) -> Instance:
    """From the first of two states to the second, ``[2, P]``."""
    start, goal = map(world.atoms, states)
    return Instance(
        "pictures", world.domain.name, world.instance.objects, world.static | start, goal
    )
