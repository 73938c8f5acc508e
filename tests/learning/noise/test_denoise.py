"""Steps are put right with the help of the effects; those that are in doubt are left out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dias.learning.data.coding import examples_by_action
from dias.learning.noise.bind.binding import ActionRoles, BoundAction
from dias.learning.noise.bind.rebind import Ranked
from dias.learning.noise.bind.roles import ADDED, ADDED_ANYWAY, Judgement
from dias.learning.noise.denoise import sure
from dias.learning.noise.learner import Righted
from dias.learning.score import MAX_SHARE
from dias.strips.codes import AtomCodes
from tests.learning.cases import example, ground, literals
from tests.learning.noise.cases import noisy
from tests.traces.files import atoms


def test_most_wrong_sightings_are_put_right():
    """The corrected states differ far less from the true ones than the observed do."""
    exact, seen = noisy("gripper", 0), noisy("gripper", 4)
    static = exact.segments[0].static

    def n_differences(state, true_state):
        return len(state ^ (true_state | static))

    true = {t.line: t for t in exact.transitions}
    # Every step is one line in both files; repeats of the exact ones are not kept apart.
    assert len(seen.transitions) >= len(true)
    corrected = Righted(seen, examples_by_action(seen)).traces
    pairs = [(t, true[t.line]) for t in corrected.transitions if t.line in true]
    observed = {t.line: t for t in seen.transitions}
    assert len(pairs) > 200

    def n_wrong(steps):
        return sum(
            n_differences(step.state, right.state)
            + n_differences(step.next_state, right.next_state)
            for step, right in steps
        )

    before = n_wrong([(observed[t.line], right) for t, right in pairs])
    assert before / len(pairs) > 3
    assert n_wrong(pairs) < 0.02 * before
    assert all(t.action == right.action for t, right in pairs)
    assert replace(corrected, transitions=()) == replace(seen, transitions=())


CODES = AtomCodes({"on": 1, "by": 2}, ["a", "b", "c"])
A, B, C = range(3)


def kept(step, bindings, shares, added=("on 0",), role=ADDED, constants=()):
    """Whether the step, as it was put right, is one that could not have been otherwise.

    It comes after one that is: where none is sure all of them stay.
    """
    first = [ground(atom, bindings[0], CODES) for atom in literals(*added)]
    bindings = np.array([bindings] * 2)
    verdicts = {x: Judgement(role, np.ones(1)) for x in literals(*added)}
    action = ActionRoles("act", np.arange(2), 0, bindings.shape[2], frozenset(verdicts), verdicts)
    sure_of_first = [1 - 1e-9, *[1e-9] * (len(shares) - 1)]
    ranked = Ranked(action.rows, bindings, np.log([sure_of_first, shares]))
    bound = BoundAction(action, ranked, {}, np.zeros(2), np.ones(2, bool))
    before, after = (atoms(*filter(None, text.split(", "))) for text in step)
    pairs = ((), first), (before, after)
    other, own = (replace(example(CODES, *pair), constants=constants) for pair in pairs)
    found = sure([other, own], bound)
    assert found[0] is other and (found[1:] in ([own], []))
    return len(found) == 2


def test_a_step_of_which_two_changes_may_be_the_real_one_is_left_out():
    """One of them was taken for it, and the other one put right."""
    step = ("", "on a")
    assert kept(step, [[A]], [1.0])
    assert not kept(step, [[A], [B]], [0.5, 0.5])
    # It is one of two, and of the other one there is no doubt.
    assert not kept(step, [[A], [B]], [0.9 - 1e-6, 2 * MAX_SHARE + 1e-6])
    assert kept(step, [[A], [B]], [0.9 + 1e-6, 2 * MAX_SHARE - 1e-6])
    # It is what was corrected to that counts, not the likeliest binding alone.
    assert not kept(("", "on b"), [[A], [B]], [0.99, 0.01])
    assert kept(("", "on b"), [[A], [B]], [0.01, 0.99])


def test_a_step_that_all_its_bindings_explain_stays():
    """Either of the two may be the first; or what was put on was on before, like others."""
    both = ("by 0 1", "by 1 0")
    assert kept(("", "by a b, by b a"), [[A, B], [B, A]], [0.5, 0.5], both)
    assert not kept(("", "by a b, by b a"), [[A, B], [B, A], [A, C]], [0.4, 0.4, 0.2], both)
    idle = ("on a, on b", "on a, on b")
    assert kept(idle, [[A], [B]], [0.5, 0.5], role=ADDED_ANYWAY)
    assert not kept(idle, [[A], [B], [C]], [0.4, 0.4, 0.2], role=ADDED_ANYWAY)


def test_a_step_that_nothing_explains_is_left_out():
    assert not kept(("", "on a, on b"), [[A]], [1.0])
    assert not kept(("", ""), [[A]], [1.0])


@pytest.mark.parametrize("constants", [(), (C,), (C, A)])
def test_constants_come_before_the_variables(constants):
    assert kept(("", "on a"), [[A], [B]], [0.96, 0.04], constants=constants)
    assert not kept(("", "on b"), [[A], [B]], [0.96, 0.04], constants=constants)


def test_each_step_is_judged_by_its_own_bindings():
    """The second of three is in doubt."""
    verdicts = {literals("on 0")[0]: Judgement(ADDED, np.ones(1))}
    action = ActionRoles("act", np.arange(3), 0, 1, frozenset(verdicts), verdicts)
    ranked = Ranked(
        action.rows, np.array([[[A], [B]]] * 3), np.log([[0.99, 0.01], [0.6, 0.4], [0.99, 0.01]])
    )
    bound = BoundAction(action, ranked, {}, np.zeros(3), np.ones(3, bool))
    steps = [example(CODES, (), atoms("on a")) for _ in range(3)]
    found = sure(steps, bound)
    assert [any(one is own for one in found) for own in steps] == [True, False, True]


@pytest.mark.parametrize("n_sure", [10, 14, 40, 200])
def test_of_doubtful_ones_the_likeliest_stay_as_long_as_few_are_expected_to_be_wrong(n_sure):
    """Those that are rather wrong go, however many are sure."""
    verdicts = {literals("on 0")[0]: Judgement(ADDED, np.ones(1))}
    shares = [0.45, *[0.8] * 5, *[1 - 1e-9] * n_sure, 0.7]
    action = ActionRoles("act", np.arange(len(shares)), 0, 1, frozenset(verdicts), verdicts)
    scores = np.log([[own, 1 - own] for own in shares])
    ranked = Ranked(action.rows, np.array([[[A], [B]]] * len(shares)), scores)
    bound = BoundAction(action, ranked, {}, np.zeros(len(shares)), np.ones(len(shares), bool))
    steps = [example(CODES, (), atoms("on a")) for _ in shares]
    found = sure(steps, bound)
    n_likely = len(found) - n_sure
    wrong = [0.2] * 5 + [0.3]
    fitting = [n for n in range(7) if sum(wrong[:n]) <= MAX_SHARE * (n_sure + n) + 1e-6]
    assert n_likely == max(fitting) and 1 < n_likely <= 6
    assert all(one is not steps[0] for one in found)
    assert any(one is steps[-1] for one in found) == (n_likely == 6)


def test_where_no_step_is_sure_all_of_them_stay():
    """Then there is nothing better to learn from."""
    verdicts = {literals("on 0")[0]: Judgement(ADDED, np.ones(1))}
    action = ActionRoles("act", np.arange(3), 0, 1, frozenset(verdicts), verdicts)
    steps = [example(CODES, (), atoms(*own)) for own in (["on a"], ["on b"], ["on c"])]
    for shares, n_left in (([0.6, 0.4], 3), ([0.96, 0.04], 1)):
        shares = np.log([[0.6, 0.4], shares, [0.6, 0.4]])
        ranked = Ranked(action.rows, np.array([[[A], [B]], [[B], [A]], [[C], [A]]]), shares)
        bound = BoundAction(action, ranked, {}, np.zeros(3), np.ones(3, bool))
        found = sure(steps, bound)
        assert found == (steps if n_left == 3 else steps[1:2])
    assert sure([], replace(bound, ranked=Ranked(*(part[:0] for part in ranked)))) == []
