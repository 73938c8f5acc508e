"""Atoms that never change are told from those that do, and their flips are counted."""

from __future__ import annotations

import pytest

from dias.learning.data.transitions import examples_by_action
from dias.learning.noise.constants import fix_constants
from dias.learning.noise.observations import observe
from dias.strips.model import Atom
from tests.learning.noise.cases import noisy


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
