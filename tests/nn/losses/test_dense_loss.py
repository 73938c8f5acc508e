"""The paper's objective against plain loops over ground atoms, and against the lifted one."""

from __future__ import annotations

from itertools import product
from math import log, prod

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.nn.batches import make_batch
from dias.nn.dense_loss import (
    adjacency,
    auxiliary_loss,
    n_entries,
    n_terms,
    precondition_probability,
    project,
)
from dias.nn.model import Selection
from tests.nn.cases import (
    TABLES,
    TRACES,
    VOCABULARY,
    dense_main_loss,
    lifted_main_loss,
    random_selection,
    slot_tuples,
    small_model,
    true_after,
    true_before,
    weight_of,
)
from tests.nn.hard import changed_steps, dense_loss

BATCH = make_batch(TABLES, np.arange(len(TABLES)))
N_OBJECTS = int(BATCH.n_objects.max())


def objects_of(place):
    return list(TRACES.segments[TRACES.transitions[BATCH.places[place]].segment].objects)


def ground(model, probs, chosen, place):
    """(relation, names) to P̃ = Σ_{i,j} P[r,i,j]·S̃[i,x]·S̃[j,y]."""
    names, action = objects_of(place), int(BATCH.action[place])
    selection = chosen.selection[place].tolist()  # an entry of a tensor takes long to look up
    found = {}
    for k, group in VOCABULARY.relations.items():
        own = probs[k][action].tolist()
        for r, relation in enumerate(group):
            for objects in product(range(len(names)), repeat=k):
                found[relation, tuple(names[o] for o in objects)] = sum(
                    own[r][column] * weight_of(selection, slots, objects)
                    for column, slots in enumerate(slot_tuples(model.config.n_slots, k))
                )
    return found


def looped_p_pre(model, chosen, place, tau):
    """``eq:pre-factor-schedule``, atom by atom."""
    true = true_before(TRACES, TRACES.transitions[BATCH.places[place]])
    probs = model.preconditions()
    positive = ground(model, probs.positive, chosen, place)
    negative = ground(model, probs.negative, chosen, place)
    factors = []
    for atom in positive:
        A = float(atom in true)
        factors.append((1 - positive[atom] * (1 - A)) * (1 - negative[atom] * A))
    return prod(factors) ** (1 / (tau * entries(place) + 1 - tau))


def entries(place):
    """R·O²: nullary and unary relations have a whole matrix, ternary ones O³."""
    n_objects = len(objects_of(place))
    return sum(len(g) * n_objects ** max(k, 2) for k, g in VOCABULARY.relations.items())


def terms(model, place):
    """N."""
    n_lifted = sum(len(g) * model.config.n_slots**k for k, g in VOCABULARY.relations.items())
    return entries(place) + 2 * n_lifted


def looped_main_loss(model, chosen, tau):
    losses = []
    effects = model.effects()
    for place, number in enumerate(BATCH.places):
        transition = TRACES.transitions[number]
        before, after = true_before(TRACES, transition), true_after(TRACES, transition)
        add = ground(model, effects.positive, chosen, place)
        delete = ground(model, effects.negative, chosen, place)
        p_pre = looped_p_pre(model, chosen, place, tau)
        total = 0.0
        for atom in add:
            A = float(atom in before)
            predicted = A + p_pre * ((1 - A) * add[atom] - A * delete[atom])
            total -= log(predicted) if atom in after else log(1 - predicted)
        losses.append(total / terms(model, place))
    return sum(losses) / len(losses)


def test_adjacency_is_the_truth_of_every_ground_atom():
    before, after = adjacency(BATCH, N_OBJECTS, small_model().n_relations)
    for place, number in enumerate(BATCH.places):
        names = [*objects_of(place), *[None] * N_OBJECTS][:N_OBJECTS]
        for tensor, truth in ((before, true_before), (after, true_after)):
            true = truth(TRACES, TRACES.transitions[number])
            found = {
                (group[r], atom)
                for k, group in VOCABULARY.relations.items()
                for r in range(len(group))
                for column, atom in enumerate(product(names, repeat=k))
                if tensor[k][place, r, column] == 1
            }
            assert found == true
            assert sum(t[place].sum().item() for t in tensor.values()) == len(true)


@pytest.mark.parametrize("n_slots", [1, 2])
def test_projection_is_a_sum_over_slots(n_slots):
    model = small_model(n_slots=n_slots)
    chosen = random_selection(BATCH, model)
    probs = model.effects().positive
    projected = project({k: p[BATCH.action] for k, p in probs.items()}, chosen.selection)
    for place in range(len(BATCH.places)):
        expected = ground(model, probs, chosen, place)
        for k, group in VOCABULARY.relations.items():
            shape = (len(group), *[N_OBJECTS] * k)
            assert projected[k][place].numel() == np.prod(shape)
            value = projected[k][place].reshape(shape)
            for r, relation in enumerate(group):
                for objects in product(range(len(objects_of(place))), repeat=k):
                    names = tuple(objects_of(place)[o] for o in objects)
                    assert value[(r, *objects)].item() == pytest.approx(
                        expected[relation, names], abs=1e-6
                    )


