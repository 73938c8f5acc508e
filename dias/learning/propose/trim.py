"""Drops effects and variables: those without which all is still explained, those that do not pay.

Effects do not pay that only a few steps show, if it takes less to say that those were seen wrong.
The largest change set explains most steps, and one step that was seen wrong can make it: then the
schema has an effect, and parameters, that no other step needs, and allows far too much.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, compress
from math import inf

from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.explain.at_once import bind, count_explained, explained
from dias.learning.explain.bindings import is_explained
from dias.learning.explain.certify import certify_table
from dias.learning.finish.assemble import action_schema
from dias.learning.schema import Effects, LiftedAtom, compact
from dias.learning.score import max_odd, score
from dias.traces.record import Traces


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


def paid_effects(effects: Effects, examples: Examples, traces: Traces) -> Effects:
    """The effects without those that are not worth the steps that they explain.

    Args:
        effects: The effects.
        examples: The steps of the action.
        traces: All steps.
    """
    n_steps = len(examples.examples)
    if not max_odd(n_steps):
        return effects
    best = None
    pending = smaller_effects(effects)
    while (smaller := next(pending, None)) is not None:
        if n_steps - count_explained(smaller, examples) > max_odd(n_steps):
            continue
        if best is None:
            best = _score(effects, examples, traces)
            if best == -inf:  # nothing to compare with
                break
        other = _score(smaller, examples, traces)
        if other > best:
            effects, best, pending = smaller, other, smaller_effects(smaller)
    return effects


def _score(effects: Effects, examples: Examples, traces: Traces) -> float:
    """Score of the effects with the preconditions that never fail."""
    found = BindingTable.of(bind(effects, examples), effects.n_variables)
    schema = certify_table(effects, examples, found)
    return score(action_schema(schema, traces), traces)
