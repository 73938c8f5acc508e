from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from dias.config import ModelConfig
from dias.nn.batches import make_batch
from dias.nn.edges import EdgeTypes
from dias.nn.rgcn import RGCN
from dias.nn.rgcn_fast import FastRGCN
from dias.nn.tables import Symbols, build_tables
from dias.strips.model import OBJECT, Atom
from dias.traces.record import Segment
from tests.nn.cases import TABLES, TRACES, VOCABULARY, facts, step, traces, true_after, true_before

DIM = 4
N_OBJECTS = 5
BATCH = make_batch(TABLES, np.array([5, 0, 3, 1, 0, 2, 6]))


KINDS = pytest.mark.parametrize("kind", [RGCN, FastRGCN])
"""Both must be what the loops say."""


def network(n_layers=2, vocabulary=VOCABULARY, seed=0, kind=FastRGCN):
    generator = torch.Generator().manual_seed(seed)
    rgcn = kind(vocabulary, ModelConfig(dim=DIM, n_layers=n_layers), generator)
    with torch.no_grad():
        for weight in rgcn.weight:  # the bias of loops starts as zero, which would hide mistakes
            weight[:, -1] = torch.randn(len(weight), DIM, generator=generator)
    return rgcn


def node_noise(n_batch, n_objects, seed=1):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(n_batch, n_objects, DIM // 2, generator=generator)


def graph(case, number, vocabulary, edge_types):
    """Edges [(type, source, target)] and 0-ary atoms [(kind, relation)] of one transition."""
    transition = case.transitions[number]
    names = list(case.segments[transition.segment].objects)
    before, after = true_before(case, transition), true_after(case, transition)
    edges, nullary = [(0, node, node) for node in range(len(names))], []
    for kind, atoms in enumerate((before, after - before, before - after)):
        for relation, terms in sorted(atoms):
            k, r = relation.arity, vocabulary.relations[relation.arity].index(relation)
            if k == 0:
                nullary.append((kind, r))
            pairs = [(i, j) for i in range(k) for j in range(k) if i != j] if k > 1 else [(0, 0)]
            for place, (i, j) in enumerate(pairs if k else []):
                type_ = edge_types.first[k, kind] + r * len(pairs) + place
                edges.append((type_, names.index(terms[i]), names.index(terms[j])))
    return edges, nullary


def keys_by_loop(rgcn, case, batch, vocabulary, n_objects, noise):
    """The keys, node by node and edge by edge."""
    keys = []
    for place, number in enumerate(batch.places):
        edges, nullary = graph(case, number, vocabulary, rgcn.edge_types)
        hidden = [torch.cat([0.1 * row, torch.zeros(DIM // 2)]) for row in noise[place]]
        for kind, r in nullary:
            embedding = rgcn.nullary[kind * len(vocabulary.relations[0]) + r]
            hidden = [row + embedding for row in hidden]
        for layer, (weight, bias) in enumerate((w[:, :-1], w[:, -1]) for w in rgcn.weight):
            after = []
            for node in range(n_objects):
                total = torch.zeros(DIM)
                for type_ in range(rgcn.edge_types.n_types):
                    messages = [
                        hidden[source][: weight.shape[1]] @ weight[type_] + bias[type_]
                        for t, source, target in edges
                        if t == type_ and target == node
                    ]
                    if messages:
                        total = total + sum(messages) / len(messages)
                scaled = (total - total.mean()) / (total.var(correction=0) + 1e-5).sqrt()
                after.append(scaled.relu() if layer < len(rgcn.weight) - 1 else scaled)
            hidden = after
        keys.append(torch.stack(hidden))
    return torch.stack(keys)


@KINDS
@pytest.mark.parametrize("n_layers", [1, 2])
def test_keys_and_gradients_equal_a_loop_over_edges(n_layers, kind):
    rgcn, noise = network(n_layers, kind=kind), node_noise(len(BATCH.places), N_OBJECTS)
    found = rgcn(BATCH, N_OBJECTS, noise)
    expected = keys_by_loop(rgcn, TRACES, BATCH, VOCABULARY, N_OBJECTS, noise)
    torch.testing.assert_close(found, expected, atol=1e-4, rtol=1e-4)
    direction = torch.randn(found.shape, generator=torch.Generator().manual_seed(2))
    parameters = list(rgcn.parameters())
    gradients = [
        torch.autograd.grad((keys * direction).sum(), parameters) for keys in (found, expected)
    ]
    for ours, theirs in zip(*gradients, strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-3, rtol=1e-3)
        assert theirs.abs().max() > 0


@KINDS
def test_gradients_without_nullary_relations(kind):
    """The first layer's input then needs no gradient, which takes another path."""
    changed = facts("on b a", "red a")
    case = traces(
        {"on": 2, "red": 1},
        [Segment("", {"a": OBJECT, "b": OBJECT}, facts())],
        [step(0, "x", facts("on a b"), changed)],
    )
    vocabulary = Symbols.of(case)
    batch = make_batch(build_tables(case, vocabulary), np.array([0, 0]))
    rgcn, noise = network(2, vocabulary, kind=kind), node_noise(2, 2)
    found = rgcn(batch, 2, noise)
    expected = keys_by_loop(rgcn, case, batch, vocabulary, 2, noise)
    torch.testing.assert_close(found, expected, atol=1e-4, rtol=1e-4)
    direction = torch.randn(found.shape, generator=torch.Generator().manual_seed(2))
    for ours, theirs in zip(
        torch.autograd.grad((found * direction).sum(), list(rgcn.parameters())),
        torch.autograd.grad((expected * direction).sum(), list(rgcn.parameters())),
        strict=True,
    ):
        torch.testing.assert_close(ours, theirs, atol=1e-3, rtol=1e-3)


def test_edge_types_are_numbered_without_gaps():
    edge_types = EdgeTypes(VOCABULARY)
    n_1, n_2, n_3 = (len(VOCABULARY.relations[k]) for k in (1, 2, 3))
    assert edge_types.n_types == 1 + 3 * (n_1 + 2 * n_2 + 6 * n_3)
    numbers = [
        edge_types.first[k, kind] + r * len(edge_types.pairs[k]) + pair
        for kind in range(3)
        for k, group in VOCABULARY.relations.items()
        for r in range(len(group))
        for pair in range(len(edge_types.pairs[k]))
    ]
    assert sorted(numbers) == list(range(1, edge_types.n_types))


def test_edges_are_loops_and_those_of_the_atoms_with_their_reverses():
    edge_types = EdgeTypes(VOCABULARY)
    found = sorted(zip(*(part.tolist() for part in edge_types.edges(TABLES)), strict=True))
    assert found == sorted(
        (number, *edge)
        for number in range(len(TABLES))
        for edge in graph(TRACES, number, VOCABULARY, edge_types)[0]
    )


def test_the_first_layer_is_spared_the_inputs_that_are_zero():
    changed = facts("red a")
    case = traces(
        {"red": 1}, [Segment("", {"a": OBJECT}, facts())], [step(0, "x", facts(), changed)]
    )
    shapes = [tuple(weight.shape) for weight in network(2, Symbols.of(case)).weight]
    assert shapes == [(4, DIM // 2 + 1, DIM), (4, DIM + 1, DIM)]
    assert network(2).weight[0].shape[1:] == (DIM + 1, DIM)  # relations of arity 0 fill all inputs


@KINDS
def test_an_object_that_only_pads_takes_no_part(kind):
    rgcn, noise = network(kind=kind), node_noise(len(BATCH.places), N_OBJECTS + 3)
    tight = rgcn(BATCH, N_OBJECTS, noise[:, :N_OBJECTS])
    padded = rgcn(BATCH, N_OBJECTS + 3, noise)
    for place, n_objects in enumerate(BATCH.n_objects.tolist()):
        torch.testing.assert_close(tight[place, :n_objects], padded[place, :n_objects])
        assert (padded[place, n_objects:] == 0).all()


def renamed(case, segment, names):
    """`case` with the objects of one segment renamed."""
    change = lambda atoms: frozenset(Atom.substitute(a, names) for a in atoms)  # noqa: E731
    old = case.segments[segment]
    objects = dict(sorted((names[o], t) for o, t in old.objects.items()))
    segments = list(case.segments)
    segments[segment] = Segment(old.problem, objects, change(old.static))
    transitions = [
        replace(t, state=change(t.state), next_state=change(t.next_state))
        if t.segment == segment
        else t
        for t in case.transitions
    ]
    return replace(case, segments=tuple(segments), transitions=tuple(transitions))


@KINDS
def test_keys_follow_a_renaming_of_the_objects(kind):
    names = dict(zip("abcde", "cedab", strict=True))
    case = renamed(TRACES, 3, names)
    index = np.array([0, 4, 6])  # all of segment 3
    order = [sorted(names.values()).index(names[o]) for o in sorted(names)]
    rgcn, noise = network(3, kind=kind), node_noise(3, 5)
    moved_noise = torch.empty_like(noise)
    moved_noise[:, order] = noise
    keys = rgcn(make_batch(TABLES, index), 5, noise)
    moved = rgcn(make_batch(build_tables(case, VOCABULARY), index), 5, moved_noise)
    torch.testing.assert_close(moved[:, order], keys, atol=1e-5, rtol=1e-5)
    assert not torch.allclose(moved, keys, atol=1e-2)


@KINDS
def test_added_deleted_and_true_atoms_are_told_apart(kind):
    """The same two states, there and back: only the kinds of the edges differ."""
    case = traces(
        {"on": 2, "dark": 0},
        [Segment("", {"a": OBJECT, "b": OBJECT}, facts())],
        [
            step(0, "x", facts("on a b"), facts("on a b", "on b a")),
            step(0, "x", facts("on a b", "on b a"), facts("on a b")),
            step(0, "x", facts("on a b"), facts("on a b", "dark")),
            step(0, "x", facts("on a b", "dark"), facts("on a b")),
        ],
    )
    vocabulary = Symbols.of(case)
    batch = make_batch(build_tables(case, vocabulary), np.arange(4))
    noise = node_noise(1, 2).expand(4, 2, DIM // 2)
    keys = network(2, vocabulary, kind=kind)(batch, 2, noise)
    for i in range(4):
        for j in range(i):
            assert not torch.allclose(keys[i], keys[j], atol=1e-3)


@KINDS
def test_relations_without_arguments_alone(kind):
    """A domain of switches: no relation has an argument, so the graph has no edge."""
    case = traces(
        {"lit": 0},
        [Segment("", {"a": OBJECT, "b": OBJECT}, facts())],
        [step(0, "switch", facts(), facts("lit"))],
    )
    vocabulary = Symbols.of(case)
    batch = make_batch(build_tables(case, vocabulary), np.array([0]))
    rgcn, noise = network(2, vocabulary, kind=kind), node_noise(1, 2)
    expected = keys_by_loop(rgcn, case, batch, vocabulary, 2, noise)
    torch.testing.assert_close(rgcn(batch, 2, noise), expected)


def test_same_seed_same_parameters():
    for ours, theirs in zip(network().parameters(), network().parameters(), strict=True):
        assert torch.equal(ours, theirs)
    assert not torch.equal(network().weight[0], network(seed=1).weight[0])
