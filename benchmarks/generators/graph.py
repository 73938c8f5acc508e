"""Random connected graphs, which places of several domains are joined by."""

from __future__ import annotations

import random
from itertools import combinations

from .problem import SizeError


def connected_graph(rng: random.Random, nodes: int, edges: int, what: str) -> list[tuple[int, int]]:
    """A random tree over the nodes 1 … `nodes`, and random further edges.

    Raises:
        SizeError: There is no connected graph with so many edges, called `what`.
    """
    all_edges = list(combinations(range(1, nodes + 1), 2))
    if not nodes - 1 <= edges <= len(all_edges):
        raise SizeError(
            f"{nodes} places are connected by {nodes - 1} to {len(all_edges)} {what}, found {edges}"
        )
    order = rng.sample(range(1, nodes + 1), nodes)
    tree = {
        (min(node, other), max(node, other))
        for number, node in enumerate(order[1:], start=1)
        for other in [rng.choice(order[:number])]
    }
    others = [edge for edge in all_edges if edge not in tree]
    return sorted([*tree, *rng.sample(others, edges - len(tree))])
