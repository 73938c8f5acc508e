"""Literals that were left out and do not seem to follow from what is kept."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.learning.certificate import shown_states as module
from dias.learning.certificate.shown_states import States
from dias.learning.certificate.untested import contradicts, left_out, merged, replaceable, untested
from dias.learning.data.coding import examples_by_action
from dias.learning.data.transitions import Example
from dias.learning.schema import (
    LiftedAtom,
    LiftedSchema,
    Literal,
    comparisons,
    lifted_atoms,
    preconditions,
    with_preconditions,
)
from dias.limits import OutOfTimeError, within
from dias.strips.codes import AtomCodes
from tests.learning import strategies
from tests.learning.cases import example, is_true, lifted_schema, literals
from tests.traces.files import read

RELATIONS = {"flag": 0, "p": 1, "r": 2, "between": 3}

HEADER = {
    "dias": "trace/1",
    "labels": "names",
    "predicates": {"r": ["object"] * 2, "p": ["object"], "s": ["object"], "q": ["object"]},
    "objects": dict.fromkeys("abcd", "object"),
}
GO = {"state": ["(r a b)", "(p a)", "(s b)"], "action": "go",
      "next": ["(r a b)", "(p a)", "(s b)", "(q a)"]}  # fmt: skip
KEPT = lifted_schema("go", 2, literals("q 0"), (), literals("r 0 1", "p 0", "s 1"))
APART, NEW, IDLE = (Literal(*literals(x), False) for x in ("= 0 1", "q 0", "q 1"))
LOOPS = {"r": ["(r c c)"], "p": ["(p c)"], "s": ["(s c)"]}
"""What each kept literal is about c as both objects."""


def safe(schema: LiftedSchema, *negative: Literal) -> LiftedSchema:
    return with_preconditions(schema, [*preconditions(schema), *negative])


def wait(*atoms: str) -> dict[str, object]:
    """A state that another action shows."""
    return {"state": list(atoms), "action": "wait", "next": list(atoms)}


def named(*lines, negative=(APART,), schema=KEPT, header=HEADER):
    traces = read(header, GO, *lines)
    found = untested(schema, safe(schema, *negative), examples_by_action(traces), traces)
    return found.needed


def implied(*lines, negative=(APART,), schema=KEPT, header=HEADER):
    traces = read(header, GO, *lines)
    found = untested(schema, safe(schema, *negative), examples_by_action(traces), traces)
    assert not found.needed
    return found.implied


PAIRS = [wait(*LOOPS["r"], *LOOPS["p"]), wait(*LOOPS["r"], *LOOPS["s"]),
         wait(*LOOPS["p"], *LOOPS["s"])]  # fmt: skip


def test_one_that_every_two_literals_leave_open_is_untested():
    """One object may be both as far as each two say; that it meets all three was never seen."""
    assert named(*PAIRS) == [APART]
    for missing in range(3):  # what is seen of single ones is not enough
        assert implied(*PAIRS[:missing], *PAIRS[missing + 1 :]) == [APART]
    assert implied() == [APART]
    # Now it was tested.
    assert implied(*PAIRS, wait(*LOOPS["r"], *LOOPS["p"], *LOOPS["s"])) == []


def test_one_follows_from_two_that_are_kept_and_an_inequality_that_follows_itself():
    """Two swap what they own: it is one thing only if they are one, and nobody likes himself."""
    swap = lifted_schema(
        "swap", 4, literals("owns 0 3", "owns 1 2"), literals("owns 0 2", "owns 1 3"),
        literals("owns 0 2", "owns 1 3", "likes 0 1"),
    )  # fmt: skip
    header = {
        "dias": "trace/1",
        "labels": "names",
        "predicates": {"owns": ["object"] * 2, "likes": ["object"] * 2},
        "objects": dict.fromkeys("abxy", "object"),
    }
    likes = ["(likes a b)"]
    step = {"state": ["(owns a x)", "(owns b y)", *likes], "action": "swap",
            "next": ["(owns a y)", "(owns b x)", *likes]}  # fmt: skip
    people, things = (Literal(*literals(x), False) for x in ("= 0 1", "= 2 3"))

    def found(*more, left):
        traces = read(header, step, *more)
        return untested(swap, safe(swap, *left), examples_by_action(traces), traces)

    def asked(*more, left=(people, things)):
        own = found(*more, left=left)
        return own.needed, own.implied

    assert asked() == ([], [people, things])
    # Two may own one thing: that those who swap are two says nothing of it.
    assert asked(wait("(owns a x)", "(owns b x)")) == ([things], [people])
    # The same goes for what nobody means: one who owns both may see that the one likes the other.
    liking = Literal(*literals("likes 2 3"), False)
    states = [wait("(likes x y)", "(owns a x)", "(owns a y)", *likes),
              wait("(likes x y)", "(owns b y)", *likes)]  # fmt: skip
    assert found(*states, left=(liking,)).open == [liking]
    assert found(*states, left=(liking, people)).open == []
    # It has to be a difference that never fails, left out or written.
    assert asked(left=(things,)) == ([things], [])
    swap = with_preconditions(swap, [*preconditions(swap), people])
    assert asked(left=(things,)) == ([], [things])


def test_that_an_effect_was_there_before_is_asked_about_and_nothing_else():
    seen = ["(q a)", "(q b)"]
    states = [wait(*atoms, *seen) for atoms in product(["(r a b)", "(p a)"], ["(s b)"])]
    states += [wait("(r a b)", "(p a)", *seen)]
    assert named(*states, negative=(NEW, IDLE)) == [NEW]
    # A state that breaks it alone has tested it.
    assert named(*states, wait(*GO["next"]), negative=(NEW, IDLE)) == []
    assert named(*states[1:], negative=(NEW, IDLE)) == []
    assert named(*states, negative=(NEW._replace(is_positive=True),)) == []


def test_of_all_others_those_are_open_that_nothing_rules_out():
    """ "not q y" is broken beside each one and each two of what is kept, never beside all three."""

    def open_ones(*lines, schema=KEPT):
        traces = read(HEADER, GO, *lines)
        negative = safe(schema, IDLE)
        return untested(schema, negative, examples_by_action(traces), traces).open

    pairs = [wait("(r a b)", "(p a)", "(q b)"), wait("(r a b)", "(s b)", "(q b)"),
             wait("(p a)", "(s b)", "(q b)")]  # fmt: skip
    assert open_ones(*pairs) == [IDLE]
    for missing in range(3):
        assert open_ones(*pairs[:missing], *pairs[missing + 1 :]) == []
    assert open_ones(*pairs, wait(*GO["state"], "(q b)")) == []  # tested


def test_what_is_kept_or_never_written_is_no_question():
    kept = safe(KEPT, APART)
    assert left_out(kept, safe(kept, NEW)) == [NEW]
    assert named(*PAIRS, schema=kept) == []
    # Two types without a common object: the file would not say that these differ.
    types = {"cat": "object", "dog": "object"}
    objects = {"a": "cat", "b": "dog", "c": "cat", "d": "dog"}
    header = HEADER | {"types": types, "objects": objects}
    kinds = LiftedAtom("type cat", (0,)), LiftedAtom("type dog", (1,))
    typed = replace(KEPT, positive=(*KEPT.positive, *kinds))
    assert named(*PAIRS, schema=typed, header=header) == []


def test_constants_are_what_they_are():
    """Of a constant and a parameter only the second may be anything."""
    header = HEADER | {"constants": ["a"]}
    schema = replace(KEPT, constants=("a",))
    loops = [wait("(r a a)", "(p a)"), wait("(r a a)", "(s a)"), wait("(p a)", "(s a)")]
    assert named(*loops, schema=schema, header=header) == [APART]
    assert named(*PAIRS, schema=schema, header=header) == []


@pytest.mark.parametrize(
    ("texts", "is_contradiction"),
    [
        (("r 0 2", "-r 1 2"), True),
        (("r 0 2", "-r 2 1"), False),
        (("r 0 1", "-r 1 0"), True),
        (("-= 0 1",), True),
        (("= 0 2", "-= 1 2"), True),  # whatever the order of the two
        (("-= 0 2", "= 2 1"), True),
        (("-= 0 2", "-= 1 2"), False),
        ((), False),
    ],
)
def test_literals_that_rule_out_that_two_variables_are_one(texts, is_contradiction):
    kept = [Literal(*literals(x.lstrip("-")), not x.startswith("-")) for x in texts]
    assert contradicts(kept, APART) is is_contradiction


def test_a_merged_literal_has_the_first_variable_in_place_of_the_second():
    (between, equal) = (Literal(atom, False) for atom in literals("b 1 2 0", "= 1 2"))
    apart = Literal(*literals("= 0 2"), False)
    assert merged(between, apart) == Literal(*literals("b 1 0 0"), False)
    assert merged(equal, apart) == Literal(*literals("= 0 1"), False)


@st.composite
def problems_of_states(draw: st.DrawFn) -> list[list[Example]]:
    codes = AtomCodes(RELATIONS, [f"o{i}" for i in range(draw(st.integers(1, 3)))])
    states = st.lists(strategies.states(codes), min_size=1, max_size=2)
    return [
        [example(codes, state, ()) for state in draw(states)]
        for _ in range(draw(st.integers(1, 2)))
    ]


def some_literals(n_variables: int) -> st.SearchStrategy[list[Literal]]:
    pool = [*comparisons(n_variables), *lifted_atoms(RELATIONS, n_variables)]
    one = st.builds(Literal, st.sampled_from(pool), st.booleans())
    return st.lists(one, min_size=1, max_size=3)


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 3), st.data())
def test_equals_a_loop_over_all_bindings(n_variables, data):
    problems, wanted = data.draw(problems_of_states()), data.draw(some_literals(n_variables))
    assert States(problems).show(wanted) == naive(problems, wanted, n_variables)


def naive(problems: list[list[Example]], wanted: list[Literal], n_variables: int) -> bool:
    """The same, binding by binding."""
    return any(
        hold(wanted, step, binding)
        for steps in problems
        for step in steps
        for binding in product(range(len(step.codes.objects)), repeat=n_variables)
    )


def test_too_many_bindings_show_nothing(monkeypatch):
    codes = AtomCodes(RELATIONS, ["a", "b"])
    wanted = [Literal(*literals("= 0 1"), True)]
    for n_cells, is_shown in ((4, True), (3, False)):
        monkeypatch.setattr(module, "MAX_CELLS", n_cells)
        assert States([[example(codes, (), ())] * 3]).show(wanted) is is_shown


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 3), st.data())
def test_what_never_holds_where_other_literals_do(n_variables, data):
    problems, some = data.draw(problems_of_states()), some_literals(n_variables)
    asked, given_ones, unless = data.draw(some), data.draw(some), data.draw(st.just([]) | some)
    counted = [
        (step, binding)
        for steps in problems
        for step in steps
        for binding in product(range(len(step.codes.objects)), repeat=n_variables)
        if hold(given_ones, step, binding) and not (unless and hold(unless, step, binding))
    ]
    expected = [x for x in asked if counted and not any(hold([x], *one) for one in counted)]
    assert States(problems).never(asked, given_ones, unless) == expected


def hold(wanted: list[Literal], step: Example, binding: tuple[int, ...]) -> bool:
    return all(is_true(atom, binding, step) == is_positive for atom, is_positive in wanted)


RED, LAMP = (Literal(*literals(x), is_positive=x == "red 0") for x in ("red 0", "lamp 0"))
THINGS = HEADER | {
    "predicates": {"red": ["object"], "lamp": ["object"], "on": ["object"]},
    "static": ["(red a)", "(red b)", "(lamp c)"],
}


def taken(static=(), kept=(RED,), left=(LAMP,), may_be_idle=False):
    """What may stand in place of what: of red things, a lamp and d, the red ones were put on."""
    header = THINGS | {"static": [*THINGS["static"], *static]}
    steps = [{"state": [], "action": "put", "next": [f"(on {name})"]} for name in "ab"]
    examples = examples_by_action(read(header, *steps))
    schema = with_preconditions(lifted_schema("put", 1, literals("on 0")), kept)
    whole = safe(schema, *left)
    return list(replaceable(schema, whole, States.of(examples), may_be_idle))


def test_another_literal_would_do():
    """Things are red, or lamps; where d is neither the two differ, and d was not taken."""
    assert taken(static=["(lamp d)"]) == []  # two words for one thing
    assert taken() == []  # d was excluded, though it is no lamp
    assert taken(static=["(on d)"], may_be_idle=True) == [(RED, LAMP)]
    assert taken(static=["(on d)"]) == []  # that nothing changed could have been seen
    assert taken(static=["(on d)"], may_be_idle=True, left=()) == []


def test_what_an_effect_changes_and_what_excludes_nothing_is_not_replaceable():
    new = Literal(*literals("on 0"), False)
    assert taken(static=["(on d)"], kept=(new,), left=(LAMP,), may_be_idle=True) == []
    assert taken(static=["(red c)", "(red d)"], may_be_idle=True) == []


def test_looking_at_states_keeps_to_the_time_limit():
    codes = AtomCodes({"p": 1}, ["a", "b"])
    states = States([[example(codes, (), ())]])
    literal = Literal(LiftedAtom("p", (0,)), is_positive=True)
    with within(0):
        with pytest.raises(OutOfTimeError):
            states.show([literal])
        with pytest.raises(OutOfTimeError):
            states.never([literal], [literal])
