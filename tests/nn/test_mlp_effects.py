"""State-dependent effects against plain loops, and against the successors read from a network."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
import torch

from dias.config import ModelConfig
from dias.learning.mlp.dynamics import MLPDynamics
from dias.learning.mlp.lifted_codes import NOTHING, LiftedCodes
from dias.nn.batches import make_batch
from dias.nn.dense_loss import adjacency, change_probability, project
from dias.nn.lifted import lifted_state
from dias.nn.mlp_effects import HIDDEN, MLPEffectsModel
from dias.strips.codes import AtomCodes
from dias.strips.model import Instance
from dias.strips.problem import CodedProblem
from tests.nn.cases import TABLES, TRACES, VOCABULARY, random_selection, true_before

BATCH = make_batch(TABLES, np.arange(len(TABLES)))
N_OBJECTS = int(BATCH.n_objects.max())


def random_network(n_slots: int = 2, seed: int = 0, scale: float = 1.0) -> MLPEffectsModel:
    """A network whose effects vary with the state: the last layer of a new one is zero."""
    generator = torch.Generator().manual_seed(seed)
    network = MLPEffectsModel(VOCABULARY, ModelConfig(n_slots, 4, 1), generator)
    with torch.no_grad():
        for parameter in [*network.effect_weight, *network.effect_bias]:
            parameter.copy_(scale * torch.randn(parameter.shape, generator=generator))
    return network


def looped_effects(network, lifted, action):
    """The three probabilities of each lifted atom of one transition, unit by unit."""
    units = [float(x) for k in VOCABULARY.arities for x in lifted[k].flatten()]
    n_atoms = len(units)
    layers = [
        (w.tolist(), b.tolist())
        for w, b in zip(network.effect_weight, network.effect_bias, strict=True)
    ]
    for number, (weight, bias) in enumerate(layers):
        sums = [
            bias[j] + sum(x * row[j] for x, row in zip(units, weight, strict=True))
            for j in range(len(bias))
        ]
        is_last = number == len(layers) - 1
        units = sums if is_last else [max(0.0, value) for value in sums]
    own = units[action * n_atoms * 3 : (action + 1) * n_atoms * 3]
    probs = []
    for atom in range(n_atoms):
        exponentials = [math.exp(value) for value in own[3 * atom : 3 * atom + 3]]
        probs.append([e / sum(exponentials) for e in exponentials])
    return probs


def test_effects_are_the_equation():
    network = random_network(scale=0.2)
    lifted = lifted_state(random_selection(BATCH, network).selection, BATCH, network.n_relations)
    with torch.no_grad():
        effects = network.effects(lifted, BATCH.action)
    for place in range(len(BATCH.places)):
        own = {k: lifted[k][place] for k in lifted}
        expected = torch.tensor(looped_effects(network, own, int(BATCH.action[place])))
        found = torch.stack(
            [torch.cat([case[k][place].flatten() for k in lifted]) for case in effects], 1
        )
        assert torch.allclose(found, expected, atol=1e-5)


def test_a_new_network_begins_like_the_main_model():
    network = MLPEffectsModel(VOCABULARY, ModelConfig(2, 4, 1), torch.Generator().manual_seed(0))
    lifted = lifted_state(random_selection(BATCH, network).selection, BATCH, network.n_relations)
    for case in network.effects(lifted, BATCH.action):
        for probs in case.values():
            assert torch.allclose(probs, torch.tensor(1 / 3))
    assert len(network.effect_weight) == len(HIDDEN) + 1


def test_effects_depend_on_the_state_and_on_nothing_else():
    network = random_network()
    lifted = lifted_state(random_selection(BATCH, network).selection, BATCH, network.n_relations)
    other = {k: 1 - value for k, value in lifted.items()}
    action = torch.zeros_like(BATCH.action)
    before, after = (network.effects(own, action).positive for own in (lifted, other))
    assert not any(torch.allclose(before[k], after[k]) for k in lifted if lifted[k][0].numel())
    twice = network.effects(lifted, action).positive
    assert all(torch.equal(before[k], twice[k]) for k in lifted)


@pytest.mark.parametrize("place", range(len(BATCH.places)))
def test_a_hard_selection_gives_the_atoms_that_hold(place):
    """Ã of a one-hot selection is the pattern of zeros and ones that successors are read from."""
    transition = TRACES.transitions[BATCH.places[place]]
    segment = TRACES.segments[transition.segment]
    codes = AtomCodes({p.name: p.arity for p in TRACES.predicates}, list(segment.objects))
    facts = np.array(sorted(codes.encode_state(transition.state | segment.static)))
    n_slots = 3
    network = random_network(n_slots)
    groundings = LiftedCodes(VOCABULARY, n_slots, codes, segment.objects, TRACES.types)
    for binding in permutations([*range(len(segment.objects)), NOTHING], n_slots):
        hard = torch.zeros(len(BATCH.places), n_slots, N_OBJECTS)
        for slot, item in enumerate(binding):
            if item != NOTHING:
                hard[place, slot, item] = 1
        lifted = lifted_state(hard, BATCH, network.n_relations)
        filled = np.array([binding])
        truth = groundings.truth(filled, groundings.codes(filled), facts)
        expected = torch.cat([lifted[k][place].flatten() for k in lifted]).bool()
        assert truth[0].tolist() == expected.tolist()


@pytest.mark.parametrize("place", range(len(BATCH.places)))
def test_successors_are_those_of_the_dense_model(place):
    """Bridge: Â′ under each one-hot selection, rounded, is what the engine predicts."""
    transition = TRACES.transitions[BATCH.places[place]]
    segment = TRACES.segments[transition.segment]
    names = list(segment.objects)
    network = random_network(2, seed=place, scale=0.5)
    with torch.no_grad():
        network.slot_logits.fill_(5.0)  # both slots are active, and there are no preconditions
        for logits in network.precondition_logits.values():
            logits[..., 0] = 9.0
    dynamics = MLPDynamics.of(network, TRACES)
    problem = CodedProblem.of(
        Instance("", "", segment.objects, frozenset()), dynamics.domain, fluents=dynamics.fluents
    )
    engine, codes = dynamics.build(problem), problem.codes
    assert list(codes.objects) == names
    state = codes.encode_state(transition.state | segment.static)
    found = {(s.action, s.binding): (s.added, s.deleted) for s in engine.successors(state)}
    pairs = list(permutations(range(len(names)), 2))
    assert found.keys() == {(a, pair) for a in VOCABULARY.actions for pair in pairs}
    before, _ = adjacency(BATCH, N_OBJECTS, network.n_relations)
    true = true_before(TRACES, transition)
    for number, action in enumerate(VOCABULARY.actions):
        for pair in pairs:
            hard = torch.zeros(len(BATCH.places), 2, N_OBJECTS)
            hard[place, [0, 1], list(pair)] = 1
            lifted = lifted_state(hard, BATCH, network.n_relations)
            with torch.no_grad():
                effects = network.effects(lifted, torch.full_like(BATCH.action, number))
            certain = torch.ones(len(BATCH.places))
            add, delete = project(effects.positive, hard), project(effects.negative, hard)
            change = change_probability(before, add, delete, certain)
            added, deleted = set(), set()
            for k, group in VOCABULARY.relations.items():
                for r, relation in enumerate(group):
                    for column in (change[k][place, r] > 0.5).nonzero().flatten().tolist():
                        objects = np.unravel_index(column, (N_OBJECTS,) * k) if k else ()
                        atom = relation, tuple(names[int(o)] for o in objects)
                        if not relation.is_type:
                            (deleted if atom in true else added).add(atom)
            expected = tuple(
                frozenset(codes.offset[r.name] + _place(objects, names) for r, objects in atoms)
                for atoms in (added, deleted)
            )
            assert found[action, pair] == expected


def _place(objects, names):
    place = 0
    for item in objects:
        place = place * len(names) + names.index(item)
    return place
