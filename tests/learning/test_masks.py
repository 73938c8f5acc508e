"""Learning from traces that say what is applicable, from end to end."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from dias.config import LearningConfig
from dias.evaluation.evaluate import evaluate
from dias.learning.data.coding import examples_by_action
from dias.learning.learn import learn
from dias.learning.noise.denoise import corrected_traces
from dias.learning.propose.unchanged import read_unchanged
from dias.learning.state_dependent.conditional import divide_actions
from dias.traces.record import LabelMode
from dias.traces.sampling.sample import sample
from dias.traces.sampling.samples import SamplingConfig
from tests.learning.cases import benchmark
from tests.learning.data.test_masks import naive_check
from tests.traces.files import atoms, read, step

SYMBOLIC = LearningConfig(method="symbolic")


@cache
def sampled(name, labels, applicable, n=5):
    domain, problems = benchmark(name, "p01")
    return sample(domain, problems, SamplingConfig(n, n), labels=labels, applicable=applicable)


@pytest.mark.parametrize("kind", ["concise", "safe", "minimal"])
@pytest.mark.parametrize("applicable", ["names", "ground"])
@pytest.mark.parametrize("labels", LabelMode)
@pytest.mark.parametrize("name", ["blocks-3", "gripper"])
def test_what_is_learned_agrees_with_every_mask(name, labels, applicable, kind):
    """The certificate counts what naive enumeration finds, and nothing is left that disagrees."""
    traces = sampled(name, labels, applicable)
    result = learn(traces, replace(SYMBOLIC, preconditions=kind))
    for evidence in result.evidence:
        assert evidence.masks == naive_check(result.domain.action(evidence.action), traces)
        assert evidence.masks.n_states == len(traces.masks) > 3
        assert not evidence.masks.n_against
    assert result.explains_everything


def test_five_steps_that_say_too_little_are_enough_with_masks():
    """Logistics, where without masks two literals rule out what is applicable."""
    domain, (training, test) = benchmark("logistics", "p01", "p02")
    traces = sample(domain, [training], SamplingConfig(5, 10), seed=1, applicable="names")
    without, masked = (learn(own, SYMBOLIC) for own in (replace(traces, masks=()), traces))
    for result, is_against in ((without, True), (masked, False)):
        checks = [naive_check(action, traces) for action in result.domain.actions]
        assert any(check.n_against for check in checks) is is_against
    first, second = (evaluate(own.domain, domain, [test], 100) for own in (without, masked))
    assert first.pooled.states.recall < second.pooled.states.recall


def press(state, after, *applicable, action="press"):
    return step(state.split(", "), action, after.split(", "), applicable=applicable)


def test_a_step_without_change_that_is_not_listed_was_refused():
    lines = [
        press("(power)", "(on), (power)", "press"),
        press("(on)", "(on)"),
        press("(power)", "(power)", "look", "press", action="look"),
    ]
    traces = read(*lines)
    read_auto, _, refused = read_unchanged(traces, "auto")
    assert refused == {"press": 1}
    assert [attempt.state for attempt in read_auto.refused] == [atoms("on")]
    assert {t.action for t in read_auto.transitions} == {"press", "look"}
    assert read_unchanged(traces, "happened")[2] == {}
    assert read_unchanged(replace(traces, masks=()), "auto")[2] == {}
    validation = read_unchanged(traces, "auto", traces)[1]
    assert len(validation.transitions) == 2
    assert learn(traces, SYMBOLIC).read_as_refused == {"press": 1}


def test_which_part_of_an_action_is_applicable_is_not_known():
    """Of a toggle, a mask says that no part of it is applicable, or nothing."""
    lines = [
        press(f"({one} a), (lamp b)", f"({other} a), (lamp b)", "press", "rest")
        for one, other in (("on", "off"), ("off", "on"))
    ]
    lines.append(press("(lamp b)", "(lamp b)", "rest", action="rest"))
    divided = divide_actions(read(*lines))
    parts = divided.variants["press"]
    assert len(parts) == 2
    on, _, neither = divided.traces.masks
    assert on.listed == {("rest", ())}
    assert on.unclear == set(parts)
    assert all(neither.refuses(part, ()) for part in parts)
    assert not neither.unclear


def test_masks_go_with_states_that_are_put_right():
    line = step(["(p a)", "(q b)"], "act", ["(p b)"], applicable=["act"])
    traces = read({"dias": "trace/1", "labels": "names"}, line, step(["(p b)"], "act", ["(p a)"]))
    (group,) = examples_by_action(traces).values()
    right = group.examples[0]
    codes = right.codes
    clean = replace(right, state=codes.encode_state(atoms("p a")))
    righted = corrected_traces(traces, {"act": [clean]})
    (mask,) = righted.masks
    assert mask.state == atoms("p a")
    assert mask.listed == {("act", ())}
    assert corrected_traces(traces, {"act": group.examples[1:]}).masks == ()
