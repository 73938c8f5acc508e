"""Atoms that hold with some probability: hard losses where it is 0 or 1, and gradients."""

from __future__ import annotations

from itertools import product
from math import log, prod

import numpy as np
import pytest
import torch

from dias.config import ModelConfig
from dias.learning.train.trainer import OBJECTIVES
from dias.nn import SchemaLoss
from dias.nn.batches import SoftBatch, make_batch
from dias.nn.dense_loss import adjacency
from dias.nn.lifted_loss import EPS
from dias.nn.soft.loss import dense_main_loss, lifted_main_loss
from dias.nn.soft.rgcn import soft_keys
from tests.nn.cases import TABLES, VOCABULARY, random_selection, slot_tuples, small_model, weight_of

PLACES = np.arange(len(TABLES))
SOFT_LOSSES = {"dense": dense_main_loss, "lifted": lifted_main_loss}
RELATIONS = {"open": 0, "box": 1, "at": 2, "between": 3}


def hard_batches(model, tables=TABLES):
    """The same transitions as index tables, and as probabilities of 0 and 1."""
    batch = make_batch(tables, PLACES)
    width = max(model.config.n_slots, int(batch.n_objects.max()))
    tensors = adjacency(batch, width, model.n_relations)
    return batch, SoftBatch(batch.action, batch.given, batch.n_objects, width, *tensors)


def generator(seed=3):
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize("n_slots", [2, 6])
def test_the_network_sees_the_same_graph(n_slots):
    """Also where there are more slots than objects."""
    model = small_model(n_slots=n_slots)
    hard, soft = hard_batches(model)
    noise = model.node_noise(len(PLACES), soft.width, generator())
    torch.testing.assert_close(
        soft_keys(model.rgcn, soft, noise),
        model.rgcn(hard, soft.width, noise),
        atol=1e-5,
        rtol=1e-5,
    )


def test_given_arguments_are_marked_and_taken():
    given = torch.tensor([[1, -1], [0, 2]])
    component = SchemaLoss(
        {"at": 2}, ["wait", "move"], generator(), ModelConfig(2, 4, 1), n_given=(1, 2)
    )
    at = torch.rand(2, 3, 3, generator=generator(0))
    batch = component.batch(torch.tensor([0, 1]), {"at": at}, {}, given)
    assignment = component.select(batch, generator()).assignment
    assert assignment[0, 0].tolist() == [0, 1, 0]
    assert assignment[1].tolist() == [[1, 0, 0], [0, 0, 1]]
    noise = component.model.node_noise(2, 3, generator())
    unmarked = batch._replace(given=torch.full((2, 2), -1))
    is_other = soft_keys(component.model.rgcn, batch, noise) != soft_keys(
        component.model.rgcn, unmarked, noise
    )
    assert is_other.any(2).tolist() == [[False, True, False], [True, False, True]]


