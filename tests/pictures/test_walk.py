"""States of a walk by forward-backward, against all sequences of states one by one."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from examples.pictures import walk
from examples.pictures.walk import Exchanges, forward_backward

STATES = np.array(list(permutations(range(3))))
ACTIONS = np.array([0, 1, 0])


@pytest.fixture
def log_seen():
    return np.random.default_rng(1).normal(size=(4, 3, 3))


def dynamics():
    exchanges = Exchanges(2, 3)
    log_prob = np.random.default_rng(2).normal(size=exchanges.log_prob.shape)
    exchanges.log_prob = log_prob - np.log(np.exp(log_prob).sum(1, keepdims=True))
    return exchanges


def log_transition(exchanges, before, after, action):
    """By the pairs, one by one; -inf where one exchange does not do it."""
    total = 0.0
    for number, (i, j) in enumerate(exchanges.pairs):
        swapped = before.copy()
        swapped[[i, j]] = before[[j, i]]
        total += np.exp(exchanges.log_prob[action, number]) * (swapped == after).all()
    total += np.exp(exchanges.log_prob[action, -1]) * (before == after).all()
    return np.log(total) if total else -np.inf


def enumerated(exchanges, log_seen):
    """Every sequence of states with its log probability, pictures included."""
    for path in product(STATES, repeat=len(log_seen)):
        log_prob = sum(log_seen[t, p, thing] for t in range(4) for p, thing in enumerate(path[t]))
        for t, action in enumerate(ACTIONS):
            log_prob += log_transition(exchanges, path[t], path[t + 1], action)
        yield path, log_prob


def fresh_everywhere():
    return np.repeat(STATES[None], 4, 0)


def test_marginals_and_likelihood_are_sums_over_all_walks(log_seen, monkeypatch):
    monkeypatch.setattr(walk, "JUMP", -np.inf)
    exchanges = dynamics()
    found = forward_backward(log_seen, ACTIONS, exchanges, fresh_everywhere())
    expected, total = np.zeros((4, 3, 3)), 0.0
    for path, log_prob in enumerated(exchanges, log_seen):
        total += np.exp(log_prob)
        for t, state in enumerate(path):
            expected[t, range(3), state] += np.exp(log_prob)
    np.testing.assert_allclose(found.marginals, expected / total, atol=1e-10)
    assert found.log_likelihood == pytest.approx(np.log(total))
    assert found.n_jumps == 0


def test_changes_are_counted_as_expected(log_seen, monkeypatch):
    monkeypatch.setattr(walk, "JUMP", -np.inf)
    exchanges = dynamics()
    exchanges.PRIOR = 0.0
    forward_backward(log_seen, ACTIONS, exchanges, fresh_everywhere())
    paths = list(enumerated(exchanges, log_seen))
    exchanges.refit()
    total = sum(np.exp(log_prob) for _, log_prob in paths)
    for action in range(2):
        steps = np.flatnonzero(action == ACTIONS)
        stays = sum(
            np.exp(log_prob) * (path[t] == path[t + 1]).all()
            for path, log_prob in paths
            for t in steps
        )
        assert np.exp(exchanges.log_prob[action, -1]) == pytest.approx(stays / total / len(steps))


def test_what_no_exchange_does_is_a_jump():
    """Three things move on at once, in pictures without doubt; before and after nothing moves."""
    states = np.array([[0, 1, 2], [0, 1, 2], [1, 2, 0], [1, 2, 0]])
    log_seen = np.where(states[:, :, None] == np.arange(3), 0.0, -50.0)
    found = forward_backward(log_seen, ACTIONS, Exchanges(2, 3), states[:, None])
    assert (found.best == states).all()
    assert found.n_jumps == pytest.approx(1, abs=1e-6)


def test_one_misread_picture_is_put_right():
    states = np.tile([0, 1, 2], (4, 1))
    log_seen = np.where(states[:, :, None] == np.arange(3), 0.0, -4.0)
    log_seen[2, 0] = [-4, 0, -4]  # a second 1
    exchanges = Exchanges(2, 3)
    exchanges.log_prob = np.log([[0.05, 0.05, 0.05, 0.85]] * 2)
    found = forward_backward(log_seen, ACTIONS, exchanges, states[:, None])
    assert (found.best == states).all()
    assert found.marginals[2, 0, 0] > 0.9
