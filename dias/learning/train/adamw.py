"""AdamW (decoupled weight decay), by torch's multi-tensor operations.

The same update as `torch.optim.AdamW`. That class is not used because making one imports torch's
compiler, which takes longer than learning a small domain.

Paper: ``app:model-configuration`` (AdamW, η = 5e-3).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor

BETA_1, BETA_2 = 0.9, 0.999
EPS = 1e-8


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
        self._learning_rate = learning_rate
        self._weight_decay = weight_decay
        self._n_steps = 0

    @torch.no_grad()
    def step(self, gradients: list[Tensor]) -> None:
        """One update: θ ← (1 - ηλ) θ - η m̂ / (√v̂ + ε)."""
        self._n_steps += 1
        torch._foreach_lerp_(self._mean, gradients, 1 - BETA_1)
        torch._foreach_mul_(self._square, BETA_2)
        torch._foreach_addcmul_(self._square, gradients, gradients, 1 - BETA_2)
        denominator = torch._foreach_sqrt(self._square)
        torch._foreach_div_(denominator, (1 - BETA_2**self._n_steps) ** 0.5)
        torch._foreach_add_(denominator, EPS)
        torch._foreach_mul_(self._parameters, 1 - self._learning_rate * self._weight_decay)
        size = -self._learning_rate / (1 - BETA_1**self._n_steps)
        torch._foreach_addcdiv_(self._parameters, self._mean, denominator, size)

    def state(self) -> dict[str, Any]:
        """What a checkpoint needs to go on, on any device."""
        moments = {"mean": self._mean, "square": self._square}
        return {name: [value.cpu() for value in values] for name, values in moments.items()} | {
            "n_steps": self._n_steps
        }

    def load(self, state: Mapping[str, Any]) -> None:
        """Go on from what `state` returned."""
        for own, saved in ((self._mean, state["mean"]), (self._square, state["square"])):
            for value, kept in zip(own, saved, strict=True):
                value.copy_(kept)
        self._n_steps = state["n_steps"]
