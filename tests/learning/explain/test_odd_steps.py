"""Steps that alone violate what all the others obey."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from dias.learning.data.coding import examples_by_action
from dias.learning.data.transitions import BindingTable
from dias.learning.explain.at_once import bind
from dias.learning.explain.certify import certify_table
from dias.learning.explain.odd_steps import odd_steps
from dias.learning.extend.variables import complete
from dias.learning.schema import Effects
from dias.learning.score import MIN_STEPS, max_odd
from tests.learning.cases import literals
from tests.learning.explain.odd_worlds import HEADER, explained, press
from tests.traces.files import read

ON = Effects(1, literals("on 0"), ())


def odd(traces, effects=ON):
    """The numbers of the odd steps."""
    group, found = explained(effects, traces)
    return odd_steps(certify_table(effects, group, found), group, found, traces)[0].tolist()


def test_one_in_twenty_of_at_least_forty():
    assert MIN_STEPS == 40
    for n in range(5_000):
        assert max_odd(n) == (n // 20 if n >= 40 else 0)


@pytest.mark.parametrize("is_positive", [True, False])
@pytest.mark.parametrize(("place", "seed"), [(0, 0), (17, 1), (59, 2)])
def test_the_one_that_violates_a_literal(is_positive, place, seed):
    traces = press(60, [place], is_positive=is_positive, seed=seed)
    assert odd(traces) == [place]
    schema = complete(ON, explained(ON, traces)[0], traces)
    kept = schema.positive if is_positive else schema.negative
    assert literals("ready 0")[0] in kept
    assert odd(press(60, is_positive=is_positive, seed=seed)) == []


@pytest.mark.parametrize("labels", ["partial", "names"])
def test_given_arguments_make_no_difference(labels):
    n_given = int(labels != "names")
    assert odd(press(60, [7], labels=labels), ON._replace(n_given=n_given)) == [7]


def test_where_what_they_obey_says_little_none_is_odd():
    """Nearly all objects are ready, so that the others would have obeyed by accident."""
    assert odd(press(60, [7], share=0.97)) == []
    assert odd(press(60, [7], share=0.97, is_positive=False)) == []


def test_where_steps_are_few_none_is_odd():
    assert odd(press(39, [7])) == []
    assert odd(press(40, [7])) == [7]


@pytest.mark.parametrize("n_odd", [2, 5, 6])
def test_as_many_as_may_be(n_odd):
    places = [3 * number for number in range(n_odd)]
    assert odd(press(100, places)) == (places if n_odd <= 5 else [])


def test_two_that_violate_different_literals():
    """One after another, as long as so many may be odd."""
    both = {"obeyed": ("ready", "red")}
    assert odd(press(60, {11: "ready", 30: "red"}, **both)) == [11, 30]
    assert odd(press(40, {11: "ready", 30: "red"}, **both)) == [11, 30]
    three = {11: "ready", 30: "red", 31: "hot"}
    every = {"obeyed": ("ready", "red", "hot")}
    assert odd(press(60, three, **every)) == [11, 30, 31]
    assert len(odd(press(59, three, **every))) == 2


PAIRS = HEADER | {
    "predicates": {"linked": ["object", "object"], "chief": ["object"], "red": ["object"]},
    "objects": dict.fromkeys("abc", "object"),
}


def pair_steps(n_steps, pairs, state, of="abc"):
    """Lines of steps that link the pairs in turn, in states where others of the objects are red."""
    reds = [[f"(red {name})" for name, bit in zip(of, f"{n:03b}", strict=True) if bit == "1"]
            for n in range(8)]  # fmt: skip
    lines = []
    for number in range(n_steps):
        before = [*reds[number % 8], *state(number)]
        added = [f"(linked {one} {other})" for one, other in pairs(number)]
        lines.append({"state": before, "action": "link", "next": before + added})
    return lines


def test_the_one_that_violates_an_inequality():
    """Three objects; a pair of one object among sixty of two."""
    apart = list(permutations("abc", 2))

    def pairs(number):
        return ["aa"] if number == 40 else [apart[number // 8 % 6]]

    more = [[f"(chief {name})"] for name in "ab"]
    lines = pair_steps(60, pairs, lambda number: more[number // 48 % 2])
    traces = read(PAIRS, *lines)
    assert len(traces.transitions) == 60
    effects = Effects(2, literals("linked 0 1"), ())
    assert odd(traces, effects) == [40]
    schema = complete(effects, explained(effects, traces)[0], traces)
    assert literals("= 0 1")[0] in schema.negative


@pytest.mark.parametrize("place", [0, 30])
def test_of_symmetrical_bindings_the_one_that_obeys_counts(place):
    """Either of two objects may be the first; in all steps but one, one of them is the chief."""
    couples = ["ab", "bc", "cd", "da", "ac", "bd"]

    def pairs(number):
        one, other = couples[number // 8 % 6]
        return [(one, other), (other, one)]

    def chief(number):
        in_it = couples[number // 8 % 6]
        if number == place:
            in_it = "".join(name for name in "abcd" if name not in in_it)
        return [f"(chief {in_it[number % 2]})"]

    header = PAIRS | {"objects": dict.fromkeys("abcdxyz", "object")}
    traces = read(header, *pair_steps(48, pairs, chief, of="xyz"))
    assert len(traces.transitions) == 48
    effects = Effects(2, literals("linked 0 1", "linked 1 0"), ())
    group, found = explained(effects, traces)
    assert len(found.owner) == 2 * 48
    schema = certify_table(effects, group, found)
    assert odd_steps(schema, group, found, traces)[0].tolist() == [place]


def test_a_step_that_nothing_explains_is_not_odd():
    """It is left already; the numbers are those of the steps as they stand."""
    traces = press(60, [20])
    first = traces.transitions[5]
    also = replace(first, next_state=first.state)
    steps = (*traces.transitions[:5], also, *traces.transitions[6:])
    assert odd(replace(traces, transitions=steps)) == [20]


@pytest.mark.parametrize("n_waits", [8, 60])
def test_what_only_states_show_in_which_the_action_was_passed_over(n_waits):
    """A lid has no objects, so that its own steps say next to nothing of it.

    Sixty times it is shut while open, but that it was seen shut before one of them. While it is
    shut somebody waits.
    """
    marks = [f"(mark m{number})" for number in range(60)]
    wait = {"action": "(wait)"}
    waits = [{"state": [m, "(shut)"], **wait, "next": [m, "(shut)"]} for m in marks[:n_waits]]
    steps = [{"state": [m], "action": "(shut-lid)", "next": [m, "(shut)"]} for m in marks]
    steps[20]["state"].append("(shut)")
    traces = read(*steps[:-1], *waits, steps[-1])
    assert odd_of("shut-lid", traces) == ([20] if n_waits == 60 else [])


def odd_of(action, traces):
    """The numbers of the odd steps of an action whose one effect is `shut`."""
    shut, group = Effects(0, literals("shut"), ()), examples_by_action(traces)[action]
    found = BindingTable.of(bind(shut, group), 0)
    return odd_steps(certify_table(shut, group, found), group, found, traces)[0].tolist()
