"""Reading single pictures: a logistic regression, and which of its classes is which thing."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.linear_model import LogisticRegression

SUREST = 1e-4
"""No single picture makes a thing less likely than this."""
N_TRIES = 4
"""Whole states that are guessed from the pictures of one moment."""


class Reader:
    """A logistic regression on pixels.

    Args:
        pictures: ``[n, D]``.
        labels: ``[n]`` the number of the thing that each shows; each thing occurs.
        weights: ``[n]``; 1 each by default.
    """

    def __init__(
        self, pictures: np.ndarray, labels: np.ndarray, weights: np.ndarray | None = None
    ) -> None:
        self.model = LogisticRegression(max_iter=1000, tol=1e-3).fit(pictures, labels, weights)

    def renamed(self, names: np.ndarray) -> Reader:
        """The same classifier with its classes ``[K]`` called otherwise."""
        self.model.coef_ = self.model.coef_[np.argsort(names)]
        self.model.intercept_ = self.model.intercept_[np.argsort(names)]
        return self

    def accuracy(self, pictures: np.ndarray, labels: np.ndarray) -> float:
        """The share of single pictures that are read right."""
        return float(self.model.score(pictures, labels))

    def probabilities(self, pictures: np.ndarray) -> np.ndarray:
        """``[..., D]`` to ``[..., K]``."""
        rows = pictures.reshape(-1, pictures.shape[-1])
        return self.model.predict_proba(rows).reshape(*pictures.shape[:-1], -1)

    def log_likelihoods(self, pictures: np.ndarray) -> np.ndarray:
        """``[T, P, D]`` to ``[T, P, K]``: log P(thing | picture) - log P(thing), up to a constant.

        P(thing) is the mean over the pictures, so that a thing that the classifier favours is not
        counted twice.
        """
        probs = np.clip(self.probabilities(pictures), SUREST, 1)
        return np.log(probs) - np.log(probs.mean((0, 1)))


def likely_states(
    log_seen: np.ndarray, once: np.ndarray, rng: np.random.Generator, n_tries: int = N_TRIES
) -> np.ndarray:
    """Whole states that keep the one-of groups: ``[T, F, P]``, the likeliest one first.

    The others are the likeliest ones under likelihoods disturbed by Gumbel noise, which is a way of
    drawing likely ones.

    Args:
        log_seen: ``[T, P, K]`` log likelihoods.
        once: ``[K]`` whether a thing is in exactly one place.
        rng: Source of the noise.
        n_tries: F.
    """
    n_states, n_places, _ = log_seen.shape
    found = np.empty((n_states, n_tries, n_places), dtype=np.int64)
    single, several = np.flatnonzero(once), np.flatnonzero(~once)
    for t in range(n_states):
        for attempt in range(n_tries):
            own = log_seen[t]
            if attempt:
                own = own + rng.gumbel(size=own.shape)
            gain = own[:, single]
            if len(several):  # what else the place could show
                found[t, attempt] = several[own[:, several].argmax(1)]
                gain = gain - own[:, several].max(1, keepdims=True)
            place, thing = linear_sum_assignment(gain, maximize=True)
            found[t, attempt, place] = single[thing]
    return found


def names_of_classes(reader: Reader, pictures: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Which thing each class of a reader is, by the labelled pictures: ``[K]``.

    A walk tells things apart but not what they are called: two that are taken for each other from
    end to end explain it as well. One label that looks like another thing is outvoted, since each
    class gets one name.
    """
    n_things = len(reader.model.classes_)
    agreement = np.zeros((n_things, n_things))
    np.add.at(agreement, labels, np.log(np.clip(reader.probabilities(pictures), SUREST, 1)))
    thing, own_class = linear_sum_assignment(agreement, maximize=True)
    names = np.empty(n_things, dtype=np.int64)
    names[own_class] = thing
    return names
