"""What a result says of itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dias.learning.certificate.support import NO_OUTCOMES, ApartEffects, Doubt, Support
from dias.learning.data.refusals import Refusals
from dias.learning.noise.estimate import NoiseEstimate
from dias.learning.result import ActionEvidence, LearningResult
from dias.learning.schema import NETWORK
from dias.strips.model import Domain
from dias.traces.record import LabelMode

MISSING = Doubt(("(on ?x2)",), 0.04)
PAIR = ApartEffects(("(on ?x1)", "(not (on ?x2))"), 0, 80, 1e-7)
SURE = ActionEvidence("light", 10, 10, 0, 0)
SUPPORT = Support(NETWORK, 0, (), (), None, Refusals(2), (), NO_OUTCOMES)


def result(*evidence, unobserved=(), noise=None):
    return LearningResult(
        domain=Domain("d"), evidence=evidence, unobserved=unobserved, method="symbolic",
        labels=LabelMode.NAMES, preconditions="safe", seed=0, n_steps=0, n_transitions=0,
        noise=noise,
    )  # fmt: skip


def supported(**changes):
    """The evidence with a support that says something else, too."""
    return replace(SURE, support=replace(SUPPORT, **changes))


def test_the_support_says_what_is_missing_and_what_was_refused():
    assert (SURE.missing, SURE.refusals) == (None, Refusals())
    assert (supported().missing, supported().refusals) == (None, Refusals(2))
    assert supported(missing=MISSING).missing == MISSING
    refused = Refusals(1, 2, 3, (4, 5))
    assert supported(refusals=refused).refusals == refused


@pytest.mark.parametrize(
    ("changes", "is_doubted"),
    [
        ({}, False),
        ({"support": SUPPORT}, False),
        ({"support": replace(SUPPORT, refusals=Refusals(3, 0, 2))}, False),
        ({"apart": (PAIR,)}, True),
        ({"support": replace(SUPPORT, missing=MISSING)}, True),
        ({"support": replace(SUPPORT, weak=(Doubt(("(on ?x1)",), 0.5),))}, True),
        ({"support": replace(SUPPORT, refusals=Refusals(0, 1, 0, (4,)))}, True),
    ],
)
def test_any_doubt_is_one(changes, is_doubted):
    own = replace(SURE, **changes)
    assert own.has_doubts == is_doubted
    assert result(own).is_weak == result(SURE, own, SURE).is_weak == is_doubted
    assert not result().is_weak


def test_sums_over_the_actions():
    some = replace(supported(refusals=Refusals(1, 2, 0, (4, 5))), n_explained=7)
    found = result(SURE, some, replace(some, n_transitions=9))
    assert (found.n_distinct, found.n_explained, found.n_wrongly_allowed) == (29, 24, 4)
    assert (result().n_distinct, result().n_explained, result().n_wrongly_allowed) == (0, 0, 0)


@pytest.mark.parametrize(
    ("n_explained", "n_allowed", "n_tolerated", "fits"),
    [
        (10, 0, None, True),
        (9, 0, None, False),
        (10, 1, None, False),
        (10, 0, 0, True),
        (9, 0, 0, False),
        (9, 0, 1, True),
        (10, 1, 1, True),
        (9, 1, 1, False),
        (8, 1, 3, True),
        (8, 2, 3, False),
    ],
)
def test_noise_accounts_for_so_much(n_explained, n_allowed, n_tolerated, fits):
    own = replace(supported(refusals=Refusals(0, n_allowed)), n_explained=n_explained)
    noise = None if n_tolerated is None else NoiseEstimate(1.0, {}, 0, n_tolerated)
    assert result(own, noise=noise).explains_everything == fits
    assert not result(own, noise=noise, unobserved=("rest",)).explains_everything
