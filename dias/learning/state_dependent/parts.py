"""Parts of an action's transitions, each with effects of its own, and how they exclude one another.

The effects of two parts share variables (the lamp that is switched on or off, the two places of a
move), so a transition of one part says where the other must not apply. The literals that no
transition of a part violates exclude the others in most cases. Where the condition is a
disjunction they do not; then the part is divided further, as a decision tree would, by the
literals that exclude most.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import permutations

import numpy as np

from dias.learning.data.transitions import BindingTable, Example, Examples
from dias.learning.explain.at_once import bind
from dias.learning.explain.bindings import ground_code
from dias.learning.explain.certify import certify_table
from dias.learning.schema import Effects, LiftedAtom, literals_over

MAX_PLACEMENTS = 5040
"""Ways to put the variables of one part in the place of another's that are looked at."""


class Part:
    """Transitions of an action that the same effects explain.

    Args:
        effects: The effects.
        examples: The transitions; each of them is explained.
    """

    def __init__(self, effects: Effects, examples: Examples) -> None:
        self.effects = effects
        self.examples = examples

    def __len__(self) -> int:
        return len(self.examples.examples)

    @cached_property
    def bindings(self) -> list[list[tuple[int, ...]]]:
        """Per transition the bindings of the effect variables that explain it."""
        return bind(self.effects, self.examples)

    def joined(self, other: Part) -> Part:
        """The transitions of both under the effects of this one."""
        together = [*self.examples.examples, *other.examples.examples]
        return Part(self.effects, replace(self.examples, examples=together))

    def misapplied(self, other: Part) -> np.ndarray:
        """Where this part applies in a transition of another one and leads elsewhere.

        Returns:
            ``[n, L]`` for each such transition the truth of the literals over this part's
            variables.
        """
        places = placements(self.effects, other.effects)
        found = []
        for number, (bindings, example) in enumerate(
            zip(other.bindings, other.examples.examples, strict=True)
        ):
            rows = [tuple(binding[p] for p in place) for binding in bindings for place in places]
            if not rows or any(_applied(self.effects, row, example) for row in rows):
                continue
            truth = self._truth(other.examples, [number] * len(rows), rows)
            # Nobody knows which of the rows was meant: it counts if this part applies in each.
            if self._holds(truth).all():
                found.append(truth[0])
        return np.array(found, dtype=bool).reshape(len(found), len(self._literals))

    def divided(self, others: np.ndarray, limit: int) -> list[Part]:
        """The part in divisions whose literals, as far as possible, hold in none of `others`.

        Args:
            others: What `misapplied` gave.
            limit: Divisions at most.
        """
        rows = []
        for number, bindings in enumerate(self.bindings):
            truth = self._truth(self.examples, [number] * len(bindings), bindings)
            rows.append(truth[self._holds(truth).argmax()])
        groups = _divide(np.array(rows, dtype=bool), others, limit)
        return [self._of(np.flatnonzero(group)) for group in groups]

    def _of(self, places: Iterable[int]) -> Part:
        chosen = [self.examples.examples[place] for place in places]
        return Part(self.effects, replace(self.examples, examples=chosen))

    @cached_property
    def _literals(self) -> list[LiftedAtom]:
        n_variables = self.effects.n_variables
        return literals_over(self.examples.arities, n_variables)

    @cached_property
    def _condition(self) -> tuple[np.ndarray, np.ndarray]:
        """Which of the literals hold, and which fail, in every transition: ``[L]`` each."""
        table = BindingTable.of(self.bindings, self.effects.n_variables)
        schema = certify_table(self.effects, self.examples, table)
        positive, negative = set(schema.positive), set(schema.negative)
        return (
            np.array([literal in positive for literal in self._literals], dtype=bool),
            np.array([literal in negative for literal in self._literals], dtype=bool),
        )

    def _truth(
        self, examples: Examples, owner: list[int], rows: Sequence[tuple[int, ...]]
    ) -> np.ndarray:
        table = np.array(rows, dtype=np.int64).reshape(len(rows), self.effects.n_variables)
        return examples.truth(np.array(owner, dtype=np.int64), table, self._literals)

    def _holds(self, truth: np.ndarray) -> np.ndarray:
        positive, negative = self._condition
        return np.all(truth[:, positive], axis=1) & ~np.any(truth[:, negative], axis=1)


def exclusive(parts: list[Part], limit: int) -> list[Part]:
    """Divide the parts that apply in transitions of others, each into `limit` parts at most."""
    found = []
    for part in parts:
        others = [part.misapplied(other) for other in parts if other is not part]
        wrong = np.concatenate(others) if others else np.zeros((0, 0), dtype=bool)
        found += part.divided(wrong, limit) if len(wrong) else [part]
    return found


def n_misapplied(some: list[Part], others: list[Part]) -> int:
    """Transitions of one part in which another misapplies, between `some` and `others`."""
    pairs = [(x, y) for x in some for y in others]
    return sum(len(x.misapplied(y)) + len(y.misapplied(x)) for x, y in pairs)


def placements(small: Effects, large: Effects) -> list[tuple[int, ...]]:
    """The ways to put the variables of `large` in the place of those of `small`.

    Those that make most atoms of `small` coincide with atoms of `large`, a common sign counting
    double. Given arguments keep their places.

    Returns:
        For each way the variable of `large` for each one of `small`; none if there are too many
        to look at or `large` has too few.
    """
    if math.perm(large.n_variables, small.n_variables) > MAX_PLACEMENTS:
        return []
    best = 0
    found: list[tuple[int, ...]] = []
    for place in permutations(range(large.n_variables), small.n_variables):
        if place[: small.n_given] != tuple(range(small.n_given)):
            continue
        score = 0
        for atoms, same, opposite in (
            (small.add, large.add, large.delete),
            (small.delete, large.delete, large.add),
        ):
            for atom in atoms:
                renamed = atom.renamed(place)
                score += 2 * (renamed in same) + (renamed in opposite)
        if score >= best:
            found = [place] if score > best else [*found, place]
            best = score
    return found


def _applied(effects: Effects, binding: tuple[int, ...], example: Example) -> bool:
    """Whether the effects under that binding lead from s to s′."""
    add, delete = (
        {ground_code(example, atom, binding) for atom in atoms}
        for atoms in (effects.add, effects.delete)
    )
    return (example.state - delete) | add == example.next_state


def _divide(own: np.ndarray, others: np.ndarray, limit: int) -> Iterator[np.ndarray]:
    """Masks over the rows of `own`, such that what the rows of a mask share fits few of `others`.

    Args:
        own: ``[n, L]`` truth of literals.
        others: ``[m, L]``.
        limit: Masks at most.
    """
    everything = np.ones(len(own), dtype=bool)
    best, fewest = everything, len(own) * _n_fitting(own, others)
    if limit > 1:
        for mask in own.T:
            if fewest and mask.any() and not mask.all():
                sides = (own[mask], own[~mask])
                n_fitting = sum(len(side) * _n_fitting(side, others) for side in sides)
                if n_fitting < fewest:
                    best, fewest = mask, n_fitting
    if best is everything:
        yield everything
        return
    for mask in (best, ~best):
        for inner in _divide(own[mask], others, limit // 2):
            whole = np.zeros(len(own), dtype=bool)
            whole[np.flatnonzero(mask)[inner]] = True
            yield whole


def _n_fitting(own: np.ndarray, others: np.ndarray) -> int:
    """How many rows of `others` agree with everything that the rows of `own` agree on."""
    agreed = (own == own[0]).all(0)
    return int((others[:, agreed] == own[0, agreed]).all(1).sum())
