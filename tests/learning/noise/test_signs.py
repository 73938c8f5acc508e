"""Noise is suspected where there is some, and not elsewhere."""

from __future__ import annotations

import pytest

from benchmarks.generators import SUITES
from dias.learning.data.coding import examples_by_action
from dias.learning.noise import signs
from dias.learning.noise.signs import looks_noisy
from tests.learning.noise.cases import noisy, with_missing_atoms, with_wrong_names


@pytest.mark.parametrize("name", sorted(SUITES["paper"]))
def test_exact_traces_look_exact(name):
    assert not looks_noisy(examples_by_action(noisy(name, 0, 30)))


@pytest.mark.parametrize("name", ["gripper", "hanoi"])
def test_disturbed_traces_look_noisy(name):
    exact = noisy(name, 0, 100)
    assert looks_noisy(examples_by_action(noisy(name, 0.2, 100)))
    assert looks_noisy(examples_by_action(with_missing_atoms(exact, 0.02)))
    if len(exact.actions) > 1:
        assert looks_noisy(examples_by_action(with_wrong_names(exact, 0.02)))


def test_few_transitions_say_nothing():
    assert not looks_noisy(examples_by_action(noisy("gripper", 4, 8)))


def test_tables_beyond_all_memory_are_not_made(monkeypatch, caplog):
    monkeypatch.setattr(signs, "MAX_TABLE", 1000)
    assert not looks_noisy(examples_by_action(noisy("gripper", 4, 30)))
    assert "too many to look for noise" in caplog.text
