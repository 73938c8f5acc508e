"""Literals that would matter in a state of which a single atom were otherwise."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import pytest

from dias.learning.data.coding import examples_by_action
from dias.learning.data.visited import VisitedStates
from dias.learning.finish.nearby import asked_nearby
from dias.learning.finish.shorten import concise_preconditions, minimal_preconditions
from dias.learning.schema import EQUAL, LiftedAtom, Literal, preconditions, with_preconditions
from dias.limits import Allowance, OutOfWorkError
from tests.learning.cases import is_true, lifted_schema, literals
from tests.traces.files import read


def nearby(schema, dropped, traces, n_checks=10**6):
    check = Allowance(n_checks).check
    visits = (*traces.refused, *traces.transitions)
    return asked_nearby(schema, dropped, VisitedStates(visits, traces), traces, check)


def naive(schema, dropped, traces):
    """The definition, over every binding in every state."""
    kept = preconditions(schema)
    states = [step for group in examples_by_action(traces).values() for step in group.examples]
    cases = [
        (step, binding)
        for step in states
        for binding in product(range(len(step.codes.objects)), repeat=schema.n_variables)
    ]

    def holds(literal, case):
        step, binding = case
        return is_true(literal.atom, binding, step) == literal.is_positive

    changed = {atom.relation for atom in (*schema.effects.add, *schema.effects.delete)}
    found = set()
    for one, other in product(dropped, kept):
        own, others = one.atom.variables, other.atom.variables
        if one.atom.relation == EQUAL or other.atom.relation not in traces.changing_predicates:
            continue
        if not one.is_positive and one.atom.relation not in changed:
            continue
        about = [x for x in kept if {*own, *others}.issuperset(x.atom.variables)]
        if {*own}.isdisjoint(others) and any(
            [x for x in (one, *kept) if not holds(x, case)] == [one, other] for case in cases
        ):
            found |= {
                one
                for case in cases
                if holds(other, case) and not holds(one, case)
                and all(holds(x, case) for x in about)
                and {case[1][v] for v in own}.isdisjoint(case[1][v] for v in others)
            }  # fmt: skip
    return found


HOTEL = {
    "dias": "trace/1",
    "labels": "full",
    "types": {"guest": "object", "door": "object", "floor": "object"},
    "predicates": {
        "in": ["guest"], "known": ["guest"], "at": ["guest", "floor"],
        "open": ["door"], "leads": ["door", "floor"],
    },
    "objects": {"a": "guest", "b": "guest", "x": "door", "y": "door", "p": "floor", "q": "floor"},
    "static": ["(leads x p)", "(leads y q)"],
}  # fmt: skip
TYPES = tuple(LiftedAtom(f"type {name}", (v,)) for v, name in enumerate(["guest", "door", "floor"]))
ENTER = lifted_schema(
    "enter", 3, literals("in 0"), (),
    (*TYPES, *literals("known 0", "at 0 2", "leads 1 2", "open 1")), literals("in 0"),
)  # fmt: skip
KNOWN = Literal(*literals("known 0"), True)
BOTH_KNOWN = ["(known a)", "(known b)", "(at a p)", "(at b p)"]
STRANGER_AT_A_SHUT_DOOR = ["(known a)", "(at a p)", "(at b p)"]
STRANGER_FAR_FROM_AN_OPEN_DOOR = ["(known a)", "(open x)"]


def step(action, state, *added):
    return {"state": state, "action": action, "next": [*state, *added]}


def watch(*state):
    return step("(watch)", list(state))


def hotel(*lines, **changes):
    """A guest comes in, a door is opened, and what else was seen."""
    enter = step("(enter a x p)", [*BOTH_KNOWN, "(open x)"], "(in a)")
    return read(HOTEL | changes, enter, step("(swing x)", BOTH_KNOWN, "(open x)"), *lines)


@pytest.mark.parametrize(
    ("seen", "is_asked"),
    [
        pytest.param([], False, id="everybody is known"),
        pytest.param([STRANGER_AT_A_SHUT_DOOR], False, id="no stranger while a door is open"),
        pytest.param([STRANGER_FAR_FROM_AN_OPEN_DOOR], False, id="no stranger at a door"),
        pytest.param([STRANGER_AT_A_SHUT_DOOR, STRANGER_FAR_FROM_AN_OPEN_DOOR], True, id="both"),
    ],
)
@pytest.mark.parametrize("is_refused", [False, True])
def test_who_comes_in_must_be_known(seen, is_asked, is_refused):
    lines = [watch(*state) for state in seen]
    traces = hotel(*(line | {"next": None} if is_refused else line for line in lines))
    short = minimal_preconditions(ENTER, traces)
    assert set(literals("at 0 2", "open 1")) <= set(short.positive)
    assert (KNOWN.atom in short.positive) == is_asked
    assert short.negative == ()
    concise = concise_preconditions(ENTER, traces)
    assert (concise.positive, concise.negative) == (ENTER.positive, ())


CELLS = ["c0", "c1", "c2", "c3"]
ROW = {
    "dias": "trace/1",
    "labels": "full",
    "predicates": {"box": ["object"], "man": ["object"], "row": ["object"] * 3},
    "objects": dict.fromkeys(CELLS, "object"),
    "static": [f"(row {a} {b} {c})" for a, b, c in zip(CELLS, CELLS[1:], CELLS[2:], strict=False)],
}
PUSH = lifted_schema(
    "push", 3, literals("man 1", "box 2"), literals("man 0", "box 1"),
    literals("man 0", "box 1", "row 0 1 2"), literals("box 2", "man 1", "man 2"),
)  # fmt: skip


PUSHED = {
    "state": ["(man c0)", "(box c1)"], "action": "(push c0 c1 c2)", "next": ["(man c1)", "(box c2)"]
}  # fmt: skip
BOXES = [
    pytest.param([], "", id="one box"),
    pytest.param([watch("(man c3)", "(box c1)", "(box c2)")], "box 2", id="two in a row"),
    pytest.param([watch("(man c3)", "(box c0)", "(box c2)")], "", id="two apart"),
    pytest.param([watch("(man c0)", "(box c1)", "(box c2)")], "box 2", id="asked for"),
]


@pytest.mark.parametrize(("others", "negative"), BOXES)
@pytest.mark.parametrize("shorten", [minimal_preconditions, concise_preconditions])
def test_no_box_is_pushed_onto_another(others, negative, shorten):
    """There is one player, so that where he goes he is not yet."""
    traces = read(ROW, PUSHED, watch("(man c0)", "(box c3)"), *others)
    short = shorten(PUSH, traces)
    assert set(literals("man 0", "box 1", "row 0 1 2")) == set(short.positive)
    assert short.negative == (literals(negative) if negative else ())


SEEN = [watch(*STRANGER_AT_A_SHUT_DOOR), watch(*STRANGER_FAR_FROM_AN_OPEN_DOOR)]


def is_asked(*texts, dropped=KNOWN, negative=(), traces=None):
    schema = lifted_schema("enter", 3, literals("in 0"), (), (*TYPES, *literals(*texts)), negative)
    found = nearby(schema, [dropped], traces or hotel(*SEEN))
    assert found <= {dropped}
    return bool(found)


def some_left_out(literals_):
    """Each way to drop up to three of them, with what is dropped."""
    for n in range(4):
        for dropped in combinations(literals_, n):
            yield [x for x in literals_ if x not in dropped], dropped


@pytest.mark.parametrize("name", ["hotel", "row"])
def test_as_the_definition_has_it(name):
    schema, traces = {
        "hotel": (ENTER, hotel(*SEEN)),
        "row": (PUSH, read(ROW, PUSHED, *(line for case in BOXES for line in case.values[0]))),
    }[name]
    n_found = 0
    types = [x for x in preconditions(schema) if x.atom.relation.startswith("type ")]
    others = [x for x in preconditions(schema) if x not in types]
    for kept, dropped in some_left_out(others):
        fewer = with_preconditions(schema, [*types, *kept])
        found = nearby(fewer, dropped, traces)
        assert found == naive(fewer, dropped, traces)
        n_found += len(found)
    assert n_found > 3


def test_only_what_changes_and_is_about_others_could_have_been_otherwise():
    rest = ["at 0 2", "leads 1 2"]
    assert is_asked(*rest, "open 1")
    assert not is_asked(*rest)
    assert not is_asked("at 0 2", "leads 1 2", "in 0")
    never_opened = read(HOTEL, step("(enter a x p)", [*BOTH_KNOWN, "(open x)"], "(in a)"), *SEEN)
    assert not is_asked(*rest, "open 1", traces=never_opened)
    different = Literal(LiftedAtom(EQUAL, (0, 2)), False)
    assert not is_asked(*rest, "open 1", dropped=different)


def test_variables_that_are_kept_equal_are_about_the_same_object(caplog):
    """A guest who is a door, for want of types, by way of a third variable."""
    predicates = {name: ["object"] * len(types) for name, types in HOTEL["predicates"].items()}
    objects = dict.fromkeys(HOTEL["objects"], "object")
    traces = hotel(*SEEN, types={}, predicates=predicates, objects=objects)
    for equalities, found in (((), {KNOWN}), (("= 0 2", "= 1 2"), set())):
        schema = lifted_schema(
            "enter", 3, literals("in 0"), (), literals("at 0 2", "leads 1 2", "open 1", *equalities)
        )
        assert nearby(schema, [KNOWN], traces) == found
    assert not caplog.records


def test_a_negative_literal_is_asked_for_if_the_action_changes_its_relation():
    """Who is known was never seen to come in."""
    stranger = Literal(KNOWN.atom, False)
    traces = hotel(watch("(known b)", "(at a p)", "(at b p)"), watch("(known b)", "(open x)"))
    rest = (*TYPES, *literals("at 0 2", "leads 1 2", "open 1"))
    for add, delete, found in (
        ("in 0", (), set()),
        ("in 0", literals("known 0"), {stranger}),
        ("known 2", (), {stranger}),
    ):
        schema = lifted_schema("enter", 3, literals(add), delete, rest)
        assert nearby(schema, [stranger], traces) == found


def test_what_is_kept_may_be_negative():
    """Whoever comes in while the door is not open: the stranger at the shut door would."""
    assert not is_asked("at 0 2", "leads 1 2", negative=literals("open 1"))
    shut_elsewhere = [watch(*STRANGER_AT_A_SHUT_DOOR[:2], "(at b q)", "(open y)"), SEEN[0]]
    assert is_asked(
        "at 0 2", "leads 1 2", negative=literals("open 1"), traces=hotel(*shut_elsewhere)
    )


def test_constants_stay_what_they_are():
    """The door is a constant, the first variable: in all states the stranger stands at x."""
    known = Literal(*literals("known 1"), True)
    typed = (LiftedAtom("type guest", (1,)), LiftedAtom("type floor", (2,)))
    schema = lifted_schema(
        "enter", 3, literals("in 1"), (), (*typed, *literals("open 0", "at 1 2", "leads 0 2"))
    )
    for door, found in (("x", {known}), ("y", set())):
        own = replace(schema, constants=(door,))
        assert nearby(own, [known], hotel(*SEEN, constants=[door])) == found


def test_the_search_can_be_ended():
    schema = lifted_schema(
        "enter", 3, literals("in 0"), (), (*TYPES, *literals("at 0 2", "leads 1 2", "open 1"))
    )
    with pytest.raises(OutOfWorkError):
        nearby(schema, [KNOWN], hotel(*SEEN), n_checks=2)
    assert nearby(schema, [], hotel(*SEEN), n_checks=0) == set()
