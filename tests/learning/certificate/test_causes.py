"""What may be behind steps that stay unexplained."""

from __future__ import annotations

import pytest

from dias.learning.certificate.causes import Cause, causes
from dias.learning.data.coding import examples_by_action
from dias.learning.learn import learn
from dias.traces.record import LabelMode
from tests.traces.files import read

HEADER = {
    "dias": "trace/1",
    "labels": "full",
    "predicates": {"at": ["object", "object"], "full": ["object"], "done": []},
    "objects": dict.fromkeys(["a", "b", "hub", "x", "y"], "object"),
}


def line(before, action, after):
    """``line("at a x", "store a", "at a hub")``."""

    def listed(text):
        return [f"({atom})" for atom in filter(None, text.split(", "))]

    return {"state": listed(before), "action": f"({action})", "next": listed(after)}


def found(*lines, unexplained=None, labels=LabelMode.FULL, **header):
    """The causes, all steps of the one action being unexplained where nothing else is said."""
    traces = read(HEADER | header, *lines)
    [group] = examples_by_action(traces).values()
    places = range(len(lines)) if unexplained is None else unexplained
    return causes(group, places, labels)


STORE = [
    line("at a x", "store a", "at a hub"),
    line("at b y", "store b", "at b hub, full hub"),
    line("at a y", "store a", "at a hub"),
]


def test_one_object_of_what_they_change_that_is_no_argument():
    assert found(*STORE) == (Cause("constant", 3, 2, ("hub",)),)
    # Those that are explained do not count, nor does what all the arguments name.
    named = line("at a x", "store a", "")
    assert found(*STORE[:2], unexplained=[1]) == (Cause("constant", 1, 3, ("hub", "y")),)
    given = [line("full a", "empty a", ""), *STORE]
    given = [dict(one, action=one["action"].replace("empty", "store")) for one in given]
    assert found(*given) == (Cause("constant", 3, 3, ("hub",)),)
    assert found(*given, unexplained=[0]) == ()
    assert found(named, *STORE) == (Cause("unnamed", 4, 2),)
    both = [
        line("at a hub", "store a", "at a x"), line("", "store b", "at b hub, full x"),
    ]  # fmt: skip
    assert found(*both) == (Cause("constant", 2, 2, ("hub", "x")),)


def test_what_stays_as_it_is_does_not_count():
    quiet = [line("at a x, at hub hub", "drop a x", "at hub hub")]
    assert found(*quiet) == ()
    moved = line("at b y, full x, at hub hub", "drop b y", "full x, full hub, at hub hub")
    assert found(*quiet, moved) == (Cause("constant", 1, 3, ("hub",)),)


@pytest.mark.parametrize("labels", LabelMode)
@pytest.mark.parametrize(
    ("n_steps", "n_left", "is_few"), [(39, 1, False), (40, 1, True), (40, 2, True), (40, 3, False)]
)
def test_few_that_fit_nothing_are_odd(labels, n_steps, n_left, is_few):
    """Of more, and of several whose arguments are known, it is said what they have in common."""
    lines = [line("full a", "store a", "")] * (n_steps - n_left)
    lines += [line("full x", "store a", "full hub")] * n_left
    names = [f"o{number}" for number in range(n_steps)]
    lines = [
        dict(one, state=[*one["state"], f"(at a {name})"], next=[*one["next"], f"(at a {name})"])
        for one, name in zip(lines, names, strict=True)
    ]
    objects = HEADER["objects"] | dict.fromkeys(names, "object")
    left = range(n_steps - n_left, n_steps)
    causes = found(*lines, unexplained=left, labels=labels, objects=objects)
    tells = labels is LabelMode.FULL and not (is_few and n_left == 1)
    assert (causes == (Cause("odd", n_left, n_steps - n_left + 2),)) == (is_few and not tells)
    assert ("constant" in [own.kind for own in causes]) == tells
    assert found(*lines, unexplained=[], labels=labels, objects=objects) == ()


