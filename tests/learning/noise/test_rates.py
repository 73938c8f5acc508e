"""Flip rates come out as they were planted."""

from __future__ import annotations

import pytest

from dias.learning.data.transitions import examples_by_action
from dias.learning.noise.learner import Righted
from dias.learning.noise.observations import observe
from dias.learning.noise.rates import ceilings, halves
from dias.learning.schema import LiftedSchema
from tests.learning.noise.cases import noisy, with_missing_atoms


def test_the_limits_hold_for_atoms_that_are_only_lost():
    """All disagreements are of lost atoms then, and the limit is little above the rate."""
    seen = observe(examples_by_action(with_missing_atoms(noisy("miconic", 0), 0.05)))
    # Each `board` and `unboard` changes one atom of in_lift, the moves none.
    n_changes = len(seen.actions["board"]) + len(seen.actions["unboard"])
    limit = ceilings(seen, {"in_lift": 0.95 * n_changes})["in_lift"]
    assert 0.05 < limit.lost < 0.1
    assert halves({"in_lift": limit})["in_lift"].lost == pytest.approx(limit.lost / 2)


@pytest.mark.parametrize("share", [0.03, 0.1])
def test_lost_atoms(share):
    traces = with_missing_atoms(noisy("miconic", 0), share)
    righted = Righted(traces, examples_by_action(traces))
    schemas = [LiftedSchema(name, own, own.n_variables) for name, own in righted.effects.items()]
    noise = righted.judge(schemas).noise
    for relation in ("in_lift", "in_floor", "lift_pos"):
        assert noise.relations[relation].lost == pytest.approx(share, rel=0.5)
        assert noise.relations[relation].invented < 0.004