@pytest.mark.parametrize("tau", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("objective", SOFT_LOSSES)
def test_certain_atoms_have_the_loss_of_given_ones(objective, tau):
    model = small_model()
    hard, soft = hard_batches(model)
    chosen = random_selection(hard, model)
    effects = model.effects().rows(hard.action)
    expected = OBJECTIVES[objective].main_loss(model, hard, chosen, effects, tau)
    found = SOFT_LOSSES[objective](model, soft, chosen, effects, tau)
    torch.testing.assert_close(found, expected, atol=0, rtol=1e-5)


@pytest.mark.parametrize("objective", SOFT_LOSSES)
def test_the_component_gives_the_losses_of_training(objective):
    """Selection included, with the same parameters and the same noise."""
    names = {r.name: r.arity for group in VOCABULARY.relations.values() for r in group}
    component = SchemaLoss(names, VOCABULARY.actions, generator(), ModelConfig(2, 4, 2), objective)
    component.model = small_model()
    hard, soft = hard_batches(component.model)
    chosen = component.model.fill(
        hard, component.model.rgcn(hard, 5, component.model.node_noise(7, 5, generator())), 1e-9
    )
    loss = OBJECTIVES[objective]
    effects = component.model.effects().rows(hard.action)
    main = loss.main_loss(component.model, hard, chosen, effects, 0.2)
    found = SOFT_LOSSES[objective](
        component.model, soft, component.select(soft, generator()), effects, 0.2
    )
    torch.testing.assert_close(found, main, atol=0, rtol=1e-4)
    auxiliary = component._auxiliary.auxiliary_loss(component.model, soft)
    torch.testing.assert_close(auxiliary, loss.auxiliary_loss(component.model, hard))


def soft_transitions(n_batch=2, n_objects=3, seed=0):
    """Probabilities strictly between 0 and 1 of relations of each arity up to 3, in float64."""
    rng = torch.Generator().manual_seed(seed)
    shapes = {name: (n_batch, *[n_objects] * k) for name, k in RELATIONS.items()}
    return (
        {
            name: 0.05 + 0.9 * torch.rand(s, generator=rng, dtype=torch.float64)
            for name, s in shapes.items()
        }
        for _ in range(2)
    )


def component_of(objective):
    component = SchemaLoss(
        RELATIONS, ["move", "wait"], generator(1), ModelConfig(2, 4, 2), objective
    ).double()
    with torch.no_grad():  # zeros are a special point
        for parameter in component.parameters():
            parameter += 0.5 * torch.randn(parameter.shape, generator=generator(2))
    return component


@pytest.mark.parametrize("objective", SOFT_LOSSES)
def test_gradients_towards_the_atoms_and_the_parameters(objective):
    component = component_of(objective)
    before, after = soft_transitions()
    inputs = [t.requires_grad_() for t in (*before.values(), *after.values())]
    own = [component.model.queries, component.model.slot_logits, component.model.rgcn.nullary]
    own += [*component.model.effect_logits.values(), *component.model.precondition_logits.values()]

    def loss(*tensors):
        pairs = [dict(zip(RELATIONS, tensors[i:], strict=False)) for i in (0, len(RELATIONS))]
        return component(torch.tensor([0, 1]), *pairs, generator(), 0.3).main

    assert torch.autograd.gradcheck(
        lambda *tensors: loss(*tensors[: len(inputs)]), (*inputs, *own), fast_mode=True
    )


def in_slots(model, chosen, atoms, place):
    """Ã of one transition as {(arity, relation, slots): value}."""
    n_slots, n_objects = model.config.n_slots, chosen.shape[2]
    return {
        (k, r, slots): sum(
            atoms[k][place, r, column].item() * weight_of(chosen[place], slots, objects)
            for column, objects in enumerate(product(range(n_objects), repeat=k))
        )
        for k, count in model.n_relations.items()
        for r in range(count)
        for slots in slot_tuples(n_slots, k)
    }


def cases_of(model, chosen, batch, place):
    """Each ground atom: A, A′, and P̃_add, P̃_del, P̃_pre+, P̃_pre- by loops over slots."""
    action, n_slots = int(batch.action[place]), model.config.n_slots
    effects, literals = model.effects(), model.preconditions()
    tables = (effects.positive, effects.negative, literals.positive, literals.negative)
    for k, count in model.n_relations.items():
        for r in range(count):
            for column, objects in enumerate(product(range(chosen.shape[2]), repeat=k)):
                projected = [
                    sum(
                        table[k][action, r, place_].item()
                        * weight_of(chosen[place], slots, objects)
                        for place_, slots in enumerate(slot_tuples(n_slots, k))
                    )
                    for table in tables
                ]
                A, A_next = (
                    side[k][place, r, column].item() for side in (batch.before, batch.after)
                )
                yield A, A_next, *projected


def looped_dense(model, chosen, batch, place, tau):
    rows = list(cases_of(model, chosen, batch, place))
    holds = prod((1 - pos * (1 - A)) * (1 - neg * A) for A, _, _, _, pos, neg in rows)
    n_objects, groups = chosen.shape[2], model.n_relations
    n_entries = sum(count * n_objects ** max(k, 2) for k, count in groups.items())
    p_pre = holds ** (1 / (tau * n_entries + 1 - tau))
    total = 0.0
    for A, A_next, add, delete, _, _ in rows:
        predicted = A + p_pre * ((1 - A) * add - A * delete)
        total -= A_next * log(predicted) + (1 - A_next) * log(1 - predicted)
    n_lifted = sum(count * model.config.n_slots**k for k, count in groups.items())
    return total / (n_entries + 2 * n_lifted)


def looped_lifted(model, chosen, batch, place, tau):
    action = int(batch.action[place])
    slot_probs = torch.sigmoid(model.slot_logits[action]).tolist()
    effects, literals = model.effects(), model.preconditions()
    holds, proposed, truth = 1.0, 0.0, in_slots(model, chosen, batch.before, place)
    for (k, r, slots), true in truth.items():
        false = prod(slot_probs[slot] for slot in slots) - true
        column = slot_tuples(model.config.n_slots, k).index(slots)
        pos, neg = (side[k][action, r, column].item() for side in literals[1:])
        holds *= 1 - pos * false - neg * true
        add, delete = (side[k][action, r, column].item() for side in effects[1:])
        proposed += add * false + delete * true
    p_pre = holds ** (1 / (tau * len(truth) + 1 - tau))
    unexplained = wrong = 0.0
    for A, A_next, add, delete, _, _ in cases_of(model, chosen, batch, place):
        seen = A * A_next + (1 - A) * (1 - A_next)
        for weight, q in (((1 - A) * A_next, add), (A * (1 - A_next), delete)):
            seen += weight * p_pre * (q + EPS)
            wrong -= weight * p_pre * q
        unexplained -= log(seen)
    return unexplained + wrong + p_pre * proposed


@pytest.mark.parametrize("tau", [0.0, 0.3])
@pytest.mark.parametrize(
    ("objective", "looped"), [("dense", looped_dense), ("lifted", looped_lifted)]
)
def test_soft_losses_are_what_the_formulas_say(objective, looped, tau):
    component = component_of(objective)
    batch = component.batch(torch.tensor([0, 1]), *soft_transitions())
    with torch.no_grad():
        chosen = component.select(batch, generator())
    effects = component.model.effects().rows(batch.action)
    found = SOFT_LOSSES[objective](component.model, batch, chosen, effects, tau).item()
    losses = [looped(component.model, chosen.selection, batch, place, tau) for place in range(2)]
    assert found == pytest.approx(sum(losses) / 2, rel=1e-6)


def test_more_objects_in_the_batch_change_nothing():
    """Neither those that pad, nor the slots that outnumber the objects."""
    component = component_of("dense")
    before, after = soft_transitions()
    wider = [
        {name: torch.nn.functional.pad(t, [0, 2] * RELATIONS[name]) for name, t in side.items()}
        for side in (before, after)
    ]
    batch = component.batch(torch.tensor([0, 1]), before, after)
    wide = component.batch(torch.tensor([0, 1]), *wider, n_objects=torch.tensor([3, 3]))
    noise = component.model.node_noise(2, 5, generator())
    keys = soft_keys(component.model.rgcn, batch, noise[:, :3])
    wide_keys = soft_keys(component.model.rgcn, wide, noise)
    torch.testing.assert_close(wide_keys[:, :3], keys)
    assert (wide_keys[:, 3:] == 0).all()
    chosen, wide_chosen = component.model.fill(batch, keys), component.model.fill(wide, wide_keys)
    effects = component.model.effects().rows(batch.action)
    losses = [
        dense_main_loss(component.model, *pair, effects, 0.5)
        for pair in ((batch, chosen), (wide, wide_chosen))
    ]
    torch.testing.assert_close(*losses)


def test_a_relation_that_is_not_in_after_stays_as_it_is():
    component = component_of("lifted")
    before, after = soft_transitions()
    fixed = before["between"][0]
    batch = component.batch(
        torch.tensor([0, 1]),
        {**before, "between": fixed},
        {name: after[name] for name in ("at", "open", "box")},
    )
    assert (batch.before[3] == batch.after[3]).all()
    assert (batch.before[3] == fixed.flatten()).all()
    assert (batch.after[2][:, 0] == after["at"].flatten(1)).all()


def test_what_makes_no_sense_is_said():
    at = torch.zeros(1, 2, 2)
    with pytest.raises(ValueError, match="'sparse' is none of lifted, dense"):
        SchemaLoss({"at": 2}, ["move"], generator(), objective="sparse")
    with pytest.raises(ValueError, match="n_given"):
        SchemaLoss({"at": 2}, ["move"], generator(), n_given=(1, 2))
    component = SchemaLoss({"at": 2, "open": 0}, ["move"], generator(), ModelConfig(2, 4, 1))
    with pytest.raises(ValueError, match="expected a tensor for each of at, open"):
        component(torch.tensor([0]), {"at": at}, {"at": at}, generator())
    with pytest.raises(ValueError, match=r"open: expected the shape \[1\] or \[\], found \[2\]"):
        component(torch.tensor([0]), {"at": at, "open": torch.ones(2)}, {}, generator())
