"""How many slots a network gets: enough for every step, and no more than there are objects."""

from __future__ import annotations

import pytest

from dias.config import ModelConfig
from dias.learning.propose.network import MAX_SLOTS, enough_slots
from tests.traces.files import read


def changing(n_changed, n_objects=None, arguments=(), n_slots=5, grow=True, way="next"):
    """Slots where one step changes atoms of so many of the objects, and another of none."""
    names = [f"o{i}" for i in range(n_objects or max(n_changed, 1))]
    change = [f"(p {name})" for name in names[:n_changed]]
    kept = [f"(q {name})" for name in names[n_changed:]]
    header = {"dias": "trace/1", "labels": "partial", "objects": dict.fromkeys(names, "object")}
    step = {"state": kept, "action": f"(go {' '.join(arguments)})", "next": kept}
    step[way] = [*kept, *change]
    small = header | {"problem": "small", "objects": {"o0": "object"}}
    rest = {"state": [], "action": "(rest)", "next": []}
    traces = read(header | {"problem": "large"}, step, small, rest)
    return enough_slots(traces, ModelConfig(n_slots, grow_slots=grow))


@pytest.mark.parametrize("way", ["state", "next"])
def test_as_many_slots_as_any_step_concerns_objects(way, caplog):
    for n_changed, n_slots in ((0, 1), (1, 1), (4, 4), (5, 5), (6, 6)):
        assert changing(n_changed, way=way) == n_slots
    assert [changing(n, 9, way=way) for n in (0, 4, 5, 6, 9)] == [5, 5, 5, 6, 9]
    assert caplog.messages == [
        f"5 slots are too few: some step concerns {n} objects; going on with {n} slots"
        for n in (6, 6, 9)
    ]


def test_slots_are_added_up_to_a_limit(caplog):
    assert changing(MAX_SLOTS) == MAX_SLOTS
    caplog.clear()
    assert changing(MAX_SLOTS + 1) == 5
    assert changing(MAX_SLOTS + 3, n_slots=MAX_SLOTS + 2) == MAX_SLOTS + 2
    assert [message.split("; ")[1] for message in caplog.messages] == [
        f"more than {n} slots are not tried: it stays unexplained"
        for n in (MAX_SLOTS, MAX_SLOTS + 2)
    ]
    caplog.clear()
    assert changing(MAX_SLOTS + 1, n_slots=MAX_SLOTS + 1) == MAX_SLOTS + 1
    assert changing(5, 9, grow=False) == 5
    assert not caplog.messages
    assert changing(6, 9, grow=False) == 5
    assert caplog.messages == ["5 slots are too few: some step concerns 6 objects"]


def test_given_arguments_need_slots_beside_what_changes():
    """Two that do not change and five objects that do are seven; one given twice is two."""
    assert changing(5, 9, ("o7", "o8")) == 7
    assert changing(5, 9, ("o0", "o8")) == 6
    assert changing(5, 9, ("o0", "o1")) == 5
    assert changing(5, 9, ("o7", "o8"), grow=False) == 5
    assert changing(0, 2, ("o0", "o0", "o1", "o1")) == 4
    assert changing(0, 1, ("o0", "o0")) == 2


def test_without_any_object_there_is_a_slot():
    assert enough_slots(read({"state": [], "action": "go", "next": ["(on)"]}), ModelConfig()) == 1
