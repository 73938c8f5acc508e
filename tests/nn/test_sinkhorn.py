from __future__ import annotations

import math

import pytest
import torch

import dias.nn.sinkhorn as module
from dias.nn.sinkhorn import TOLERANCE, sinkhorn, sinkhorn_log

SHAPES = [(1, 4), (2, 3), (3, 5), (5, 6), (5, 20)]
SQUARE = [(1, 1), (2, 2), (3, 3), (5, 5)]


def random_scores(n_slots, n_objects, scale=1.0, n_batch=4, n_missing=0):
    """``[B, M, O]`` scores in float64; the last `n_missing` objects of half the batch are -inf."""
    generator = torch.Generator().manual_seed(n_slots * 100 + n_objects)
    scores = scale * torch.randn(n_batch, n_slots, n_objects, generator=generator).double()
    if n_missing:
        scores[::2, :, -n_missing:] = -torch.inf
    return scores


@pytest.fixture
def converged(monkeypatch):
    """Lets the fast version run to its fixed point."""
    monkeypatch.setattr(module, "MAX_NEWTON", 200)
    monkeypatch.setattr(module, "TOLERANCE", 1e-13)


def by_hand(scores, n_iterations):
    """``alg:sinkhorn-d1d2`` for one matrix as lists, line by line."""
    n_slots, n_objects = len(scores), len(scores[0])
    padded = [*scores, [0.0] * n_objects]
    u, v = [0.0] * (n_slots + 1), [0.0] * n_objects
    log_sum_exp = lambda values: math.log(sum(math.exp(x) for x in values))  # noqa: E731
    for _ in range(n_iterations):
        for i in range(n_slots):
            u[i] = -log_sum_exp([padded[i][j] + v[j] for j in range(n_objects)])
        u[n_slots] = 0.0
        for j in range(n_objects):
            v[j] = -log_sum_exp([padded[i][j] + u[i] for i in range(n_slots + 1)])
    return [
        [math.exp(u[i] + padded[i][j] + v[j]) for j in range(n_objects)] for i in range(n_slots)
    ]


def balanced(scores, n_iterations=200):
    """Plain Sinkhorn without a slack row: the limit when there are as many objects as slots."""
    for _ in range(n_iterations):
        scores = scores - scores.logsumexp(2, keepdim=True)
        scores = scores - scores.logsumexp(1, keepdim=True)
    return scores.exp()


def gradient(function, scores, direction):
    leaf = scores.clone().requires_grad_()
    (function(leaf) * direction).sum().backward()
    return leaf.grad


def random_direction(scores):
    return torch.randn(scores.shape, generator=torch.Generator().manual_seed(1)).double()


@pytest.mark.parametrize(("n_slots", "n_objects"), SHAPES + SQUARE)
@pytest.mark.parametrize("n_iterations", [1, 2, 7])
def test_log_version_is_the_algorithm_of_the_paper(n_slots, n_objects, n_iterations):
    scores = random_scores(n_slots, n_objects, scale=2.0)
    expected = torch.tensor([by_hand(matrix, n_iterations) for matrix in scores.tolist()])
    torch.testing.assert_close(sinkhorn_log(scores, n_iterations).float(), expected)


