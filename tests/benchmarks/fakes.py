"""Runs that take no time, and rows of runs that nobody did."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.running.learning import LearningRun
from benchmarks.running.rawlines import Row
from benchmarks.running.runs import Run


@dataclass(frozen=True)
class FakeRun(Run):
    """A run that does what its `behaviour` says, and leaves a file that says it was done."""

    number: int
    seed: int = 0
    behaviour: str = field(default="succeeds", compare=False)
    trail: str = field(default="", compare=False)

    def measure(self, row: Row, place: Path) -> None:
        if self.trail:
            Path(self.trail, f"{self.number}-{time.monotonic_ns()}").touch()
        if self.behaviour == "raises":
            raise ValueError("no such thing")
        if self.behaviour == "dies":
            os._exit(1)
        if self.behaviour == "lasts":
            time.sleep(0.3)
        if self.behaviour == "fails":
            row["failure"] = "learn: lost"


MEASURED = {
    "failure": None, "precision": 1.0, "recall": 1.0, "sound": True, "complete": True,
    "states": 1500, "transitions": 300, "explained": 1.0, "steps": 50, "arities": {"go": 2},
    "sample_s": 0.2, "learn_s": 2.0, "evaluate_s": 0.5, "learn_mib": 260,
    "machine": "pdp-11, 1 core", "versions": {"dias": "0.1.0", "torch": "2.0"},
    "load": 1.0, "workers": 2,
}  # fmt: skip
"""The part of a row that a perfect run adds to its key."""


def row(run: Run, **changes: Any) -> Row:
    """The row of a perfect learning run, with changes."""
    return run.key | MEASURED | changes


def failed(run: LearningRun, failure: str = "learn: stopped after 10 s") -> Row:
    """The row of a run that failed in learning."""
    return run.key | {"failure": failure, "machine": "pdp-11, 1 core"}
