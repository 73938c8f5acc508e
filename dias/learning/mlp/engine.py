"""Successors in one state under a network with state-dependent effects.

The thresholded preconditions say which groundings are applicable, by the same joins as those of a
STRIPS domain. Each grounding is a hard selection; in its lifted state Ã, which is then a pattern
of zeros and ones, the MLP says which atoms change.

Paper: ``app:mlp-effects``, paragraph "Evaluation".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import groupby, islice
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np
import torch

from dias.learning.mlp.lifted_codes import NOTHING, LiftedCodes
from dias.learning.train.extraction import THRESHOLD, active_slots
from dias.limits import Check
from dias.nn.mlp_effects import MLPEffectsModel
from dias.nn.model import NEGATIVE, POSITIVE
from dias.strips.codes import State
from dias.strips.joins.successors import Change, Successor, SuccessorGenerator
from dias.strips.problem import CodedProblem

if TYPE_CHECKING:
    from dias.learning.mlp.dynamics import MLPDynamics

CHUNK = 4096
"""Groundings that are looked at together."""

MAX_REMEMBERED = 100_000
"""Patterns whose effects are remembered at a time."""


class PatternEffects:
    """What the MLP changes in hard lifted states.

    Args:
        network: The network.
        threshold: Probability above which an effect counts.
    """

    def __init__(self, network: MLPEffectsModel, threshold: float = THRESHOLD) -> None:
        self._network = network
        self._threshold = threshold
        self._known: dict[tuple[int, bytes], np.ndarray] = {}

    def flips(self, action: int, patterns: np.ndarray) -> list[np.ndarray]:
        """The lifted atoms that change.

        A false atom is added if P_add is above the threshold, a true one deleted if P_del is.

        Args:
            action: Number of the action.
            patterns: ``[n, D]`` booleans Ã, all arities one after another.

        Returns:
            For each pattern the columns that change, ascending.
        """
        keys = [(action, row.tobytes()) for row in np.packbits(patterns, axis=1)]
        new = {key: place for place, key in enumerate(keys) if key not in self._known}
        if new:
            if len(self._known) + len(new) > MAX_REMEMBERED:
                self._known.clear()
                new = {key: place for place, key in enumerate(keys)}
            found = self._ask(action, patterns[list(new.values())])
            self._known.update(zip(new, map(np.flatnonzero, found), strict=True))
        return [self._known[key] for key in keys]

    @torch.no_grad()
    def _ask(self, action: int, patterns: np.ndarray) -> np.ndarray:
        truth = torch.from_numpy(patterns)
        logits = self._network.effect_logits(truth.float(), torch.full((len(truth),), action))
        probs = torch.softmax(logits, -1)
        changes = torch.where(truth, probs[..., NEGATIVE], probs[..., POSITIVE])
        return (changes > self._threshold).numpy()


class MLPEngine:
    """Enumerates the applicable groundings in a state and what each of them changes.

    Args:
        dynamics: What was learned.
        problem: The problem; its initial state is not looked at.
        check: Called again and again while groundings are searched; it may raise to end that.
    """

    def __init__(
        self, dynamics: MLPDynamics, problem: CodedProblem, check: Check | None = None
    ) -> None:
        self._effects = dynamics.effects
        self._static = problem.static.atoms
        self._generator = SuccessorGenerator(dynamics.preconditions, problem, check=check)
        network = dynamics.network
        self._slots = {
            name: (number, active_slots(network, name))
            for number, name in enumerate(network.vocabulary.actions)
        }
        self._groundings = LiftedCodes(
            network.vocabulary,
            network.config.n_slots,
            problem.codes,
            problem.instance.objects,
            dynamics.preconditions.types,
        )

    def successors(self, state: State) -> list[Successor]:
        """All applicable groundings in `state`, by action, then by binding."""
        return sorted(self.groundings(state), key=attrgetter("action", "binding"))

    def groundings(self, state: State) -> Iterator[Successor]:
        """The same in any order."""
        for action, bindings, facts in self._chunks(state):
            for places, ground, n_added in self._changes(action, bindings, facts):
                for place, codes in zip(places, ground.tolist(), strict=True):
                    yield _successor(action, bindings[place], codes, n_added)

    def expansions(self, state: State) -> Iterator[Iterator[Successor]]:
        """The successors in `state`, action by action, hardly any of them twice.

        A slot whose object makes no difference multiplies the groundings; of those that are
        looked at together and change the same, one is given.
        """
        for _, own in groupby(self._merged(state), key=attrgetter("action")):
            yield own

    def reached(self, state: State, changes: Collection[Change]) -> None:
        """Not known without looking at every grounding."""

    def _merged(self, state: State) -> Iterator[Successor]:
        for action, bindings, facts in self._chunks(state):
            for places, ground, n_added in self._changes(action, bindings, facts):
                for codes, place in zip(*_distinct(ground), strict=True):
                    yield _successor(action, bindings[places[place]], codes, n_added)

    def _chunks(self, state: State) -> Iterator[tuple[str, list[tuple[int, ...]], np.ndarray]]:
        """Action, some of its applicable bindings, and the codes of what holds, ascending."""
        facts = np.sort(np.fromiter(state | self._static, np.int64))
        groundings = self._generator.iterate(state)
        for action, group in groupby(groundings, key=attrgetter("action")):
            while chunk := [grounding.binding for grounding in islice(group, CHUNK)]:
                yield action, chunk, facts

    def _changes(
        self, action: str, bindings: list[tuple[int, ...]], facts: np.ndarray
    ) -> Iterator[tuple[list[int], np.ndarray, int]]:
        """What changes, for the bindings of each pattern together.

        Yields:
            The places of the bindings; the codes that change under each of them, those added
            first, ``[n, C]``; how many are added.
        """
        number, slots = self._slots[action]
        filled = np.full((len(bindings), self._groundings.n_slots), NOTHING)
        filled[:, slots] = np.array(bindings, dtype=np.int64).reshape(len(bindings), len(slots))
        codes = self._groundings.codes(filled)
        truth = self._groundings.truth(filled, codes, facts)
        patterns: dict[bytes, list[int]] = {}
        for place, row in enumerate(np.packbits(truth, axis=1)):
            patterns.setdefault(row.tobytes(), []).append(place)
        first = [places[0] for places in patterns.values()]
        for places, flips in zip(
            patterns.values(), self._effects.flips(number, truth[first]), strict=True
        ):
            columns = flips[codes[places[0], flips] != NOTHING]
            was_true = truth[places[0], columns]
            columns = np.concatenate([columns[~was_true], columns[was_true]])
            yield places, codes[places][:, columns], int((~was_true).sum())


def _distinct(rows: np.ndarray) -> tuple[list[list[int]], list[int]]:
    """The distinct rows, and the place of one of each."""
    if rows.shape[1] == 0:
        return [[]], [0]
    distinct, places = np.unique(rows, axis=0, return_index=True)
    return distinct.tolist(), places.tolist()


def _successor(action: str, binding: tuple[int, ...], codes: list[int], n_added: int) -> Successor:
    return Successor(action, binding, frozenset(codes[:n_added]), frozenset(codes[n_added:]))
