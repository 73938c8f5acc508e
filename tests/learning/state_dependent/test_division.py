"""How transitions are divided: by what changed, joined where that misleads nowhere."""

from __future__ import annotations

from functools import partial

import pytest

from dias.learning.data.transitions import Examples
from dias.learning.explain import bindings
from dias.learning.schema import Effects
from dias.learning.state_dependent import conditional
from dias.learning.state_dependent.conditional import divide, divide_actions
from dias.strips.codes import AtomCodes
from tests.learning import cases
from tests.learning.cases import literals
from tests.traces.files import read

KINDS = [f"k{i}" for i in range(8)]
CODES = AtomCodes({"on": 1, "hot": 1, "red": 1} | dict.fromkeys(KINDS, 1), ["a", "b", "c"])


group = partial(cases.steps, CODES)


def texts(parts):
    """The effects of each part, and the places of its steps."""
    return [(part.effects, part.examples.examples) for part in parts]


LIGHT, OUT = Effects(1, literals("on 0"), ()), Effects(1, (), literals("on 0"))


def test_what_strips_effects_explain_is_one_part():
    steps = group(("", "on a"), ("red b", "red b, on b"))
    assert texts(divide(steps)) == [(LIGHT, steps.examples)]
    still = group(("red b", "red b"))
    assert texts(divide(still)) == [(Effects(0, (), ()), still.examples)]


def test_a_single_step_more_is_a_part_more():
    steps = group(*[("red a", "red a, on a")] * 9, ("on a", ""))
    [light, out] = divide(steps)
    assert texts([light, out]) == [(LIGHT, steps.examples[:9]), (OUT, steps.examples[9:])]


def test_a_step_with_one_object_as_two_arguments_is_one_like_others():
    twice = group(("", "on a"), ("on a", ""), arguments=("a", "a")).examples
    steps = group(("", "on a"), ("red b", "red b, on a"), arguments=("a", "b")).examples
    light = LIGHT._replace(n_variables=2, n_given=2)
    out = Effects(2, (), literals("on 1"), 2)  # of two arguments for one object the last is taken
    mixed = Examples("act", CODES.arities, [steps[0], *twice, steps[1]])
    assert texts(divide(mixed)) == [(light, [steps[0], twice[0], steps[1]]), (out, [twice[1]])]
    only = Examples("act", CODES.arities, twice)
    assert [(own.effects.n_given, own.examples.examples) for own in divide(only)] == [
        (2, [twice[0]]), (2, [twice[1]])
    ]  # fmt: skip


def test_a_step_that_changes_too_much_is_in_no_part(monkeypatch):
    monkeypatch.setattr(bindings, "MAX_CHANGES", 1)
    steps = group(("", "on a"), ("", "on a, on b"), ("red b", "red b, on a"))
    plain, many, other = steps.examples
    assert texts(divide(steps)) == [(LIGHT, [plain, other])]
    only = Examples("act", CODES.arities, [many])
    assert texts(divide(only)) == [(Effects(0, (), ()), [])]


def test_steps_in_which_the_same_changed_are_together():
    """Effects that change nothing do not count here, in either direction."""
    steps = group(
        ("", "on a"),
        ("", "on b, hot b"),
        ("on c", ""),
        ("hot c", "hot c, on c"),  # as the first, though it might be hot already
        ("", "on b, hot c"),  # not the same lamp
        ("on a, hot a", ""),
        ("", "on c, hot c"),
        ("on b", ""),
    )
    found = [(part.effects, part.examples.examples) for part in conditional._by_change(steps)]
    own = steps.examples
    assert found == [
        (LIGHT, [own[0], own[3]]),
        (Effects(1, literals("on 0", "hot 0"), ()), [own[1], own[6]]),
        (OUT, [own[2], own[7]]),
        (Effects(2, literals("on 0", "hot 1"), ()), [own[4]]),
        (Effects(1, (), literals("on 0", "hot 0")), [own[5]]),
    ]


@pytest.mark.parametrize(("n", "limit", "n_found"), [(5, 5, 5), (5, 4, None), (5, 6, 5), (3, 3, 3)])
def test_as_many_kinds_as_the_limit(monkeypatch, n, limit, n_found):
    """Each lamp has a colour, which decides what changes."""
    monkeypatch.setattr(conditional, "MAX_PARTS", limit)
    steps = group(*((f"{kind} a", f"{kind} a, {kind} b") for kind in KINDS[:n]))
    for found in (conditional._by_change(steps), divide(steps)):
        assert (found and len(found)) == n_found


@pytest.mark.parametrize(("limit", "n_found"), [(2, None), (3, 3), (4, 3)])
def test_parts_that_exclude_one_another_are_counted_too(monkeypatch, limit, n_found):
    """Red or hot lamps are lit, two kinds of one change; the others get their kind."""
    monkeypatch.setattr(conditional, "MAX_PARTS", limit)
    steps = group(
        ("red a", "red a, on a"), ("hot a", "hot a, on a"),
        ("red b, hot b", "red b, hot b, on b"), ("", "k0 a"), ("", "k0 b"),
    )  # fmt: skip
    found = divide(steps)
    assert (found and len(found)) == n_found


