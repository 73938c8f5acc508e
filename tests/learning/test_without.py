"""What is lost when a part of the method is left out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dias.config import PARTS, LearningConfig, ModelConfig, TrainingConfig
from dias.errors import CheckpointError
from dias.learning.data.coding import examples_by_action
from dias.learning.extend.variables import complete
from dias.learning.learn import learn
from dias.learning.schema import Effects
from dias.traces.record import LabelMode
from tests.learning.cases import benchmark, literals, sampled
from tests.learning.propose.test_repair import RARELY_WARM, TRUE, repair, switches

SYMBOLIC = LearningConfig(method="symbolic")


def test_without_extra_variables_the_city_is_not_found():
    domain, [training] = benchmark("logistics", "p01")
    traces = sampled(domain, [training], 30)
    assert learn(traces, SYMBOLIC).domain.action("drive").arity == 4
    result = learn(traces, replace(SYMBOLIC, without=("extra-variables",)))
    assert result.domain.action("drive").arity == 3
    assert result.explains_everything
    assert result.without == ("extra-variables",)


def test_without_minimal_effects_idle_ones_stay():
    domain, [training] = benchmark("gripper", "p01")
    traces = sampled(domain, [training], 30)
    group = examples_by_action(traces)["move"]
    idle = Effects(3, literals("at-robby 0", "ball 2"), literals("at-robby 1"))
    assert complete(idle, group, traces).effects.add == literals("at-robby 0")
    kept = complete(idle, group, traces, ["minimal-effects"])
    assert kept.effects == idle


def test_without_repair_a_proposal_is_only_counted():
    group = switches(*RARELY_WARM)
    proposal = Effects(1, literals("on 0"), literals("ready 0"))
    assert repair(proposal, group, 0) == (proposal, 19)
    assert repair(proposal, group) == (TRUE, 20)


def test_without_the_fallback_what_training_left_stays_unexplained():
    domain, [training] = benchmark("gripper", "p01")
    traces = sampled(domain, [training], 30)
    config = LearningConfig(
        restarts=1, check_every=1, model=ModelConfig(3, 8, 2), training=TrainingConfig(1, 20)
    )
    assert learn(traces, config).explains_everything
    assert not learn(traces, replace(config, without=("fallback",))).explains_everything


def test_nothing_is_left_out_where_all_arguments_are_given():
    domain, [training] = benchmark("gripper", "p01")
    traces = sampled(domain, [training], 20, LabelMode.FULL)
    result = learn(traces, LearningConfig(without=PARTS))
    assert result.without == ()
    assert result.domain == learn(traces).domain


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"without": ("magic",)}, "magic is none of extra-variables, "),
        ({"without": ("repair",), "method": "neural"}, "neural method has none"),
        ({"without": ("fallback",), "method": "symbolic"}, "symbolic method has no fallback"),
    ],
)
def test_what_cannot_be_left_out_is_refused(settings, problem):
    with pytest.raises(ValueError, match=problem):
        LearningConfig(**settings)


def test_a_checkpoint_belongs_to_what_was_left_out(tmp_path):
    domain, [training] = benchmark("gripper", "p01")
    traces = sampled(domain, [training], 20)
    config = LearningConfig(
        restarts=1,
        check_every=2,
        without=("fallback",),
        model=ModelConfig(2, 8, 2),
        training=TrainingConfig(2, 20),
    )
    learn(traces, config, None, tmp_path / "run.ckpt")
    other = replace(config, without=("fallback", "repair"))
    with pytest.raises(CheckpointError, match="other ones"):
        learn(traces, other, None, tmp_path / "run.ckpt")
