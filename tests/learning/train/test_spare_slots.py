"""Slots without which nothing is lost are switched off, and only those."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dias.learning.data import replay
from dias.learning.schema import Effects, LiftedSchema
from dias.learning.train import spare_slots
from dias.learning.train.spare_slots import over_slots, without_spare_slots
from tests.learning.cases import literals
from tests.traces.files import read

LAMPS = ["l1", "l2", "l3", "l4"]
HEADER = {"dias": "trace/1", "labels": "names", "objects": dict.fromkeys([*LAMPS, "m"], "object")}


def lights(header=HEADER, name="light"):
    """The man lights the lamp that he is by; all others are off."""
    return read(
        header,
        *({"state": [f"(by m {x})"], "action": name, "next": [f"(by m {x})", f"(on {x})"]}
          for x in LAMPS),
    )  # fmt: skip


def slim(schema, traces):
    return without_spare_slots(schema, traces)


LIGHT = LiftedSchema(
    "light", Effects(2, literals("on 0"), ()), 2, literals("by 1 0"), literals("on 0", "= 0 1")
)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_slot_whose_literals_never_fail_goes_and_the_one_that_tells_lamps_apart_stays(place):
    """Wherever it is: what is left has the numbers that it had without it."""
    number = [v + (v >= place) for v in range(2)]
    wide = replace(
        LIGHT,
        effects=Effects(3, tuple(a.renamed(number) for a in LIGHT.effects.add), ()),
        n_variables=3,
        positive=tuple(a.renamed(number) for a in LIGHT.positive),
        negative=(
            *(a.renamed(number) for a in LIGHT.negative),
            *literals(f"on {place}", f"by {place} {number[1]}"),
        ),
    )
    assert over_slots(wide, number) == LIGHT
    assert slim(wide, lights()) == LIGHT


def test_a_slot_that_keeps_steps_from_being_explained_goes():
    """No other object is by a lamp."""
    wide = replace(LIGHT, n_variables=3, positive=literals("by 1 0", "by 2 0", "by 2 1"))
    assert slim(wide, lights()).n_variables == 2


@pytest.mark.parametrize("this", [1, 2])
def test_of_two_slots_that_say_the_same_the_one_of_which_more_is_true_stays(this):
    """With two lamps and two men, that the one without a match is not by it says who is."""
    days = [f"d{i}" for i in range(8)]
    header = HEADER | {"objects": dict.fromkeys(["l1", "l2", "m1", "m2", *days], "object")}
    always = ["(by m1 l1)", "(by m2 l2)", "(man m1)", "(man m2)", "(lamp l1)", "(lamp l2)"]
    steps = []
    for number, day in enumerate(days):
        state = [*always, f"(today {day})", f"(match m{1 + number % 2})"]
        after = [*state, f"(on l{1 + number % 2})"]
        steps.append({"state": state, "action": "light", "next": after})
    other = 3 - this
    wide = LiftedSchema(
        "light",
        Effects(1, literals("on 0"), ()),
        3,
        literals("lamp 0", f"man {this}", f"match {this}", f"by {this} 0", f"man {other}"),
        literals(f"match {other}", f"by {other} 0"),
    )
    kept = slim(wide, read(header, *steps))
    assert kept.positive == literals("lamp 0", "man 1", "match 1", "by 1 0")
    assert kept.negative == ()
    far = over_slots(wide, (0, other))
    assert slim(far, read(header, *steps)) == far


def test_an_effect_that_any_step_needs_keeps_its_slot():
    few = lights()
    few = replace(few, transitions=few.transitions[:1])
    assert slim(LIGHT, few) == replace(
        LIGHT, n_variables=1, effects=Effects(1, literals("on 0"), ()), positive=(),
        negative=literals("on 0"),
    )  # fmt: skip


@pytest.mark.parametrize(("before", "after", "n_variables"), [(8, 0, 2), (0, 8, 1), (2, 0, 1)])
def test_states_in_which_the_action_was_passed_over_count(before, after, n_variables):
    """A single lamp: that the man must be by it shows where he walks instead of lighting it.

    That is worth log 2 a step, but for steps after the last time that it was lit.
    """
    away = {"state": ["(by m d)", "(lamp l)"], "action": "walk", "next": ["(by m l)", "(lamp l)"]}
    before_lit = ["(by m l)", "(lamp l)"]
    lit = {"state": before_lit, "action": "light", "next": [*before_lit, "(on l)"]}
    header = HEADER | {"objects": dict.fromkeys(["m", "l", "d"], "object")}
    traces = read(header, *[away] * before, lit, *[away] * after)
    schema = replace(LIGHT, positive=literals("by 1 0", "lamp 0"))
    assert slim(schema, traces).n_variables == n_variables


def test_given_arguments_stay():
    header = HEADER | {"labels": "partial"}
    traces = read(
        header, {"state": ["(by m l1)"], "action": "(light m)", "next": ["(by m l1)", "(on l1)"]}
    )
    schema = LiftedSchema("light", Effects(2, literals("on 1"), ()), 3, (), literals("on 2"))
    assert slim(schema, traces) == LiftedSchema("light", Effects(2, literals("on 1"), ()), 2)


def test_what_allows_too_much_to_be_weighed_is_left_alone(monkeypatch):
    wide = replace(LIGHT, n_variables=3, effects=Effects(3, literals("on 0"), ()))
    monkeypatch.setattr(spare_slots, "MAX_CHECKS", 0)
    monkeypatch.setattr(replay, "ROWS_PER_CHECK", 1)
    assert slim(wide, lights()) == wide
