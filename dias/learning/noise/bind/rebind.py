"""How a binding is scored, and the likeliest bindings of each transition.

A pair of sightings speaks for a binding as far as it is likelier under the role of a literal than
among the atoms that the action leaves alone; a binding is worth the sum of that over its ground
atoms. Variables are bound one after another and only the best partial bindings are kept (a beam),
for all transitions at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from dias.learning.noise.bind.roles import FREE, SLIPS, UNCLEAR, FlipRates, Judgement, distribution
from dias.learning.noise.observations import N_PAIRS, Observations
from dias.learning.schema import LiftedAtom
from dias.limits import check
from dias.strips.codes import tuple_number

MIN_SHARE = 1e-5
"""Share of the atoms of a relation that every pair is seen of, at least."""

MIN_INFORMATION = 0.1
"""Nats that a literal must tell about a binding to be asked."""

WIDTH = 32
"""Partial bindings kept per transition, but at least one for each object."""

CHUNK = 2_000_000
"""Candidates scored at a time."""

Weights = Mapping[LiftedAtom, np.ndarray]
"""Literal to the log ratio of each of the four pairs: what `literal_weights` gives."""


def total_pairs(seen: Observations, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Relation to how often each pair was seen of its atoms in some transitions: ``[4]``."""
    totals = {relation: np.zeros(N_PAIRS) for relation in seen.arities}
    for number, (example, view) in enumerate(seen.blocks):
        check()
        own = rows[seen.segment[rows] == number] - np.searchsorted(seen.segment, number)
        for relation, total in totals.items():
            pairs = view[own, example.codes.of(relation)]
            total += np.bincount(pairs.ravel(), minlength=N_PAIRS)
    return totals


def background(
    totals: Mapping[str, np.ndarray], verdicts: Mapping[LiftedAtom, Judgement], n: int
) -> dict[str, np.ndarray]:
    """Relation to the distribution of pairs over the atoms that an action leaves alone.

    Args:
        totals: Relation to how often each pair was seen.
        verdicts: Lifted atom to its role in the action.
        n: Transitions that were counted.
    """
    found = {relation: total.copy() for relation, total in totals.items()}
    for atom, verdict in verdicts.items():
        if verdict.role.is_effect:
            shares = np.zeros(N_PAIRS)
            shares[list(verdict.role.truths)] = verdict.mixture
            found[atom.relation] -= n * shares
    for relation, counts in found.items():
        at_least = np.maximum(counts, MIN_SHARE * counts.sum() + 0.5)
        found[relation] = at_least / at_least.sum()
    return found


def literal_weights(
    verdicts: Mapping[LiftedAtom, Judgement],
    rates: Mapping[str, FlipRates],
    usual: Mapping[str, np.ndarray],
) -> dict[LiftedAtom, np.ndarray]:
    """What each pair says about a binding, for the literals that say enough.

    Args:
        verdicts: Lifted atom to its role in the action.
        rates: Relation to its flip rates.
        usual: What `background` gives.

    Returns:
        Lifted atom to the log likelihood ratio of each pair: ``[4]``.
    """
    found = {}
    for atom, verdict in verdicts.items():
        if verdict.role in (FREE, UNCLEAR):
            continue
        expected = distribution(verdict.role, verdict.mixture, rates[atom.relation])
        expected = (1 - SLIPS) * expected + SLIPS * usual[atom.relation]
        ratio = np.log(expected / usual[atom.relation])
        if float(expected @ ratio) > MIN_INFORMATION:
            found[atom] = ratio
    return found


def largest_fall(
    verdicts: Mapping[LiftedAtom, Judgement], asked: Mapping[LiftedAtom, np.ndarray]
) -> float:
    """Nats that one wrong sighting of an atom can cost a transition, and one more.

    If it made the transition an outlier, an atom that tells most about the bindings would never be
    seen wrong, and its flip rate would come out near 0.
    """
    falls = [
        table[truth] - table[truth ^ flip]
        for atom, table in asked.items()
        for truth in verdicts[atom].role.truths
        for flip in (1, 2)
    ]
    return 1 + max(falls, default=0.0)


class Ranked(NamedTuple):
    """The best bindings of some transitions.

    Attributes:
        rows: ``[n]`` the transitions.
        bindings: ``[n, W, V]`` object numbers, best first.
        scores: ``[n, W]`` their log ratios; -inf where there are fewer bindings, or none.
    """

    rows: np.ndarray
    bindings: np.ndarray
    scores: np.ndarray

    @property
    def _top(self) -> np.ndarray:
        """``[n, 1]`` the highest of the scores; 0 where there is no binding."""
        best = self.scores[:, :1]
        return np.where(np.isfinite(best), best, 0.0)

    def posterior(self) -> np.ndarray:
        """``[n, W]`` the share of each binding; 0 where there is none."""
        weight = np.exp(self.scores - self._top)
        return np.asarray(weight / np.maximum(weight.sum(1, keepdims=True), 1))

    def evidence(self, n_objects: np.ndarray, n_given: int) -> np.ndarray:
        """``[n]`` log of the mean likelihood ratio over all bindings; those not kept count as 0."""
        weight = np.exp(self.scores - self._top).sum(1)  # 1 at least, or 0 without any binding
        total = self._top[:, 0] + np.log(np.maximum(weight, 1))
        total[weight == 0] = -np.inf
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
    n_objects = seen.n_objects[rows][:, None, None]
    value = np.arange(n_objects.max())
    for variable in _order(weights, n_variables, bound):
        check()
        known = [value if v == variable else bindings[..., v, None] for v in range(n_variables)]
        taken, bound = [known[v] for v in bound], bound | {variable}
        gained = np.zeros((*scores.shape, len(value)))  # [n, W, O]
        for literal, table in weights.items():
            check()
            if variable in literal.variables and set(literal.variables) <= bound:
                first = (seen.start + seen.offsets[literal.relation])[rows][:, None, None]
                place = first + tuple_number((known[v] for v in literal.variables), n_objects)
                gained += table.take(seen.pairs.take(place, mode="clip"))
        gained += scores[..., None]
        for own in taken:
            np.put_along_axis(gained, own, -np.inf, axis=2)
        total = np.where(value < n_objects, gained, -np.inf).reshape(n, -1)
        # The first variable alone often says nothing: all its objects stay.
        best = _largest(total, max(beam_width, len(value)))
        scores = np.take_along_axis(total, best, axis=1)
        own, new = np.divmod(best, len(value))
        bindings = np.take_along_axis(bindings, own[..., None], axis=1)
        bindings[..., variable] = new
    return Ranked(rows, bindings, scores)


def _largest(scores: np.ndarray, n_most: int) -> np.ndarray:
    """``[n, W]`` the places of the largest of each row, in order; of equals the first ones."""
    if scores.shape[1] > n_most:
        least = np.partition(scores, -n_most)[:, -n_most, None]
        equal = scores == least
        n_left = n_most - (scores > least).sum(1, keepdims=True)
        kept = (scores > least) | (equal & (np.cumsum(equal, axis=1) <= n_left))
        places = np.nonzero(kept)[1].reshape(-1, n_most)
        scores = scores[kept].reshape(-1, n_most)
    else:
        places = np.broadcast_to(np.arange(scores.shape[1]), scores.shape)
    order = np.argsort(-scores, axis=1, kind="stable")
    return np.take_along_axis(places, order, axis=1)


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
