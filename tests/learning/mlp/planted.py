"""Networks whose weights are set by hand, so that what they have learned is known."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import torch

from dias.config import ModelConfig
from dias.learning.mlp.dynamics import MLPDynamics
from dias.nn.mlp_effects import HIDDEN, MLPEffectsModel
from dias.nn.model import NEGATIVE, NONE, POSITIVE
from dias.nn.tables import Symbols
from dias.strips.model import ActionSchema, Atom, Domain
from dias.strips.variants import common_name
from dias.traces.record import Traces

SURE = 10.0
"""A logit that decides."""


def planted(domain: Domain, traces: Traces, n_slots: int | None = None) -> MLPDynamics:
    """The network that does in every state what `domain`, which has no types, does.

    Schemas whose names differ only by a number are one action: what their preconditions share is
    its precondition, and by the rest an effect that only one of them has depends on the state. The
    hidden layers hand the lifted state on.
    """
    widest = max(action.arity for action in domain.actions)
    config = ModelConfig(n_slots or widest, 8, 1)
    network = MLPEffectsModel(Symbols.of(traces), config, torch.Generator())
    columns = _columns(network)
    n_atoms = len(columns)
    assert n_atoms <= min(HIDDEN)
    with torch.no_grad():
        for parameter in network.effect_weight:
            parameter.zero_()
        for weight in network.effect_weight[:-1]:
            weight.fill_diagonal_(1)
        weight = network.effect_weight[-1].view(HIDDEN[-1], -1, n_atoms, 3)
        bias = network.effect_bias[-1].view(-1, n_atoms, 3)
        bias[..., NONE] = SURE / 2
        network.slot_logits.fill_(-SURE)
        for number, name in enumerate(network.vocabulary.actions):
            schemas = [action for action in domain.actions if common_name(action.name) == name]
            network.slot_logits[number, : schemas[0].arity] = SURE
            shared = frozenset.intersection(*map(_preconditions, schemas))
            for logits in network.precondition_logits.values():
                logits[number, ..., NONE] = SURE
            for (k, r, column, _), is_positive in _over_slots(schemas[0], shared, columns):
                case = POSITIVE if is_positive else NEGATIVE
                network.precondition_logits[str(k)][number, r, column, case] = 2 * SURE
            common = frozenset.intersection(*map(_effects, schemas))
            for schema in schemas:
                condition = _preconditions(schema) - shared
                for effects, asked in (
                    (common, ()),
                    (_effects(schema) - common, _over_slots(schema, condition, columns)),
                ):
                    for (*_, own), adds in _over_slots(schema, effects, columns):
                        case = POSITIVE if adds else NEGATIVE
                        bias[number, own, case] = SURE
                        for (*_, other), is_positive in asked:
                            sign = 1 if is_positive else -1
                            weight[other, number, own, case] = 2 * SURE * sign
                            bias[number, own, case] -= 2 * SURE * is_positive
    return MLPDynamics.of(network, traces)


_Column = tuple[int, int, int, int]
"""Arity, relation within its arity, tuple of slots, and place among all lifted atoms."""


def _columns(network: MLPEffectsModel) -> dict[tuple[str, tuple[int, ...]], _Column]:
    """Where each lifted atom stands."""
    own = (
        (k, r, relation.name, column, slots)
        for k, relations in network.vocabulary.relations.items()
        for r, relation in enumerate(relations)
        for column, slots in enumerate(product(range(network.config.n_slots), repeat=k))
    )
    return {
        (name, slots): (k, r, column, place)
        for place, (k, r, name, column, slots) in enumerate(own)
    }


def _preconditions(schema: ActionSchema) -> frozenset[tuple[Atom, bool]]:
    return _signed(schema.preconditions, schema.negative_preconditions)


def _effects(schema: ActionSchema) -> frozenset[tuple[Atom, bool]]:
    return _signed(schema.add_effects, schema.delete_effects)


def _signed(true: Iterable[Atom], false: Iterable[Atom]) -> frozenset[tuple[Atom, bool]]:
    return frozenset({(atom, True) for atom in true} | {(atom, False) for atom in false})


def _over_slots(
    schema: ActionSchema,
    literals: Iterable[tuple[Atom, bool]],
    columns: dict[tuple[str, tuple[int, ...]], _Column],
) -> list[tuple[_Column, bool]]:
    """The literals of a schema with its parameters in the first slots."""
    slot = {name: number for number, name in enumerate(schema.variables)}
    return [
        (columns[atom.predicate, tuple(slot[term] for term in atom.terms)], is_positive)
        for atom, is_positive in literals
    ]
