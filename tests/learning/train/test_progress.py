"""Where the time goes."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dias.learning.train import progress
from dias.learning.train.progress import timed


def test_stages_add_up(monkeypatch):
    times = iter([1.0, 1.5, 2.0, 2.25, 10.0, 14.0])
    monkeypatch.setattr(progress, "time", SimpleNamespace(perf_counter=lambda: next(times)))
    seconds = {}
    for stage in ("train", "check", "train"):
        with timed(seconds, stage):
            pass
    assert seconds == pytest.approx({"train": 4.5, "check": 0.25})