@pytest.mark.parametrize(("n_slots", "n_objects"), SHAPES)
@pytest.mark.parametrize("n_missing", [0, 1])
@pytest.mark.parametrize("scale", [1.0, 3.0])
def test_fast_version_has_the_fixed_point_of_the_iterations(
    converged, n_slots, n_objects, n_missing, scale
):
    scores = random_scores(n_slots, n_objects + n_missing, scale, n_missing=n_missing)
    torch.testing.assert_close(sinkhorn(scores), sinkhorn_log(scores, 600), atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize(("n_slots", "n_objects"), [(1, 4), (2, 8), (5, 20), (5, 6), (5, 5)])
@pytest.mark.parametrize("scale", [1.0, 3.0])
def test_rows_sum_to_one_and_columns_to_at_most_one(n_slots, n_objects, scale):
    assignment = sinkhorn(random_scores(n_slots, n_objects, scale, n_batch=50))
    row_error = float((assignment.sum(2) - 1).abs().max())
    assert float(assignment.sum(1).max()) <= 1 + 1e-6
    assert float(assignment.min()) >= 0
    assert row_error < 10 * TOLERANCE


def test_clear_scores_fill_the_slots_entirely():
    scores = torch.tensor([[[30.0, 0.0, 0.0], [0.0, 30.0, 0.0]]])
    expected = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
    torch.testing.assert_close(sinkhorn(scores), expected, atol=10 * TOLERANCE, rtol=0)


@pytest.mark.parametrize(("n_slots", "n_objects"), SHAPES)
def test_fixed_point_is_a_scaling_against_the_slack_row(converged, n_slots, n_objects):
    """S_ij = exp(u_i + C_ij)·slack_j with rows of sum 1: there is only one such S."""
    scores = random_scores(n_slots, n_objects, scale=2.0)
    assignment = sinkhorn(scores)
    torch.testing.assert_close(assignment.sum(2), torch.ones_like(assignment[..., 0]))
    slack = 1 - assignment.sum(1, keepdim=True)
    u = assignment.log() - scores - slack.log()
    torch.testing.assert_close(u, u[:, :, :1].expand_as(u))


@pytest.mark.parametrize(("n_slots", "n_objects"), SQUARE)
def test_as_many_objects_as_slots_gives_a_doubly_stochastic_matrix(converged, n_slots, n_objects):
    scores = random_scores(n_slots, n_objects)
    torch.testing.assert_close(sinkhorn(scores), balanced(scores), atol=1e-6, rtol=0)


@pytest.mark.parametrize("n_missing", [0, 2])
@pytest.mark.parametrize(("n_slots", "n_objects"), [(1, 4), (2, 3), (3, 5), (5, 8)])
def test_gradient_equals_autograd_through_the_iterations(converged, n_slots, n_objects, n_missing):
    scores = random_scores(n_slots, n_objects + n_missing, scale=1.5, n_missing=n_missing)
    direction = random_direction(scores)
    found = gradient(sinkhorn, scores, direction)
    expected = gradient(lambda leaf: sinkhorn_log(leaf, 300), scores, direction)
    torch.testing.assert_close(found, expected.nan_to_num(), atol=2e-5, rtol=1e-4)


@pytest.mark.parametrize(("n_slots", "n_objects"), SQUARE)
def test_gradient_with_as_many_objects_as_slots(converged, n_slots, n_objects):
    scores = random_scores(n_slots, n_objects)
    direction = random_direction(scores)
    found = gradient(sinkhorn, scores, direction)
    expected = gradient(balanced, scores, direction)
    torch.testing.assert_close(found, expected, atol=1e-6, rtol=0)
    assert n_slots == 1 or expected.abs().max() > 0.05  # a lone object is always chosen


@pytest.mark.parametrize("n_missing", [0, 1])
@pytest.mark.parametrize(
    ("n_slots", "n_objects", "tolerance"), [(2, 3, 1e-5), (3, 6, 1e-5), (3, 3, 1e-5)]
)
def test_gradient_equals_finite_differences(converged, n_slots, n_objects, tolerance, n_missing):
    scores = random_scores(n_slots, n_objects + n_missing, n_batch=2, n_missing=n_missing)
    direction = random_direction(scores)
    found = gradient(sinkhorn, scores, direction)[scores.isfinite()]
    places = scores.isfinite().flatten().nonzero().squeeze(1)
    shift = 1e-4 * torch.eye(scores.numel()).double()[places].reshape(-1, *scores.shape)
    higher, lower = (
        sinkhorn((scores + shift).flatten(0, 1)),
        sinkhorn((scores - shift).flatten(0, 1)),
    )
    change = ((higher - lower).reshape(shift.shape) * direction).flatten(1).sum(1)
    torch.testing.assert_close(found, change / 2e-4, atol=tolerance, rtol=0)


def test_gradient_with_default_iterations_points_the_same_way():
    scores = random_scores(5, 8, n_batch=50)
    direction = random_direction(scores)
    found = gradient(sinkhorn, scores, direction)
    expected = gradient(lambda leaf: sinkhorn_log(leaf, 300), scores, direction)
    assert (found - expected).norm() < 0.01 * expected.norm()


def test_contested_scores_do_not_blow_up_the_gradient():
    """Many slots want one object so badly that the row sums stay off 1."""
    scores = random_scores(5, 5, scale=100.0, n_batch=200)
    found = gradient(sinkhorn, scores, random_direction(scores).clamp(-1, 1))
    assert found.abs().max().item() < 1


def contested_scores(kind, scale, n_slots, n_objects, n_batch=100):
    """Slots that want the same objects; the spread of the scores is several times `scale`."""
    scores = random_scores(n_slots, n_objects, n_batch=n_batch)
    if kind == "alike":
        scores = scores[:, :1] + 0.01 * scores
    elif kind == "one object":
        scores[:, :, 0] += 5
    return scale * scores


@pytest.mark.parametrize("kind", ["any", "alike", "one object"])
@pytest.mark.parametrize("scale", [30.0, 100.0, 1000.0])
def test_extreme_contested_scores_settle_and_keep_the_gradient_small(kind, scale):
    for shape in ((2, 8), (3, 3), (5, 6), (5, 20)):
        scores = contested_scores(kind, scale, *shape)
        assignment = sinkhorn(scores)
        assert (assignment.sum(2) - 1).abs().max() <= TOLERANCE
        assert assignment.sum(1).max() <= 1 + 1e-6
        direction = random_direction(scores).clamp(-1, 1)
        assert gradient(sinkhorn, scores, direction).abs().max() < 1


def test_a_tolerance_of_ones_own_holds_for_contested_scores_too():
    """What Newton leaves is solved to the same tolerance."""
    scores = contested_scores("one object", 300.0, 3, 5, n_batch=20).double()
    assert (sinkhorn(scores, 1e-9).sum(2) - 1).abs().max() < 1e-8


def test_the_solution_of_contested_scores_is_that_of_the_iterations(converged):
    scores = contested_scores("one object", 2.0, 3, 5, n_batch=10)
    kernel = (scores - scores.amax(2, keepdim=True)).double()
    slack = torch.ones(len(scores), 1, 5).double()
    annealed = module._anneal(kernel, slack, module.TOLERANCE)
    torch.testing.assert_close(annealed, sinkhorn_log(scores, 2000), atol=1e-6, rtol=0)


def test_missing_objects_get_nothing_and_change_nothing(converged):
    scores = random_scores(3, 5)
    masked = torch.cat([scores, torch.full((4, 3, 2), -torch.inf)], 2)
    direction = random_direction(masked)
    assignment = sinkhorn(masked)
    assert assignment[..., 5:].abs().max() == 0
    torch.testing.assert_close(assignment[..., :5], sinkhorn(scores))
    found = gradient(sinkhorn, masked, direction)
    assert found[..., 5:].abs().max() == 0
    torch.testing.assert_close(
        found[..., :5], gradient(sinkhorn, scores, direction[..., :5].contiguous())
    )


@pytest.mark.parametrize("shift", [-1e4, 1e4])
def test_extreme_scores_neither_overflow_nor_vanish(shift):
    scores = (random_scores(3, 9, scale=100.0) + shift).float()
    assignment = sinkhorn(scores)
    assert assignment.dtype == torch.float32
    assert assignment.isfinite().all()
    assert assignment.sum(1).max() <= 1 + 1e-5
    assert assignment.sum(2).max() <= 1 + TOLERANCE
    assert gradient(sinkhorn, scores, random_direction(scores).float()).isfinite().all()


def test_a_shift_of_a_slots_scores_is_absorbed(converged):
    scores = random_scores(3, 5)
    shift = torch.tensor([5.0, -3.0, 100.0]).double().reshape(1, 3, 1)
    torch.testing.assert_close(sinkhorn(scores + shift), sinkhorn(scores))


def test_fewer_objects_than_slots_stays_finite():
    """No S has rows of sum 1 then; the columns are filled and the rows share them."""
    scores = random_scores(5, 4, n_missing=1).float()
    direction = random_direction(scores).float()
    assignment = sinkhorn(scores)
    assert assignment.isfinite().all()
    assert assignment.sum(1).max() <= 1 + 1e-6
    assert gradient(sinkhorn, scores, direction).isfinite().all()
