"""The reachable states of a problem with the transitions between them, as a graph.

The only module that knows networkx; it and NumPy are loaded when a graph is asked for.

Paper: Section "Hanoi state-space coverage" (``app:hanoi-state-space``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from dias.limits import OutOfTimeError, active_check, check
from dias.strips.breadth_first import breadth_first
from dias.strips.codes import State
from dias.strips.engines.lifted import LiftedEngine
from dias.strips.model import Domain, Instance
from dias.strips.problem import CodedProblem

if TYPE_CHECKING:
    import networkx
    import numpy as np


class Edge(NamedTuple):
    """A transition between two states, by their numbers; different bindings are one edge."""

    source: int
    action: str
    target: int


@dataclass(frozen=True)
class StateSpace:
    """The reachable states of a problem, or the first of them in breadth-first order.

    Attributes:
        problem: The problem.
        engine: Computes successors, also in states that are not reachable.
        number: State to its place in breadth-first order; the initial state has 0.
        edges: The transitions between these states, by source, in the order of the schemas.
        is_whole: Whether no reachable state is left out.
    """

    problem: CodedProblem
    engine: LiftedEngine
    number: dict[State, int]
    edges: tuple[Edge, ...]
    is_whole: bool


def explore(domain: Domain, instance: Instance, max_states: int) -> StateSpace:
    """The first `max_states` reachable states in breadth-first order, and their transitions.

    Fewer if a time limit around ends that.

    Raises:
        ValueError: `max_states` is below 1.
    """
    if max_states < 1:
        raise ValueError("max_states must be at least 1")
    problem = CodedProblem.of(instance, domain)
    engine = LiftedEngine(domain, problem, active_check())
    number = {problem.init: 0}
    edges: dict[Edge, None] = {}  # a set that keeps its order
    is_whole = True
    try:
        for state, steps in breadth_first(number, engine.successors, max_states):
            check()
            for successor, next_state in steps:
                if next_state in number:
                    edges[Edge(number[state], successor.action, number[next_state])] = None
                else:
                    is_whole = False
    except OutOfTimeError:
        is_whole = False
    return StateSpace(problem, engine, number, tuple(edges), is_whole)


def state_graph(space: StateSpace) -> networkx.MultiDiGraph:
    """The state space as a networkx graph.

    Nodes are the numbers of the states, with the attribute ``state``; the keys of the edges are
    action names. The graph's attribute ``is_whole`` is that of the space.
    """
    import networkx

    graph = networkx.MultiDiGraph(name=space.problem.name, is_whole=space.is_whole)
    graph.add_nodes_from((number, {"state": state}) for state, number in space.number.items())
    graph.add_edges_from((source, target, action) for source, action, target in space.edges)
    return graph


def distances(graph: networkx.MultiDiGraph) -> np.ndarray:
    """Steps between every two states, in whichever direction the edges go.

    All searches go on at once, breadth first, on rows of bits: which states reach a state.

    Args:
        graph: A graph with the nodes 0 … n-1 that hangs together.

    Returns:
        Integers, n x n.
    """
    import networkx
    import numpy as np

    n = len(graph)
    near = [sorted({node, *networkx.all_neighbors(graph, node)}) for node in range(n)]
    starts = np.cumsum([0, *(len(nodes) for nodes in near[:-1])])
    flat = np.concatenate(near)
    reached = np.packbits(np.eye(n, dtype=bool), axis=1)
    steps = np.zeros((n, n), dtype=np.int64)
    for n_steps in range(1, n):
        check()
        further = np.bitwise_or.reduceat(reached[flat], starts, axis=0)
        new = np.unpackbits(further & ~reached, axis=1, count=n).astype(bool)
        if not new.any():
            break
        steps[new] = n_steps
        reached = further
    return steps
