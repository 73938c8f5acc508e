"""Training on its own ends when nothing changes any more and everything is explained."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dias.config import LearningConfig, ModelConfig, TrainingConfig, paper_training
from dias.learning.bindings import Effects
from dias.learning.certify import LiftedSchema
from dias.learning.early_stop import Settling
from dias.learning.examples import LiftedAtom
from dias.learning.pipeline import learn
from dias.strips.model import OBJECT
from dias.strips.writer import format_domain
from dias.traces.record import Segment
from tests.learning.cases import benchmark, sampled
from tests.nn.cases import facts, step, traces

RED = LiftedAtom("red", (0,))
RIGHT = LiftedSchema("wash", Effects(1, (), (RED,)), 1, positive=(RED,))
WRONG = replace(RIGHT, positive=(), negative=(RED,))
WASHED = traces(
    {"red": 1},
    [Segment("", {"a": OBJECT, "b": OBJECT}, facts())],
    [step(0, "wash", facts("red a", "red b"), facts("red b"))],
)
PAINTED = traces(
    {"red": 1},
    [Segment("", {"a": OBJECT}, facts())],
    [step(0, "wash", facts(), facts("red a"))],
)


def over_at(settling, schemas, steps):
    """The step of the first look after which training can end."""
    for number in steps:
        settling.look(schemas, number)
        if settling.is_over:
            return number
    return None


@pytest.mark.parametrize("n_still", [10, 25, 100])
def test_it_waits_until_nothing_has_changed_for_a_while(n_still):
    settling = Settling([WASHED], n_still)
    assert over_at(settling, (WRONG,), range(10, 210, 10)) is None
    assert over_at(settling, (RIGHT,), range(210, 410, 10)) == 210 + -(-n_still // 10) * 10


def test_what_is_not_explained_does_not_end_it():
    assert over_at(Settling([WASHED], 20), (WRONG,), range(10, 200, 10)) is None


def test_validation_transitions_have_a_say():
    assert over_at(Settling([WASHED, WASHED], 20), (RIGHT,), range(10, 200, 10)) == 30
    assert over_at(Settling([WASHED, PAINTED], 20), (RIGHT,), range(10, 200, 10)) is None


def test_validation_transitions_of_actions_that_nothing_was_learned_of_have_none():
    other = replace(
        PAINTED, transitions=tuple(replace(t, action="paint") for t in PAINTED.transitions)
    )
    assert over_at(Settling([WASHED, other], 20), (RIGHT,), range(10, 200, 10)) == 30


def test_going_on_looks_once_more():
    settling = Settling([WASHED], 20)
    settling.go_on((RIGHT,), 10, 30)
    assert settling.is_over
    settling = Settling([WASHED], 20)
    settling.go_on((RIGHT,), 20, 30)
    assert over_at(settling, (RIGHT,), [40]) == 40


@pytest.fixture(scope="module")
def gripper():
    domain, [training] = benchmark("gripper", "p01")
    return sampled(domain, [training], 40)


CONFIG = LearningConfig(
    method="neural",
    check_every=10,
    model=ModelConfig(3, 16, 3),
    training=TrainingConfig(400, 40, tau_steps=50),
)


def test_a_network_that_has_settled_is_trained_no_further(gripper):
    result = learn(gripper, CONFIG)
    assert result.n_steps < 400
    assert result.explains_everything
    short = replace(CONFIG, training=replace(CONFIG.training, n_steps=20))
    assert learn(gripper, short).n_steps == 20
    whole = replace(CONFIG, training=replace(CONFIG.training, early_stop=False))
    assert learn(gripper, whole).n_steps == 400


def test_a_stopped_run_ends_where_the_unbroken_one_does(gripper, tmp_path):
    whole = learn(gripper, CONFIG)

    class StoppedError(Exception):
        pass

    def stop(progress):
        if progress.step in (10, whole.n_steps - 10, whole.n_steps):
            raise StoppedError

    for _ in range(3):
        with pytest.raises(StoppedError):
            learn(gripper, CONFIG, stop, tmp_path / "run.ckpt")
    resumed = learn(gripper, CONFIG, stop, tmp_path / "run.ckpt")
    assert resumed.n_steps == whole.n_steps
    assert format_domain(resumed.domain) == format_domain(whole.domain)


def test_the_paper_trains_to_the_end():
    assert not paper_training().early_stop
    assert TrainingConfig().early_stop
