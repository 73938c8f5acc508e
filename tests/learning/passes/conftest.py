"""The passes of learning, watched."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dias.learning import learn as pipeline
from dias.learning.propose import network
from dias.learning.propose.proposals import Proposals
from tests.learning.passes.cases import outcome


@pytest.fixture
def passes(monkeypatch):
    """What is asked for, pass by pass; set what they answer.

    Single steps are looked at as they are (`unmended`), repaired (`mended`), or repaired where
    several show the same (`shown`).
    """
    asked = []
    answers = SimpleNamespace(
        asked=asked, noisy=True, measurable=True, tolerant=outcome(), is_better=True
    )

    class Watched(Proposals):
        def look_at_steps(self, min_shown=1, widest=None, mend=True, is_enough=None):
            asked.append("shown" if widest is not None else "mended" if mend else "unmended")
            super().look_at_steps(min_shown, widest, mend, is_enough)

        def look_at_arguments(self):
            asked.append("arguments")
            super().look_at_arguments()

    def answering(name, value):
        def answer(*arguments):
            asked.append(name)
            return getattr(answers, value)

        monkeypatch.setattr(pipeline, name, answer)

    answering("looks_noisy", "noisy")
    answering("is_measurable", "measurable")
    answering("_learn_righted", "tolerant")
    monkeypatch.setattr(pipeline, "Proposals", Watched)
    exactly = pipeline._learn_exactly

    def learn_exactly(*arguments):
        asked.append("_learn_exactly")
        return exactly(*arguments)

    def train(*arguments):
        asked.append("network")
        return [], 1

    def score(action, traces):
        asked.append("score")
        return answers.is_better if action in answers.tolerant.domain.actions else 0.5

    monkeypatch.setattr(pipeline, "_learn_exactly", learn_exactly)
    monkeypatch.setattr(network, "train", train)
    monkeypatch.setattr(pipeline, "score", score)
    return answers
