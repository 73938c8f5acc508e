"""Rectangular Sinkhorn normalisation with a slack row, and its exact gradient.

S = Sinkhorn_D1D2(C): row sums 1 (every slot is a distribution over objects), column sums at most
1 (an object may stay unselected; a free slack row takes up the rest of each column).

Paper: Section "Rectangular Sinkhorn normalisation in log space" (``app:sinkhorn``,
``alg:sinkhorn-d1d2``).

Departs:
    Convergence is tested on the row sums of S. With as many objects as slots the slack row
    receives nothing and the paper's dual variables u, v drift for ever although S has settled.
    The fast version scales exp(C - row maximum) in float64 instead of working with logarithms:
    the row maximum is absorbed by u, so nothing overflows, and an iteration is two small matrix
    products. The gradient is that of the fixed point, so no iteration is recorded.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.autograd.function import FunctionCtx, once_differentiable

MAX_ITERATIONS = 20
CHECK_EVERY = 5
TOLERANCE = 1e-3
RIDGE = 1e-6
"""I - S Sᵀ is singular when S is hard or O = M; the ridge picks the shortest solution."""


def sinkhorn_log(scores: Tensor, n_iterations: int = MAX_ITERATIONS) -> Tensor:
    """The paper's log-space iterations, differentiable step by step.

    Args:
        scores: ``[B, M, O]`` scores C, any range; -inf marks objects that do not exist.
        n_iterations: Iterations; row sums are within `TOLERANCE` of 1 after some tens.

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
    def forward(ctx: FunctionCtx, scores: Tensor) -> Tensor:
        kernel = torch.exp((scores - scores.amax(2, keepdim=True)).double())
        column = torch.ones_like(kernel[:, :1])  # exp(v)
        for iteration in range(MAX_ITERATIONS):
            row = (kernel @ column.mT).reciprocal()  # exp(u): every row sums to 1
            column = (1 + row.mT @ kernel).reciprocal()  # every column, slack included
            if iteration % CHECK_EVERY == CHECK_EVERY - 1:
                error = (row * (kernel @ column.mT) - 1).abs().max()
                if error < TOLERANCE:
                    break
        assignment = row * kernel * column
        ctx.save_for_backward(assignment)
        return assignment.to(scores.dtype)

    @staticmethod
    @once_differentiable
    def backward(ctx: FunctionCtx, gradient: Tensor) -> Tensor:
        (S,) = ctx.saved_tensors
        G = gradient.double()
        weighted = G * S
        a = weighted.sum(2, keepdim=True)
        b = weighted.sum(1).unsqueeze(2)
        system = (1 + RIDGE) * torch.eye(S.shape[1], dtype=S.dtype) - S @ S.mT
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
