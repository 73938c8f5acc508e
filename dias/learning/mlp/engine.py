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

import numpy as np
import torch

from dias.learning.mlp.lifted_codes import NOTHING, LiftedCodes
from dias.learning.train.extraction import THRESHOLD, active_slots
from dias.limits import Check
from dias.nn.mlp_effects import MLPEffectsModel
from dias.nn.model import NEGATIVE, POSITIVE
from dias.strips.codes import State
from dias.strips.joins.successors import Change, Successor, SuccessorGenerator
from dias.strips.model import Domain
from dias.strips.problem import CodedProblem

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
        self.network = network
        self._threshold = threshold
        self._known: dict[tuple[int, bytes], tuple[np.ndarray, int]] = {}

    def by_pattern(
        self, action: int, truth: np.ndarray
    ) -> Iterator[tuple[list[int], np.ndarray, int]]:
        """The lifted atoms that change.

        A false atom is added if P_add is above the threshold, a true one deleted if P_del is.

        Args:
            action: Number of the action.
            truth: ``[n, D]`` booleans Ã, all arities one after another.

        Yields:
            For each distinct pattern its rows, the columns that change, those added first, and how
            many are added.
        """
        rows: dict[tuple[int, bytes], list[int]] = {}
        for row, packed in enumerate(np.packbits(truth, axis=1)):
            rows.setdefault((action, packed.tobytes()), []).append(row)
        new = [key for key in rows if key not in self._known]
        if new:
            if len(self._known) + len(new) > MAX_REMEMBERED:
                self._known.clear()
                new = list(rows)
            patterns = truth[[rows[key][0] for key in new]]
            changes = self._changes(action, patterns)
            for key, change, was_true in zip(new, changes, patterns, strict=True):
                parts = np.flatnonzero(change & ~was_true), np.flatnonzero(change & was_true)
                self._known[key] = np.concatenate(parts), len(parts[0])
        for key, own in rows.items():
            yield own, *self._known[key]

    @torch.no_grad()
    def _changes(self, action: int, patterns: np.ndarray) -> np.ndarray:
        truth = torch.from_numpy(patterns)
        logits = self.network.effect_logits(truth.float(), torch.full((len(truth),), action))
        probs = torch.softmax(logits, -1)
        changes = torch.where(truth, probs[..., NEGATIVE], probs[..., POSITIVE])
        return (changes > self._threshold).numpy()


class MLPEngine:
    """Enumerates the applicable groundings in a state and what each of them changes.

    Args:
        preconditions: Schemas without effects, over the active slots.
        effects: What the network changes.
        problem: The problem; its initial state is not looked at.
        check: Called again and again while groundings are searched; it may raise to end that.
    """

    def __init__(
        self,
        preconditions: Domain,
        effects: PatternEffects,
        problem: CodedProblem,
        check: Check | None = None,
    ) -> None:
        self._effects = effects
        self._static = problem.static.atoms
        self._generator = SuccessorGenerator(preconditions, problem, check=check)
        network = effects.network
        self._slots = {
            name: (number, active_slots(network, name))
            for number, name in enumerate(network.vocabulary.actions)
        }
        self._lifted = LiftedCodes(
            network.vocabulary,
            network.config.n_slots,
            problem.codes,
            problem.instance.objects,
            preconditions.types,
        )

    def successors(self, state: State) -> list[Successor]:
        """All applicable groundings in `state`, by action, then by binding."""
        return sorted(self.groundings(state), key=attrgetter("action", "binding"))

    def groundings(self, state: State, action: str | None = None) -> Iterator[Successor]:
        """The same in any order; those of one action, if it is named."""
        for name, bindings, ground, n_added in self._alike(state, action):
            for binding, codes in zip(bindings, ground.tolist(), strict=True):
                yield _successor(name, binding, codes, n_added)

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
        for name, bindings, ground, n_added in self._alike(state):
            for codes, place in zip(*_distinct(ground), strict=True):
                yield _successor(name, bindings[place], codes, n_added)

    def _alike(
        self, state: State, action: str | None = None
    ) -> Iterator[tuple[str, list[tuple[int, ...]], np.ndarray, int]]:
        """Applicable groundings that see the same pattern, together.

        Yields:
            The action; the bindings; the codes that change under each of them, those added
            first, ``[n, C]``; how many are added.
        """
        facts = np.sort(np.fromiter(state | self._static, np.int64))
        expansions = self._generator.expansions(state)
        for schema, found in zip(self._generator.satisfiable, expansions, strict=True):
            if action not in (None, schema.name):
                continue
            number, slots = self._slots[schema.name]
            while bindings := [grounding.binding for grounding in islice(found, CHUNK)]:
                filled = np.full((len(bindings), self._lifted.n_slots), NOTHING)
                objects = np.array(bindings, dtype=np.int64)
                filled[:, slots] = objects.reshape(len(bindings), len(slots))
                codes = self._lifted.codes(filled)
                truth = self._lifted.truth(filled, codes, facts)
                for rows, flips, n_added in self._effects.by_pattern(number, truth):
                    ground = codes[np.array(rows)[:, None], flips]
                    can_change = ground[0] != NOTHING
                    own = [bindings[row] for row in rows]
                    n_added = int(can_change[:n_added].sum())
                    yield schema.name, own, ground[:, can_change], n_added


def _distinct(rows: np.ndarray) -> tuple[list[list[int]], list[int]]:
    """The distinct rows, and the place of one of each."""
    if rows.shape[1] == 0:
        return [[]], [0]
    distinct, places = np.unique(rows, axis=0, return_index=True)
    return distinct.tolist(), places.tolist()


def _successor(action: str, binding: tuple[int, ...], codes: list[int], n_added: int) -> Successor:
    return Successor(action, binding, frozenset(codes[:n_added]), frozenset(codes[n_added:]))
