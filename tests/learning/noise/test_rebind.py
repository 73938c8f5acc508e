"""The beam finds the bindings that looking at all of them finds."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from dias.learning.data.coding import examples_by_action
from dias.learning.noise.bind.rebind import Ranked, rank_bindings
from dias.learning.noise.observations import observe
from dias.learning.schema import LiftedAtom
from tests.learning.noise.cases import noisy

SEEN = observe(examples_by_action(noisy("gripper", 4, 30)))
RNG = np.random.default_rng(0)
WEIGHTS = {
    atom: RNG.normal(size=4)
    for atom in (
        LiftedAtom("at", (0, 1)),
        LiftedAtom("carry", (0, 2)),
        LiftedAtom("free", (2,)),
        LiftedAtom("room", (1,)),
        LiftedAtom("eq", (1, 2)),
    )
}


def brute(row):
    """Binding to score, for all injective bindings."""
    found = {}
    for binding in permutations(range(int(SEEN.n_objects[row])), 3):
        one, own = np.array([row]), np.array([binding])
        found[binding] = sum(
            float(table[SEEN.look(one, own, atom)[0]]) for atom, table in WEIGHTS.items()
        )
    return found


@pytest.mark.parametrize("row", [0, 40])
def test_all_bindings_are_ranked_when_the_beam_is_wide(row):
    scores = brute(row)
    ranked = rank_bindings(SEEN, np.array([row]), WEIGHTS, 3, width=len(scores))
    assert ranked.scores[0] == pytest.approx(sorted(scores.values(), reverse=True))
    for binding, score in zip(ranked.bindings[0], ranked.scores[0], strict=True):
        assert scores[tuple(map(int, binding))] == pytest.approx(float(score))
    ratio = np.log(np.mean(np.exp(list(scores.values()))))
    assert ranked.evidence(SEEN.n_objects, 0) == pytest.approx([ratio])
    assert ranked.posterior().sum() == pytest.approx(1)


def test_transitions_do_not_disturb_each_other():
    rows = np.arange(20)
    together = rank_bindings(SEEN, rows, WEIGHTS, 3, width=9)
    for row in rows:
        alone = rank_bindings(SEEN, np.array([row]), WEIGHTS, 3, width=9)
        assert (alone.bindings[0] == together.bindings[row]).all()


def test_a_step_that_no_binding_fits_has_no_share_and_no_evidence():
    """Other steps are what they are without it; numpy has nothing to warn of."""
    scores = np.array([[0.0, -1.0], [-np.inf, -np.inf], [2.0, -np.inf]])
    ranked = Ranked(np.arange(3), np.zeros((3, 2, 1), np.int64), scores)
    with np.errstate(all="raise"):
        share, evidence = ranked.posterior(), ranked.evidence(np.array([4, 4, 2]), 0)
    assert share == pytest.approx(
        np.array([[1, np.exp(-1)], [0, 0], [1, 0]]) / [[1 + np.exp(-1)], [1], [1]]
    )
    assert evidence.tolist() == pytest.approx(
        [np.log((1 + np.exp(-1)) / 4), -np.inf, 2 - np.log(2)]
    )
