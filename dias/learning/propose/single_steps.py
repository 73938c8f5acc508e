"""Proposes effects without a network: what one transition changed, lifted.

The objects of the changed atoms become variables. A transition in which every effect of the action
changes something gives the effects entirely; if there is none, the largest one is mended by the
others (`dias.learning.propose.repair`). It is the baseline that says what the network adds, and it
has no answer to noise.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice

import numpy as np

from dias.arrays import spread
from dias.learning.data.transitions import Example, Examples
from dias.learning.explain.at_once import count_explained
from dias.learning.explain.bindings import is_explained
from dias.learning.propose.repair import MAX_ROUNDS, MIN_SHARE, repairs
from dias.learning.schema import Effects, LiftedAtom, compact

MAX_SHAPES = 20
"""Kinds of change sets that are lifted; the largest come first."""


N_SAMPLED = 40
"""Steps that every kind is tried on first; those that explain hardly any are left."""


def propose(
    examples: Examples, mend: bool = True, min_shown: int = 1, widest: int | None = None
) -> tuple[Effects, int]:
    """The effects that explain most, and how many transitions they explain.

    Args:
        examples: The transitions of one action.
        mend: Whether proposals are repaired.
        min_shown: Steps that must show a change set, by relation, before it is lifted.
        widest: Variables that it may have at most; None: any number.
    """
    n_given = len(examples.examples[0].given)
    nothing = Effects(n_given, (), (), n_given)
    *_, last = (None, *proposed(examples, mend, min_shown, widest))
    return last or (nothing, count_explained(nothing, examples))


def proposed(
    examples: Examples, mend: bool = True, min_shown: int = 1, widest: int | None = None
) -> Iterator[tuple[Effects, int]]:
    """The same as they become better, each one explaining more than those before it."""
    most = -1
    few = spread(examples.examples, N_SAMPLED)
    shapes = list(_shapes(examples, min_shown, widest))
    worth = [sum(is_explained(shape, example) for example in few) for shape in shapes]
    enough = min(MIN_SHARE * len(few) / 2, max(worth, default=0))
    for shape in (shape for shape, own in zip(shapes, worth, strict=True) if own >= enough):
        max_rounds = MAX_ROUNDS if mend else 0
        for effects, explained in repairs(shape, examples, max_rounds, most + 1, widest):
            if explained > most:
                most = explained
                yield effects, explained
        if most == len(examples.examples):
            return


def whole(examples: Examples) -> Effects | None:
    """The first change set, lifted, that explains all transitions of one action; None if none does.

    One that does not explain a few of them is left at the first that it does not.
    """
    few = spread(examples.examples, N_SAMPLED)
    shapes = (own for own in _shapes(examples) if all(is_explained(own, step) for step in few))
    return next((s for s in shapes if count_explained(s, examples) == len(examples.examples)), None)


def is_shown(effects: Effects, examples: Examples) -> bool:
    """Whether a single transition shows these effects, all of them and no others."""
    return effects in _shapes(examples)


def _shapes(examples: Examples, min_shown: int = 1, widest: int | None = None) -> Iterator[Effects]:
    """One change set of each kind, lifted: one with most objects, the others being cases of it.

    A kind is what was added and deleted, by relation; steps that change more show it, too.
    """
    kinds = examples.kinds
    largest = sorted(kinds, key=lambda kind: (-len(kind), kind))
    changes = sorted({change for kind in largest for change in kind})
    counts = np.array([[kind.count(change) for change in changes] for kind in largest])
    steps = np.array([len(kinds[kind]) for kind in largest])
    shown = (
        kind
        for number, kind in enumerate(largest)
        if min_shown < 2 or steps[(counts >= counts[number]).all(1)].sum() >= min_shown
    )
    lifted = (
        lift(max((examples.examples[n] for n in kinds[kind]), key=_n_objects)) for kind in shown
    )
    narrow = (shape for shape in lifted if widest is None or shape.n_variables <= widest)
    yield from islice(narrow, MAX_SHAPES)


def _n_objects(example: Example) -> int:
    """Different objects that are given or occur in a change."""
    return len({*example.arguments, *(o for _, _, objects in example.changes for o in objects)})


def lift(example: Example) -> Effects:
    """What a transition changed, its objects replaced by variables.

    That of an argument which is given, of two of them for one object the last, else a new one; not
    those of constants: whether it must be the constant, others say.
    """
    n_constants = len(example.constants)
    variable = {number: n_constants + n for n, number in enumerate(example.arguments)}
    fresh = count(len(example.given))
    effects: dict[bool, list[LiftedAtom]] = {True: [], False: []}
    for is_added, relation, objects in example.changes:
        for o in objects:
            variable.setdefault(o, next(fresh))
        effects[is_added].append(LiftedAtom.lift(relation, objects, variable))
    return compact(effects[True], effects[False], len(example.given))
