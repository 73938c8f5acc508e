"""What is reported while a domain is learned, and where the time goes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class LearningProgress:
    """Reported while learning: where training stands.

    Attributes:
        restart: Number of the training run, from 0.
        step: Gradient steps done in it.
        n_steps: Gradient steps it may take.
        main_loss: L_main of the last batch.
        explained: Share of the distinct transitions that the proposed effects reproduce; None
            when it was not looked at.
    """

    restart: int
    step: int
    n_steps: int
    main_loss: float
    explained: float | None


@contextmanager
def timed(seconds: dict[str, float], stage: str) -> Iterator[None]:
    """Add the wall-clock time of a block to its stage."""
    started = time.perf_counter()
    yield
    seconds[stage] = seconds.get(stage, 0.0) + time.perf_counter() - started
