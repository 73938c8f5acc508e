"""Reads discrete schemas out of a trained network.

Paper: Section "Derivation of action schemas" (``eq:schema-derivation``).
Departs: the formula lacks the element-wise product between w̄ w̄ᵀ and P; a literal is kept when
its probability and all its slots pass.
"""

from __future__ import annotations

from itertools import product

import torch
from torch import Tensor

from dias.learning.bindings import Effects, compact
from dias.learning.certify import LiftedSchema
from dias.learning.examples import LiftedAtom, type_relation
from dias.nn.model import DiasModel

THRESHOLD = 0.5
"""For slots, and for what is proposed to the transitions. Paper: 1/2 for slots."""


def proposed_effects(model: DiasModel, action: str) -> Effects:
    """The effects above the threshold, over the slots that occur in them.

    Slots are not asked whether they are active: what decides is whether the transitions bear the
    effects out (`dias.learning.certify`).
    """
    number = model.vocabulary.actions.index(action)
    with torch.no_grad():
        effects = model.effects()
    every_slot = torch.ones(model.config.n_slots, dtype=torch.bool)
    add = _literals(model, effects.positive, number, every_slot, THRESHOLD)
    delete = _literals(model, effects.negative, number, every_slot, THRESHOLD)
    return compact(add, delete, model.vocabulary.n_given[number])


def active_slots(model: DiasModel, action: str) -> Tensor:
    """w̄: which slots are arguments of the action, ``[M]`` booleans; those of given ones always."""
    number = model.vocabulary.actions.index(action)
    active = torch.sigmoid(model.slot_logits[number].detach()) > THRESHOLD
    active[: model.vocabulary.n_given[number]] = True
    return active


def thresholded_schema(model: DiasModel, action: str, threshold: float = THRESHOLD) -> LiftedSchema:
    """The paper's own derivation: every literal above the threshold, over all active slots.

    Args:
        model: The network.
        action: The action name.
        threshold: For literals. Paper: "high"; 3/4 under noise. That of slots is 1/2 always.
    """
    number = model.vocabulary.actions.index(action)
    with torch.no_grad():
        effects, preconditions = model.effects(), model.preconditions()
    active = active_slots(model, action)
    place = {int(slot): i for i, slot in enumerate(active.nonzero().flatten())}

    def literals(probs: dict[int, Tensor]) -> tuple[LiftedAtom, ...]:
        return tuple(
            LiftedAtom(atom.relation, tuple(place[slot] for slot in atom.variables))
            for atom in _literals(model, probs, number, active, threshold)
        )

    return LiftedSchema(
        action,
        Effects(len(place), literals(effects.positive), literals(effects.negative)),
        len(place),
        literals(preconditions.positive),
        literals(preconditions.negative),
    )


def _literals(
    model: DiasModel, probs: dict[int, Tensor], action: int, active: Tensor, threshold: float
) -> list[LiftedAtom]:
    """Lifted atoms with a probability above the threshold, all of whose slots are active."""
    found = []
    for k, relations in model.vocabulary.relations.items():
        tuples = list(product(range(model.config.n_slots), repeat=k))
        for r, place in (probs[k][action] > threshold).nonzero().tolist():
            if all(active[slot] for slot in tuples[place]):
                relation = relations[r]
                name = type_relation(relation.name) if relation.is_type else relation.name
                found.append(LiftedAtom(name, tuples[place]))
    return found
