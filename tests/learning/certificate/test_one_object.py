"""Parameters that always were one object, though there are others."""

from __future__ import annotations

import pytest

from dias.learning.learn import learn
from tests.traces.files import read

PLACES = {
    "dias": "trace/1",
    "labels": "full",
    "types": {"place": "object", "car": "object", "bus": "car"},
    "predicates": {"at": ["object", "place"], "seen": ["place"]},
    "objects": {"a": "car", "b": "bus", "hub": "place", "x": "place", "y": "place"},
}


def placed(*steps, **changes):
    """What is said of an action ``go ?car ?place``, from steps such as ``("a hub", "b hub")``."""
    lines = [
        {"state": [f"(seen {place})"], "action": f"(go {car} {place})",
         "next": [f"(at {car} {place})", f"(seen {place})"]}
        for car, place in map(str.split, steps)
    ]  # fmt: skip
    [evidence] = learn(read(PLACES | changes, *lines)).evidence
    return evidence


@pytest.mark.parametrize(
    ("steps", "changes", "fixed"),
    [
        (["a hub", "b hub"], {}, (("?place", "hub"),)),
        (["a hub", "b x"], {}, ()),
        (["a hub"], {}, ()),  # two at least
        (["a hub", "a x"], {}, (("?car", "a"),)),
        # No other that it could have been: of its type, and of those that are below.
        (["a hub", "b hub"], {"objects": {"a": "car", "b": "bus", "hub": "place"}}, ()),
        (["b hub", "b x"], {}, ()),
        (["b hub", "b x"], {"objects": PLACES["objects"] | {"c": "bus"}}, (("?bus", "b"),)),
        (["b hub", "b x"], {"objects": PLACES["objects"] | {"c": "car"}}, ()),
    ],
)
def test_a_parameter_that_always_was_one_object_though_there_are_others(steps, changes, fixed):
    evidence = placed(*steps, **changes)
    assert evidence.support.fixed == fixed
    if fixed:
        assert evidence.has_doubts


def test_all_problems_show_what_there_was_to_choose_from():
    """One where only one object is of the type says nothing of the others."""
    small = PLACES | {"objects": {"a": "car", "b": "bus", "hub": "place"}}
    step = {"state": ["(seen hub)"], "next": ["(at a hub)", "(seen hub)"], "action": "(go a hub)"}
    late = step | {"next": ["(at b hub)", "(seen hub)"], "action": "(go b hub)"}
    for lines, fixed in (
        ((small, step, small | {"problem": "2"}, late), ()),
        ((small, step, PLACES | {"problem": "2"}, late), (("?place", "hub"),)),
        ((PLACES, step, small | {"problem": "2"}, late), (("?place", "hub"),)),
    ):
        [evidence] = learn(read(*lines)).evidence
        assert evidence.support.fixed == fixed


def test_what_stays_unexplained_says_nothing_of_a_parameter():
    lines = [
        {"state": [], "action": f"(go a {place})", "next": [f"(at a {place})", *more]}
        for place, more in (("hub", []), ("x", ["(seen y)"]), ("hub", []))
    ]
    lines += [{"state": ["(at a x)"], "action": "(go b hub)", "next": ["(at a x)", "(at b hub)"]}]
    [evidence] = learn(read(PLACES, *lines)).evidence
    assert (evidence.n_explained, evidence.support.unexplained) == (2, (1,))
    assert evidence.support.unexplained_lines == (3,)
    assert evidence.support.fixed == (("?place", "hub"),)
