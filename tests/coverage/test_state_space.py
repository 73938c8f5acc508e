"""The reachable states and their transitions, as a graph."""

from __future__ import annotations

from pathlib import Path

import networkx
import numpy as np
import pytest

from dias.coverage.state_space import distances, explore, state_graph
from dias.strips.pddl.reader import read_domain, read_problem
from tests.garden import GARDEN, PLOT
from tests.oracles import naive_successors

HANOI = Path(__file__).parents[2] / "benchmarks" / "domains" / "hanoi"


@pytest.fixture(scope="module")
def hanoi():
    domain = read_domain(HANOI / "domain.pddl")
    return explore(domain, read_problem(HANOI / "p01.pddl", domain), 1_000)


def test_every_transition_is_there():
    space = explore(GARDEN, PLOT, 100)
    assert (len(space.number), space.is_whole) == (16, True)
    states = {
        number: space.problem.codes.decode_state(state | space.problem.static.atoms)
        for state, number in space.number.items()
    }
    assert states[0] == PLOT.init
    numbers = {state: number for number, state in states.items()}
    expected = {
        (number, action, numbers[(state - deleted) | added])
        for number, state in states.items()
        for action, _, added, deleted in naive_successors(GARDEN, PLOT.objects, state)
    }
    assert set(space.edges) == expected
    assert len(space.edges) == len(expected)
    assert [edge.source for edge in space.edges] == sorted(edge.source for edge in space.edges)


def test_two_bindings_with_one_successor_are_one_edge():
    """Both tanks lead to the roses."""
    space = explore(GARDEN, PLOT, 100)
    codes = space.problem.codes
    wet = {codes.decode(code).terms[0]: code for state in space.number for code in state
           if codes.decode(code).predicate == "wet"}  # fmt: skip
    waterings = [edge for edge in space.edges if edge.action == "water"]
    states = {number: state for state, number in space.number.items()}
    rose = [edge for edge in waterings if wet["rose"] in states[edge.target] - states[edge.source]]
    assert len(rose) == 6  # a tank is open in three of four cases; the leek is dry or wet


def test_the_first_states_only():
    space = explore(GARDEN, PLOT, 5)
    whole = explore(GARDEN, PLOT, 16)
    assert (len(space.number), space.is_whole, whole.is_whole) == (5, False, True)
    assert list(space.number) == list(whole.number)[:5]
    assert set(space.edges) == {e for e in whole.edges if e.source < 5 and e.target < 5}
    with pytest.raises(ValueError):
        explore(GARDEN, PLOT, 0)


def test_hanoi_with_six_discs(hanoi):
    """Paper: 3^6 = 729 states; three moves lead on from each, two where all discs are in one."""
    assert (len(hanoi.number), hanoi.is_whole) == (3**6, True)
    assert len(hanoi.edges) == 3 * 3**6 - 3
    assert {edge.action for edge in hanoi.edges} == {"move"}


def test_the_graph_of_hanoi(hanoi):
    graph = state_graph(hanoi)
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (729, 2184)
    assert graph.graph == {"name": hanoi.problem.name, "is_whole": True}
    assert graph.nodes[0]["state"] == next(iter(hanoi.number))
    assert networkx.is_strongly_connected(networkx.DiGraph(graph))
    assert networkx.diameter(networkx.Graph(graph)) == 2**6 - 1 == distances(graph).max()


def test_distances_are_those_of_networkx():
    graph = state_graph(explore(GARDEN, PLOT, 16))
    expected = dict(networkx.all_pairs_shortest_path_length(networkx.Graph(graph)))
    assert distances(graph).tolist() == [[expected[i][j] for j in range(16)] for i in range(16)]


def test_distances_go_against_the_edges_too():
    graph = networkx.MultiDiGraph([(0, 1), (2, 1), (2, 3), (3, 3)])
    assert distances(graph).tolist() == [[0, 1, 2, 3], [1, 0, 1, 2], [2, 1, 0, 1], [3, 2, 1, 0]]
    alone = networkx.MultiDiGraph()
    alone.add_node(0)
    assert np.array_equal(distances(alone), [[0]])
