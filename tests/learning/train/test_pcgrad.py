"""PCGrad with a norm cap against the formulas on flat vectors."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from dias.learning.train.pcgrad import total_gradient

SHAPES = ((2, 3), (), (4,))
N = 11


def as_tensors(flat):
    tensors, first = [], 0
    for shape in SHAPES:
        size = int(np.prod(shape))
        tensors.append(torch.tensor(flat[first : first + size].reshape(shape)))
        first += size
    return tensors


def combined(main, aux, alpha):
    total = total_gradient(as_tensors(main), as_tensors(aux), alpha)
    assert tuple(tuple(t.shape) for t in total) == SHAPES
    return np.concatenate([t.numpy().ravel() for t in total])


def formula(main, aux, alpha):
    """``app:grad-projection``, word for word."""
    unit = main / np.linalg.norm(main)
    parallel = (aux @ unit) * unit
    orthogonal = aux - parallel
    projected = orthogonal if parallel @ main < 0 else aux
    cap = min(np.linalg.norm(main) / np.linalg.norm(projected), 1)
    return main + alpha * cap * projected


@given(st.integers(0, 10**6), st.floats(-3, 3), st.sampled_from([0.0, 0.3, 1.0, 10.0]))
def test_the_formulas_of_the_paper(seed, log_scale, alpha):
    rng = np.random.default_rng(seed)
    main, aux = rng.normal(size=N), 10**log_scale * rng.normal(size=N)
    assert combined(main, aux, alpha) == pytest.approx(formula(main, aux, alpha), rel=1e-9)


def test_an_opposing_component_is_removed():
    main, aux = np.zeros(N), np.zeros(N)
    main[0], aux[0], aux[1] = 2.0, -5.0, 1.0
    expected = np.zeros(N)
    expected[:2] = 2.0, 0.5
    assert combined(main, aux, 0.5) == pytest.approx(expected)


def test_a_helping_component_stays():
    main, aux = np.zeros(N), np.zeros(N)
    main[0], aux[0], aux[1] = 2.0, 0.5, 1.0
    expected = np.zeros(N)
    expected[:2] = 2.25, 0.5
    assert combined(main, aux, 0.5) == pytest.approx(expected)


def test_the_norm_of_the_auxiliary_part_ends_at_alpha_times_that_of_the_main_part():
    main, aux = np.zeros(N), np.zeros(N)
    main[0], aux[1] = 2.0, 100.0
    assert np.linalg.norm(combined(main, aux, 0.3) - main) == pytest.approx(0.3 * 2)


def test_nothing_happens_without_a_main_gradient():
    assert not combined(np.zeros(N), np.ones(N), 1.0).any()


def test_no_auxiliary_gradient_or_one_straight_against_the_main_one_changes_nothing():
    main = np.linspace(-1, 1, N)
    assert combined(main, np.zeros(N), 1.0) == pytest.approx(main)
    assert combined(main, -7 * main, 1.0) == pytest.approx(main)
