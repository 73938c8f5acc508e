"""Which literal goes first, which states and attempts have a say, and how often it is asked."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from dias.learning.finish import conflicts, shorten
from dias.learning.finish.shorten import minimal_preconditions, needed
from dias.learning.schema import LiftedAtom, Literal
from tests.learning.cases import lifted_schema, literals
from tests.traces.files import read

HEADER = {
    "dias": "trace/1",
    "labels": "full",
    "types": {"lamp": "object"},
    "predicates": {
        "on": ["object"], "wired": ["object"], "locked": ["object"], "by": ["object"] * 2,
        "dark": [],
    },
    "objects": dict.fromkeys("abc", "lamp"),
    "static": ["(wired a)", "(wired b)", "(wired c)", "(by a b)", "(by b c)"],
}  # fmt: skip
LIGHT = {"state": [], "action": "(light a)", "next": ["(on a)"]}


def signed(*texts):
    """Literals from text; those with a minus are negative."""
    return [Literal(literals(text.removeprefix("-"))[0], text[0] != "-") for text in texts]


def order(schema, traces, *texts):
    """The literals, those first that a person would think of last."""
    key = shorten._preference(schema, traces, traces.transitions)
    orders = [sorted(own, key=key) for own in permutations(signed(*texts))]
    assert all(own == orders[0] for own in orders)
    names = dict(zip(signed(*texts), texts, strict=True))
    return [names[literal] for literal in orders[0]]


def test_a_person_thinks_last_of_what_comes_first():
    """Sign, repeated variables, what is not deleted; the names speak for another order."""
    traces = read(HEADER, LIGHT)
    schema = lifted_schema("go", 2, literals("on 1"), literals("on 0", "wired 1"))
    assert order(schema, traces, "-wired 0", "by 0 0") == ["-wired 0", "by 0 0"]
    assert order(schema, traces, "wired 0", "-dark") == ["-dark", "wired 0"]
    assert order(schema, traces, "by 0 0", "by 0 1", "dark") == ["by 0 0", "by 0 1", "dark"]
    assert order(schema, traces, "-by 0 0", "-by 0 1") == ["-by 0 0", "-by 0 1"]
    # What is added is as good as any other; what is deleted is thought of first.
    assert order(schema, traces, "on 0", "locked 0", "on 1") == ["on 1", "locked 0", "on 0"]
    assert order(schema, traces, "wired 1", "on 1") == ["on 1", "wired 1"]
    assert order(schema, traces, "-on 0", "-dark") == ["-dark", "-on 0"]


def test_what_excludes_few_bindings_goes_first():
    """Static atoms and those of the states; the more often true, the less a literal excludes."""
    one = HEADER | {"problem": "one"}
    two = one | {"problem": "two", "static": [], "objects": dict.fromkeys("abcdef", "lamp")}
    busy = LIGHT | {"state": ["(locked a)", "(locked b)", "(dark)"], "next": ["(on a)"]}
    schema = lifted_schema("light", 2)
    # Of 9 objects of the two states 3 are wired, 2 locked, none on; of 45 pairs two are by.
    traces = read(one, LIGHT, two, busy)
    shares = ["by 0 1", "locked 0", "wired 0", "dark"]  # 2/45, 2/9, 3/9, 1/2
    assert order(schema, traces, "on 0", *shares) == [*reversed(shares), "on 0"]
    negative = [f"-{text}" for text in ("on 0", *shares)]
    assert order(schema, traces, *negative) == negative
    # Of six objects one is locked and one is wired, of three one is on: states, not sizes, count.
    three = one | {"problem": "three", "static": ["(by a a)"], "objects": {"a": "lamp"}}
    traces = read(
        one, LIGHT | {"state": ["(locked b)"]}, three, LIGHT | {"state": ["(on a)"], "next": []}
    )
    # by: 3 of 10; locked: 1 of 4, as on; by their names then.
    assert order(schema, traces, "on 0", "locked 0", "by 0 1") == ["by 0 1", "locked 0", "on 0"]


def test_of_equals_the_direction_of_the_effects_is_kept():
    traces = read(HEADER, LIGHT)
    moved = lifted_schema("go", 3, literals("on 1"), literals("on 0"))
    assert order(moved, traces, "by 0 1", "by 1 0") == ["by 1 0", "by 0 1"]
    assert order(moved, traces, "by 0 2", "by 2 0", "by 1 2", "by 2 1") == [
        "by 1 2", "by 2 1", "by 2 0", "by 0 2",
    ]  # fmt: skip
    both = lifted_schema("go", 3, literals("on 0", "wired 1"), literals("locked 0"))
    assert order(both, traces, "by 0 2", "by 1 2", "by 2 0") == ["by 1 2", "by 0 2", "by 2 0"]
    assert order(lifted_schema("go", 2), traces, "by 1 0", "by 0 1") == ["by 0 1", "by 1 0"]


LAMP = LiftedAtom("type lamp", (0,))
SAFE = lifted_schema(
    "light", 1, literals("on 0"), (), (LAMP, *literals("wired 0")), literals("on 0", "locked 0")
)


def attempt(state, action="(light b)"):
    return {"state": state, "action": action, "next": None}


def kept(*lines, schema=SAFE, labels="full"):
    short = minimal_preconditions(schema, read(HEADER | {"labels": labels}, *lines))
    assert LAMP in short.positive
    return {atom.relation for atom in short.positive if atom != LAMP}, {
        atom.relation for atom in short.negative
    }


def test_what_rules_an_attempt_out_stays():
    """Every lamp is wired; without the attempt nothing asks for the one negative literal."""
    assert kept(LIGHT) == (set(), set())
    assert kept(LIGHT, attempt(["(locked b)"])) == (set(), {"locked"})
    # That b is on leads back to the same state, so that no successor tells.
    assert kept(LIGHT, attempt(["(on b)"], "(light b)")) == (set(), {"on"})
    assert kept(LIGHT, attempt(["(locked b)"], "(rest b)")) == (set(), {"locked"})
    both = [attempt(["(locked b)"]), attempt(["(on a)"], "(light a)")]
    assert kept(LIGHT, *both) == (set(), {"locked", "on"})


@pytest.mark.parametrize("labels", ["full", "partial"])
def test_also_where_another_binding_comes_to_the_same(labels):
    """Looking at a changes as little as looking at b, which was refused."""
    looks = {"state": ["(locked b)"], "action": "(look a)", "next": ["(locked b)"]}
    look = replace(SAFE, action="look", effects=SAFE.effects._replace(add=(), n_given=1))
    for refused, found in (([], set()), ([attempt(["(locked b)"], "(look b)")], {"locked"})):
        assert kept(looks, *refused, schema=look, labels=labels) == (set(), found)


def test_an_attempt_that_the_whole_schema_allows_has_no_say():
    wrong = attempt([], "(light c)")
    assert kept(LIGHT, wrong) == (set(), set())
    assert kept(LIGHT, wrong, attempt(["(on b)"])) == (set(), {"on"})


def test_attempts_without_arguments_say_nothing_of_an_action_with_parameters():
    """Their states count all the same."""
    light, on = LIGHT | {"action": "light"}, attempt(["(on b)", "(on a)", "(on c)"], "light")
    assert kept(light, on, labels="names") == (set(), {"on"})
    assert kept(light, attempt(["(on b)"], "light"), labels="names") == (set(), {"on"})
    dark = lifted_schema("hush", 0, literals("dark"), (), (), literals("dark"))
    hush = {"state": [], "action": "hush", "next": ["(dark)"]}
    traces = read(HEADER | {"labels": "names"}, hush, attempt(["(dark)"], "hush"))
    assert minimal_preconditions(dark, traces).negative == literals("dark")
    traces = read(HEADER | {"labels": "names"}, hush)
    assert minimal_preconditions(dark, traces).negative == ()


def test_equal_states_of_two_problems_are_two():
    """A lamp that is not wired is in the second problem only."""
    two = HEADER | {"static": ["(wired a)"], "objects": dict.fromkeys("ab", "lamp")}
    for first, second in ((HEADER, two), (two, HEADER)):
        traces = read(first | {"problem": "one"}, LIGHT, second | {"problem": "two"}, LIGHT)
        short = minimal_preconditions(SAFE, traces)
        assert (short.positive, short.negative) == ((LAMP, *literals("wired 0")), ())


def test_what_is_said_of_types_stays():
    """Also that something is not of a type, which is never written."""
    schema = replace(
        SAFE, negative=(*SAFE.negative, LiftedAtom("type lamp", (0,))), positive=(LAMP,)
    )
    short = minimal_preconditions(schema, read(HEADER, LIGHT))
    assert (short.positive, short.negative) == ((LAMP,), (LAMP,))


@pytest.mark.parametrize(("limit", "is_dropped"), [(2, False), (3, True), (4, True)])
def test_as_many_ground_actions_as_the_limit_are_looked_at(monkeypatch, limit, is_dropped):
    """Three lamps can be lit, with the literal or without it."""
    monkeypatch.setattr(conflicts, "MAX_SUCCESSORS", limit)
    schema = replace(SAFE, negative=literals("locked 0"))
    short = minimal_preconditions(schema, read(HEADER, LIGHT))
    assert short.negative == (() if is_dropped else literals("locked 0"))


def test_one_candidate_after_another_is_asked_about():
    """The last two of eight stay: each question is asked with all that is still there."""
    asked = []

    def suffices(kept):
        asked.append("".join(map(str, kept)))
        return {6, 7} <= set(kept)

    assert needed(range(8), [9], suffices) == [6, 7]
    assert asked == ["9", "94567", "9", "967", "9", "97", "96"]
    asked.clear()
    assert needed([6, 1, 7], [], suffices) == [6, 7]
    assert needed([], [6, 7], suffices) == []
    assert asked[:1] == [""]


def test_of_two_that_serve_alike_the_later_candidate_stays():
    assert needed([1, 2], [], lambda kept: bool(set(kept))) == [2]
    assert needed([1, 2, 3], [], lambda kept: len(set(kept)) > 1) == [2, 3]
