"""Effects and variables without which all is still explained are dropped."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, compress

from dias.learning.data.transitions import Examples
from dias.learning.explain.at_once import explained
from dias.learning.explain.bindings import is_explained
from dias.learning.schema import Effects, LiftedAtom, compact


def minimal_effects(effects: Effects, examples: Examples) -> Effects:
    """Drop effects and merge variables as long as all that was explained still is.

    A network that is stopped early also proposes effects that never change anything, with
    variables of their own, or two variables where one would do (one vessel for the steps that
    empty a glass, another for those that empty a shaker). Fewest effects is the paper's own
    principle (L_eff).
    """
    kept = [*compress(examples.examples, explained(effects, examples))]
    pending = smaller_effects(effects)
    while (smaller := next(pending, None)) is not None:
        if all(is_explained(smaller, example) for example in kept):
            effects, pending = smaller, smaller_effects(smaller)
    return effects


def smaller_effects(effects: Effects) -> Iterator[Effects]:
    """The effects without one of them, then with one variable put in the place of another."""
    add, delete, n_given = list(effects.add), list(effects.delete), effects.n_given
    for literal in add:
        yield compact([other for other in add if other != literal], delete, n_given)
    for literal in delete:
        yield compact(add, [other for other in delete if other != literal], n_given)
    for kept, merged in combinations(range(effects.n_variables), 2):
        if merged >= n_given:
            place = [kept if v == merged else v for v in range(effects.n_variables)]
            yield compact(_renamed(add, place), _renamed(delete, place), n_given)


def _renamed(atoms: list[LiftedAtom], place: list[int]) -> list[LiftedAtom]:
    """Each atom that comes out once."""
    return list(dict.fromkeys(atom.renamed(place) for atom in atoms))