@pytest.mark.parametrize("tau", [0.0, 0.3, 1.0])
def test_precondition_probability_is_a_scheduled_root(tau):
    model = small_model()
    chosen = random_selection(BATCH, model)
    before, _ = adjacency(BATCH, N_OBJECTS, model.n_relations)
    probs = model.preconditions()
    positive, negative = (
        project({k: p[BATCH.action] for k, p in case.items()}, chosen.selection)
        for case in (probs.positive, probs.negative)
    )
    sizes = n_entries(BATCH, model.n_relations)
    assert sizes.tolist() == [entries(place) for place in range(len(sizes))]
    found = precondition_probability(before, positive, negative, sizes, tau)
    expected = [looped_p_pre(model, chosen, place, tau) for place in range(len(found))]
    assert found.tolist() == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("tau", [0.0, 1.0])
@pytest.mark.parametrize("n_slots", [1, 2])
def test_main_loss_is_a_loop_over_ground_atoms(n_slots, tau):
    model = small_model(n_slots=n_slots, seed=3)
    chosen = random_selection(BATCH, model)
    found = dense_main_loss(model, BATCH, chosen, tau).item()
    assert found == pytest.approx(looped_main_loss(model, chosen, tau), rel=1e-4)


def test_auxiliary_loss_is_a_loop_over_lifted_atoms():
    model = small_model()
    effects, preconditions = model.effects(), model.preconditions()
    w = torch.sigmoid(model.slot_logits).tolist()
    expected = 0.0
    for place, action in enumerate(BATCH.action.tolist()):
        loss = 0.0
        for k, group in VOCABULARY.relations.items():
            for r, (column, slots) in product(
                range(len(group)), enumerate(slot_tuples(model.config.n_slots, k))
            ):
                used = prod(w[action][slot] for slot in slots)
                loss -= log(effects.none[k][action, r, column].item())
                loss -= log(used * (1 - preconditions.none[k][action, r, column].item()))
        expected += loss / terms(model, place) / len(BATCH.places)
    assert auxiliary_loss(model, BATCH).item() == pytest.approx(expected, rel=1e-4)


def test_n_is_the_formula_of_the_paper():
    """Two binary and three unary predicates, 4 objects, 5 slots."""
    n = n_terms(torch.tensor([5 * 4.0**2]), {1: 3, 2: 2}, 5)
    assert n.item() == 5 * 16 + 2 * (3 * 5 + 2 * 25)


def test_padding_and_the_rest_of_the_batch_do_not_matter():
    model = small_model()
    chosen = random_selection(BATCH, model)
    alone = []
    for place, number in enumerate(BATCH.places):
        n_objects = int(BATCH.n_objects[place])
        own = Selection(
            chosen.assignment[place : place + 1, :, :n_objects],
            chosen.slot_probs[place : place + 1],
            chosen.selection[place : place + 1, :, :n_objects],
        )
        alone.append(
            dense_main_loss(model, make_batch(TABLES, np.array([number])), own, 0.5).item()
        )
    assert dense_main_loss(model, BATCH, chosen, 0.5).item() == pytest.approx(
        np.mean(alone), rel=1e-5
    )


def test_the_gradient_is_finite_where_everything_is_hard():
    model = small_model()
    with torch.no_grad():
        for logits in [*model.effect_logits.values(), *model.precondition_logits.values()]:
            logits.mul_(200)
        model.slot_logits.mul_(200)
    batch = make_batch(TABLES, np.arange(len(TABLES)))
    chosen = model.select(batch, torch.Generator().manual_seed(0))
    for loss in (dense_main_loss(model, batch, chosen, 0.0), auxiliary_loss(model, batch)):
        gradients = torch.autograd.grad(loss, list(model.parameters()), materialize_grads=True)
        assert all(g.isfinite().all() for g in gradients)


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_zero_where_the_lifted_objective_is_zero_and_nowhere_else(data):
    """Hard selections and schemas; also equal to the plain formulas of `hard`."""
    drawn = changed_steps(data.draw)
    if drawn is None:
        return
    case, vocabulary, batch, model, chosen, n_wrong = drawn
    n_steps = len(case.transitions)
    is_right = n_wrong == 0
    lifted = lifted_main_loss(model, batch, chosen, 0.0).item()
    sizes = n_entries(batch, model.n_relations)
    n = n_terms(sizes, model.n_relations, model.config.n_slots)[0].item()
    dense = dense_main_loss(model, batch, chosen, 0.0).item() * n
    assert (lifted * n_steps < 0.5) == (dense * n_steps < 0.5) == is_right
    plain = dense_loss(model, vocabulary, case, batch, chosen, 0.0) / n_steps
    # Float32 ends a hard probability at 1e-6 or 1e-8, where the plain formulas go on.
    assert (plain < 0.01) == (dense < 0.01)
