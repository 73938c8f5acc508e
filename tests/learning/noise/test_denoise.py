"""Steps are put right with the help of the schemas."""

from __future__ import annotations

from dataclasses import replace

from dias.learning.data.transitions import examples_by_action
from dias.learning.noise.learner import learn_with_noise
from tests.learning.noise.cases import noisy


def test_most_wrong_sightings_are_put_right():
    """The corrected states differ far less from the true ones than the observed do."""
    exact, seen = noisy("gripper", 0), noisy("gripper", 4)
    static = exact.segments[0].static

    def n_differences(state, true_state):
        return len(state ^ (true_state | static))

    true = {t.line: t for t in exact.transitions}
    # Every step is one line in both files; repeats of the exact ones are not kept apart.
    assert len(seen.transitions) >= len(true)
    corrected = learn_with_noise(seen, examples_by_action(seen)).traces
    pairs = [(t, true[t.line]) for t in corrected.transitions if t.line in true]
    observed = {t.line: t for t in seen.transitions}
    assert len(pairs) > 200

    def n_wrong(steps):
        return sum(
            len(step.state ^ (right.state | static))
            + len(step.next_state ^ (right.next_state | static))
            for step, right in steps
        )

    before = n_wrong([(observed[t.line], right) for t, right in pairs])
    assert before / len(pairs) > 3
    assert n_wrong(pairs) < 0.15 * before
    assert all(t.action == right.action for t, right in pairs)
    assert replace(corrected, transitions=()) == replace(seen, transitions=())
