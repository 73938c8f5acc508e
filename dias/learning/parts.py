"""Divides the transitions of an action with state-dependent effects, so that STRIPS says each part.

Every transition shows what changed. Transitions in which the same lifted atoms changed are one
part; parts are joined again where the effects of one explain the other too, since STRIPS effects
may change nothing. No part is a guess: its effects explain each of its transitions.

Then the parts have to exclude one another. The effects of two parts share variables (the lamp
that is switched on or off, the two places of a move), so a transition of one part says where the
other must not apply. The literals that no transition of a part violates exclude the others in
most cases. Where the condition is a disjunction they do not; then the part is divided further,
as a decision tree would, by the literals that exclude most.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import permutations

import numpy as np

from dias.learning.bindings import Effects, ground_code
from dias.learning.certify import bind, certify_bindings, is_explained
from dias.learning.examples import Example, Examples, LiftedAtom, lifted_atoms
from dias.learning.symbolic import lift, propose

MAX_PARTS = 16
"""Parts of one action at most; with more its effects are no small function of the state."""

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

    def divided(self, others: np.ndarray) -> list[Part]:
        """The part in divisions whose literals, as far as possible, hold in none of `others`.

        Args:
            others: What `misapplied` gave.
        """
        rows = []
        for number, bindings in enumerate(self.bindings):
            truth = self._truth(self.examples, [number] * len(bindings), bindings)
            rows.append(truth[self._holds(truth).argmax()])
        groups = _divide(np.array(rows, dtype=bool), others, MAX_PARTS)
        return [self._of(np.flatnonzero(group)) for group in groups]

    def _of(self, places: Iterable[int]) -> Part:
        chosen = [self.examples.examples[place] for place in places]
        return Part(self.effects, replace(self.examples, examples=chosen))

    @cached_property
    def _literals(self) -> list[LiftedAtom]:
        return lifted_atoms(self.examples.arities, self.effects.n_variables)

    @cached_property
    def _condition(self) -> tuple[np.ndarray, np.ndarray]:
        """Which of the literals hold, and which fail, in every transition: ``[L]`` each."""
        n_variables = self.effects.n_variables
        schema = certify_bindings(self.effects, self.examples, self.bindings, n_variables)
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


def divide(examples: Examples) -> list[Part] | None:
    """The transitions of an action in parts that STRIPS effects explain.

    Args:
        examples: The transitions.

    Returns:
        One part if STRIPS effects explain the action entirely; None if more than `MAX_PARTS`
        would be needed. Transitions that no effects explain (an object is given as two arguments)
        are in none.
    """
    own = [example for example in examples.examples if is_explained(lift(example), example)]
    if len(own) < len(examples.examples):
        examples = replace(examples, examples=own)
    if not own:
        return [Part(Effects(0, (), ()), examples)]
    effects, n_explained = propose(examples)
    if n_explained == len(examples.examples):
        return [Part(effects, examples)]
    parts = _by_change(examples)
    if parts is None:
        return None
    parts = _exclusive(_join(parts))
    return parts if len(parts) <= MAX_PARTS else None


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
                renamed = LiftedAtom(atom.relation, tuple(place[v] for v in atom.variables))
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


def _by_change(examples: Examples) -> list[Part] | None:
    """Transitions in which the same lifted atoms changed; None if there are too many kinds."""
    found: dict[Effects, list[Example]] = {}
    for example in examples.examples:
        for effects, own in found.items():
            if _is_exact(effects, example):
                own.append(example)
                break
        else:
            if len(found) == MAX_PARTS:
                return None
            found[lift(example)] = [example]
    return [Part(e, replace(examples, examples=own)) for e, own in found.items()]


def _is_exact(effects: Effects, example: Example) -> bool:
    """Whether the effects explain the transition and each of them changed something."""
    return (
        len(effects.add) == len(example.added)
        and len(effects.delete) == len(example.deleted)
        and is_explained(effects, example)
    )


def _join(parts: list[Part]) -> list[Part]:
    """Join parts as long as no part then applies where it did not before."""
    parts = sorted(parts, key=lambda part: -len(part.effects.add) - len(part.effects.delete))
    pending = permutations(range(len(parts)), 2)
    while (pair := next(pending, None)) is not None:
        larger, smaller = (parts[place] for place in pair)
        if not all(is_explained(larger.effects, e) for e in smaller.examples.examples):
            continue
        rest = [part for place, part in enumerate(parts) if place not in pair]
        joined = larger.joined(smaller)
        if _n_misapplied([joined], rest) <= _n_misapplied([larger, smaller], rest):
            parts = [joined, *rest]
            parts.sort(key=lambda part: -len(part.effects.add) - len(part.effects.delete))
            pending = permutations(range(len(parts)), 2)
    return parts


def _n_misapplied(some: list[Part], others: list[Part]) -> int:
    pairs = [(x, y) for x in some for y in others]
    return sum(len(x.misapplied(y)) + len(y.misapplied(x)) for x, y in pairs)


def _exclusive(parts: list[Part]) -> list[Part]:
    """Divide the parts that apply in transitions of others."""
    found = []
    for part in parts:
        others = [part.misapplied(other) for other in parts if other is not part]
        wrong = np.concatenate(others) if others else np.zeros((0, 0), dtype=bool)
        found += part.divided(wrong) if len(wrong) else [part]
    return found


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
