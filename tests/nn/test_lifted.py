from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import torch

from dias.nn.batches import make_batch
from dias.nn.lifted import atom_weights, lifted_state, outer
from tests.nn.cases import (
    TABLES,
    TRACES,
    VOCABULARY,
    random_selection,
    slot_tuples,
    small_model,
    true_before,
    weight_of,
)

BATCHES = [[0, 1, 2, 3, 4, 5, 6], [3, 0, 0], [2], [5, 2, 5]]


def case(index, n_slots, seed=0):
    model = small_model(n_slots=n_slots, seed=seed)
    batch = make_batch(TABLES, np.array(index))
    return model, batch, random_selection(batch, model, seed)


def object_numbers(transition, terms):
    names = list(TRACES.segments[transition.segment].objects)
    return [names.index(term) for term in terms]


@pytest.mark.parametrize("n_slots", [1, 2, 3])
@pytest.mark.parametrize("index", BATCHES)
def test_lifted_state_equals_the_sum_over_true_atoms(index, n_slots):
    model, batch, chosen = case(index, n_slots)
    found = lifted_state(chosen.selection, batch, model.n_relations)
    assert list(found) == [0, 1, 2, 3]
    for k, group in VOCABULARY.relations.items():
        expected = torch.zeros(len(index), len(group), n_slots**k)
        for place, number in enumerate(batch.places):
            transition = TRACES.transitions[number]
            for relation, terms in true_before(TRACES, transition):
                if relation.arity != k:
                    continue
                objects = object_numbers(transition, terms)
                for column, slots in enumerate(slot_tuples(n_slots, k)):
                    expected[place, group.index(relation), column] += weight_of(
                        chosen.selection[place], slots, objects
                    )
        torch.testing.assert_close(found[k], expected)
        assert expected.abs().max() > 0


def test_entries_lie_between_zero_and_the_weight_of_their_slots():
    model, batch, chosen = case(BATCHES[0], 3)
    found = lifted_state(chosen.selection, batch, model.n_relations)
    for k, truth in found.items():
        for column, slots in enumerate(slot_tuples(3, k)):
            bound = torch.ones(len(batch.places))
            for slot in slots:
                bound = bound * chosen.slot_probs[:, slot]
            assert (truth[:, :, column] >= 0).all()
            assert (truth[:, :, column] <= bound.unsqueeze(1) + 1e-6).all()


@pytest.mark.parametrize("n_slots", [1, 3])
def test_atom_weights_equal_the_product_of_selections(n_slots):
    _, batch, chosen = case(BATCHES[0], n_slots)
    for group in (batch.atoms, batch.state, batch.added, batch.deleted):
        weights = atom_weights(chosen.selection, group)
        for k, atoms in group.items():
            found = weights[k]
            assert found.shape == (len(atoms.transition), n_slots**k)
            for row, (place, objects) in enumerate(
                zip(atoms.transition.tolist(), atoms.objects.tolist(), strict=True)
            ):
                expected = [
                    weight_of(chosen.selection[place], slots, objects)
                    for slots in slot_tuples(n_slots, k)
                ]
                torch.testing.assert_close(found[row], torch.tensor(expected))


def test_outer_runs_through_the_last_slot_first():
    a, b, c = torch.rand(3, 4, 2, generator=torch.Generator().manual_seed(0))
    assert torch.equal(outer([a]), a)
    expected = [a[:, i] * b[:, j] * c[:, k] for i, j, k in product(range(2), repeat=3)]
    torch.testing.assert_close(outer([a, b, c]), torch.stack(expected, 1))


def test_gradient_reaches_the_selection_from_static_and_varying_atoms():
    model, batch, chosen = case(BATCHES[0], 2)
    selection = chosen.selection.double().requires_grad_()

    def lifted(leaf):
        return tuple(lifted_state(leaf, batch, model.n_relations)[k] for k in (1, 2, 3))

    assert torch.autograd.gradcheck(lifted, (selection,), fast_mode=True)
