"""Rectangular Sinkhorn normalisation with a slack row, and its exact gradient.

S = Sinkhorn_D1D2(C): row sums 1 (every slot is a distribution over objects), column sums at most
1 (an object may stay unselected; a free slack row takes up the rest of each column).

Paper: Section "Rectangular Sinkhorn normalisation in log space" (``app:sinkhorn``,
``alg:sinkhorn-d1d2``).

Departs:
    Convergence is tested on the row sums of S. With as many objects as slots the slack row
    receives nothing and the paper's dual variables u, v drift for ever although S has settled.
    The fast version starts with two of the paper's iterations and goes on with Newton's method
    on the row scaling u, v being a function of u: with clear scores the alternating iterations
    need hundreds of rounds, Newton a handful. It scales exp(C - row maximum) in float64 (u takes
    up the row maximum), so nothing overflows. The gradient is that of the fixed point, so no
    iteration is recorded.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

N_ALTERNATING = 2
"""Iterations of the paper before Newton's method takes over."""

MAX_NEWTON = 20
"""Newton steps at most; five is typical."""

MAX_STEP = 5.0
"""Largest change of log u in one Newton step."""

TOLERANCE = 1e-3
"""Largest deviation of a row sum from 1."""

RIDGE = 1e-9
"""Both linear systems are singular when S is hard or O = M; the ridge picks a short solution."""


def sinkhorn_log(scores: Tensor, n_iterations: int = 100) -> Tensor:
    """The paper's log-space iterations, differentiable step by step.

    Args:
        scores: ``[B, M, O]`` scores C, any range; -inf marks objects that do not exist.
        n_iterations: Iterations. With moderate scores and O > M some tens bring the row sums
            within `TOLERANCE` of 1; with clear scores or O = M the error falls like 1/n.

    Returns:
        ``[B, M, O]`` assignment S, each entry in (0, 1).
    """
    n_batch, n_slots, n_objects = scores.shape
    padded = torch.cat([scores, scores.new_zeros(n_batch, 1, n_objects)], 1)
    u = scores.new_zeros(n_batch, n_slots + 1, 1)
    v = scores.new_zeros(n_batch, 1, n_objects)
    slack = scores.new_zeros(n_batch, 1, 1)
    for _ in range(n_iterations):
        u = torch.cat([-torch.logsumexp(scores + v, 2, keepdim=True), slack], 1)
        v = -torch.logsumexp(padded + u, 1, keepdim=True)
    return torch.exp(u[:, :n_slots] + scores + v)


class _FixedPoint(torch.autograd.Function):
    """Sinkhorn by matrix scaling, with the implicit gradient at the fixed point."""

    @staticmethod
    def forward(ctx: Any, scores: Tensor) -> Tensor:
        kernel = torch.exp((scores - scores.amax(2, keepdim=True)).double())
        row = kernel.sum(2, keepdim=True).reciprocal()  # exp(u)
        for _ in range(N_ALTERNATING):
            column = (1 + row.mT @ kernel).reciprocal()  # exp(v)
            row = (kernel @ column.mT).reciprocal()
        ridge = RIDGE * torch.eye(kernel.shape[1], dtype=kernel.dtype)
        for _ in range(MAX_NEWTON):
            assignment = row * kernel
            assignment = assignment / (1 + assignment.sum(1, keepdim=True))
            row_sum = assignment.sum(2, keepdim=True)
            if (row_sum - 1).abs().max() < TOLERANCE:
                break
            # d(row sum i) / d(log u_k) = [i = k]·(row sum i) - (S Sᵀ)_ik
            slope = torch.diag_embed(row_sum.squeeze(2)) - assignment @ assignment.mT + ridge
            step = torch.linalg.solve(slope, 1 - row_sum)
            row = row * step.clamp(-MAX_STEP, MAX_STEP).exp()
            column = (1 + row.mT @ kernel).reciprocal()  # one alternation damps an overshoot
            row = (kernel @ column.mT).reciprocal()
        ctx.save_for_backward(assignment)
        return assignment.to(scores.dtype)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        (S,) = ctx.saved_tensors
        G = gradient.double()
        weighted = G * S
        a = weighted.sum(2, keepdim=True)
        b = weighted.sum(1).unsqueeze(2)
        # With the row sums that were reached in place of 1 it stays positive semidefinite.
        system = torch.diag_embed(S.sum(2) + RIDGE) - S @ S.mT
        row_dual = torch.linalg.solve(system, a - S @ b)
        column_dual = b - S.mT @ row_dual
        return (S * (G - row_dual - column_dual.mT)).to(gradient.dtype)


def sinkhorn(scores: Tensor) -> Tensor:
    """S = Sinkhorn_D1D2(C) with the gradient of the fixed point.

    With G = dL/dS, a and b the row and column sums of G ⊙ S, and λ from (I - S Sᵀ) λ = a - S b:
    dL/dC = S ⊙ (G - λ1ᵀ - 1bᵀ + 1(Sᵀλ)ᵀ).

    Args:
        scores: ``[B, M, O]`` scores C with M ≤ O; -inf marks objects that do not exist.

    Returns:
        ``[B, M, O]`` assignment S, each entry in [0, 1].
    """
    return _FixedPoint.apply(scores)
