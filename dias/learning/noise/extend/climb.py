"""The likeliest query near a given one, literal by literal.

What holds in every step of a sample (`dias.learning.extend.queries`) is not what always holds once
the right binding of a single step is lost: then a literal is lost with it, or another survives
since steps that change nothing leave much to choose from. So literals are dropped as long as that
makes the steps likelier (`dias.learning.noise.extend.odds`), and added where they become likelier
by more than it takes to say which of L literals it is, log L.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.extend.queries import Query, extensions, is_linked
from dias.learning.noise.extend.odds import Choice, log_odds
from dias.learning.noise.observations import Observations
from dias.learning.schema import atoms_over_new

MAX_CANDIDATES = 300_000
"""Bindings of old and new variables looked at, all steps together."""

N_PARTS = 4
"""Parts that the steps are taken in, each spread over all of them, until they are enough."""

MAX_MOVES = 20
"""Literals added or dropped on the way."""

TOLERANCE = 1e-9
"""Nats that are none."""

Places = frozenset[int]
"""Literals of a query, by their numbers."""


class Climb:
    """Queries over some new variables and how likely they make the steps of an action.

    Args:
        seen: The observations.
        examples: The transitions, put right.
        choices: What the wide schema allows in some of them.
        n_known: Variables that the bindings are of.
        n_new: New variables.
        linked: Whether they must be linked to the others (`dias.learning.extend.queries`).
    """

    def __init__(
        self,
        seen: Observations,
        examples: Examples,
        choices: Sequence[Choice],
        n_known: int,
        n_new: int,
        linked: bool,
    ) -> None:
        self._n_known, self._n_new, self._linked = n_known, n_new, linked
        self._literals = atoms_over_new(examples.arities, n_known, n_new)
        self._number = {atom: number for number, atom in enumerate(self._literals)}
        candidates: list[tuple[int, ...]] = []
        of_candidate: list[int] = []
        used: list[Choice] = []
        n_bindings = 0
        parts = (choices[first::N_PARTS] for first in range(N_PARTS))
        for choice in chain.from_iterable(parts):
            owner = np.full(len(choice.bindings), choice.place)
            rows = np.array(choice.bindings, dtype=np.int64).reshape(len(owner), n_known)
            tables = extensions(examples, BindingTable(owner, rows), n_new, linked, True)
            own = [tuple(row) for _, table in tables for row in table.rows.tolist()]
            if len(candidates) + len(own) > MAX_CANDIDATES:
                break
            number = {binding: n_bindings + place for place, binding in enumerate(choice.bindings)}
            of_candidate += [number[candidate[:n_known]] for candidate in own]
            candidates += own
            used.append(choice)
            n_bindings += len(choice.bindings)
        self._n_wide = np.array([len(choice.bindings) for choice in used], dtype=np.int64)
        self._step = np.repeat(np.arange(len(used)), self._n_wide)
        self._likelihoods = np.array([x for choice in used for x in choice.likelihoods])
        self._binding = np.array(of_candidate, dtype=np.int64)
        self._truth = self._look(
            seen, examples, used, np.array(candidates, dtype=np.int64).reshape(-1, n_known + n_new)
        )

    def _look(
        self, seen: Observations, examples: Examples, used: Sequence[Choice], candidates: np.ndarray
    ) -> list[np.ndarray]:
        """Literal by literal, whether it holds of each candidate: ``[N]``."""
        states = [examples.examples[choice.place].state for choice in used]
        first = seen.start[[choice.row for choice in used]]
        true = np.zeros(len(seen.pairs), dtype=bool)
        for start, state in zip(first, states, strict=True):
            true[start + np.fromiter(state, np.int64, len(state))] = True
        step = self._step[self._binding]
        rows = np.array([choice.row for choice in used], dtype=np.int64)[step]
        return [true[seen.start[rows] + seen.code(rows, candidates, x)] for x in self._literals]

    def best(self, start: Query) -> Query:
        """The query that is reached from another one; that one if nothing near is likelier."""
        query = frozenset(self._number[atom] for atom in start)
        value = self._value(self._held(query))
        for _ in range(MAX_MOVES):
            gain, move = max(self._moves(query, value), default=(0.0, 0))
            if gain <= TOLERANCE:
                break
            query ^= {move}
            value = self._value(self._held(query))
        found = tuple(self._literals[number] for number in sorted(self._closed(query)))
        return found if is_linked(found, self._n_known, self._n_new, self._linked) else start

    def value(self, query: Query) -> float:
        """Nats that speak for a query: how much likelier the steps are under it."""
        return self._value(self._held(frozenset(self._number[atom] for atom in query)))

    def _moves(self, query: Places, value: float) -> Iterator[tuple[float, int]]:
        """What is gained by every literal that can be added or dropped, and which it is."""
        held, cost = self._held(query), math.log(len(self._literals))
        for number, truth in enumerate(self._truth):
            if number in query:
                yield self._value(self._held(query - {number})) - value, number
            else:
                yield self._value(held[truth[held]]) - value - cost, number

    def _closed(self, query: Places) -> Places:
        """With the literals that hold of all candidates that satisfy it anyway."""
        held = self._held(query)
        return query | {number for number, truth in enumerate(self._truth) if truth[held].all()}

    def _held(self, query: Places) -> np.ndarray:
        """The candidates that satisfy a query."""
        held = np.arange(len(self._binding))
        for number in sorted(query):
            held = held[self._truth[number][held]]
        return held

    def _value(self, held: np.ndarray) -> float:
        """The value of a query that these candidates satisfy."""
        allowed = np.zeros(len(self._step), dtype=bool)
        allowed[self._binding[held]] = True
        step, n_steps = self._step[allowed], len(self._n_wide)
        share = np.bincount(step, self._likelihoods[allowed], minlength=n_steps)
        n_narrow = np.bincount(step, minlength=n_steps)
        return float(log_odds(share, self._n_wide, n_narrow).sum())
