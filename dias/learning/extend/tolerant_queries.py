"""Queries that nearly every transition satisfies: a few may have been seen wrong.

What holds in every transition of a small part includes what always holds, if no transition of that
part was seen wrong, and accidental literals besides. Asked of all transitions, these are violated
often, the others hardly ever: the literal that is violated most goes first, until all that are left
are violated by no more transitions than may be odd.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import chain, islice
from operator import or_

import numpy as np

from dias.arrays import distinct
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.extend.literal_sets import meet
from dias.learning.extend.queries import Offers, Query
from dias.learning.schema import DIFFERENT, EQUAL, LiftedAtom
from dias.learning.score import max_odd
from dias.limits import check

N_SAMPLED = 256
"""Transitions that are asked, evenly spread."""

PART = 16
"""Transitions in a part: of one in thirty that was seen wrong, every other part has none."""

IsIdle = Callable[[Query], bool]

N_PARTS, N_STARTS = 8, 4
"""Parts that queries are taken from at most, and queries of each, the largest."""


def exact_and_tolerant_queries(
    examples: Examples, found: BindingTable, n_new: int, linked: bool, is_idle: IsIdle
) -> tuple[list[Query], list[Query]]:
    """The queries that all transitions satisfy, and those that all but a few odd ones do.

    The second are those that one half or the other satisfies, as far as the whole does. Arguments
    and order are those of `tolerant_queries`.
    """
    offers = Offers.of(examples, found, n_new, linked)
    if _max_odd(offers) <= 0:
        return offers.common(), []
    numbers = np.arange(len(offers.first))
    halves = [offers.frontier(half) for half in (numbers[::2], numbers[1::2]) if len(half)]
    both = meet(halves[0], halves[-1]) if halves and not offers.n_without else []
    exact = offers.queries(both)
    nearly = _tolerant(offers, halves, is_idle)
    return exact, [q for q in nearly if not any(set(q) <= set(other) for other in exact)]


def tolerant_queries(
    examples: Examples, found: BindingTable, n_new: int, linked: bool, is_idle: IsIdle
) -> list[Query]:
    """The largest queries that all transitions but those that may be odd satisfy.

    As far as small parts of them show. Order and other arguments are those of
    `dias.learning.extend.queries.common_queries`.

    Args:
        examples: The transitions.
        found: The bindings of the known variables.
        n_new: How many new ones.
        linked: Whether they are linked to these.
        is_idle: Tells which queries say nothing; no part of such a one does either.
    """
    offers = Offers.of(examples, found, n_new, linked)
    if _max_odd(offers) < 0:
        return []
    n_parts = -(-len(offers.first) // PART)
    parts = (np.arange(number, len(offers.first), n_parts) for number in range(n_parts))
    frontiers = [offers.frontier(part) for part in islice(parts, N_PARTS)]
    return _tolerant(offers, frontiers, is_idle)


def sampled(found: BindingTable) -> BindingTable:
    """The bindings of `N_SAMPLED` transitions, evenly spread; all if they are no more."""
    numbers = distinct(found.owner)
    every = -(-len(numbers) // N_SAMPLED)
    return found.where(np.isin(found.owner, numbers[::every])) if every > 1 else found


def _tolerant(offers: Offers, frontiers: list[list[int]], is_idle: IsIdle) -> list[Query]:
    """The queries that are left of some frontiers once what is violated too often is gone."""
    n_odd = _max_odd(offers)
    starts = (
        islice((mask for mask in own if not is_idle(offers.query(mask))), N_STARTS)
        for own in frontiers
    )
    masks = list(dict.fromkeys(chain.from_iterable(starts)))
    union = reduce(or_, masks, 0)
    places = np.array([n for n in range(len(offers.literals)) if union >> n & 1], dtype=np.int64)
    literals = [offers.literals[place] for place in places.tolist()]
    truth = offers.examples.truth(*offers.extended, literals)
    nats = -np.log([max(1e-6, _chance(offers.examples, x)) for x in literals])
    kept = []
    for mask in masks:
        asked = np.array([bool(mask >> place & 1) for place in places.tolist()], dtype=bool)
        left = places[_kept(asked, truth, offers.first, nats, n_odd)]
        kept.append(sum(1 << place for place in left.tolist()))
    return offers.queries(kept)


def _max_odd(offers: Offers) -> int:
    """How many transitions may violate a query, besides those without any extension."""
    return max_odd(len(offers.first) + offers.n_without) - offers.n_without


def _chance(examples: Examples, literal: LiftedAtom) -> float:
    """That a literal holds for objects drawn at random."""
    if literal.relation == DIFFERENT:
        return 1 - examples.shares[EQUAL]
    return examples.shares[literal.relation]


def _kept(
    asked: np.ndarray, truth: np.ndarray, first: np.ndarray, nats: np.ndarray, n_odd: int
) -> np.ndarray:
    """Which of some literals are left once those that are violated too often are gone.

    Args:
        asked: ``[L]`` which literals to begin with.
        truth: ``[n, L]`` which hold under the extensions, transition by transition.
        first: ``[m]`` the first extension of each transition.
        nats: ``[L]`` what it says that a literal holds.
        n_odd: Transitions that may violate something.

    Returns:
        ``[L]`` which literals all but `n_odd` transitions satisfy together.
    """
    kept = asked.copy()
    while kept.any():
        check()
        columns = np.flatnonzero(kept)
        offered = truth[:, columns]
        if (~np.logical_or.reduceat(offered.all(1), first)).sum() <= n_odd:
            break
        worth = offered @ nats[columns]
        best = _first_of_highest(worth, first)
        n_violated = (~offered[best]).sum(0)
        kept[columns[n_violated.argmax()]] = False
    return kept


def _first_of_highest(worth: np.ndarray, first: np.ndarray) -> np.ndarray:
    """``[m]`` of each transition the first extension that is worth most."""
    highest = np.repeat(np.maximum.reduceat(worth, first), np.diff(np.append(first, len(worth))))
    places = np.flatnonzero(worth >= highest)
    return places[np.searchsorted(places, first)]
