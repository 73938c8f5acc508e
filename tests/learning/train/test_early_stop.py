"""Training on its own ends when nothing changes any more and everything is explained."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dias.config import LearningConfig, ModelConfig, TrainingConfig, paper_training
from dias.learning.learn import learn
from dias.learning.mlp.learn import learn_mlp
from dias.learning.schema import Effects, LiftedAtom, LiftedSchema
from dias.learning.train.early_stop import SAMPLE, Settling, are_explained, schemas_explain
from dias.strips.model import OBJECT
from dias.strips.pddl.writer import format_domain
from dias.traces.record import Segment
from tests.learning.cases import benchmark, sampled
from tests.learning.conditional_cases import nameless, toggle
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
    {"red": 1}, [Segment("", {"a": OBJECT}, facts())], [step(0, "wash", facts(), facts("red a"))]
)


def over_at(settling, schemas, steps, is_explained=True):
    """The step of the first look after which training can end."""
    for number in steps:
        settling.look(schemas, number, lambda: is_explained)
        if settling.is_over:
            return number
    return None


@pytest.mark.parametrize("n_still", [10, 25, 100])
def test_it_waits_until_nothing_has_changed_for_a_while(n_still):
    settling = Settling(n_still)
    assert over_at(settling, (WRONG,), range(10, 210, 10), is_explained=False) is None
    assert over_at(settling, (RIGHT,), range(210, 410, 10)) == 210 + -(-n_still // 10) * 10


def test_what_is_not_explained_is_asked_for_again_a_while_later():
    asked = []
    settling = Settling(20)
    for number in range(10, 200, 10):
        settling.look((RIGHT,), number, lambda step=number: asked.append(step) is not None)
        assert not settling.is_over
    assert asked == [30, 50, 70, 90, 110, 130, 150, 170, 190]
    assert over_at(settling, (RIGHT,), [200, 210]) == 210


def test_a_schema_explains_if_the_next_state_is_a_successor():
    assert schemas_explain((RIGHT,), WASHED)
    assert not schemas_explain((WRONG,), WASHED)
    assert not schemas_explain((RIGHT,), PAINTED)


def test_since_when_the_schemas_are_the_same():
    """A change starts it anew, whether the schemas are equal decides; what is not asked is not."""
    settling, asked = Settling(20), []
    for number, schemas, since in (
        (10, (RIGHT,), 10), (20, (replace(RIGHT),), 10), (29, (RIGHT,), 10), (30, (WRONG,), 30),
        (49, (WRONG,), 30), (50, (WRONG,), 50), (55, (RIGHT,), 55), (70, (RIGHT,), 55),
        (75, (RIGHT,), 75),
    ):  # fmt: skip
        settling.look(schemas, number, lambda n=number: asked.append(n) is not None)
        assert (settling.since, settling.is_over) == (since, False)
    assert asked == [50, 75]
    settling.look((RIGHT,), 95, lambda: True)
    assert settling.state() == (95, True)


def test_a_sample_of_every_action_comes_before_the_rest():
    """Every other of 65 to 128 transitions, and then all, action by action."""
    [step] = WASHED.transitions
    counts = {"wash": 2 * SAMPLE, "dry": SAMPLE + 1, "rest": SAMPLE}
    steps = [
        replace(step, action=action, line=line)
        for line in range(2 * SAMPLE)
        for action, n in counts.items()
        if line < n
    ]
    found, asked = replace(WASHED, transitions=tuple(steps)), []

    def explains(transition, wrong=None):
        asked.append((transition.action, transition.line))
        return asked[-1] != wrong

    assert are_explained(found, explains)
    lines = {"wash": range(0, 2 * SAMPLE, 2), "dry": range(0, SAMPLE + 1, 2), "rest": range(SAMPLE)}
    samples = [(action, line) for action, own in lines.items() for line in own]
    every = [(action, line) for action, n in counts.items() for line in range(n)]
    assert asked == samples + every
    for wrong, n_asked in ((("dry", 2), SAMPLE + 2), (("wash", 1), len(samples) + 2)):
        asked.clear()
        assert not are_explained(found, lambda t, wrong=wrong: explains(t, wrong))
        assert len(asked) == n_asked


def test_one_wrong_transition_is_enough():
    both = replace(WASHED, transitions=(*WASHED.transitions, *PAINTED.transitions))
    assert not schemas_explain((RIGHT,), both)
    assert schemas_explain((), both)
    # That the action is applicable is not enough.
    idle = replace(RIGHT, effects=Effects(1, (), ()))
    assert not schemas_explain((idle,), WASHED)


def test_actions_that_nothing_was_learned_of_have_no_say():
    other = replace(
        PAINTED, transitions=tuple(replace(t, action="paint") for t in PAINTED.transitions)
    )
    assert schemas_explain((RIGHT,), other)


def test_validation_transitions_have_a_say(gripper):
    domain, [training] = benchmark("gripper", "p01")
    strange = _without_states(sampled(domain, [training], 5))
    assert learn(gripper, CONFIG, validation=gripper).n_steps < N_STEPS
    assert learn(gripper, CONFIG, validation=strange).n_steps == N_STEPS


def test_going_on_is_as_if_it_had_not_stopped():
    settling, other = Settling(20), Settling(20)
    settling.look((RIGHT,), 10, lambda: True)
    other.go_on((RIGHT,), settling.state())
    assert over_at(other, (RIGHT,), [20, 30, 40]) == 30
    again = Settling(20)
    again.go_on((RIGHT,), other.state())
    assert (again.since, again.is_over) == (30, True)
    late = Settling(20)
    late.go_on((RIGHT,), (15, False))
    assert over_at(late, (RIGHT,), [30, 34, 35]) == 35


def _without_states(traces):
    """The same with nothing true before each step: nothing that is deleted can be explained."""
    emptied = (replace(t, state=frozenset()) for t in traces.transitions)
    return replace(traces, transitions=tuple(emptied))


@pytest.fixture(scope="module")
def gripper():
    domain, [training] = benchmark("gripper", "p01")
    return sampled(domain, [training], 40)


N_STEPS = 100
CONFIG = LearningConfig(
    method="neural",
    restarts=1,
    check_every=10,
    model=ModelConfig(3, 16, 3, start="undecided"),
    training=TrainingConfig(N_STEPS, 20, learning_rate=6e-2, tau_steps=25),
)


@pytest.fixture(scope="module")
def settled(gripper):
    return learn(gripper, CONFIG)


def test_a_network_that_has_settled_is_trained_no_further(gripper, settled):
    assert settled.n_steps < N_STEPS
    assert settled.explains_everything
    short = replace(CONFIG, training=replace(CONFIG.training, n_steps=20))
    assert learn(gripper, short).n_steps == 20
    whole = replace(CONFIG, training=replace(CONFIG.training, early_stop=False))
    assert learn(gripper, whole).n_steps == N_STEPS


def test_a_stopped_run_ends_where_the_unbroken_one_does(gripper, settled, tmp_path):
    class StoppedError(Exception):
        pass

    def stop(progress):
        if progress.step in (10, settled.n_steps - 10, settled.n_steps):
            raise StoppedError

    for _ in range(3):
        with pytest.raises(StoppedError):
            learn(gripper, CONFIG, stop, tmp_path / "run.ckpt")
    resumed = learn(gripper, CONFIG, stop, tmp_path / "run.ckpt")
    assert resumed.n_steps == settled.n_steps
    assert format_domain(resumed.domain) == format_domain(settled.domain)


def test_with_state_dependent_effects_it_ends_early_too(tmp_path):
    lamps = nameless(*toggle())
    training = TrainingConfig(50, 40, learning_rate=4e-2, tau_steps=10, alpha=0.3)
    config = replace(CONFIG, effects="mlp", training=training)
    _, whole = learn_mlp(lamps, config)
    assert whole.n_steps < 50
    assert whole.explains_everything

    def stop(progress):
        if progress.step in (10, whole.n_steps):
            raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            learn_mlp(lamps, config, stop, tmp_path / "run.ckpt")
    _, resumed = learn_mlp(lamps, config, stop, tmp_path / "run.ckpt")
    assert resumed.n_steps == whole.n_steps
    to_the_end = replace(config, training=replace(config.training, early_stop=False))
    assert learn_mlp(lamps, to_the_end)[1].n_steps == 50
    _, watched = learn_mlp(lamps, config, validation=_without_states(lamps))
    assert watched.n_steps == 50


def test_the_paper_trains_to_the_end():
    assert not paper_training().early_stop
    assert TrainingConfig().early_stop
