"""The schemas as a component: a loss through which a perception network can be trained.

A perception network says with what probability each atom holds in s and in s′; `SchemaLoss` says
how well the schemas that it learns along the way explain one by the other, with gradients towards
both. The page docs/differentiable.md tells it with an example.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from dias.config import OBJECTIVES, ModelConfig
from dias.nn import dense_loss, lifted_loss
from dias.nn.batches import SoftBatch
from dias.nn.model import DiasModel, Selection
from dias.nn.soft.loss import dense_main_loss, lifted_main_loss
from dias.nn.soft.rgcn import soft_keys
from dias.nn.tables import Relation, Symbols

TOLERANCE = 1e-9
"""Of the row sums of S. Tighter than in training on given atoms, since the gradient goes on into
another network, and is as exact as S is."""


class SchemaLosses(NamedTuple):
    """What is to be minimised.

    Attributes:
        main: L_main, how badly s′ follows from s; a mean over the batch.
        auxiliary: L_aux, few effects and many preconditions. It does not depend on the atoms.
    """

    main: Tensor
    auxiliary: Tensor


class SchemaLoss(nn.Module):
    """Learns lifted schemas from atoms that hold with some probability.

    Args:
        relations: Predicate to arity, 0 or more. A type is a predicate of arity 1.
        actions: The action names.
        generator: Source of the initial parameters.
        config: Sizes of the network; `grow_slots` has no meaning here.
        objective: ``lifted`` or ``dense``, the paper's own.
        n_given: How many arguments of each action the transitions give; none by default.

    Attributes:
        model: The network, from which `dias.learning.train.extraction` reads schemas.

    Raises:
        ValueError: For an unknown objective, no action, or an action or a count that is missing.
    """

    def __init__(
        self,
        relations: Mapping[str, int],
        actions: Sequence[str],
        generator: torch.Generator,
        config: ModelConfig | None = None,
        objective: str = "lifted",
        n_given: Sequence[int] | None = None,
    ) -> None:
        super().__init__()
        counts = tuple(n_given) if n_given is not None else (0,) * len(actions)
        if objective not in OBJECTIVES:
            raise ValueError(f"objective: {objective!r} is none of {', '.join(OBJECTIVES)}")
        if not actions or len(counts) != len(actions):
            raise ValueError("n_given: one number for each action is needed, and an action")
        named = [Relation(name, arity) for name, arity in relations.items()]
        groups = {k: tuple(r for r in named if r.arity == k) for k in sorted({*relations.values()})}
        symbols = Symbols(groups, tuple(actions), counts)
        self.model = DiasModel(symbols, config or ModelConfig(), generator)
        self._loss = dense_main_loss if objective == "dense" else lifted_main_loss
        self._auxiliary = dense_loss if objective == "dense" else lifted_loss

    def forward(
        self,
        action: Tensor,
        before: Mapping[str, Tensor],
        after: Mapping[str, Tensor],
        generator: torch.Generator,
        tau: float = 0.0,
        given: Tensor | None = None,
        n_objects: Tensor | None = None,
    ) -> SchemaLosses:
        """The losses of a batch of transitions.

        Args:
            action: ``[B]`` numbers of the actions, in the order they were named in.
            before: Predicate to ``[B, O, …, O]``, the probability in [0, 1] of each ground atom in
                s, one axis for each argument; without the first axis it is that of all transitions.
            after: The same of s′; a predicate that is not there keeps what it is in s.
            generator: Source of the noise that tells objects apart (on the processor).
            tau: τ, from 1 (geometric mean of the preconditions) to 0 (their product);
                `dias.learning.train.trainer.tau_at` is the paper's schedule.
            given: ``[B, G]`` object numbers of given arguments, -1 for none.
            n_objects: ``[B]`` numbers of objects, if not O each; beyond them nothing may be true.

        Raises:
            ValueError: If a predicate is missing or unknown, or a tensor has another shape.
        """
        batch = self.batch(action, before, after, given, n_objects)
        effects = self.model.effects().rows(action)
        main = self._loss(self.model, batch, self.select(batch, generator), effects, tau)
        return SchemaLosses(main, self._auxiliary.auxiliary_loss(self.model, batch))

    def select(self, batch: SoftBatch, generator: torch.Generator) -> Selection:
        """Which objects fill the slots."""
        noise = self.model.node_noise(len(batch.action), batch.width, generator)
        return self.model.fill(batch, soft_keys(self.model.rgcn, batch, noise), TOLERANCE)

    def batch(
        self,
        action: Tensor,
        before: Mapping[str, Tensor],
        after: Mapping[str, Tensor],
        given: Tensor | None = None,
        n_objects: Tensor | None = None,
    ) -> SoftBatch:
        """The arguments of `forward` as one value, padded to as many objects as there are slots."""
        groups = self.model.vocabulary.relations
        wanted = {relation.name: relation.arity for group in groups.values() for relation in group}
        if before.keys() != wanted.keys() or after.keys() - wanted.keys():
            raise ValueError(
                f"before: {', '.join(sorted(before))}, after: {', '.join(sorted(after))}: "
                f"expected a tensor for each of {', '.join(sorted(wanted))}"
            )
        width = max((t.shape[-1] for name, t in before.items() if wanted[name]), default=1)
        room = max(width, self.model.config.n_slots)

        def stacked(atoms: Mapping[str, Tensor], k: int) -> Tensor:
            shape, found = (len(action), *[width] * k), []
            for relation in groups[k]:
                own = atoms[relation.name]
                if own.shape not in (shape, shape[1:]):
                    raise ValueError(
                        f"{relation.name}: expected the shape {list(shape)} or {list(shape[1:])}, "
                        f"found {list(own.shape)}"
                    )
                padded = functional.pad(own, [0, room - width] * k)
                found.append(padded.expand(len(action), *[room] * k))
            tensor = torch.stack(found, 1).to(self.model.queries)
            return tensor.reshape(len(action), len(groups[k]), room**k)

        if given is None:
            given = action.new_full((len(action), 1), -1)
        if n_objects is None:
            n_objects = action.new_full((len(action),), width)
        changed = {**before, **after}
        return SoftBatch(
            action,
            given,
            n_objects,
            room,
            {k: stacked(before, k) for k in groups},
            {k: stacked(changed, k) for k in groups},
        )
