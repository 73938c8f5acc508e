"""Exact answer or noise, by the real scores of what both passes learn."""

from __future__ import annotations

import pytest

from dias.config import LearningConfig
from dias.learning import learn as pipeline
from dias.learning.learn import learn
from dias.traces.record import LabelMode
from tests.learning.explain.odd_worlds import HEADER as PRESS_HEADER
from tests.learning.explain.odd_worlds import press, press_steps
from tests.learning.noise.cases import noisy
from tests.traces.files import read


@pytest.fixture
def decisions(monkeypatch):
    """The passes gone through, and what the scores said."""
    seen = []
    for name in ("_learn_exactly", "_learn_righted", "_is_better"):
        own = getattr(pipeline, name)

        def spy(*arguments, name=name, own=own):
            answer = own(*arguments)
            seen.append(answer if name == "_is_better" else name.removeprefix("_learn_"))
            return answer

        monkeypatch.setattr(pipeline, name, spy)
    return seen


@pytest.mark.parametrize("method", ["hybrid", "symbolic"])
@pytest.mark.parametrize("labels", ["names", "partial", "full"])
def test_an_exact_answer_with_one_odd_step_beats_noise(decisions, labels, method):
    """After one step in sixty something is broken."""
    lines = press_steps(60, labels=labels)
    lines[7]["next"] = [*lines[7]["next"], "(broken)"]
    header = PRESS_HEADER | {"predicates": PRESS_HEADER["predicates"] | {"broken": []}}
    traces = read(header | {"labels": labels}, *lines)
    result = learn(traces, LearningConfig(method=method))
    assert decisions == ["righted", "exactly", False]
    assert result.method == ("full" if labels == "full" else method)
    assert (result.noise, result.n_steps) == (None, 0)
    assert (result.n_explained, result.n_distinct) == (59, 60)


@pytest.mark.parametrize("method", ["hybrid", "symbolic"])
@pytest.mark.parametrize("labels", ["names", "partial", "full"])
def test_a_step_with_the_effects_of_all_is_no_sign_of_noise(decisions, labels, method):
    """It alone violates a precondition."""
    result = learn(press(60, [7], labels), LearningConfig(method=method))
    assert decisions == ["exactly"]
    assert result.method == ("full" if labels == "full" else method)
    assert (result.noise, result.n_steps) == (None, 0)
    assert (result.n_explained, result.n_distinct) == (59, 60)


@pytest.mark.parametrize(
    ("labels", "order"), [("names", ["exactly"]), ("full", ["righted", "exactly", False])]
)
def test_what_further_parameters_would_explain(decisions, labels, order):
    """One step in sixty lights other lamps as well: of names, others may be the same one twice."""
    lines = press_steps(60, labels=labels)
    lines[7]["next"] = [*lines[7]["next"], "(on a)", "(on b)", "(on c)"]
    result = learn(read(PRESS_HEADER | {"labels": labels}, *lines))
    assert decisions == order
    assert (result.noise, result.n_explained, result.n_distinct) == (None, 59, 60)


def test_noise_beats_an_exact_answer_that_covers_it(decisions):
    """An atom in ten states is seen wrong: single steps explain most, by too much."""
    result = learn(noisy("gripper", 0.1, 30))
    assert decisions == ["righted", "exactly", True]
    assert result.noise.is_any and result.explains_everything


def test_where_more_is_left_than_may_be_odd_nothing_exact_is_weighed(decisions):
    """Of more steps than forty of each action one in ten is seen wrong."""
    result = learn(noisy("gripper", 0.1, 60))
    assert decisions == ["righted"]
    assert result.noise.is_any and result.explains_everything


@pytest.mark.parametrize("labels", LabelMode)
def test_where_nothing_exact_is_in_sight_it_is_not_looked_for(decisions, labels):
    result = learn(noisy("gripper", 8, 60, labels))
    assert decisions == ["righted"]
    assert result.noise.is_any
    assert result.method == ("full" if labels is LabelMode.FULL else "hybrid")
