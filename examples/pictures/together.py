"""The third way: classifier and schemas trained as one network, through `dias.nn.SchemaLoss`."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from dias.config import ModelConfig
from dias.learning.train.trainer import tau_at
from dias.nn import SchemaLoss
from examples.pictures.reader import Reader, likely_states
from examples.pictures.ways import Learned, Seen, learned_from
from examples.pictures.world import World

FIRST = 200
"""Gradient steps of the schemas alone, on what the labels alone make of the pictures."""
STEPS = 500
"""Gradient steps in all."""
BATCH = 64
CONFIG = ModelConfig(n_slots=3, dim=16, n_layers=3)
RATES = (2e-2, 5e-3)
"""Learning rates of the schemas and of the classifier."""
BALANCE = 5
"""Rounds in which rows and columns of a state are scaled to sums of 1, in turn."""


class Atoms:
    """Places and things as tensors over predicates and objects.

    Args:
        world: Gives the objects and what never changes.
    """

    def __init__(self, world: World) -> None:
        self.objects = sorted(world.instance.objects)
        self.arities = {p.name: p.arity for p in world.domain.predicates}
        number = {name: n for n, name in enumerate(self.objects)}
        self.static = {
            name: torch.zeros([len(number)] * arity) for name, arity in self.arities.items()
        }
        for atom in world.static:
            self.static[atom.predicate][tuple(number[term] for term in atom.terms)] = 1
        self._cells: dict[str, list[tuple[int, int, int]]] = {}
        for k, (predicate, *terms) in enumerate(world.templates):
            for p, place in enumerate(world.places):
                entry = 0
                for term in (*terms, place):
                    entry = entry * len(number) + number[term]
                self._cells.setdefault(predicate, []).append((p, k, entry))

    def tensors(self, probs: Tensor) -> dict[str, Tensor]:
        """The predicates that change, of states ``[B, P, K]``: ``[B, O, …, O]`` each."""
        found = {}
        for predicate, cells in self._cells.items():
            place, thing, entry = torch.tensor(cells).T
            shape = [len(self.objects)] * self.arities[predicate]
            flat = probs.new_zeros(len(probs), int(np.prod(shape)))
            found[predicate] = flat.index_copy(1, entry, probs[:, place, thing]).unflatten(1, shape)
        return found


def together(world: World, seen: Seen, seed: int) -> Learned:
    """Train both as one; then `dias.learn` on what the classifier reads."""
    generator = torch.Generator().manual_seed(seed)
    reader, atoms = Reader(seen.labelled, seen.labels), Atoms(world)
    weight, bias = (
        torch.tensor(value, dtype=torch.float32, requires_grad=True)
        for value in (reader.model.coef_, reader.model.intercept_)
    )
    schemas = SchemaLoss(atoms.arities, world.actions, generator, CONFIG)
    optimizer = torch.optim.Adam(
        [
            {"params": list(schemas.parameters()), "lr": RATES[0]},
            {"params": [weight, bias], "lr": RATES[1]},
        ]
    )
    pictures, labelled = (torch.tensor(p).float() for p in (seen.pictures, seen.labelled))
    labels, actions = torch.tensor(seen.labels), torch.tensor(seen.actions)
    once = torch.tensor(world.once)
    for step in range(STEPS):
        chosen = torch.randint(0, len(actions), (BATCH,), generator=generator)
        states = torch.cat([pictures[chosen], pictures[chosen + 1]])
        probs = balanced(functional.linear(states, weight, bias), once)
        if step < FIRST:
            probs = probs.detach()
        before, after = (atoms.tensors(half) for half in probs.chunk(2))
        tau = tau_at(step, FIRST)
        main, auxiliary = schemas(
            actions[chosen], {**atoms.static, **before}, after, generator, tau
        )
        own = functional.cross_entropy(functional.linear(labelled, weight, bias), labels)
        optimizer.zero_grad()
        (main + 0.01 * auxiliary + own).backward()
        optimizer.step()
    reader.model.coef_ = weight.detach().double().numpy()
    reader.model.intercept_ = bias.detach().double().numpy()
    rng = np.random.default_rng(seed)
    states = likely_states(reader.log_likelihoods(seen.pictures), world.once, rng, n_tries=1)[:, 0]
    return learned_from(world, seen, reader, states)


def balanced(logits: Tensor, once: Tensor) -> Tensor:
    """Probabilities ``[B, P, K]`` that keep the one-of groups: each place, and each thing once."""
    probs = functional.softmax(logits, 2)
    for _ in range(BALANCE):
        probs = torch.where(once, probs / (probs.sum(1, keepdim=True) + 1e-6), probs)
        probs = probs / probs.sum(2, keepdim=True)
    return probs.clamp(0, 1)
