"""What a network on its own is taken to have said, where states may have been seen wrong."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from dias.config import LearningConfig
from dias.learning.data.coding import examples_by_action
from dias.learning.noise.signs import looks_noisy
from dias.learning.propose import watch
from dias.strips.model import Atom
from tests.learning.cases import lifted_schema, literals, typed
from tests.learning.finish.test_assemble import TRACES as YARD
from tests.learning.noise.cases import noisy
from tests.learning.train.test_noisy_slots import GRIPPER, MOVE, with_more

BUSY = with_more(MOVE, 0, add=["eq 1 1"])
"""Who moves makes no room equal to itself, but where that was not seen it explains the step."""


def heard(monkeypatch, traces, noise="auto", said=(*GRIPPER, BUSY)):
    """The effects that are left of the last schema that is said, the others being true."""
    named = {own.action: own for own in said}
    monkeypatch.setattr(watch, "thresholded_schema", lambda model, name, threshold: named[name])
    config = LearningConfig(method="neural", noise=noise, restarts=1)
    alone = watch.Alone(examples_by_action(traces), config, traces)
    model = SimpleNamespace(config=SimpleNamespace(n_slots=5))
    alone.end_run(SimpleNamespace(model=model, step=40), 0)
    return {own.action: own for own in alone.schemas}[said[-1].action].effects


@pytest.mark.parametrize(("noise", "effects"), [("auto", MOVE.effects), ("off", BUSY.effects)])
def test_where_states_are_seen_wrong_what_only_mends_goes(monkeypatch, noise, effects):
    assert heard(monkeypatch, noisy("gripper", 4), noise) == effects


WRONG = [Atom("free", ("room1",)), Atom("room", ("ball1",)), Atom("gripper", ("room2",))]


@pytest.mark.parametrize(
    ("n_each", "effects"), [(0, BUSY.effects), (1, BUSY.effects), (3, MOVE.effects)]
)
def test_where_no_more_steps_are_left_than_may_be_odd_it_is_asked_what_is_explained(
    monkeypatch, n_each, effects
):
    """An effect that changes nothing explains as much. Of 75 steps three may be odd."""
    seen = list(noisy("gripper", 0).transitions)
    moves = [n for n, t in enumerate(seen) if t.action == "move"]
    for number, atom in zip(moves, WRONG * n_each, strict=False):
        seen[number] = replace(seen[number], next_state=seen[number].next_state | {atom})
    traces = replace(noisy("gripper", 0), transitions=tuple(seen))
    assert looks_noisy(examples_by_action(traces)) == (n_each > 0)
    assert heard(monkeypatch, traces) == effects


def test_what_no_objects_of_the_types_can_be_is_not_said_to_be_deleted(monkeypatch):
    park = lifted_schema(
        "park",
        3,
        add=literals("at 0 2"),
        delete=literals("at 0 1", "at 1 0", "at 2 2"),
        positive=typed("car! 0", "bay! 1", "bay! 2", "at 0 1"),
    )
    deleted = heard(monkeypatch, YARD, said=[park]).delete
    assert deleted == tuple(literals("at 0 1"))
