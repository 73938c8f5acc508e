"""What is reported while a domain is learned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class LearningProgress:
    """Reported while learning, once every `check_every` steps: where training stands.

    Attributes:
        restart: Number of the training run, from 0.
        n_restarts: Training runs at most.
        step: Gradient steps done in it.
        n_steps: Gradient steps it may take.
        main_loss: L_main of the last batch.
        aux_loss: L_aux of the last batch.
        p_pre: Mean p_pre of the last batch.
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
