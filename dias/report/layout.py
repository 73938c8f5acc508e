"""Where to draw the nodes of a graph: so far apart as they are in steps (Kamada and Kawai).

The stress Σ (|xᵢ - xⱼ| - dᵢⱼ)² / dᵢⱼ² is made small by majorization (de Leeuw; Gansner, Koren and
North, "Graph drawing by stress majorization"), which needs no step size and no chance.
"""

from __future__ import annotations

import numpy as np

N_STEPS = 100
"""Steps at most; a hundred do for a thousand nodes."""

MIN_GAIN = 1e-4
"""Relative decrease of the stress below which the layout is done."""

N_POWERS = 30
GOLDEN_ANGLE = np.pi * (3 - 5**0.5)
"""Turns from node to node of the first plane, which so has no symmetry that the graph has."""

TINY = 1e-9
"""Nodes that coincide are taken to be so far apart."""


def stress_layout(distances: np.ndarray) -> np.ndarray:
    """Positions in the plane.

    Args:
        distances: Steps between every two nodes, n x n, positive off the diagonal.

    Returns:
        Coordinates, n x 2.
    """
    n = len(distances)
    if n == 1:
        return np.zeros((1, 2))
    weights = (distances + np.eye(n)) ** -2.0  # finite on the diagonal, too
    np.fill_diagonal(weights, 0)
    inverse = np.linalg.inv(np.diag(weights.sum(1)) - weights + 1 / n)
    wanted = weights * distances
    positions = _start(distances)
    stress = np.inf
    for _ in range(N_STEPS):
        apart = _apart(positions)
        before, stress = stress, np.sum(weights * (apart - distances) ** 2)
        if before - stress < MIN_GAIN * stress:
            break
        pull = -wanted / np.maximum(apart, TINY)
        pull[np.diag_indices(n)] = -pull.sum(1)
        positions = inverse @ (pull @ positions)
    return positions


def _apart(positions: np.ndarray) -> np.ndarray:
    """The distances in the plane, n x n.

    From the differences, since |x|² + |y|² - 2xy cancels where nodes nearly coincide.
    """
    x, y = positions.T
    return np.sqrt((x[:, None] - x) ** 2 + (y[:, None] - y) ** 2)


def _start(distances: np.ndarray) -> np.ndarray:
    """Nearly the best plane by classical scaling, which power iteration finds."""
    squared = distances.astype(float) ** 2
    centred = -0.5 * (squared - squared.mean(0) - squared.mean(1)[:, None] + squared.mean())
    angles = np.arange(len(distances)) * GOLDEN_ANGLE
    plane = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    for _ in range(N_POWERS):
        plane, _ = np.linalg.qr(centred @ plane)
    scale = np.linalg.norm(centred @ plane, axis=0) ** 0.5
    return plane * scale
