"""The training loop.

Paper: Section "Loss formulation" and ``app:model-configuration``.
Departs: without an α, as `hybrid` has none, L_main + weight·L_aux is minimised instead of PCGrad
(see docs/paper_map.md).
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import numpy as np
import torch
from torch import Tensor

from dias.config import ModelConfig, TrainingConfig
from dias.learning.train.adamw import AdamW
from dias.learning.train.pcgrad import total_gradient
from dias.nn import dense_loss, lifted_loss
from dias.nn.batches import Batch, make_batch
from dias.nn.model import DiasModel, Selection, SelectionModel
from dias.nn.start import LINK_STEPS, link_logits
from dias.nn.tables import TransitionTables

OBJECTIVES = {"lifted": lifted_loss, "dense": dense_loss}
"""The losses by the names of the settings; each has `main_loss`, `auxiliary_loss`, `mean_loss`
and `precondition_probabilities`."""


def tau_at(step: int, tau_steps: int, floor: float = 0.0) -> float:
    """τ, decaying exponentially from 1 at step 0 to 0.1 at `tau_steps` and on towards `floor`."""
    return max(floor, float(0.1 ** (step / tau_steps)))


Network = TypeVar("Network", bound=SelectionModel)


class TrainingRun(ABC, Generic[Network]):
    """One training run that can be advanced bit by bit; subclasses say of which network.

    Args:
        tables: The transitions.
        model_config: Sizes of the network.
        config: Objective, batch size, rates, number of steps.
        seed: Fixes the initial parameters, the batches and the node noise.
        device: Where the network is; what chance decides is drawn by the processor all the same.

    Attributes:
        model: The network as it stands.
        step: Steps done.
        main_loss, aux_loss: L_main and L_aux of the last batch; NaN before the first.
        p_pre: Mean p_pre of the last batch; NaN before the first.
    """

    _network: type[Network]

    def __init__(
        self,
        tables: TransitionTables,
        model_config: ModelConfig,
        config: TrainingConfig,
        seed: int,
        device: str = "cpu",
    ) -> None:
        _keep_freed_memory()
        self.step = 0
        self.main_loss = self.aux_loss = self.p_pre = float("nan")
        self._tables = tables
        self._config = config
        self._objective = OBJECTIVES[config.objective]
        self._generator = torch.Generator().manual_seed(seed)
        self._rng = np.random.default_rng(seed)
        self._device = device
        self.model = self._network(tables.vocabulary, model_config, self._generator).to(device)
        if model_config.start == "linked":
            self.model.links = link_logits(tables)
        self._parameters = list(self.model.parameters())
        self._optimizer = AdamW(self._parameters, config.learning_rate, config.weight_decay)
        n_actions = len(tables.vocabulary.actions)
        self._by_action = [np.flatnonzero(tables.action == a) for a in range(n_actions)]

    @property
    def is_finished(self) -> bool:
        """Whether all planned steps are done."""
        return self.step >= self._config.n_steps

    def advance(self, n_steps: int) -> None:
        """Take `n_steps` gradient steps, or as many as are left."""
        n_steps = min(n_steps, self._config.n_steps - self.step)
        for _ in range(n_steps):
            batch = make_batch(self._tables, self._balanced_indices(), self._device)
            tau = tau_at(self.step, self._config.tau_steps, self._config.tau_floor)
            selection = self.model.select(batch, self._generator)
            self.model.link_weight = tau_at(self.step, LINK_STEPS)
            main, aux = self._losses(batch, selection, tau)
            self.model.link_weight = 0.0
            self._optimizer.step(self._gradients(main, aux))
            self.step += 1
        if n_steps:
            self.main_loss, self.aux_loss = main.item(), aux.item()
            with torch.no_grad():
                p_pre = self._objective.precondition_probabilities(
                    self.model, batch, selection, tau
                )
            self.p_pre = p_pre.mean().item()

    def state(self) -> dict[str, Any]:
        """All that a checkpoint needs to go on to the same bytes, on any device."""
        return {
            "step": self.step,
            "last": [self.main_loss, self.aux_loss, self.p_pre],
            "model": {name: value.cpu() for name, value in self.model.state_dict().items()},
            "optimizer": self._optimizer.state(),
            "generator": self._generator.get_state(),
            "rng": json.dumps(self._rng.bit_generator.state),
        }

    def load(self, state: Mapping[str, Any]) -> None:
        """Go on from what `state` returned."""
        self.step = state["step"]
        self.main_loss, self.aux_loss, self.p_pre = state["last"]
        self.model.load_state_dict(state["model"])
        self._optimizer.load(state["optimizer"])
        self._generator.set_state(state["generator"])
        self._rng.bit_generator.state = json.loads(state["rng"])

    @abstractmethod
    def _losses(self, batch: Batch, selection: Selection, tau: float) -> tuple[Tensor, Tensor]:
        """L_main and L_aux of a batch under a selection."""

    def _gradients(self, main: Tensor, aux: Tensor) -> list[Tensor]:
        """What the optimiser is to follow, parameter by parameter."""

        def of(loss: Tensor, keep: bool = False) -> tuple[Tensor, ...]:
            return torch.autograd.grad(
                loss, self._parameters, retain_graph=keep, materialize_grads=True
            )

        if self._config.alpha is None:
            return list(of(main + self._config.aux_weight * aux))
        # STRIPS effects: L_aux touches the logits only, so its own pass costs next to nothing.
        return list(total_gradient(of(main, keep=True), of(aux), self._config.alpha))

    def _balanced_indices(self) -> np.ndarray:
        """About `batch_size` transitions, equally many of each action, with replacement."""
        share = max(1, self._config.batch_size // len(self._by_action))
        return np.concatenate([self._rng.choice(own, share) for own in self._by_action])


class Trainer(TrainingRun[DiasModel]):
    """A training run of the main model, with STRIPS effects."""

    _network = DiasModel

    def _losses(self, batch: Batch, selection: Selection, tau: float) -> tuple[Tensor, Tensor]:
        effects = self.model.effects().rows(batch.action)
        main = self._objective.main_loss(self.model, batch, selection, effects, tau)
        return main, self._objective.auxiliary_loss(self.model, batch)


def _keep_freed_memory() -> None:
    """Let the C library keep what is freed: every step asks for the same memory again.

    glibc hands freed memory back to the system above a limit, and getting it again costs a page
    fault for each 4 KiB, a fifth of the time of a step with large graphs. The limit follows the
    largest block freed so far, up to 32 MiB. No page of this block is touched.
    """
    torch.empty(31 << 20, dtype=torch.uint8)
