"""State-dependent effects: a network says what an action does in the state of its arguments.

The lifted effects of the main model are the same in every state. Here one MLP, shared by all
actions, maps the lifted state Ã of the selected objects to the logits of the lifted effects; each
action reads a slice of its output. Preconditions stay what they were.

Paper: ``app:mlp-effects``, ``eq:state-dependent-effects``:
P_eff^a = MLP^a(Ã^a) with Ã^a = S̃^a A (S̃^a)ᵀ.
The paper is silent on the size of the MLP, its activation and its initialisation. Here: two
hidden layers of 128 units with ReLU, and an output layer that starts at zero, so that training
begins where that of the main model begins, with three equal probabilities.
"""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn

from dias.nn.model import Probabilities, SelectionModel, softmax_cases
from dias.nn.start import change_nothing

HIDDEN = (128, 128)
"""Units of the hidden layers."""


class MLPEffectsModel(SelectionModel):
    """The model of the paper's ablation.

    Attributes:
        effect_weight, effect_bias: One ``[in, out]`` matrix and one vector a layer. The first
            layer reads D = Σ_k R_k·M^k lifted atoms, the last gives A·D·3 logits.
    """

    def _add_effects(self, generator: torch.Generator) -> None:
        n_atoms = sum(n * self.config.n_slots**k for k, n in self.n_relations.items())
        sizes = [n_atoms, *HIDDEN, len(self.vocabulary.actions) * n_atoms * 3]
        hidden = [
            torch.randn(n_in, n_out, generator=generator) * (2 / max(1, n_in)) ** 0.5
            for n_in, n_out in pairwise(sizes[:-1])
        ]
        weights = [*hidden, torch.zeros(sizes[-2], sizes[-1])]
        self.effect_weight = nn.ParameterList(nn.Parameter(weight) for weight in weights)
        self.effect_bias = nn.ParameterList(nn.Parameter(torch.zeros(n)) for n in sizes[1:])
        if self.config.start == "linked":
            change_nothing(self.effect_bias[-1].view(-1, 3))

    def effects(self, lifted: dict[int, Tensor], action: Tensor) -> Probabilities:
        """P_no_eff, P_add, P_del of each transition.

        Args:
            lifted: ``[B, R_k, M^k]`` Ã per arity k.
            action: ``[B]``.

        Returns:
            ``[B, R_k, M^k]`` each, per arity.
        """
        flat = torch.cat([lifted[k].flatten(1) for k in self.n_relations], 1)
        sizes = [lifted[k].shape[1:].numel() for k in self.n_relations]
        parts = self.effect_logits(flat, action).split(sizes, 1)
        logits = dict(zip(self.n_relations, parts, strict=True))
        return softmax_cases({k: own.reshape(*lifted[k].shape, 3) for k, own in logits.items()})

    def effect_logits(self, lifted: Tensor, action: Tensor) -> Tensor:
        """P_eff^a = MLP^a(Ã): ``[B, D, 3]``.

        Args:
            lifted: ``[B, D]`` Ã, arity by arity.
            action: ``[B]``.
        """
        hidden = lifted
        layers = zip(self.effect_weight, self.effect_bias, strict=True)
        for layer, (weight, bias) in enumerate(layers):
            hidden = torch.addmm(bias, torch.relu(hidden) if layer else hidden, weight)
        every_action = hidden.reshape(len(action), -1, lifted.shape[1], 3)
        return every_action[torch.arange(len(action), device=action.device), action]
