"""What is reported while a domain is learned, and where the time goes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class LearningProgress:
    """Reported while learning, at every look at the network: where training stands.

    Attributes:
        restart: Number of the training run, from 0.
        n_restarts: Training runs at most.
        step: Gradient steps done in it.
        n_steps: Gradient steps it may take.
        main_loss: L_main of the last batch.
        aux_loss: L_aux of the last batch; NaN where there is none.
        p_pre: Mean p_pre of the last batch; NaN where preconditions are not trained.
        active_slots: Action name to number of slots with σ(w) > 1/2.
        explained: Share of the distinct transitions that the proposed effects reproduce; None
            when it was not looked at.
    """

    restart: int
    n_restarts: int
    step: int
    n_steps: int
    main_loss: float
    aux_loss: float
    p_pre: float
    active_slots: Mapping[str, int]
    explained: float | None


@contextmanager
def timed(seconds: dict[str, float], stage: str) -> Iterator[None]:
    """Add the wall-clock time of a block to its stage."""
    started = time.perf_counter()
    yield
    seconds[stage] = seconds.get(stage, 0.0) + time.perf_counter() - started
