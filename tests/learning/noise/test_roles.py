"""The role of an atom is told from its two sightings."""

from __future__ import annotations

import numpy as np
import pytest

from dias.learning.noise.bind.roles import ROLES, FlipRates, distribution, judge, sightings

RATES = FlipRates(lost=0.08, invented=0.02)
BACKGROUND = np.array([0.8, 0.02, 0.02, 0.16])


def test_sightings_against_a_double_loop():
    table = sightings(RATES)
    for true in range(4):
        for seen in range(4):
            chance = 1.0
            for is_true, is_seen in ((true >> 1, seen >> 1), (true & 1, seen & 1)):
                right = 1 - (RATES.lost if is_true else RATES.invented)
                chance *= right if is_true == is_seen else 1 - right
            assert table[true, seen] == pytest.approx(chance)
    assert table.sum(1) == pytest.approx(np.ones(4))


@pytest.mark.parametrize("n", [150, 1000])
@pytest.mark.parametrize("role", [r for r in ROLES if r.name != "unclear"], ids=lambda r: r.name)
def test_planted_roles_are_recognised(role, n):
    mixture = np.array([0.6, 0.4])[: len(role.truths)]
    mixture = mixture / mixture.sum()
    counts = np.random.default_rng(5).multinomial(n, distribution(role, mixture, RATES))
    (verdict,) = judge(counts[None].astype(float), [RATES], BACKGROUND[None], [ROLES], 6.0)
    assert verdict.role == role
    assert verdict.mixture == pytest.approx(mixture, abs=0.12)


def test_a_true_violation_is_told_from_flips():
    """A literal that fails in one step of twenty is no precondition, whatever the noise."""
    counts = 1000 * distribution(ROLES[2], np.array([0.05, 0.95]), RATES)
    (verdict,) = judge(counts[None], [RATES], BACKGROUND[None], [ROLES], 6.0)
    assert verdict.role.requires is None


def test_no_atom_at_all():
    assert judge(np.zeros((0, 4)), [], np.zeros((0, 4)), [], 1.0) == []
