from __future__ import annotations

from itertools import product
from math import exp, log, prod

import numpy as np
import pytest
import torch

from dias.nn.aux_loss import EPS
from dias.nn.batches import make_batch
from dias.nn.lifted import atom_weights, slot_weights
from dias.nn.lifted_loss import (
    changed_probability,
    log_precondition_probability,
    precondition_probabilities,
    truth_and_falsity,
)
from dias.nn.model import NEGATIVE, POSITIVE, Probabilities
from tests.nn.cases import (
    TABLES,
    TRACES,
    VOCABULARY,
    lifted_atoms,
    lifted_main_loss,
    random_selection,
    slot_tuples,
    small_model,
    softmax,
    true_after,
    true_before,
    weight_of,
)

EVERYTHING = np.array([0, 1, 2, 3, 4, 5, 6])


def number_of(transition, terms):
    names = list(TRACES.segments[transition.segment].objects)
    return [names.index(term) for term in terms]


def lifted_truth(selection, transition, relation, slots):
    """Ã of one lifted atom for one transition: the sum over true atoms."""
    return sum(
        weight_of(selection, slots, number_of(transition, terms))
        for found, terms in true_before(TRACES, transition)
        if found == relation
    )


def log_precondition_by_loop(model, transition, selection, slot_probs, action, tau):
    n_slots = model.config.n_slots
    total, n_lifted = 0.0, 0
    for relation, r, slots, column in lifted_atoms(n_slots):
        logits = model.precondition_logits[str(relation.arity)][action, r, column].tolist()
        probs = softmax(logits)
        truth = lifted_truth(selection, transition, relation, slots)
        active = prod(float(slot_probs[slot]) for slot in slots)
        total += log(1 - probs[POSITIVE] * (active - truth) - probs[NEGATIVE] * truth)
        n_lifted += 1
    return total / (tau * n_lifted + 1 - tau)


def ground_change(model, selection, action, relation, objects, case):
    """Σ P[r,i,j]·S̃[i,x]·S̃[j,y]: the probability that the schema adds (deletes) one atom."""
    r = VOCABULARY.relations[relation.arity].index(relation)
    return sum(
        softmax(model.effect_logits[str(relation.arity)][action, r, column].tolist())[case]
        * weight_of(selection, slots, objects)
        for column, slots in enumerate(slot_tuples(model.config.n_slots, relation.arity))
    )


def main_loss_by_loop(model, batch, chosen, tau):
    """Over every ground atom: -log(p_pre·q) if it changed, p_pre·q if not."""
    total = 0.0
    for place, number in enumerate(batch.places):
        transition = TRACES.transitions[number]
        names = list(TRACES.segments[transition.segment].objects)
        before, after = true_before(TRACES, transition), true_after(TRACES, transition)
        selection, action = chosen.selection[place], int(batch.action[place])
        log_pre = log_precondition_by_loop(
            model, transition, selection, chosen.slot_probs[place], action, tau
        )
        for relation in [r for group in VOCABULARY.relations.values() for r in group]:
            for objects in product(range(len(names)), repeat=relation.arity):
                atom = (relation, tuple(names[o] for o in objects))
                case = NEGATIVE if atom in before else POSITIVE
                q = ground_change(model, selection, action, relation, objects, case)
                if (atom in before) != (atom in after):
                    total += -log(q + EPS) - log_pre
                else:
                    total += exp(log_pre) * q
    return total / len(batch.places)


def change_weights(chosen, batch):
    """Weights of the atoms that were added, then of those that were deleted."""
    added, deleted = (
        atom_weights(chosen.selection, group) for group in (batch.added, batch.deleted)
    )
    return {k: torch.cat([added[k], deleted[k]]) for k in added}


@pytest.mark.parametrize("k", [0, 1, 2, 3])
def test_slot_weights(k):
    probs = torch.tensor([[0.5, 0.25, 1.0], [0.1, 0.0, 0.9]])
    expected = [
        [prod((row[s] for s in slots), start=1.0) for slots in slot_tuples(3, k)]
        for row in probs.tolist()
    ]
    torch.testing.assert_close(slot_weights(probs, k), torch.tensor(expected))