TOUCHED = ("red a", "red a, on a, k0 a")
AGAIN = ("red b, k0 b", "red b, on b, k0 b")


def test_parts_are_joined_where_one_explains_the_other():
    """``k0`` is added every time, and holds already in the second step."""
    steps = group(AGAIN, TOUCHED, ("on a, k0 a, red a", "k0 a, red a"))
    parts = conditional._join(conditional._by_change(steps))
    wider = Effects(1, literals("on 0", "k0 0"), ())
    [light, out] = texts(parts)
    assert light == (wider, [steps.examples[1], steps.examples[0]])
    assert out == (OUT, [steps.examples[2]])


def test_all_steps_of_a_part_must_be_explained_to_join():
    steps = group(AGAIN, TOUCHED, ("red c", "red c, on c"), ("on a, k0 a", "k0 a"))
    parts = conditional._join(conditional._by_change(steps))
    assert [(len(part), len(part.effects.add)) for part in parts] == [(1, 2), (2, 1), (1, 0)]


def test_parts_are_not_joined_where_that_misleads(monkeypatch):
    """Joining must not add a step in which a part misapplies; as many as before are no matter."""
    steps = group(AGAIN, TOUCHED, ("on a, k0 a, red a", "k0 a, red a"))
    parts = conditional._by_change(steps)
    asked = []
    for counts, n_parts in (((2, 1), 3), ((1, 1), 2), ((0, 1), 2)):
        answers = list(counts)

        def count(some, others, answers=answers):
            asked.append(([len(part) for part in some], [len(part) for part in others]))
            return answers.pop(0) if answers else 0

        monkeypatch.setattr(conditional, "n_misapplied", count)
        assert len(conditional._join(parts)) == n_parts
    assert asked[:2] == [([2], [1]), ([1, 1], [1])]


def test_larger_effects_are_asked_first_and_again_after_joining():
    """Three that hold already one after another; what comes out has all of them."""
    steps = group(
        ("k0 a, k1 a", "k0 a, k1 a, on a"),
        ("k0 a", "k0 a, k1 a, on a"),
        ("", "k0 a, k1 a, on a"),
        ("on b", ""),
    )
    parts = conditional._join(conditional._by_change(steps))
    assert [len(part.effects.add) for part in parts] == [3, 0]
    assert [len(part) for part in parts] == [3, 1]


HEADER = {
    "dias": "trace/1",
    "labels": "names",
    "predicates": {"on": ["object"], "red": ["object"]},
    "objects": dict.fromkeys("ab", "object"),
    "actions": ["aim", "press", "zoom"],
}
ON = {"state": [], "action": "press", "next": ["(on a)"]}
OFF = {"state": ["(on a)"], "action": "press", "next": []}
ALSO = {"state": ["(on b)"], "action": "press", "next": []}
ZOOM = {"state": [], "action": "zoom", "next": ["(red a)"]}


def names(divided):
    return [t.action for t in divided.traces.transitions]


def test_the_most_frequent_part_comes_first():
    divided = divide_actions(read(HEADER, ON, OFF, ZOOM, ALSO))
    assert divided.variants == {"press": ("press-1", "press-2")}
    assert names(divided) == ["press-2", "press-1", "zoom", "press-1"]
    assert divided.traces.actions == ("aim", "press-1", "press-2", "zoom")
    # Of equally frequent ones it is the one whose effects come first: without added atoms.
    assert names(divide_actions(read(HEADER, ON, OFF))) == ["press-2", "press-1"]
    assert names(divide_actions(read(HEADER, OFF, ON))) == ["press-1", "press-2"]


def test_counts_and_lines_are_kept():
    traces = read(HEADER, ON, OFF, ON, ON, OFF)
    divided = divide_actions(traces).traces
    assert [(t.count, t.line, t.last_line) for t in divided.transitions] == [(3, 2, 5), (2, 3, 6)]


def test_what_nothing_explains_goes_with_the_most_frequent_part(monkeypatch):
    """More changes than are looked at."""
    monkeypatch.setattr(bindings, "MAX_CHANGES", 1)
    both = {"state": ["(on a)", "(on b)"], "action": "press", "next": []}
    assert names(divide_actions(read(HEADER, ON, both, OFF, ALSO))) == [
        "press-2", "press-1", "press-1", "press-1"
    ]  # fmt: skip


def test_an_action_of_too_many_parts_stays_one(monkeypatch, caplog):
    monkeypatch.setattr(conditional, "divide", lambda examples: None)
    traces = read(HEADER, ON, OFF)
    assert divide_actions(traces) == (traces, {})
    assert len(caplog.messages) == 1
