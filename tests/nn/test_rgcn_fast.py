"""The fast R-GCN against the plain one, and its rows against the edges one by one."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import dias.nn.rgcn_fast as module
from dias.config import ModelConfig
from dias.nn.batches import make_batch
from dias.nn.edges import EdgeTypes
from dias.nn.rgcn import RGCN
from dias.nn.rgcn_fast import FastRGCN, TransitionGraphs
from dias.nn.tables import Symbols, build_tables
from dias.strips.model import OBJECT
from dias.traces.record import Segment
from tests.nn.cases import TABLES, VOCABULARY, facts, step, traces

EDGE_TYPES = EdgeTypes(VOCABULARY)
GRAPHS = TransitionGraphs(TABLES, EDGE_TYPES)
N_OBJECTS = 6


@settings(deadline=None, max_examples=30)
@given(
    st.lists(st.integers(0, len(TABLES) - 1), min_size=1, max_size=9),
    st.integers(1, 4),
    st.integers(0, 2**32 - 1),
)
def test_fast_and_plain_are_equal(index, n_layers, seed):
    """Same parameters, same keys, same gradients."""
    generator = torch.Generator().manual_seed(seed)
    config = ModelConfig(dim=8, n_layers=n_layers)
    plain, fast = (kind(VOCABULARY, config, generator) for kind in (RGCN, FastRGCN))
    fast.load_state_dict(plain.state_dict())
    batch = make_batch(TABLES, np.array(index))
    noise = torch.randn(len(index), N_OBJECTS, 4, generator=generator).requires_grad_()
    direction = torch.randn(len(index), N_OBJECTS, 8, generator=generator)
    found = []
    for network in (plain, fast):
        keys = network(batch, N_OBJECTS, noise)
        wanted = [noise, *network.parameters()]
        found.append((keys, *torch.autograd.grad((keys * direction).sum(), wanted)))
    for expected, own in zip(*found, strict=True):
        torch.testing.assert_close(own, expected, atol=1e-3, rtol=1e-3)
        assert expected.abs().max() > 0


def expected_means(places, n_objects, n_types):
    """``[T, B·O, B·O]``: the mean of the sources of type t that enter a node, edge by edge."""
    edges = EDGE_TYPES.edges(TABLES)
    means = torch.zeros(n_types, len(places) * n_objects, len(places) * n_objects)
    for place, number in enumerate(places):
        for t, kind, source, target in zip(*edges, strict=True):
            if t == number:
                means[kind, place * n_objects + target, place * n_objects + source] += 1
    return means / means.sum(2, keepdim=True).clamp(min=1)


def found_means(rows, n_nodes):
    """The same from the rows of a batch."""
    every_row = torch.eye(len(rows.block) * rows.n_block)
    sources, entered = rows.sources.sum(torch.eye(n_nodes)), rows.targets.sum(every_row)
    kinds = rows.types[rows.block].repeat_interleave(rows.n_block, 0)
    return torch.einsum("nr,rt,rm->tnm", entered, kinds, sources)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(0, len(TABLES) - 1), min_size=1, max_size=5))
def test_rows_are_the_edges_of_any_batch(index):
    rows = GRAPHS.rows(np.array(index), N_OBJECTS)
    expected = expected_means(index, N_OBJECTS, EDGE_TYPES.n_types)
    torch.testing.assert_close(found_means(rows, len(index) * N_OBJECTS), expected)


def test_the_ways_back_are_the_transposed_ways():
    index = np.array([3, 0, 0, 6, 2])
    rows = GRAPHS.rows(index, N_OBJECTS)
    n_nodes, n_rows = len(index) * N_OBJECTS, len(rows.block) * rows.n_block
    assert torch.equal(
        rows.to_targets.sum(torch.eye(n_nodes)), rows.targets.sum(torch.eye(n_rows)).T
    )
    assert torch.equal(
        rows.to_sources.sum(torch.eye(n_rows)), rows.sources.sum(torch.eye(n_nodes)).T
    )
    of_block = rows.blocks.sum(torch.eye(len(rows.block)))
    assert of_block.argmax(0).tolist() == rows.block.tolist()
    assert of_block.sum(0).tolist() == [1] * len(rows.block)


def test_what_has_the_same_sources_and_target_is_one_row():
    """A symmetric relation and its reverse, a node with its unary atoms, an atom deleted."""
    linked = facts("linked a b", "linked b a", "linked b c", "linked c b", "red a", "red b")
    case = traces(
        {"linked": 2, "red": 1, "on": 2},
        [Segment("", {"a": OBJECT, "b": OBJECT, "c": OBJECT}, linked)],
        [step(0, "x", facts("on a c"), facts())],
    )
    vocabulary = Symbols.of(case)
    edge_types = EdgeTypes(vocabulary)
    graphs = TransitionGraphs(build_tables(case, vocabulary), edge_types)
    rows = graphs.rows(np.array([0]), 3)
    sizes = rows.types.sum(1).tolist()
    # Loops of a and b with red, of c alone; linked both ways; on a c with its deletion, each way.
    assert sorted(sizes) == [1, 2, 2, 2, 2]
    used = rows.targets.sum(torch.ones(len(rows.block) * rows.n_block, 1))
    assert used.flatten().tolist() == [3, 2, 3]


@pytest.mark.parametrize("common", [0, 0.3, 1e9])
def test_rare_combinations_fall_apart_into_types(monkeypatch, common):
    monkeypatch.setattr(module, "COMMON", common)
    index = np.arange(len(TABLES))
    rows = TransitionGraphs(TABLES, EDGE_TYPES).rows(index, N_OBJECTS)
    assert (rows.types.sum(1).max() == 1) == (common == 1e9)
    expected = expected_means(index, N_OBJECTS, EDGE_TYPES.n_types)
    torch.testing.assert_close(found_means(rows, len(index) * N_OBJECTS), expected)


@pytest.mark.parametrize("sizes", [(1,), (2,), (4, 8), (128,)])
def test_the_size_of_a_block_changes_nothing(monkeypatch, sizes):
    monkeypatch.setattr(module, "BLOCKS", sizes)
    index = np.arange(len(TABLES))
    rows = GRAPHS.rows(index, N_OBJECTS)
    assert rows.n_block in sizes
    expected = expected_means(index, N_OBJECTS, EDGE_TYPES.n_types)
    torch.testing.assert_close(found_means(rows, len(index) * N_OBJECTS), expected)
