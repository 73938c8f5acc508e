"""Three ways from pictures to a domain, given few labelled pictures.

``apart``: the classifier reads, `dias.learn` learns from what it read. ``denoised``: what was read
is put right by how states follow one another, the classifier is trained on that, and so on; first
by the one-of groups and inertia alone, then by the learned domain. ``together``: the classifier and
the schemas are trained as one network (`together`).
"""

from __future__ import annotations

import logging
from typing import NamedTuple

import numpy as np

import dias
from dias.config import LearningConfig
from dias.errors import TimeLimitError, TraceError
from dias.learning.result import LearningResult
from dias.limits import Limits, OutOfTimeError
from examples.pictures.denoise import DomainDynamics
from examples.pictures.reader import Reader, likely_states, names_of_classes
from examples.pictures.walk import Dynamics, Exchanges, Walked, forward_backward
from examples.pictures.world import World

log = logging.getLogger(__name__)

MAX_ROUNDS = 8
"""Rounds of self-training before a domain is learned, at most."""
DOMAIN_ROUNDS = 3
"""Rounds of self-training with the learned domain."""
SETTLED = 1e-3
"""Share of the pictures whose reading a round may change for it to be the last one."""
FREE_ROUNDS = 2
"""Rounds in which `Exchanges` are fitted to what a classifier reads."""
N_KEPT = 50
"""States of which it is looked at whether what may follow them keeps the groups."""
TIME_LIMIT_S = 60.0
"""For each call of `dias.learn`, and for the check of its domain."""


class Seen(NamedTuple):
    """All that learning is given.

    Attributes:
        pictures: ``[T, P, D]`` of a walk.
        actions: ``[T - 1]`` numbers of the action names.
        labelled: ``[n, D]`` single pictures, and
        labels: ``[n]`` what they show.
    """

    pictures: np.ndarray
    actions: np.ndarray
    labelled: np.ndarray
    labels: np.ndarray


class Learned(NamedTuple):
    """What comes of it.

    Attributes:
        reader: The classifier.
        states: ``[T, P]`` the states of the walk as they were read in the end.
        result: What `dias.learn` says of these; None if it found nothing to learn from.
    """

    reader: Reader
    states: np.ndarray
    result: LearningResult | None

    @property
    def explains_everything(self) -> bool:
        """Whether `dias learn` would end with status 0."""
        return self.result is not None and self.result.explains_everything


def apart(world: World, seen: Seen) -> Learned:
    """The classifier, then `dias.learn`."""
    reader = Reader(seen.labelled, seen.labels)
    return learned_from(world, seen, reader, reader.probabilities(seen.pictures).argmax(2))


def denoised(world: World, seen: Seen, rng: np.random.Generator) -> Learned:
    """Self-training on denoised states."""
    reader, exchanges = Reader(seen.labelled, seen.labels), exchanges_of(world)
    before = np.full(seen.pictures.shape[:2], -1)
    for _ in range(MAX_ROUNDS):
        reader, walked = retrained(world, seen, reader, exchanges, rng)
        exchanges.refit()
        log.info("by exchanges: log-likelihood %.0f", walked.log_likelihood)
        if (walked.best != before).mean() < SETTLED:
            break
        before = walked.best
    learned = learned_from(world, seen, reader, walked.best)
    if learned.result is None:
        return learned
    dynamics = DomainDynamics(world, learned.result.domain)
    for _ in range(DOMAIN_ROUNDS):
        reader, walked = retrained(world, seen, reader, dynamics, rng)
        log.info("by the domain: %.0f, %.1f jumps", walked.log_likelihood, walked.n_jumps)
    return learned_from(world, seen, reader, walked.best)


def is_borne_out(world: World, seen: Seen, learned: Learned, rng: np.random.Generator) -> bool:
    """Whether the learned domain makes the pictures likelier than exchanges fitted to the walk do.

    That a domain explains states says little where these were put right by it, or where misreadings
    are explained along with the rest. Pictures are what was seen. And a domain that leads from
    states that keep the one-of groups to others has taken misreadings for what actions do.
    """
    if learned.result is None:
        return False
    log_seen = learned.reader.log_likelihoods(seen.pictures)
    fresh = likely_states(log_seen, world.once, rng)
    exchanges = exchanges_of(world)
    for _ in range(FREE_ROUNDS):
        forward_backward(log_seen, seen.actions, exchanges, fresh)
        exchanges.refit()
    free = forward_backward(log_seen, seen.actions, exchanges, fresh)
    dynamics = DomainDynamics(world, learned.result.domain, Limits(TIME_LIMIT_S).check)
    try:
        if not keeps_groups(world, dynamics, fresh[:: max(1, len(fresh) // N_KEPT), 0]):
            return False
        bound = forward_backward(log_seen, seen.actions, dynamics, fresh)
    except OutOfTimeError:  # a domain that allows next to everything
        return False
    log.info("domain %.0f, exchanges %.0f", bound.log_likelihood, free.log_likelihood)
    return bound.log_likelihood > free.log_likelihood


def keeps_groups(world: World, dynamics: Dynamics, states: np.ndarray) -> bool:
    """Whether all that may follow ``[W, P]`` states has each thing once that is in them once."""
    single = np.flatnonzero(world.once)
    for action in range(len(world.actions)):
        child = dynamics.ways(states, action).child
        if ((child[:, :, None] == single).sum(1) != 1).any():
            return False
    return True


def exchanges_of(world: World) -> Exchanges:
    """What is known before anything is learned."""
    return Exchanges(len(world.actions), len(world.places))


def retrained(
    world: World, seen: Seen, reader: Reader, dynamics: Dynamics, rng: np.random.Generator
) -> tuple[Reader, Walked]:
    """The classifier that is trained on the states as they most likely were, and these."""
    log_seen = reader.log_likelihoods(seen.pictures)
    fresh = likely_states(log_seen, world.once, rng)
    walked = forward_backward(log_seen, seen.actions, dynamics, fresh)
    classes, weights = walked.marginals.argmax(2).ravel(), walked.marginals.max(2).ravel()
    reader = Reader(seen.pictures.reshape(len(classes), -1), classes, weights)
    names = names_of_classes(reader, seen.labelled, seen.labels)
    return reader.renamed(names), walked._replace(best=names[walked.best])


def learned_from(world: World, seen: Seen, reader: Reader, states: np.ndarray) -> Learned:
    """What `dias.learn` makes of states."""
    config = LearningConfig(method="symbolic", time_limit_s=TIME_LIMIT_S)
    try:
        return Learned(reader, states, dias.learn(world.traces(states, seen.actions), config))
    except (TraceError, TimeLimitError):  # nothing ever changes, or no effects were found in time
        return Learned(reader, states, None)