@pytest.mark.parametrize("tau", [1.0, 0.3, 0.01, 0.0])
@pytest.mark.parametrize("n_slots", [1, 2])
def test_precondition_probability_equals_the_product(tau, n_slots):
    model, batch = small_model(n_slots=n_slots), make_batch(TABLES, EVERYTHING)
    chosen = random_selection(batch, model)
    found = precondition_probabilities(model, batch, chosen, tau).log()
    expected = [
        log_precondition_by_loop(
            model,
            TRACES.transitions[number],
            chosen.selection[place],
            chosen.slot_probs[place],
            int(batch.action[place]),
            tau,
        )
        for place, number in enumerate(batch.places)
    ]
    torch.testing.assert_close(found, torch.tensor(expected))
    assert (found < 0).all()


def test_a_violated_precondition_stays_finite():
    lifted = {0: torch.tensor([[[0.0]], [[1.0]]])}
    model = small_model()
    with torch.no_grad():
        for logits in model.precondition_logits.values():
            logits.fill_(-50.0)[..., POSITIVE] = 50.0
    preconditions = Probabilities(*({0: case[0][:, :1]} for case in model.preconditions()))
    atoms = truth_and_falsity(lifted, torch.zeros(2, 0))
    found = log_precondition_probability(*atoms, preconditions, torch.tensor([0, 0]), 0.0)
    torch.testing.assert_close(found, torch.tensor([log(EPS), 0.0]), atol=0.1, rtol=0)


def test_changed_probability_equals_the_sum_over_slots():
    model, batch = small_model(), make_batch(TABLES, EVERYTHING)
    chosen = random_selection(batch, model)
    effects = model.effects().rows(batch.action)
    places, found = changed_probability(change_weights(chosen, batch), batch, effects)
    expected = []
    for place, number in enumerate(batch.places):
        transition = TRACES.transitions[number]
        before, after = true_before(TRACES, transition), true_after(TRACES, transition)
        for case, atoms in ((POSITIVE, after - before), (NEGATIVE, before - after)):
            for relation, terms in atoms:
                selection, action = chosen.selection[place], int(batch.action[place])
                objects = number_of(transition, terms)
                change = ground_change(model, selection, action, relation, objects, case)
                expected.append((place, pytest.approx(change, rel=1e-5)))
    found = sorted(zip(places.tolist(), found.tolist(), strict=True))
    assert found == sorted(expected, key=lambda pair: (pair[0], pair[1].expected))
    assert len(found) == sum(len(t.state ^ t.next_state) for t in TRACES.transitions) > 0


def test_nothing_changes_anywhere():
    model, batch = small_model(), make_batch(TABLES, np.array([4, 5]))
    chosen = random_selection(batch, model)
    effects = model.effects().rows(batch.action)
    places, found = changed_probability(change_weights(chosen, batch), batch, effects)
    assert len(places) == len(found) == 0
    expected = main_loss_by_loop(model, batch, chosen, 0.5)
    assert lifted_main_loss(model, batch, chosen, 0.5).item() == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(
    ("index", "n_slots", "tau"),
    [(EVERYTHING, 2, 0.5), (EVERYTHING, 1, 0.0), ([3, 0, 0], 2, 1.0), ([5], 2, 0.2)],
)
def test_main_loss_equals_a_loop_over_ground_atoms(index, n_slots, tau):
    model, batch = small_model(n_slots=n_slots, seed=3), make_batch(TABLES, np.array(index))
    chosen = random_selection(batch, model, seed=4)
    found = lifted_main_loss(model, batch, chosen, tau).item()
    assert found == pytest.approx(main_loss_by_loop(model, batch, chosen, tau), rel=1e-4)


def test_main_loss_is_the_mean_over_the_batch():
    """A repeated transition counts twice; the order within the batch does not matter."""
    model, batch = small_model(), make_batch(TABLES, np.array([0, 1, 0]))
    chosen = random_selection(batch, model)
    parts = []
    for place, number in enumerate(batch.places):
        alone = make_batch(TABLES, np.array([number]))
        n_objects = int(alone.n_objects[0])
        one = type(chosen)(
            chosen.assignment[place : place + 1, :, :n_objects],
            chosen.slot_probs[place : place + 1],
            chosen.selection[place : place + 1, :, :n_objects],
        )
        parts.append(lifted_main_loss(model, alone, one, 0.5).item())
    assert lifted_main_loss(model, batch, chosen, 0.5).item() == pytest.approx(
        sum(parts) / 3, rel=1e-5
    )