def test_few_that_give_one_object_twice_are_told_by_that():
    lines = [line("full a", "store a b", "")] * 39 + [line("full a", "store a a", "full a")]
    lines = [dict(one, state=[*one["state"], f"(at a o{n})"]) for n, one in enumerate(lines)]
    lines = [dict(one, next=[*one["next"], f"(at a o{n})"]) for n, one in enumerate(lines)]
    objects = HEADER["objects"] | {f"o{n}": "object" for n in range(40)}
    assert [own.kind for own in found(*lines, unexplained=[39], objects=objects)] == ["repeated"]


def test_what_the_header_names_is_no_cause():
    lines = [line("full a", "store a", "full hub"), line("full b", "store b", "full hub")]
    assert found(*lines) == (Cause("constant", 2, 2, ("hub",)),)
    header = {"constants": ["hub"]}
    assert found(*lines, **header) == ()
    more = [line("at a x", "store a", "full hub"), line("at b y", "store b", "full hub")]
    assert found(*more, **header) == (Cause("unnamed", 2, 2),)


def test_only_all_arguments_show_what_is_missing():
    steps = [line("full a", "store", ""), line("full b", "store", "")]
    for labels in (LabelMode.STRIPS_PLUS, LabelMode.NAMES):
        assert found(*steps, labels=labels) == ()
    assert found(*steps) == (Cause("unnamed", 2, 2),)
    assert found(line("", "store", "done"), line("done", "store", "")) == ()


def test_one_object_as_several_arguments():
    """If all that stay unexplained have it."""
    lines = [
        line("full a", "pour a b", "full b"),
        line("full a", "pour a a", ""),
        line("full b", "pour b b", ""),
    ]
    assert found(*lines, unexplained=[1, 2]) == (Cause("repeated", 2, 3),)
    assert found(*lines) == ()
    third = line("full a, full x", "pour x x", "full x")
    assert found(*lines, third, unexplained=[2, 3]) == (
        Cause("constant", 1, 5, ("a",)),
        Cause("repeated", 2, 4),
    )


def test_steps_that_change_nothing_where_they_stand_in_the_way():
    """They are left, or they alone are covered."""
    lines = [
        line("full a", "fill a", "full a"),
        line("", "fill a", "full a"),
        line("", "fill b", "full b"),
        line("done", "fill b", "done"),
    ]
    for labels in LabelMode:
        for left in ([1, 2], [3], [0, 3], [1, 3], range(4)):
            assert found(*lines, unexplained=left, labels=labels) == (Cause("unchanged", 2, 2),)
        for left in ([1], [2], []):
            assert found(*lines, unexplained=left, labels=labels) == ()
    assert found(*lines[1:3], unexplained=[0]) == ()
    assert found(lines[0], lines[3], unexplained=[0, 1]) == ()
    first = [lines[2], lines[0], lines[3]]
    assert found(*first, unexplained=[1]) == (Cause("unchanged", 2, 3),)


def test_steps_of_one_line_are_told_apart():
    """A line may hold a whole run."""
    states = ["full a"], ["full b"], ["full y"], ["full x", "at x hub"], ["full a", "at x hub"]
    run = {
        "states": [[f"({atom})" for atom in state] for state in states],
        "actions": ["(pour a b)", "(pour b y)", "(pour y x)", "(pour x a)"],
    }
    [evidence] = learn(read(HEADER, run)).evidence
    assert (evidence.n_explained, evidence.n_transitions) == (3, 4)
    assert (evidence.support.unexplained_lines, evidence.support.unexplained) == ((2,), (2,))
    assert evidence.causes == (Cause("constant", 1, 2, ("hub",)),)


@pytest.mark.parametrize("is_known", [False, True])
def test_a_constant_is_found_named_and_learned(is_known):
    """What the certificate says is what helps."""
    header = HEADER | {"constants": ["hub"] * is_known}
    lines = [
        line(f"at {a} {x}", f"store {a} {x}", f"at {a} hub") for a in "ab" for x in ("x", "y")
    ]  # fmt: skip
    result = learn(read(header, *lines))
    [evidence] = result.evidence
    if is_known:
        assert (result.n_explained, evidence.causes) == (4, ())
    else:
        assert result.n_explained == 0
        assert evidence.causes == (Cause("constant", 4, 2, ("hub",)),)
