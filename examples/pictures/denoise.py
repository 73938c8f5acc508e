"""How states follow by a learned domain."""

from __future__ import annotations

import numpy as np

from dias.limits import Check
from dias.strips.joins.successors import SuccessorGenerator
from dias.strips.model import Domain
from dias.strips.problem import CodedProblem
from examples.pictures.walk import Ways
from examples.pictures.world import World


class DomainDynamics:
    """The successors of a learned domain, each distinct one alike; see `walk.Dynamics`.

    States that are no states of the world (two things in one place) are left out.

    Args:
        world: The places and things; its true domain is not looked at.
        domain: The learned domain.
        check: Called in each new state; it may raise to end the work.
    """

    def __init__(self, world: World, domain: Domain, check: Check | None = None) -> None:
        fluents = {template[0] for template in world.templates}
        problem = CodedProblem.of(world.instance, domain, fluents=fluents | domain.fluents)
        self._generator = SuccessorGenerator(domain, problem, distinct=True, check=check)
        self._world, self._codes = world, problem.codes
        self._known: dict[bytes, dict[int, np.ndarray]] = {}

    def ways(self, states: np.ndarray, action: int) -> Ways:
        """See `walk.Dynamics`."""
        following = [self._following(state).get(action) for state in states]
        found = [(w, own) for w, own in enumerate(following) if own is not None]
        parent = np.repeat([w for w, _ in found], [len(own) for _, own in found]).astype(np.int64)
        child = np.concatenate([own for _, own in found] or [states[:0]])
        counts = np.array([0 if own is None else len(own) for own in following])
        return Ways(parent, child, -np.log(counts[parent]), np.zeros(len(parent), dtype=np.int64))

    def expected(self, action: int, ways: Ways, share: np.ndarray) -> None:
        """Nothing is estimated."""

    def _following(self, state: np.ndarray) -> dict[int, np.ndarray]:
        """Action to the distinct states that it may lead to, ``[n, P]``."""
        key = state.tobytes()
        if key not in self._known:
            world = self._world
            atoms = self._codes.encode_state(world.atoms(state))
            found: dict[int, set[tuple[int, ...]]] = {}
            for successor in self._generator.successors(atoms):
                after = world.state(self._codes.decode_state(successor.next_state(atoms)))
                if after is not None:
                    action = world.actions.index(successor.action)
                    found.setdefault(action, set()).add(tuple(after))
            self._known[key] = {action: np.array(sorted(own)) for action, own in found.items()}
        return self._known[key]
