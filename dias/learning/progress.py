"""What is reported while a domain is learned."""

from __future__ import annotations

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
