"""A world that is seen in pictures: a planning problem whose states show one thing in each place.

Axes: T states of a walk, P places, K things, D pixels of the picture of one place.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from dias.strips.joins.successors import SuccessorGenerator
from dias.strips.model import Atom, Domain, Instance
from dias.strips.problem import CodedProblem
from dias.traces.reading.reader import collect_traces
from dias.traces.record import LabelMode, Traces
from dias.traces.writer import Step, trace_header


class World(ABC):
    """A planning problem, its truth, and how it looks.

    Args:
        domain: The true domain, which learning never sees.
        instance: The problem that is walked in.
        larger: Problems to measure a learned domain in.
        templates: For each thing its atom, with a place to fill in: ``("at", "t1")``.
        place_type: The static predicate that holds of places.
        seed: Seed of everything that is drawn.

    Attributes:
        places: The names of the places.
        once: ``[K]`` whether a thing is in exactly one place; in each place is one thing.
        actions: The action names, which are all that a walk says of actions.
        n_steps: Steps of the walk that is learned from.
    """

    name: str
    n_steps: int

    def __init__(
        self,
        domain: Domain,
        instance: Instance,
        larger: Sequence[Instance],
        templates: Sequence[tuple[str, ...]],
        once: Sequence[bool],
        place_type: str,
        seed: int,
    ) -> None:
        self.domain, self.instance, self.larger = domain, instance, tuple(larger)
        self.templates, self.once = tuple(templates), np.array(once)
        self.places = tuple(
            sorted(atom.terms[0] for atom in instance.init if atom.predicate == place_type)
        )
        self.actions = tuple(sorted(action.name for action in domain.actions))
        fluent = {template[0] for template in templates}
        self.static = frozenset(atom for atom in instance.init if atom.predicate not in fluent)
        self.rng = np.random.default_rng(seed)

    @abstractmethod
    def draw(self, states: np.ndarray, held_out: bool = False) -> np.ndarray:
        """Fresh pictures of states ``[T, P]``: ``[T, P, D]``, pixels in [0, 1].

        Args:
            states: The number of the thing in each place.
            held_out: Whether none of the pictures may be one that learning saw.
        """

    def atoms(self, state: np.ndarray) -> frozenset[Atom]:
        """The atoms that a state ``[P]`` stands for, without the static ones."""
        return frozenset(
            Atom(self.templates[thing][0], (*self.templates[thing][1:], place))
            for thing, place in zip(state, self.places, strict=True)
        )

    def state(self, atoms: frozenset[Atom]) -> np.ndarray | None:
        """The way back: ``[P]``; None if some place does not show exactly one thing."""
        thing = {template: k for k, template in enumerate(self.templates)}
        shown = {
            a.terms[-1]: thing[a.predicate, *a.terms[:-1]]
            for a in atoms
            if (a.predicate, *a.terms[:-1]) in thing
        }
        if len(shown) < len(self.places) or len(atoms) > len(self.places):
            return None
        return np.array([shown[place] for place in self.places])

    def walk(self, n_steps: int) -> tuple[np.ndarray, np.ndarray]:
        """A random walk: the true states ``[T, P]`` and the numbers of the actions ``[T - 1]``."""
        problem = CodedProblem.of(self.instance, self.domain)
        generator = SuccessorGenerator(self.domain, problem)
        state, states, actions = problem.init, [], []
        for _ in range(n_steps + 1):
            states.append(self.state(problem.codes.decode_state(state)))
            choice = generator.successors(state)
            chosen = choice[self.rng.integers(len(choice))]
            actions.append(self.actions.index(chosen.action))
            state = chosen.next_state(state)
        return np.array(states), np.array(actions[:-1])

    def labelled(self, n_each: int, held_out: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Single pictures and what they show, `n_each` of each thing; `held_out` as in `draw`."""
        states = self.walk(4 * n_each)[0]
        pictures = self.draw(states, held_out)
        chosen = [
            self.rng.choice(np.flatnonzero(states.ravel() == k), n_each, replace=False)
            for k in range(len(self.templates))
        ]
        rows = np.concatenate(chosen)
        return pictures.reshape(states.size, -1)[rows], states.ravel()[rows]

    def traces(self, states: np.ndarray, actions: np.ndarray) -> Traces:
        """The walk as a trace file would say it: states, and names of actions."""
        header = trace_header(
            domain=self.domain.name,
            problem=self.instance.name,
            labels=LabelMode.NAMES,
            types={},
            predicates=self.domain.predicates,
            objects=self.instance.objects,
            actions=self.actions,
            static=self.static,
        )
        atoms = [self.atoms(state) for state in states]
        steps = [
            Step(atoms[t], self.actions[action], (), atoms[t + 1], 1, t)
            for t, action in enumerate(actions)
        ]
        return collect_traces([(header, steps)])
