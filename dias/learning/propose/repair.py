"""Mends proposed effects that explain most transitions, but not all.

An effect that nearly always holds already (Satellite's `switch_on` deletes `calibrated`, which is
false in nineteen of twenty steps) is the last thing a network learns. The unexplained transitions
say what it is: an atom changed that no effect accounts for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice, product

from dias.learning.data.transitions import Example, Examples
from dias.learning.explain.bindings import explaining_bindings, is_explained
from dias.learning.schema import Effects, LiftedAtom, compact

MIN_SHARE = 0.5
"""Share of the transitions that a proposal must explain to be worth mending."""

MAX_ROUNDS = 6
"""Literals added or dropped at most."""

N_SAMPLED = 24
"""Steps of either kind, explained and not, that a candidate is tried on first (or up to twice as
many)."""

N_LOOKED_AT = 3
"""Unexplained transitions (or a few more) from which literals are taken, and bindings looked at in
each."""


def repair(
    effects: Effects, examples: Examples, max_rounds: int = MAX_ROUNDS, at_least: int = 0
) -> tuple[Effects, int]:
    """Add and drop single effects as long as more transitions are explained.

    Args:
        effects: The proposal.
        examples: The transitions of one action.
        max_rounds: Literals added or dropped at most; 0 only counts.
        at_least: How many explained transitions are of interest.

    Returns:
        The effects, and how many transitions they explain; fewer, if they are neither of interest
        nor worth mending.
    """
    *_, last = repairs(effects, examples, max_rounds, at_least)
    return last


def repairs(
    effects: Effects,
    examples: Examples,
    max_rounds: int = MAX_ROUNDS,
    at_least: int = 0,
    widest: int | None = None,
) -> Iterator[tuple[Effects, int]]:
    """The same, as the effects become better: first the proposal itself, last what it becomes.

    With a new variable they may have the `widest` number of variables at most; None: any.
    """
    explained: list[bool] = []
    n_steps, n_missed = len(examples.examples), 0
    for example in examples.examples:
        explained.append(is_explained(effects, example))
        n_missed += not explained[-1]
        if n_steps - n_missed < min(at_least, MIN_SHARE * n_steps):
            break
    yield effects, sum(explained)
    if len(explained) < n_steps:
        return
    for _ in range(max_rounds):
        if all(explained) or sum(explained) < MIN_SHARE * len(explained):
            return
        promises = _promises(examples, explained)
        for candidate in dict.fromkeys(_candidates(effects, examples, explained, widest)):
            outcome = promises(candidate) and _better(candidate, examples, explained)
            if outcome:
                effects, explained = candidate, outcome
                yield effects, sum(explained)
                break
        else:
            return


def _promises(examples: Examples, explained: list[bool]) -> Callable[[Effects], bool]:
    """A quick look at a few steps of either kind: does a candidate explain more than it loses?"""
    pairs = list(zip(examples.examples, explained, strict=True))
    left, kept = ([example for example, was in pairs if was is way] for way in (False, True))
    samples = [own[:: max(1, len(own) // N_SAMPLED)] for own in (left, kept)]

    def promises(candidate: Effects) -> bool:
        n_gained = sum(is_explained(candidate, example) for example in samples[0])
        allowed = n_gained * len(left) / len(samples[0]) * len(samples[1]) / max(1, len(kept))
        n_lost = 0
        for example in samples[1] if n_gained else ():
            n_lost += not is_explained(candidate, example)
            if n_lost > allowed:
                return False
        return n_gained > 0

    return promises


def _better(candidate: Effects, examples: Examples, explained: list[bool]) -> list[bool] | None:
    """What the candidate explains, if that is more; None as soon as it cannot be."""
    n_missed, outcome = 0, []
    for example in examples.examples:
        outcome.append(is_explained(candidate, example))
        n_missed += not outcome[-1]
        if n_missed >= explained.count(False):
            return None
    return outcome


def _candidates(
    effects: Effects, examples: Examples, explained: list[bool], widest: int | None
) -> Iterator[Effects]:
    """The effects with one literal more, taken from what stays unexplained, or one less.

    Those with a literal about a new variable come last: no single step need show all the effects
    with different objects.
    """
    pairs = zip(examples.examples, explained, strict=True)
    unexplained = [example for example, was in pairs if not was]
    looked_at = unexplained[:: max(1, len(unexplained) // N_LOOKED_AT)]
    for example in looked_at:
        yield from _with_one_more(effects, example, example.state ^ example.next_state)
    for kept in range(len(effects.add)):
        add = [literal for place, literal in enumerate(effects.add) if place != kept]
        yield compact(add, list(effects.delete), effects.n_given)
    for kept in range(len(effects.delete)):
        delete = [literal for place, literal in enumerate(effects.delete) if place != kept]
        yield compact(list(effects.add), delete, effects.n_given)
    relations = {literal.relation for literal in effects.delete}
    for example in looked_at:  # what is deleted may stay since it is added, too
        stay = example.state & example.next_state
        own = {code for code in stay if example.codes.split(code)[0] in relations}
        yield from _with_one_more(effects, example, own)
    for example in looked_at:
        changed = example.state ^ example.next_state
        for wider in _with_one_more(effects, example, changed, has_new=True):
            if widest is None or wider.n_variables <= widest:
                yield wider


def _with_one_more(
    effects: Effects, example: Example, codes: Iterable[int], has_new: bool = False
) -> Iterator[Effects]:
    """The effects and what makes of some atom what it is in s′, were it the only one missing.

    Whether it is also about new variables: see `_lifts`.
    """
    for code in sorted(codes):
        others = replace(example, next_state=example.next_state ^ {code})
        for binding in islice(explaining_bindings(effects, others), N_LOOKED_AT):
            for literal in _lifts(code, binding, example, has_new):
                add, delete = list(effects.add), list(effects.delete)
                (add if code in example.next_state else delete).append(literal)
                yield compact(add, delete, effects.n_given)


def _lifts(
    code: int, binding: tuple[int, ...], example: Example, has_new: bool
) -> Iterator[LiftedAtom]:
    """The atom over the variables that its objects are bound to.

    If it `has_new` ones: those of objects that are not bound; there must be some, and others.
    """
    relation, objects = example.codes.split(code)
    places = {o: [v for v, own in enumerate(binding) if own == o] for o in objects}
    unbound = [o for o, own in places.items() if not own]
    if has_new and not 0 < len(unbound) < len(places):
        return
    for number, o in enumerate(unbound if has_new else (), len(binding)):
        places[o] = [number]
    for variables in product(*(places[o] for o in objects)):
        yield LiftedAtom(relation, variables)
