"""The states of a walk, given what a classifier says of single pictures and how states follow.

Forward-backward over whole states in a beam: the likeliest ones of each moment are kept. How
states follow is asked of a `Dynamics`: before any action is known `Exchanges`, which knows no more
than the one-of groups of the trace format; later the learned domain (`denoise.DomainDynamics`).

A state says which thing is in each place. Axes: T states of a walk, P places, K things, W states
in the beam, E ways to go on from them.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple, Protocol

import numpy as np

WIDTH = 100
"""W, states that are kept of each moment."""
JUMP = -40.0
"""Log probability of any state after any other: what no dynamics accounts for."""
DEPTH = 25.0
"""States that are this much less likely (in nats) than the best one are dropped."""


class Ways(NamedTuple):
    """How a walk may go on: from which state of the beam, to which, how likely, by which change."""

    parent: np.ndarray
    child: np.ndarray
    log_prob: np.ndarray
    change: np.ndarray


class Dynamics(Protocol):
    """How states follow one another."""

    def ways(self, states: np.ndarray, action: int) -> Ways:
        """The ways on from ``[W, P]`` states under an action; `child` is ``[E, P]``."""

    def expected(self, action: int, ways: Ways, share: np.ndarray) -> None:
        """Take note of how likely each way was, given the whole walk."""


class Exchanges:
    """What may change before anything is learned: the least that keeps all one-of groups.

    Two places exchange their things, or nothing changes. Each action name has a probability of
    each change, all alike at first, which `refit` sets to what was expected of the walk.

    Args:
        n_actions: Number of action names.
        n_places: P.
    """

    PRIOR = 0.5
    """Steps of each action added to those expected, spread over all changes."""

    def __init__(self, n_actions: int, n_places: int) -> None:
        self.pairs = np.array(list(combinations(range(n_places), 2)))
        n_changes = len(self.pairs) + 1  # the last one: nothing
        self.log_prob = np.full((n_actions, n_changes), -np.log(n_changes))
        self._count = np.zeros((n_actions, n_changes))

    def ways(self, states: np.ndarray, action: int) -> Ways:
        """See `Dynamics`."""
        first, second = self.pairs.T
        parent, change = np.nonzero(states[:, first] != states[:, second])
        child = states[parent]
        rows = np.arange(len(parent))
        i, j = first[change], second[change]
        child[rows, i], child[rows, j] = states[parent, j], states[parent, i]
        everyone = np.arange(len(states))
        change = np.concatenate([change, np.full(len(states), len(self.pairs))])
        return Ways(
            np.concatenate([parent, everyone]),
            np.concatenate([child, states]),
            self.log_prob[action, change],
            change,
        )

    def expected(self, action: int, ways: Ways, share: np.ndarray) -> None:
        """See `Dynamics`."""
        np.add.at(self._count[action], ways.change, share)

    def refit(self) -> None:
        """Set the probabilities to what was expected since the last time."""
        count = self._count + self.PRIOR / self._count.shape[1]
        self.log_prob = np.log(count / count.sum(1, keepdims=True))
        self._count[:] = 0


class Walked(NamedTuple):
    """What is known of a walk.

    Attributes:
        marginals: ``[T, P, K]`` probability of each thing in each place and state.
        best: ``[T, P]`` the likeliest state of each moment.
        log_likelihood: Of all pictures, by the dynamics.
        n_jumps: Expected number of steps that the dynamics does not account for.
    """

    marginals: np.ndarray
    best: np.ndarray
    log_likelihood: float
    n_jumps: float


def forward_backward(
    log_seen: np.ndarray,
    actions: np.ndarray,
    dynamics: Dynamics,
    fresh: np.ndarray,
    width: int = WIDTH,
) -> Walked:
    """The states of a walk.

    Args:
        log_seen: ``[T, P, K]`` log likelihoods of single pictures.
        actions: ``[T - 1]`` number of the action between two states.
        dynamics: How states follow.
        fresh: ``[T, F, P]`` states that are tried at each moment, whatever came before.
        width: W.
    """
    moments = _forward(log_seen, actions, dynamics, fresh, width)
    backward = np.zeros(len(moments[-1].states))
    marginals = np.zeros_like(log_seen)
    best = np.empty(log_seen.shape[:2], dtype=np.int64)
    n_jumps = 0.0
    for t in range(len(moments) - 1, -1, -1):
        moment = moments[t]
        weight = np.exp(moment.forward + backward)
        weight /= weight.sum()
        for place, own in enumerate(marginals[t]):
            np.add.at(own, moment.states[:, place], weight)
        best[t] = moment.states[weight.argmax()]
        if t:
            ways, last = moment.ways, moments[t - 1]
            onward = (moment.seen + backward)[ways.child] + ways.log_prob
            share = np.exp(last.forward[ways.parent] + onward)
            jump = np.exp(JUMP + moment.seen + backward).sum()
            n_jumps += jump / (share.sum() + jump)
            dynamics.expected(int(actions[t - 1]), ways, share / (share.sum() + jump))
            total = np.full(len(last.states), jump)
            np.add.at(total, ways.parent, np.exp(onward))
            backward = _log(total)
    return Walked(marginals, best, float(sum(moment.scale for moment in moments)), n_jumps)


class _Moment(NamedTuple):
    """The beam at one moment.

    Attributes:
        states: ``[W, P]``.
        forward: ``[W]`` log probability of each, given what was seen up to here.
        seen: ``[W]`` log likelihood of the pictures in each, less `scale`.
        scale: Log likelihood of the pictures, given what was seen before.
        ways: From the last beam to this one; `child` is ``[E]``, places in the beam.
    """

    states: np.ndarray
    forward: np.ndarray
    seen: np.ndarray
    scale: float
    ways: Ways


def _forward(
    log_seen: np.ndarray, actions: np.ndarray, dynamics: Dynamics, fresh: np.ndarray, width: int
) -> list[_Moment]:
    """The beams, from the first moment to the last; arguments as above."""
    n_places, n_things = log_seen.shape[1:]
    base, places = n_things ** np.arange(n_places, dtype=np.int64), np.arange(n_places)
    nowhere = np.zeros(0, dtype=np.int64)
    moments: list[_Moment] = []
    for t, own in enumerate(fresh):
        if t:
            ways = dynamics.ways(moments[-1].states, int(actions[t - 1]))
            prior = np.exp(moments[-1].forward[ways.parent] + ways.log_prob)
        else:
            ways, prior = Ways(nowhere, own[:0], np.zeros(0), nowhere), np.zeros(0)
        child = np.concatenate([ways.child, own])
        _, first, group = np.unique(child @ base, return_index=True, return_inverse=True)
        total = np.zeros(len(first))
        np.add.at(total, group[: len(prior)], prior)
        states = child[first]
        seen = log_seen[t, places, states].sum(1)
        # At first all that are tried are alike.
        log_total = seen + (np.logaddexp(_log(total), JUMP) if t else 0.0)
        keep = np.argsort(-log_total, kind="stable")[:width]
        keep = keep[log_total[keep] > log_total[keep[0]] - DEPTH]
        scale = float(np.logaddexp.reduce(log_total[keep]))
        place = np.full(len(first), -1)
        place[keep] = np.arange(len(keep))
        target = place[group[: len(prior)]]
        kept = Ways(*(column[target >= 0] for column in ways._replace(child=target)))
        moments.append(
            _Moment(states[keep], log_total[keep] - scale, seen[keep] - scale, scale, kept)
        )
    return moments


def _log(values: np.ndarray) -> np.ndarray:
    """The logarithm; that of 0 is -inf, without a warning."""
    with np.errstate(divide="ignore"):
        return np.log(values)
