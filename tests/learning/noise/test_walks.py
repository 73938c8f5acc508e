"""What the steps before and after one tell of the atoms that it leaves alone."""

from __future__ import annotations

from itertools import product
from math import log, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.learning.data.coding import examples_by_action
from dias.learning.noise.bind.roles import FlipRates
from dias.learning.noise.observations import observe
from dias.learning.noise.walks import ADDED, ALONE, DELETED, LEAST, REACH, UNKNOWN, Walks
from tests.traces.files import read, step

RATES = dict.fromkeys(["lit", "tag", "type object"], FlipRates(0.1, 0.05))
CHANGE = 0.2
"""Chance that a step of which nothing is known changes the lamp."""


def walks_of(sightings, does=(), places=None):
    """Steps of which each shows a lamp, and a tag of its own so that no two are equal.

    Args:
        sightings: ``[(before, after)]`` of the lamp.
        does: What each step is known to do to it.
        places: Walk and place of each; None: one after another in one.

    Returns:
        The walks, the code of the lamp, and the row of each step.
    """
    n = len(sightings)
    header = {
        "dias": "trace/1",
        "predicates": {"lit": ["object"], "tag": ["object"]},
        "objects": dict.fromkeys(["a", *(f"o{k}" for k in range(n))], "object"),
    }
    lines = []
    for k, (before, after) in enumerate(sightings):
        states = ([f"(tag o{k})", *["(lit a)"] * is_lit] for is_lit in (before, after))
        walk, place = places[k] if places else ("w", k)
        lines.append(step(next(states), "wait", next(states), trace=walk, step=place))
    traces = read(header, *lines)
    seen = observe(examples_by_action(traces))
    walks = Walks(seen, RATES, [], {"lit": CHANGE * n * (n + 1)})
    code = seen.examples[0].codes.offset["lit"]
    rows = {example.transition.line - 2: row for row, example in enumerate(seen.examples)}
    for k, kind in enumerate(does):
        walks._does[seen.start[rows[k]] + code] = kind
    return walks, code, rows


def naive_log_odds(sightings, does, number):
    """By all values that the lamp may have had in the states around a step."""

    def says(is_lit, seen):
        wrong = RATES["lit"].lost if is_lit else RATES["lit"].invented
        return 1 - wrong if is_lit == seen else wrong

    def goes(kind, before, after, is_later):
        if kind == UNKNOWN:
            return CHANGE if before != after else 1 - CHANGE
        if kind == ALONE:
            return float(before == after)
        if is_later:  # what it became says nothing of what it was
            return 1.0
        return 1.0 if after == (kind == ADDED) else LEAST

    first, last = max(0, number - REACH), min(len(sightings) - 1, number + REACH)
    seen = sightings[first : last + 1]
    share = min(1 - LEAST, max(LEAST, float(np.mean(sightings))))
    # A state that two steps show is seen twice, unless they show the same.
    states = [[seen[0][0]], *([after] for _, after in seen)]
    for place in range(1, len(seen)):
        states[place] += [seen[place][0]] * (seen[place][0] != seen[place - 1][1])
    total = [0.0, 0.0]
    for values in product((False, True), repeat=len(states)):
        own = values[number - first]
        if own == values[number - first + 1]:
            fits = (says(v, one) for v, own_ in zip(values, states, strict=True) for one in own_)
            follows = (
                goes(does[place], values[place - first], values[place - first + 1], place > number)
                for place in range(first, last + 1)
                if place != number
            )
            total[own] += (share if own else 1 - share) * prod(fits) * prod(follows)
    return log(total[True] / total[False])


STEPS = st.tuples(st.booleans(), st.booleans(), st.sampled_from([UNKNOWN, ALONE, ADDED, DELETED]))


@settings(max_examples=60)
@given(st.lists(STEPS, min_size=1, max_size=7), st.data())
def test_all_that_was_seen_around_a_step_bears_on_it(steps, data):
    number = data.draw(st.integers(0, len(steps) - 1))
    sightings, does = [own[:2] for own in steps], [own[2] for own in steps]
    walks, code, rows = walks_of(sightings, does)
    ((found,),) = walks._log_odds(0, np.array([rows[number]]), np.array([code]))
    assert found == pytest.approx(naive_log_odds(sightings, does, number), abs=1e-5)


def is_lit(sightings, number, places=None):
    walks, code, rows = walks_of(sightings, places=places)
    return bool(walks.truth(np.array([rows[number]]))[0][code])


LIT, DARK, LOST = (True, True), (False, False), (True, False)


def test_what_is_seen_once_true_and_once_false_is_as_the_steps_around_say():
    assert is_lit([LIT, LOST, LIT], 1) and not is_lit([DARK, LOST, DARK], 1)
    # Even if it is seen wrong twice.
    assert is_lit([LIT, LIT, DARK, LIT, LIT], 2)


@pytest.mark.parametrize(
    "places",
    [
        [("w", 0), ("w", 2), ("w", 4)],
        [("u", 0), ("v", 1), ("w", 2)],
        [(None, 0), (None, 1), (None, 2)],
    ],
)
def test_steps_that_do_not_follow_each_other_say_nothing(places):
    """Of what is lit half of the time, what is seen twice is believed."""
    sightings = [LIT, DARK, LIT]
    assert is_lit(sightings, 1) and not is_lit(sightings, 1, places)


def test_several_transitions_are_answered_in_their_order():
    walks, code, rows = walks_of([LIT, DARK, DARK, DARK, LIT, LIT])
    asked = np.array([rows[k] for k in (5, 2, 0)])
    assert [bool(own[code]) for own in walks.truth(asked)] == [True, False, True]
