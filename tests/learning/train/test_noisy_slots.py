"""Under noise what mends single sightings goes from a schema, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dias.learning.data.coding import examples_by_action
from dias.learning.schema import Effects, LiftedSchema
from dias.learning.train.noisy_slots import NoisySlots
from dias.traces.record import LabelMode
from tests.learning.cases import literals
from tests.learning.noise.cases import noisy


def schema(action, add, delete, positive, negative=()):
    """Of literals over as many variables as they mention."""
    parts = [literals(*own) for own in (add, delete, positive, negative)]
    n_variables = 1 + max(v for own in parts for atom in own for v in atom.variables)
    effects = Effects(n_variables, parts[0], parts[1])
    return LiftedSchema(action, effects, n_variables, *parts[2:])


GRIPPER = (
    schema("drop", ["at 0 1", "free 2"], ["carry 0 2"], ["carry 0 2", "at-robby 1"], ["at 0 1"]),
    schema("move", ["at-robby 1"], ["at-robby 0"], ["at-robby 0", "room 1"]),
    schema("pick", ["carry 0 2"], ["at 0 1", "free 2"], ["at 0 1", "at-robby 1", "free 2"]),
)
MOVE, PICK = GRIPPER[1:]


def with_more(own, n_more, add=(), delete=(), positive=(), negative=()):
    """A schema with further slots, and literals over them."""
    effects = own.effects
    return replace(
        own,
        effects=Effects(
            own.n_variables + n_more,
            effects.add + literals(*add),
            effects.delete + literals(*delete),
        ),
        n_variables=own.n_variables + n_more,
        positive=own.positive + literals(*positive),
        negative=own.negative + literals(*negative),
    )


@pytest.fixture(scope="module")
def gripper():
    """Four atoms of each step seen wrong."""
    return NoisySlots(examples_by_action(noisy("gripper", 4)))


def test_what_is_right_stays(gripper):
    assert [gripper.needed(own) for own in GRIPPER] == list(GRIPPER)


@pytest.mark.parametrize(
    "more",
    [
        {"add": ["free 3"]},  # one that is seen as false, though it is true
        {"delete": ["at 3 4"], "positive": ["at 3 4"]},
        {"add": ["carry 3 2"], "delete": ["at 3 1"], "positive": ["ball 3"]},
        {"add": ["eq 3 3"], "positive": ["eq 4 4"], "negative": ["at 3 4", "carry 3 2"]},
    ],
)
def test_slots_that_mend_what_was_seen_wrong_go(gripper, more):
    assert gripper.needed(with_more(PICK, 2, **more)) == PICK


def test_effects_of_what_an_action_is_about_go_too(gripper):
    """Who moves has no hand in the ball, and `eq` never changes."""
    for extra in ({"add": ["eq 1 1"]}, {"delete": ["eq 0 1"]}, {"add": ["free 1"]}):
        assert gripper.needed(with_more(MOVE, 0, **extra)) == MOVE


def test_a_precondition_that_the_sightings_speak_against_goes_and_takes_nothing_with_it(gripper):
    """No room is carried; it would bind the steps to whatever looks so."""
    for wrong in ("at 1 2", "carry 1 2", "free 0", "eq 0 1"):
        for right in GRIPPER[::2]:
            assert gripper.needed(with_more(right, 0, positive=[wrong])) == right


def test_that_an_effect_is_not_known_is_no_reason_against_what_it_needs(gripper):
    """A free hand is not free after the step."""
    less = replace(PICK, effects=Effects(3, PICK.effects.add, literals("at 0 1")))
    assert gripper.needed(less) == less


def test_problems_with_fewer_objects_than_slots_say_nothing():
    """Of two rooms, a ball and a hand, no five are different."""
    traces = noisy("gripper", 4)
    (large,) = traces.segments
    some = ["room1", "room2", "ball1", "gripper1"]
    small = replace(large, objects={name: large.objects[name] for name in some})

    def cut(atoms):
        return frozenset(atom for atom in atoms if small.objects.keys() >= set(atom.terms))

    more = [
        replace(t, segment=1, state=cut(t.state), next_state=cut(t.next_state))
        for t in traces.transitions[:40]
        if t.action == "move"
    ]
    both = replace(traces, segments=(large, small), transitions=(*traces.transitions, *more))
    slots = NoisySlots(examples_by_action(both))
    wide = with_more(MOVE, 3, add=["free 3"], positive=["free 3"])
    assert more and slots.needed(wide) == MOVE
    only = replace(both, transitions=tuple(t for t in both.transitions if t.action != "move"))
    few = NoisySlots(examples_by_action(replace(only, transitions=(*only.transitions, *more))))
    assert few.needed(wide) == wide


def test_an_action_that_only_deletes_keeps_what_it_deletes():
    forget = schema("forget", [], ["knows 0 1"], ["knows 0 1"])
    slots = NoisySlots(examples_by_action(noisy("library", 1)))
    assert slots.needed(forget) == forget


def test_what_only_preconditions_mention_stays_where_it_tells_objects_apart():
    """The city that both places are in."""
    drive = schema("drive", ["at 0 2"], ["at 0 1"], ["at 0 1", "loc 1 3", "loc 2 3", "truck 0"])
    traces = noisy("logistics", 1)
    others = {name: g for name, g in examples_by_action(traces).items() if name == "drive"}
    slots = NoisySlots(others)
    assert slots.needed(drive) == drive
    spare = with_more(drive, 1, positive=["airport 4"])
    assert slots.needed(spare) == drive


def test_given_arguments_stay_whatever_they_are_for():
    slots = NoisySlots(examples_by_action(noisy("gripper", 4, labels=LabelMode.FULL)))
    idle = replace(PICK, effects=Effects(3, (), ()))
    assert slots.needed(with_more(idle, 1)) == idle
