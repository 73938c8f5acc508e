"""AdamW (decoupled weight decay): torch's function, beside the state that it needs.

Making a `torch.optim.AdamW` would import torch's compiler, which takes longer than learning a small
domain.

Paper: ``app:model-configuration`` (AdamW, η = 5e-3).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.optim.adamw import adamw

CONSTANTS = {"beta1": 0.9, "beta2": 0.999, "eps": 1e-8}
OPTIONS: dict[str, Any] = {"foreach": True, "amsgrad": False, "maximize": False, **CONSTANTS}


class AdamW:
    """The optimiser state of a list of parameters.

    Args:
        parameters: The parameters; all must have a gradient at every step.
        learning_rate: η.
        weight_decay: λ; every step shrinks the parameters by the factor 1 - ηλ.
    """

    def __init__(
        self, parameters: Iterable[Tensor], learning_rate: float, weight_decay: float
    ) -> None:
        self._parameters = list(parameters)
        self._mean = [torch.zeros_like(p) for p in self._parameters]
        self._square = [torch.zeros_like(p) for p in self._parameters]
        self._n_steps = [torch.zeros(()) for _ in self._parameters]
        self._options = OPTIONS | {"lr": learning_rate, "weight_decay": weight_decay}

    @torch.no_grad()
    def step(self, gradients: list[Tensor]) -> None:
        """One update: θ ← (1 - ηλ) θ - η m̂ / (√v̂ + ε)."""
        moments = self._mean, self._square, list[Tensor]()  # the last are AMSGrad's
        adamw(self._parameters, gradients, *moments, self._n_steps, **self._options)

    def state(self) -> dict[str, Any]:
        """What a checkpoint needs to go on, on any device."""
        moments = {"mean": self._mean, "square": self._square}
        on_cpu = {name: [value.cpu() for value in values] for name, values in moments.items()}
        return on_cpu | {"n_steps": int(self._n_steps[0])}

    def load(self, state: Mapping[str, Any]) -> None:
        """Go on from what `state` returned."""
        saved = [*state["mean"], *state["square"]]
        for value, kept in zip(self._mean + self._square, saved, strict=True):
            value.copy_(kept)
        for count in self._n_steps:
            count.fill_(state["n_steps"])
