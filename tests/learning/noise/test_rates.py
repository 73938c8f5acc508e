"""Flip rates come out as they were planted; signs of noise that is none, and of what it feigns."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from dias.learning.data.coding import examples_by_action
from dias.learning.noise.bind.roles import ADDED_ANYWAY, DELETED_ANYWAY, Judgement
from dias.learning.noise.dispersion import dispersion
from dias.learning.noise.feigned import feigned
from dias.learning.noise.learner import Righted
from dias.learning.noise.observations import observe
from dias.learning.noise.rates import ceilings, halves
from dias.learning.schema import LiftedSchema
from tests.learning.cases import literals
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


KNOWS, SEEN = literals("knows 0 1", "seen 1")


def bound_to(counts, n_steps=100):
    """An action of so many steps, with its effects' roles and how often each pair was seen."""
    verdicts = {
        atom: Judgement(role, np.ones(len(role.truths))) for atom, (role, _) in counts.items()
    }
    own = {atom: np.array(pairs, dtype=float) for atom, (_, pairs) in counts.items()}
    action = SimpleNamespace(verdicts=verdicts, rows=np.arange(n_steps))
    return SimpleNamespace(action=action, counts=own)


@pytest.mark.parametrize("is_add", [True, False])
def test_changes_that_noise_may_have_made_are_counted_by_the_opposite_ones(is_add):
    """Of a hundred steps half show the effect; noise makes twenty of the opposite changes."""
    role = ADDED_ANYWAY if is_add else DELETED_ANYWAY

    def found(n_shown, n_opposite, n_steps=100):
        rest = n_steps - n_shown
        pairs = (0, n_shown, 0, rest) if is_add else (rest, 0, n_shown, 0)
        totals = [0, n_shown + 7, n_opposite, 0] if is_add else [0, n_opposite, n_shown + 7, 0]
        bound = bound_to({KNOWS: (role, pairs)}, n_steps)
        return feigned(bound, {"knows": np.array(totals), "seen": np.array([0, 90, 90, 0])})

    assert found(50, 20) == ("knows", 10)
    assert found(80, 30) == ("knows", 6)
    assert found(50, 10) is None  # five of a hundred may be odd
    assert found(100, 90) is None  # each step shows its own
    assert found(20, 30, 39) is None  # too few to tell


def test_what_another_effect_accounts_for_is_no_noise_and_the_worst_effect_counts():
    """Twenty of the thirty that go are deleted by the action; `seen` comes and goes by noise."""
    other = literals("knows 1 0")[0]
    counts = {
        KNOWS: (ADDED_ANYWAY, (0, 50, 0, 50)),
        other: (DELETED_ANYWAY, (80, 0, 20, 0)),
        SEEN: (ADDED_ANYWAY, (0, 10, 0, 90)),
    }
    totals = {"knows": np.array([0, 50, 30, 0]), "seen": np.array([0, 20, 10, 0])}
    assert feigned(bound_to(counts), totals) == ("seen", 9)
    del counts[SEEN]
    assert feigned(bound_to(counts), totals) is None


def test_dispersion_is_variance_over_mean_within_problems():
    """Steps of two problems, 0, 2, 0, 2 and 5, 5 wrong atoms; one whose binding is in doubt."""
    n_wrong = {0: (0, 0), 1: (1, 1), 2: (0, 0), 3: (2, 0), 4: (3, 2), 5: (0, 5), 6: (9, 9)}
    steps = [
        SimpleNamespace(state=frozenset(range(before)), next_state=frozenset(range(after)))
        for before, after in n_wrong.values()
    ]
    right = [SimpleNamespace(state=frozenset(), next_state=frozenset()) for _ in steps]
    seen = SimpleNamespace(examples=steps, segment=np.array([0, 0, 0, 0, 1, 1, 1]))
    bound = SimpleNamespace(
        action=SimpleNamespace(rows=np.arange(7)), sure_bindings=lambda: (np.arange(6), None)
    )
    assert dispersion(seen, {"act": bound}, {"act": right}) == pytest.approx(4 / 14)
    assert dispersion(seen, {"act": bound}, {"act": steps}) == 1.0
