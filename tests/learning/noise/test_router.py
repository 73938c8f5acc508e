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
    for name in ("_learn_exactly", "_learn_with_noise", "_is_better"):
        own = getattr(pipeline, name)

        def spy(*arguments, name=name, own=own):
            answer = own(*arguments)
            seen.append(answer if name == "_is_better" else name.removeprefix("_learn_"))
            return answer

        monkeypatch.setattr(pipeline, name, spy)
    return seen


@pytest.mark.parametrize("method", ["hybrid", "symbolic"])
@pytest.mark.parametrize("labels", ["names", "partial"])
def test_an_exact_answer_with_one_odd_step_beats_noise(decisions, labels, method):
    result = learn(press(60, [7], labels), LearningConfig(method=method))
    assert decisions == ["exactly", "with_noise", False]
    assert (result.noise, result.method, result.n_steps) == (None, method, 0)
    assert (result.n_explained, result.n_distinct) == (59, 60)


def test_with_full_labels_too(decisions):
    """One step in sixty lights another lamp as well."""
    lines = press_steps(60, labels="full")
    lines[7]["next"] = [*lines[7]["next"], "(on a)", "(on b)", "(on c)"]
    result = learn(read(PRESS_HEADER | {"labels": "full"}, *lines))
    assert decisions == ["exactly", "with_noise", False]
    assert (result.noise, result.n_explained, result.n_distinct) == (None, 59, 60)


def test_noise_beats_an_exact_answer_that_covers_it(decisions):
    """An atom in ten states is seen wrong: single steps explain most, by too much."""
    result = learn(noisy("gripper", 0.1, 60))
    assert decisions[-1] is True and set(decisions[:-1]) == {"exactly", "with_noise"}
    assert result.noise.is_any and result.explains_everything


@pytest.mark.parametrize("labels", LabelMode)
def test_where_nothing_exact_is_in_sight_it_is_not_looked_for(decisions, labels):
    result = learn(noisy("gripper", 8, 60, labels))
    assert decisions == ["with_noise"]
    assert result.noise.is_any
    assert result.method == ("full" if labels is LabelMode.FULL else "hybrid")
