"""States seen badly: what is lost and what is confused, and that nothing else changes."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from benchmarks.judging.spoil import confuse, leave_out

HEADER = {
    "dias": "trace/1",
    "objects": {"a": "cup", "b": "cup", "k": "shelf"},
    "predicates": {"on": ["cup", "shelf"], "full": ["cup"]},
}
FIRST, SECOND = ["(full b)", "(on a k)"], ["(on a k)", "(on b k)"]
N = 400


@pytest.fixture
def walk(tmp_path):
    """Two states in turn."""
    steps = [
        {"state": own[0], "action": "turn", "next": own[1]}
        for own in [(FIRST, SECOND), (SECOND, FIRST)] * (N // 2)
    ]
    return written(tmp_path / "walk.jsonl", [HEADER, *steps])


def written(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def spoiled(walk, spoil, share, seed=0):
    """The steps, as they were and as they are seen; all but the states is the same."""
    target = walk.with_name(f"{seed}.jsonl")
    spoil(walk, target, share, seed)
    old, new = ([json.loads(line) for line in path.read_text().splitlines()]
                for path in (walk, target))  # fmt: skip
    assert [r | {"state": 0, "next": 0} for r in old] == [r | {"state": 0, "next": 0} for r in new]
    return list(zip(old[1:], new[1:], strict=True))


def test_each_atom_is_lost_with_the_same_chance(walk):
    lost = 0
    for old, new in spoiled(walk, leave_out, 0.25):
        for key in ("state", "next"):
            assert set(new[key]) <= set(old[key])
            lost += len(old[key]) - len(new[key])
    assert 0.2 < lost / (4 * N) < 0.3


def test_the_same_two_are_taken_for_each_other_and_a_state_is_seen_once(walk):
    swapped = {str(FIRST): ["(full a)", "(on b k)"], str(SECOND): ["(on a k)", "(on b k)"]}
    n_confused = n_first = 0
    steps = spoiled(walk, confuse, 0.25)
    for old, new in steps:
        for key in ("state", "next"):
            assert new[key] in (old[key], swapped[str(old[key])])
        n_first += old["state"] == FIRST
        n_confused += old["state"] == FIRST and new["state"] != FIRST
    assert all(one["next"] == other["state"] for (_, one), (_, other) in pairwise(steps))
    assert 0.15 < n_confused / n_first < 0.35


@pytest.mark.parametrize("spoil", [leave_out, confuse])
def test_the_seed_decides_and_none_is_none(walk, spoil):
    assert spoiled(walk, spoil, 0.5, 1) == spoiled(walk, spoil, 0.5, 1)
    assert spoiled(walk, spoil, 0.5, 1) != spoiled(walk, spoil, 0.5, 2)
    assert all(old == new for old, new in spoiled(walk, spoil, 0.0))


def test_without_two_objects_of_a_type_nothing_is_confused(tmp_path):
    header = HEADER | {"objects": {"a": "cup", "k": "shelf"}}
    step = {"state": ["(on a k)"], "action": "turn", "next": ["(full a)"]}
    walk = written(tmp_path / "walk.jsonl", [header, step])
    assert all(old == new for old, new in spoiled(walk, confuse, 1.0))
