"""What a result says of itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dias.learning.certificate.support import ApartEffects, Doubt, Support
from dias.learning.data.refusals import Refusals
from dias.learning.noise.estimate import NoiseEstimate
from dias.learning.result import ActionEvidence, LearningResult
from dias.learning.schema import NETWORK
from dias.strips.model import Domain
from dias.traces.record import LabelMode

MISSING = Doubt(("(on ?x2)",), 0.04)
PAIR = ApartEffects(("(on ?x1)", "(not (on ?x2))"), 0, 80, 1e-7)
SURE = ActionEvidence("light", 10, 10, 0, 0)
SUPPORT = Support(NETWORK, 0, (), (), None, Refusals(2), (), 1, 1, 1)


def result(*evidence, unobserved=(), noise=None):
    return LearningResult(
        domain=Domain("d"), evidence=evidence, unobserved=unobserved, method="symbolic",
        labels=LabelMode.NAMES, preconditions="safe", seed=0, n_steps=0, n_transitions=0,
        noise=noise,
    )  # fmt: skip


def test_what_the_support_says_counts_where_there_is_one():
    other = Doubt(("(on ?x3)",), 0.03)
    assert SURE.missing is None
    assert replace(SURE, suspected=MISSING).missing == MISSING
    assert replace(SURE, suspected=MISSING, support=SUPPORT).missing is None
    supported = replace(SUPPORT, missing=other)
    assert replace(SURE, suspected=MISSING, support=supported).missing == other
    refused = Refusals(1, 2, 3, (4, 5))
    assert SURE.refusals == Refusals()
    assert replace(SURE, refused=refused).refusals == refused
    assert replace(SURE, refused=refused, support=SUPPORT).refusals == Refusals(2)


@pytest.mark.parametrize(
    ("changes", "is_doubted"),
    [
        ({}, False),
        ({"support": SUPPORT}, False),
        ({"refused": Refusals(3, 0, 2)}, False),
        ({"refused": Refusals(0, 1, 0, (4,))}, True),
        ({"suspected": MISSING}, True),
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
    some = replace(SURE, n_explained=7, refused=Refusals(1, 2, 0, (4, 5)))
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
    own = replace(SURE, n_explained=n_explained, refused=Refusals(0, n_allowed))
    noise = None if n_tolerated is None else NoiseEstimate(1.0, {}, 0, n_tolerated)
    assert result(own, noise=noise).explains_everything == fits
    assert not result(own, noise=noise, unobserved=("rest",)).explains_everything
