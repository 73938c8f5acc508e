"""Reads discrete schemas out of a trained network.

Paper: Section "Derivation of action schemas" (``eq:schema-derivation``).
Departs: the formula lacks the element-wise product between w̄ w̄ᵀ and P; a literal is kept when
its probability and all its slots pass.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import product

import torch
from torch import Tensor

from dias.learning.schema import (
    Effects,
    LiftedAtom,
    LiftedSchema,
    compact,
    comparisons,
    type_relation,
)
from dias.nn.model import DiasModel, SelectionModel

THRESHOLD = 0.5
"""For slots, and for what is proposed to the transitions. Paper: 1/2 for slots."""


def proposed_effects(model: DiasModel, action: str) -> Effects:
    """The effects above the threshold, over the slots that occur in them.

    Slots are not asked whether they are active: what decides is whether the transitions bear the
    effects out (`dias.learning.explain.bindings`, through `dias.learning.propose.proposals`).
    """
    number = model.vocabulary.actions.index(action)
    with torch.no_grad():
        effects = model.effects()
    every_slot = range(model.config.n_slots)
    add = _literals(model, effects.positive, number, every_slot, THRESHOLD)
    delete = _literals(model, effects.negative, number, every_slot, THRESHOLD)
    return compact(add, delete, model.vocabulary.n_given[number])


def thresholded_schema(model: DiasModel, action: str, threshold: float = THRESHOLD) -> LiftedSchema:
    """The paper's own derivation: every literal above the threshold, over all active slots.

    Args:
        model: The network.
        action: The action name.
        threshold: For literals. Paper: "high"; 3/4 under noise. That of slots is 1/2 always.
    """
    with torch.no_grad():
        effects = model.effects()
    schema = thresholded_preconditions(model, action, threshold)
    add = _over_active(model, effects.positive, action, threshold)
    delete = _over_active(model, effects.negative, action, threshold)
    return replace(schema, effects=Effects(schema.n_variables, add, delete))


def thresholded_preconditions(
    model: SelectionModel, action: str, threshold: float = THRESHOLD
) -> LiftedSchema:
    """The same without effects, which a network may have to give state by state."""
    with torch.no_grad():
        preconditions = model.preconditions()
    n_variables = len(active_slots(model, action))
    return LiftedSchema(
        action,
        Effects(n_variables, (), ()),
        n_variables,
        _over_active(model, preconditions.positive, action, threshold),
        # A slot selects an object that no other selects (Sinkhorn).
        (
            *_over_active(model, preconditions.negative, action, threshold),
            *comparisons(n_variables),
        ),
    )


def active_slots(model: SelectionModel, action: str) -> tuple[int, ...]:
    """Which slots are arguments of the action, ascending: w̄, and those of given ones always."""
    number = model.vocabulary.actions.index(action)
    active = torch.sigmoid(model.slot_logits[number].detach()) > THRESHOLD
    active[: model.vocabulary.n_given[number]] = True
    return tuple(active.nonzero().flatten().tolist())


def _over_active(
    model: SelectionModel, probs: dict[int, Tensor], action: str, threshold: float
) -> tuple[LiftedAtom, ...]:
    """The literals above the threshold over active slots, which are numbered 0, 1, …."""
    place = {slot: i for i, slot in enumerate(active_slots(model, action))}
    number = model.vocabulary.actions.index(action)
    return tuple(atom.renamed(place) for atom in _literals(model, probs, number, place, threshold))


def _literals(
    model: SelectionModel,
    probs: dict[int, Tensor],
    action: int,
    slots: Collection[int],
    threshold: float,
) -> list[LiftedAtom]:
    """Lifted atoms over some slots, with a probability above the threshold."""
    found = []
    for k, relations in model.vocabulary.relations.items():
        tuples = list(product(range(model.config.n_slots), repeat=k))
        for r, place in (probs[k][action] > threshold).nonzero().tolist():
            if all(slot in slots for slot in tuples[place]):
                relation = relations[r]
                name = type_relation(relation.name) if relation.is_type else relation.name
                found.append(LiftedAtom(name, tuples[place]))
    return found
