"""The likeliest bindings of each transition, found variable by variable.

A binding is worth the sum of what its ground atoms say: for each literal the log ratio between the
chance of the pair that was seen under the literal's role and under the background. Variables are
bound one after another and only the best partial bindings are kept (a beam), for all transitions
at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from dias.learning.noise.observations import Observations
from dias.learning.schema import LiftedAtom

WIDTH = 32
"""Partial bindings kept per transition, unless said otherwise."""

CHUNK = 2_000_000
"""Candidates scored at a time."""

Weights = Mapping[LiftedAtom, np.ndarray]
"""Literal to the log ratio of each of the four pairs."""


class Ranked(NamedTuple):
    """The best bindings of some transitions.

    Attributes:
        rows: ``[n]`` the transitions.
        bindings: ``[n, W, V]`` object numbers, best first.
        scores: ``[n, W]`` their log ratios; -inf where there are fewer bindings.
    """

    rows: np.ndarray
    bindings: np.ndarray
    scores: np.ndarray

    def posterior(self) -> np.ndarray:
        """``[n, W]`` the share of each binding."""
        weight = np.exp(self.scores - self.scores[:, :1])
        return np.asarray(weight / weight.sum(1, keepdims=True))

    def evidence(self, n_objects: np.ndarray, n_given: int) -> np.ndarray:
        """``[n]`` log of the mean likelihood ratio over all bindings."""
        top = self.scores[:, 0]
        total = top + np.log(np.exp(self.scores - top[:, None]).sum(1))
        n_free = self.bindings.shape[2] - n_given
        for place in range(n_free):
            total = total - np.log(np.maximum(n_objects[self.rows] - n_given - place, 1))
        return np.asarray(total)


def rank_bindings(
    seen: Observations,
    rows: np.ndarray,
    weights: Weights,
    n_variables: int,
    n_given: int = 0,
    width: int = WIDTH,
) -> Ranked:
    """The likeliest injective bindings of each transition.

    Args:
        seen: The observations.
        rows: ``[n]`` transitions of one action.
        weights: The literals over variables below `n_variables`.
        n_variables: V.
        n_given: Leading variables that the transitions name.
        width: Bindings kept per transition.
    """
    largest = max(1, int(seen.n_objects[rows].max(initial=0)))
    step = max(1, CHUNK // (max(width, largest) * largest))
    parts = [
        _beam(seen, rows[first : first + step], weights, n_variables, n_given, width)
        for first in range(0, len(rows), step)
    ]
    widest = max((part.scores.shape[1] for part in parts), default=1)
    bindings = np.zeros((len(rows), widest, n_variables), dtype=np.int64)
    scores = np.full((len(rows), widest), -np.inf)
    at = 0
    for part in parts:
        n, w = part.scores.shape
        bindings[at : at + n, :w], scores[at : at + n, :w] = part.bindings, part.scores
        at += n
    return Ranked(rows, bindings, scores)


def _beam(
    seen: Observations,
    rows: np.ndarray,
    weights: Weights,
    n_variables: int,
    n_given: int,
    beam_width: int,
) -> Ranked:
    n = len(rows)
    bindings = np.full((n, 1, n_variables), -1, dtype=np.int64)
    for place in range(n_given):
        bindings[:, 0, place] = [seen.examples[row].arguments[place] for row in rows]
    scores = np.zeros((n, 1))
    bound = set(range(n_given))
    for literal in (literal for literal in weights if set(literal.variables) <= bound):
        scores[:, 0] += weights[literal][seen.look(rows, bindings[:, 0], literal)]
    largest = int(seen.n_objects[rows].max())
    for variable in _order(weights, n_variables, bound):
        width = bindings.shape[1]
        wide = np.repeat(bindings, largest, axis=1)  # [n, W·O, V]
        value = np.tile(np.arange(largest), width)
        total = np.repeat(scores, largest, axis=1)
        taken = (wide == value[None, :, None]).any(2) | (
            value[None, :] >= seen.n_objects[rows][:, None]
        )
        wide[:, :, variable] = value
        total[taken] = -np.inf
        bound.add(variable)
        at, column = np.nonzero(np.isfinite(total))
        candidates, owner = wide[at, column], rows[at]
        gained = np.zeros(len(at))
        for literal, table in weights.items():
            if variable in literal.variables and set(literal.variables) <= bound:
                gained += table[seen.look(owner, candidates, literal)]
        total[at, column] += gained
        # The first variable alone often says nothing: all its objects stay.
        keep = min(max(beam_width, largest), total.shape[1])
        order = np.argsort(-total, axis=1, kind="stable")[:, :keep]
        scores = np.take_along_axis(total, order, axis=1)
        bindings = np.take_along_axis(wide, order[:, :, None], axis=1)
    return Ranked(rows, bindings, scores)


def _order(weights: Weights, n_variables: int, bound: set[int]) -> Sequence[int]:
    """The variables in the order in which literals tell most about them."""
    order: list[int] = []
    known = set(bound)

    def information(variable: int) -> float:
        return sum(
            float(np.ptp(table))
            for literal, table in weights.items()
            if variable in literal.variables and set(literal.variables) <= known | {variable}
        )

    while len(known) < n_variables:
        best = max((v for v in range(n_variables) if v not in known), key=information)
        order.append(best)
        known.add(best)
    return order
