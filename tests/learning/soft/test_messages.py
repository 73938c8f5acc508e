"""Forward and backward against the sum over all sequences of values."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from dias.learning.soft.messages import Kernels, joined, no_kernels, pass_messages
from dias.learning.soft.sightings import lay_out
from tests.traces.files import read, step

RATE = 0.1
PROBABILITIES = [(0.9, 0.2), (0.5, 0.6), (0.3, 0.5), (0.8, 0.7)]
"""Of two atoms in the four states of a walk."""


@pytest.fixture(scope="module")
def walk():
    """Three steps; with a second walk, of which nothing may leak into the first."""
    states = [[["(p a)", one], ["(p b)", other]] for one, other in PROBABILITIES]
    steps = [
        step(states[n], next=states[n + 1], trace=trace, step=n)
        for trace in (0, 1)
        for n in range(3)
    ]
    (found,) = lay_out(read(*steps))
    return found


def naive(walk, atom, tables, row, since=0, until=3):
    """The probability that an atom is true in a state, by what is seen in some of the states."""
    weights = np.zeros(2)
    for values in product((0, 1), repeat=4):
        weight = (1 - walk.prior()[atom], walk.prior()[atom])[values[0]]
        for n, value in enumerate(values):
            if since <= n <= until:
                p = PROBABILITIES[n][atom]
                weight *= p if value else 1 - p
            if n:
                weight *= tables[n - 1][values[n - 1], value]
        weights[values[row]] += weight
    return weights[1] / weights.sum()


STAYS = np.array([[1 - RATE, RATE], [RATE, 1 - RATE]])
MADE = np.array([[0.05, 0.9], [0.01, 0.04]])
"""A step that adds an atom, rather where it is false."""


@pytest.mark.parametrize("touched", [None, 0, 1, 2])
def test_all_that_was_seen(walk, touched):
    tables = [STAYS, STAYS, STAYS]
    kernels = no_kernels(walk)
    if touched is not None:
        tables[touched] = MADE
        begin = np.repeat([0, 1], [touched + 1, len(walk.first) - touched])
        kernels = Kernels(begin, np.array([0]), MADE[None])
    messages = pass_messages(walk, walk.log_odds, kernels, np.full(2, RATE))
    for row in range(4):
        for atom, own in ((0, tables), (1, [STAYS] * 3)):
            assert messages.whole()[row, atom] == pytest.approx(
                naive(walk, atom, own, row), abs=1e-4
            )
            # What later steps do says which values before go with them, though nothing is seen.
            if touched is None:
                earlier = naive(walk, atom, own, row, until=row)
                assert messages.until[row, atom] == pytest.approx(earlier, abs=1e-4)
    assert np.allclose(joined(messages.before, messages.since), messages.whole(), atol=1e-4)


def test_what_others_say(walk):
    """The own sighting divided out of all that was seen."""
    messages = pass_messages(walk, walk.log_odds, no_kernels(walk), np.full(2, RATE))
    seen = 1 / (1 + np.exp(-walk.log_odds))
    assert np.allclose(joined(messages.others(), seen), messages.whole(), atol=1e-4)


def test_walks_do_not_mix(walk):
    messages = pass_messages(walk, walk.log_odds, no_kernels(walk), np.full(2, RATE))
    assert np.allclose(messages.whole()[:4], messages.whole()[4:], atol=1e-6)
