"""The network: objects are selected into slots, lifted schemas are logits over slots.

Paper: Sections "Selection of action arguments", "Application of effects" and "Evaluation of
preconditions" (``sec:argument-selection``, ``eq:effect-probabilities``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import Tensor, nn

from dias.config import ModelConfig
from dias.nn.batches import Batch, SoftBatch
from dias.nn.rgcn_fast import FastRGCN
from dias.nn.sinkhorn import sinkhorn
from dias.nn.start import ACTIVE, NEGATIVE, NONE, POSITIVE, change_nothing, linked
from dias.nn.tables import Symbols


class Probabilities(NamedTuple):
    """P_no, P_+ and P_- of one kind of literal, per arity: ``[A, R_k, M^k]`` each, summing to 1."""

    none: dict[int, Tensor]
    positive: dict[int, Tensor]
    negative: dict[int, Tensor]

    def rows(self, action: Tensor) -> Probabilities:
        """Those of each transition's action: ``[B, R_k, M^k]``."""
        return Probabilities(
            *({k: p.index_select(0, action) for k, p in case.items()} for case in self)
        )


class Selection(NamedTuple):
    """Which objects fill the slots.

    Attributes:
        assignment: ``[B, M, O]`` S, row sums 1, column sums at most 1.
        slot_probs: ``[B, M]`` σ(w) of the transition's action.
        selection: ``[B, M, O]`` S̃ = diag(σ(w)) S.
    """

    assignment: Tensor
    slot_probs: Tensor
    selection: Tensor


