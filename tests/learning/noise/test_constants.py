"""Atoms that never change are told from those that do, and their flips are counted."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from dias.learning.data.coding import examples_by_action
from dias.learning.noise.bind.roles import ADDED, ALWAYS, DELETED, Judgement
from dias.learning.noise.constants import changed, fix_constants
from dias.learning.noise.observations import observe
from dias.strips.model import Atom
from tests.learning.cases import literals
from tests.learning.noise.cases import noisy
from tests.traces.files import read, step


def fixed(name, flips):
    seen = observe(examples_by_action(noisy(name, flips)))
    return seen, fix_constants(seen)


@pytest.mark.parametrize("flips", [2, 8])
def test_static_relations_are_put_right(flips):
    """After that they say what the exact traces say."""
    seen, found = fixed("gripper", flips)
    exact = observe(examples_by_action(noisy("gripper", 0)))
    for relation in ("ball", "room", "gripper", "eq"):
        first = seen.offsets[relation][0]
        own = slice(first, first + int(seen.n_objects[0]) ** seen.arities[relation])
        assert (seen.blocks[0][1][0, own] == exact.blocks[0][1][0, own]).all()
        assert found[relation].n_varying == 0
        assert found[relation].n_lost > 0
        assert found[relation].n_invented > 0


def test_what_each_action_turns_over_is_no_constant():
    """One empties the hand, the other fills it: of each alone it looks the same throughout."""
    hand, steps = ["(empty)"], []
    for number in range(120):
        took = [f"(held b{number})"]
        before, after = (hand, took) if number % 2 else (took, hand)
        steps.append(step(before, "take" if number % 2 else "put", after))
    seen = observe(examples_by_action(read(*steps)))
    assert fix_constants(seen)["empty"].n_varying == 1


def test_what_is_known_to_change_is_left_alone_whatever_it_looks_like():
    groups = examples_by_action(noisy("gripper", 2))
    example = groups["move"].examples[0]
    ball = Atom("ball", ("ball1",))
    seen, known = observe(groups), {example.transition.segment: [ball]}
    before = fix_constants(observe(groups))
    found = fix_constants(seen, known)
    assert (before["ball"].n_varying, found["ball"].n_varying) == (0, 1)
    [code] = example.codes.encode_state([ball])
    assert seen.varies[0][code]
    assert found["room"] == before["room"]


@pytest.fixture
def moves():
    """Gripper as seen, the robot's second room taken for never true; its moves, bound."""
    seen = observe(examples_by_action(noisy("gripper", 0.5)))
    as_seen = seen.pairs.copy()
    fix_constants(seen)
    example, view = seen.blocks[0]
    own = example.codes.of("at-robby")
    rooms = np.flatnonzero(seen.varies[0][own])
    place = own.start + int(rooms[1])
    seen.varies[0][place], view[:, place] = False, 0
    rows = seen.actions["move"]
    bindings = np.tile(rooms, (len(rows), 1))
    atoms = literals("at-robby 0", "at-robby 1")
    one = Judgement(ALWAYS, np.ones(1))

    def bound(role, number=1):
        verdicts = {atoms[0]: one, atoms[1]: one, atoms[number]: Judgement(role, np.ones(1))}
        action = SimpleNamespace(verdicts=verdicts)
        return SimpleNamespace(action=action, sure_bindings=lambda: (rows, bindings))

    atom = example.codes.decode(place)
    return seen, as_seen, bound, {example.transition.segment: {atom}}


def test_what_an_action_was_seen_to_change(moves):
    """Half of the moves enter the room, the others leave it: each kind of effect is seen."""
    seen, as_seen, bound, found = moves
    assert changed(seen, as_seen, [bound(ADDED)]) == found
    assert changed(seen, as_seen, [bound(DELETED)]) == found
    assert changed(seen, as_seen, [bound(ALWAYS)]) == {}  # no effect
    assert changed(seen, as_seen, [bound(ADDED, number=0)]) == {}  # known to vary


@pytest.mark.parametrize(("role", "pair"), [(ADDED, 1), (DELETED, 2)])
def test_it_counts_where_it_was_seen(moves, role, pair):
    """Not where the atom seems to have changed the other way, or not at all."""
    seen, as_seen, bound, found = moves
    never = np.where(as_seen == pair, 0, as_seen)
    assert changed(seen, never, [bound(role)]) == {}
    assert changed(seen, np.where(as_seen == 3 - pair, 0, as_seen), [bound(role)]) == found


def test_what_changes_is_left_alone():
    """The place of the robot changes in every `move`; sightings of it look independent."""
    _, found = fixed("gripper", 8)
    assert found["at-robby"].n_varying == 2
    assert found["carry"].n_varying == 12  # six balls, two grippers
    _, found = fixed("visitall", 8)
    assert found["at-robot"].n_varying == 25


def test_without_noise_nothing_was_seen_wrong():
    seen, found = fixed("gripper", 0)
    assert not any(noise.n_lost or noise.n_invented for noise in found.values())
    before = observe(examples_by_action(noisy("gripper", 0)))
    assert (seen.pairs == before.pairs).all()
