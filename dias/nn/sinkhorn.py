"""Rectangular Sinkhorn normalisation with a slack row, and its exact gradient.

S = Sinkhorn_D1D2(C): row sums 1 (every slot is a distribution over objects), column sums at most
1 (an object may stay unselected; a free slack row takes up the rest of each column).

Paper: Section "Rectangular Sinkhorn normalisation in log space" (``app:sinkhorn``,
``alg:sinkhorn-d1d2``).

Departs:
    Convergence is tested on the row sums of S. With as many objects as slots the slack row
    receives nothing and the paper's dual variables u, v drift for ever although S has settled;
    there the fast version leaves the slack row out. It begins where slots that do not compete
    would end, makes one iteration of the paper and goes on with Newton's method on the row
    scaling u, v being a function of u: with clear scores the alternating iterations need hundreds
    of rounds, Newton three or four. It scales exp(C - row maximum) in float64 (u takes up the row
    maximum), so nothing overflows. The gradient is that of the fixed point, so no iteration is
    recorded.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

MAX_NEWTON = 20
"""Newton steps at most; three or four are typical."""

MAX_STEP = 5.0
"""Largest change of log u in one Newton step."""

MAX_AT_ONE, MAX_ABOVE = 60, 4
"""Newton steps at most while annealing: at temperature 1, and at each higher one. Over 18,000
contested matrices with scores up to 5,000 apart, 47 in all were enough."""

UNCONTESTED = 4.0
"""Annealing begins where scores are no further apart than this."""

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


def _alternate(kernel: Tensor, slack: Tensor, row: Tensor) -> Tensor:
    """One iteration of the paper on exp(u); `slack` ``[B, 1, O]`` is the slack row, 1 or 0."""
    column = torch.baddbmm(slack, row.mT, kernel).reciprocal_()  # exp(v)
    return torch.bmm(kernel, column.mT).reciprocal_()


def _without_competition(kernel: Tensor) -> Tensor:
    """exp(u) of a slot that is alone, about: x/(1 + x) + x·l = 1 with l what is off its maximum."""
    off = (kernel.sum(2, keepdim=True) - 1).clamp_(min=1e-6)
    return 2 / (off + (off * (off + 4)).sqrt_())


def _newton_step(assignment: Tensor, row_sum: Tensor) -> Tensor:
    """The change of log u: ``[B, M, 1]``; d(row sum i) / d(log u_k) = [i = k]·r_i - (S Sᵀ)_ik."""
    slope = torch.bmm(assignment, assignment.mT).neg_()
    slope.diagonal(dim1=1, dim2=2).add_(row_sum.squeeze(2)).add_(RIDGE)
    return torch.linalg.solve(slope, 1 - row_sum).clamp_(-MAX_STEP, MAX_STEP)


def _is_settled(row_sum: Tensor, tolerance: float) -> bool:
    """Whether all row sums are 1, about."""
    least, most = row_sum.aminmax()
    return bool(least > 1 - tolerance and most < 1 + tolerance)


def _anneal(scores: Tensor, slack: Tensor, tolerance: float) -> Tensor:
    """S of scores however far apart, in logarithms: what solves temperature 2T is a start for T.

    Args:
        scores: ``[B, M, O]`` in float64, 0 the most of each row.
        slack: ``[B, 1, O]`` the slack row, 1 or 0.
        tolerance: Largest deviation of a row sum from 1.
    """
    slack = slack.log()
    spread = -float(scores.masked_fill(scores.isinf(), 0).min())
    n_above = math.ceil(math.log2(max(1.0, spread / UNCONTESTED)))
    log_u = torch.zeros_like(scores[:, :, :1])
    for rung in range(n_above, -1, -1):
        cooler, log_u = scores / 2**rung, log_u * 2
        for _ in range(MAX_ABOVE if rung else MAX_AT_ONE):
            log_v = -torch.logaddexp(torch.logsumexp(log_u + cooler, 1, keepdim=True), slack)
            assignment = torch.exp(log_u + cooler + log_v)
            row_sum = assignment.sum(2, keepdim=True)
            if _is_settled(row_sum, tolerance):
                break
            log_u = log_u + _newton_step(assignment, row_sum)
            log_v = -torch.logaddexp(torch.logsumexp(log_u + cooler, 1, keepdim=True), slack)
            log_u = -torch.logsumexp(cooler + log_v, 2, keepdim=True)
    return assignment


class _FixedPoint(torch.autograd.Function):
    """Sinkhorn by matrix scaling, with the implicit gradient at the fixed point."""

    @staticmethod
    def forward(ctx: Any, scores: Tensor, tolerance: float) -> Tensor:
        n_slots = scores.shape[1]
        off = (scores - scores.amax(2, keepdim=True)).double()
        kernel = torch.exp(off)
        exists = scores.amax(1, keepdim=True) > -torch.inf
        slack = (~exists | (exists.sum(2, keepdim=True) != n_slots)).double()
        row = _alternate(kernel, slack, _without_competition(kernel))  # exp(u)
        for _ in range(MAX_NEWTON):
            assignment = row * kernel
            assignment /= assignment.sum(1, keepdim=True).add_(slack)
            row_sum = assignment.sum(2, keepdim=True)
            if _is_settled(row_sum, tolerance):
                break
            row *= _newton_step(assignment, row_sum).exp_()
            row = _alternate(kernel, slack, row)  # damps an overshoot
        else:
            left = ~((row_sum - 1).abs() < tolerance).flatten(1).all(1)  # NaN too
            assignment[left] = _anneal(off[left], slack[left], tolerance)
        ctx.save_for_backward(assignment)
        return assignment.to(scores.dtype)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        (S,) = ctx.saved_tensors
        G = gradient.double()
        weighted = G * S
        a = weighted.sum(2, keepdim=True)
        b = weighted.sum(1).unsqueeze(2)
        # With the row sums that were reached in place of 1 it stays positive semidefinite.
        system = torch.bmm(S, S.mT).neg_()
        system.diagonal(dim1=1, dim2=2).add_(S.sum(2)).add_(RIDGE)
        row_dual = torch.linalg.solve(system, torch.baddbmm(a, S, b, alpha=-1))
        column_dual = torch.baddbmm(b, S.mT, row_dual, alpha=-1)
        return (S * (G - row_dual - column_dual.mT)).to(gradient.dtype), None


def sinkhorn(scores: Tensor, tolerance: float | None = None) -> Tensor:
    """S = Sinkhorn_D1D2(C) with the gradient of the fixed point.

    With G = dL/dS, a and b the row and column sums of G ⊙ S, and λ from (I - S Sᵀ) λ = a - S b:
    dL/dC = S ⊙ (G - λ1ᵀ - 1bᵀ + 1(Sᵀλ)ᵀ).

    Args:
        scores: ``[B, M, O]`` scores C with M ≤ O; -inf marks objects that do not exist.
        tolerance: Largest deviation of a row sum from 1, `TOLERANCE` by default. The gradient is
            as exact as the fixed point is.

    Returns:
        ``[B, M, O]`` assignment S, each entry in [0, 1].
    """
    return _FixedPoint.apply(scores, TOLERANCE if tolerance is None else tolerance)