class SelectionModel(nn.Module, ABC):
    """Selection of arguments and preconditions for one vocabulary; effects are added by subclasses.

    Args:
        vocabulary: Relations and actions.
        config: Sizes.
        generator: Source of the initial parameters.

    Attributes:
        queries: ``[A, M, d]`` Q^a.
        slot_logits: ``[A, M]`` w^a.
        precondition_logits: Arity (as text) to ``[A, R_k, M^k, 3]``; off-diagonal entries of
            unary relations do not exist, so none has to be masked.
        links: What makes slots look for related objects (`dias.nn.start.link_logits`); empty where
            they start undecided.
        link_weight: The factor of the links, above 0 only within a training step.
    """

    def __init__(
        self, vocabulary: Symbols, config: ModelConfig, generator: torch.Generator
    ) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.config = config
        self.links: Mapping[int, Tensor] = {}
        self.link_weight = 0.0
        n_actions, n_slots = len(vocabulary.actions), config.n_slots
        self.n_relations = {k: len(group) for k, group in vocabulary.relations.items()}
        self.rgcn = FastRGCN(vocabulary, config, generator)
        queries = torch.randn(n_actions, n_slots, config.dim, generator=generator)
        self.queries = nn.Parameter(queries)
        active = ACTIVE if config.start == "linked" else 0.0
        self.slot_logits = nn.Parameter(torch.full((n_actions, n_slots), active))
        self._add_effects(generator)
        self.precondition_logits = self._literal_logits()

    @abstractmethod
    def _add_effects(self, generator: torch.Generator) -> None:
        """Create the parameters from which effects follow."""

    def _literal_logits(self) -> nn.ParameterDict:
        """Zeros for the three cases of every lifted atom of every action."""
        n_actions, n_slots = self.slot_logits.shape
        shapes = {k: (n_actions, n, n_slots**k, 3) for k, n in self.n_relations.items()}
        return nn.ParameterDict({str(k): nn.Parameter(torch.zeros(s)) for k, s in shapes.items()})

    def select(self, batch: Batch, noise_generator: torch.Generator) -> Selection:
        """Fill the slots: C = Q Kᵀ / √d, S = Sinkhorn(C), S̃ = diag(σ(w)) S.

        Given arguments fill the first slots, which are then active, and no other slot.
        """
        # A problem with fewer objects than slots gets objects of which nothing is true.
        n_objects = max(self.config.n_slots, int(batch.n_objects.max()))
        noise = self.node_noise(len(batch.places), n_objects, noise_generator)
        return self.fill(batch, self.rgcn(batch, n_objects, noise))

    def node_noise(self, n_batch: int, n_objects: int, generator: torch.Generator) -> Tensor:
        """``[B, O, d/2]`` standard normal."""
        shape = (n_batch, n_objects, self.config.dim // 2)
        # Drawn by the processor on every device, so that a seed stands for the same numbers.
        return torch.randn(shape, generator=generator, device="cpu").to(self.queries)

    def fill(
        self, batch: Batch | SoftBatch, keys: Tensor, tolerance: float | None = None
    ) -> Selection:
        """The selection that follows from the keys K, ``[B, O, d]``.

        Args:
            batch: The transitions.
            keys: K.
            tolerance: That of `sinkhorn`.
        """
        n_objects, device = keys.shape[1], keys.device
        available = batch.n_objects.clamp(min=self.config.n_slots)
        queries = (self.queries / self.config.dim**0.5).index_select(0, batch.action)
        scores = torch.bmm(queries, keys.mT)
        slot_probs = torch.sigmoid(self.slot_logits).index_select(0, batch.action)
        if int(available.min()) < n_objects:
            missing = torch.arange(n_objects, device=device) >= available.unsqueeze(1)
            scores = scores.masked_fill(missing.unsqueeze(1), -torch.inf)
        if (batch.given < 0).all():
            assignment = sinkhorn(scores, tolerance)
        else:
            forced, is_forced = self._forced(batch, n_objects)
            taken = forced.sum(1, keepdim=True) > 0  # closed to the slots that are not forced
            closed = torch.where(is_forced, forced == 0, taken)
            assignment = sinkhorn(scores.masked_fill(closed, -torch.inf), tolerance)
            assignment = torch.where(is_forced, forced, assignment)
            slot_probs = torch.where(is_forced.squeeze(2), 1.0, slot_probs)
        return Selection(assignment, slot_probs, slot_probs.unsqueeze(2) * assignment)

    def _forced(self, batch: Batch | SoftBatch, n_objects: int) -> tuple[Tensor, Tensor]:
        """One-hot rows ``[B, M, O]`` for the given arguments, and which rows ``[B, M, 1]``."""
        shape = (len(batch.action), self.config.n_slots, n_objects)
        forced = torch.zeros(shape, device=batch.given.device, dtype=self.queries.dtype)
        transition, argument = (batch.given >= 0).nonzero(as_tuple=True)
        forced[transition, argument, batch.given[transition, argument]] = 1
        return forced, forced.sum(2, keepdim=True) > 0

    def preconditions(self) -> Probabilities:
        """P_no_pre, P_pre+, P_pre-."""
        return softmax_cases(
            {
                int(k): linked(logits, self.links.get(int(k)), self.link_weight)
                for k, logits in self.precondition_logits.items()
            }
        )


class DiasModel(SelectionModel):
    """The paper's main model: STRIPS effects, the same in every state.

    Attributes:
        effect_logits: Shaped like `precondition_logits`.
    """

    def _add_effects(self, generator: torch.Generator) -> None:
        self.effect_logits = self._literal_logits()
        if self.config.start == "linked":
            for logits in self.effect_logits.values():
                change_nothing(logits)

    def effects(self) -> Probabilities:
        """P_no_eff, P_add, P_del."""
        return softmax_cases({int(k): logits for k, logits in self.effect_logits.items()})


def softmax_cases(logits: Mapping[int, Tensor]) -> Probabilities:
    """Softmax over the three cases, the last axis (``eq:effect-probabilities``)."""
    cases = {k: torch.softmax(value, -1).unbind(-1) for k, value in logits.items()}
    return Probabilities(
        *({k: own[case] for k, own in cases.items()} for case in (NONE, POSITIVE, NEGATIVE))
    )
