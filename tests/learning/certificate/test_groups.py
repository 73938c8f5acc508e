"""The parts of the count of coincidences one by one, at and around their limits."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dias.learning.certificate import coincidence
from dias.learning.certificate.coincidence import LOG_WEAK, Group, groups_of_preconditions
from dias.learning.data.coding import examples_by_action
from dias.learning.explain.full_labels import of_arguments
from dias.learning.schema import Literal, preconditions
from dias.traces.record import LabelMode
from tests.learning.cases import all_steps, lifted_schema, literals
from tests.learning.certificate.test_coincidence import bindings_of, naive_groups
from tests.strategies import domains, objects, states
from tests.traces.files import read

LETTERS = [Literal(atom, True) for atom in literals("a", "b", "c", "d")]


def group(texts, log_chance):
    return Group(tuple(LETTERS["abcd".index(text)] for text in texts), log_chance)


def test_a_chance_of_one_in_a_hundred_is_not_weak():
    assert not group("a", LOG_WEAK).is_weak
    assert group("a", math.nextafter(LOG_WEAK, 0)).is_weak


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None, max_examples=30)
@given(st.data())
def test_random_domains_are_counted_plainly(data):
    """Several problems, several actions, states that are passed over."""
    domain = data.draw(domains())
    drawn = [data.draw(objects(domain)) for _ in range(data.draw(st.integers(1, 2)))]
    traces = all_steps(domain, [(types, data.draw(states(domain, types))) for types in drawn])
    assume(traces.transitions)
    examples = examples_by_action(traces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coincidence, "LOG_WEAK", 1)  # nothing is recounted
        patch.setattr(coincidence, "CHUNK", data.draw(st.sampled_from([1, 8, 200_000])))
        for own in examples.values():
            schema = of_arguments(own)[0]
            found = groups_of_preconditions(schema, examples, bindings_of(own), traces)
            plain = naive_groups(schema, examples, bindings_of(own), traces)
            assert found == sorted(found, key=lambda g: (-g.log_chance, g.literals))
            assert {frozenset(g.literals): pytest.approx(g.log_chance) for g in found} == plain


ALL, PAIRS, EACH = 2 * 6**3, 2 * 3 * 6**2, 2 * 3 * 6
"""Work in a state for three variables and six objects, by how many are bound anew together."""


@pytest.mark.parametrize(
    ("max_work", "n_free", "n_states"),
    [
        (ALL * 16, 3, 16),
        (ALL * 16 - 1, 2, 31),
        (ALL * 17 - 1, 3, 16),
        (ALL * 17, 3, 17),
        (ALL * 60, 3, 60),
        (ALL * 99, 3, 60),
        (PAIRS * 16, 2, 16),
        (PAIRS * 16 - 1, 1, 60),
        (EACH * 20, 1, 20),
        (1, 1, 16),
    ],
)
def test_how_far_is_looked_at_the_limit(monkeypatch, max_work, n_free, n_states):
    monkeypatch.setattr(coincidence, "MAX_WORK", max_work)
    cells, found = coincidence._extent(range(3), 6)
    assert (cells, found) == (list(combinations(range(3), n_free)), n_states)
    assert coincidence._extent(range(0), 6) == ([()], min(60, max(16, max_work // 2)))


CUPS = {
    "dias": "trace/1",
    "labels": "names",
    "predicates": {"held": ["object"], "red": ["object"]},
    "objects": dict.fromkeys("abc", "object"),
    "static": ["(red a)"],
}


def move(action, state, after=()):
    return {"state": state, "action": action, "next": [*state, *after]}


def test_states_in_which_only_other_actions_were_taken():
    """Up to the line in which the action was last seen, each state once and problem by problem."""
    traces = read(
        CUPS | {"problem": "one"},
        move("rest", ["(held a)"]),
        move("take", ["(held b)"], ["(held a)"]),
        move("rest", ["(held b)"]),
        move("nap", ["(held a)"]),
        move("take", [], ["(held a)"]),
        CUPS | {"problem": "two"},
        move("rest", ["(held b)"]),
        move("rest", ["(held c)"]),
        move("take", ["(held b)"], ["(held c)"]),
        CUPS | {"problem": "one"},
        move("rest", ["(held a)", "(held b)"]),
        move("take", ["(held b)"], ["(held a)"]),
        move("nap", ["(held c)"]),
        move("rest", ["(held a)", "(held b)"]),
    )
    examples = examples_by_action(traces)
    found = [e.transition for e in coincidence._passed_over("take", examples)]
    assert [(t.line, t.action) for t in found] == [(5, "nap"), (9, "rest"), (12, "rest")]
    [first, *_] = examples["take"].examples
    assert (first.transition.line, first.transition.last_line) == (3, 13)
    fewer = {"rest": examples["rest"], "take": replace(examples["take"], examples=[first])}
    lines = [e.transition.line for e in coincidence._passed_over("take", fewer)]
    assert lines == [2, 12]  # in the other problem it was never taken


def test_steps_are_looked_at_in_groups_of_one_problem(monkeypatch):
    def step(segment, number):
        return SimpleNamespace(transition=SimpleNamespace(segment=segment), number=number), ()

    steps = [step(segment, number) for number, segment in enumerate((0, 0, 0, 1, 0, 0))]
    monkeypatch.setattr(coincidence, "CHUNK", 20)
    alone = [[0], [1], [2], [3], [4], [5]]
    for n_bindings, expected in (
        (6, [[0, 1, 2], [3], [4, 5]]),
        (10, [[0, 1], [2], [3], [4, 5]]),
        (11, alone),
        (21, alone),
    ):
        chunks = coincidence._chunks(steps, n_bindings)
        assert [[one.number for one, _ in chunk] for chunk in chunks] == expected


def test_a_group_that_looks_weak_is_recounted(monkeypatch):
    """Against the schema without it, and only what is less likely is believed."""
    schema = lifted_schema("act", 0, positive=literals("a", "b"), negative=literals("c"))
    asked, chances = [], [-2.0, -1.0, -0.5]

    class Evidence:
        def __init__(self, wide, traces, max_states):
            asked.append((preconditions(wide), traces, max_states))

        def log_chance(self, narrow):
            assert narrow is schema
            return chances[len(asked) - 1]

    monkeypatch.setattr(coincidence, "Evidence", Evidence)
    traces = SimpleNamespace(labels=LabelMode.NAMES, masks_of=lambda action: ())
    for expected in (-2.0, -1.0, -1.0):
        recounted = coincidence._recounted(group("a", -1.0), schema, traces)
        assert recounted == group("a", expected)
    without = [LETTERS[1], Literal(LETTERS[2].atom, False)]
    assert asked == [(without, traces, coincidence.MAX_RECOUNTED)] * 3
    assert coincidence._recounted(group("a", -9.0), schema, traces) == group("a", -9.0)
    assert len(asked) == 3


@pytest.mark.parametrize(
    ("changes", "labels", "expected"),
    [
        ({}, LabelMode.NAMES, -9.0),
        ({"n_ambiguous": 1}, LabelMode.NAMES, -0.5),
        ({"n_variables": 1}, LabelMode.STRIPS_PLUS, -0.5),
        ({"n_variables": 1, "n_ambiguous": 1}, LabelMode.FULL, -9.0),
    ],
)
def test_where_bindings_are_alike_their_successors_are_counted(
    monkeypatch, changes, labels, expected
):
    evidence = SimpleNamespace(log_chance=lambda narrow: -0.5)
    monkeypatch.setattr(coincidence, "Evidence", lambda *_: evidence)
    schema = replace(lifted_schema("act", 0, positive=literals("a")), **changes)
    traces = SimpleNamespace(labels=labels, masks_of=lambda action: ())
    assert coincidence._recounted(group("a", -9.0), schema, traces).log_chance == expected


def rows(*texts):
    """Patterns of the four letters in one word."""
    words = [sum(1 << "abcd".index(letter) for letter in text) for text in texts]
    return np.array(words, dtype=np.uint64).reshape(len(words), 1)


@given(st.lists(st.lists(st.sets(st.sampled_from("abcd"), min_size=1), max_size=5), max_size=4))
def test_of_the_patterns_the_smallest_are_counted(parts):
    """Part by part: what holds a known pattern, and is not that one, is passed over."""
    tally, counted = coincidence._Tally(LETTERS), {}
    for first, part in enumerate(parts):
        owner = np.arange(len(part)) + 10 * first
        for place, owners in tally._by_pattern(owner, rows(*part)):
            counted.setdefault(place, []).extend(owners.tolist())
            tally._log_chance[0][place] -= len(owners)
    sets = [frozenset(own) for part in parts for own in part]
    minimal = {own for own in sets if not any(other < own for other in sets)}
    found = {frozenset("abcd"[LETTERS.index(x)] for x in g.literals): g for g in tally.groups()}
    assert set(found) == minimal
    for own in minimal:
        assert found[own].log_chance == -sets.count(own)


def test_shares_of_the_steps_and_of_what_was_passed_over(monkeypatch):
    """Two misses in the first step, one in the third, which allows nothing; d is missed twice."""
    answers = iter(
        [
            (np.array([3, 1, 0]), np.array([0, 0, 2, 1]), rows("a", "a", "a", "bc")),
            (np.array([2, 2, 2]), np.array([1]), rows("a")),
            (np.array([0, 1, 0]), np.array([0, 0, 1, 2, 2]), rows("a", "a", "bc", "d", "bc")),
        ]
    )
    counted = ((*answer, np.ones(len(answer[1]), np.int64)) for answer in answers)
    monkeypatch.setattr(coincidence, "near_misses", lambda *_: next(counted))
    tally = coincidence._Tally(LETTERS)
    tally.count_taken(0, None, (0,), 1.5)
    assert {g.literals: g.log_chance for g in tally.groups()} == {
        group("a", 0).literals: pytest.approx(1.5 * math.log(3 / 5)),
        group("bc", 0).literals: pytest.approx(1.5 * math.log(1 / 2)),
    }
    tally.count_taken(1, None, (1,), 2.0)
    # The stronger of two tests counts, and what it does not see is no evidence in it.
    assert {g.literals: g.log_chance for g in tally.groups()} == {
        group("a", 0).literals: pytest.approx(2.0 * math.log(2 / 3)),
        group("bc", 0).literals: pytest.approx(1.5 * math.log(1 / 2)),
    }
    tally.count_passed_over(None, (0,), -1.0)
    assert {g.literals: g.log_chance for g in tally.groups()} == {
        group("a", 0).literals: pytest.approx(1.5 * math.log(3 / 5) - 1),
        group("bc", 0).literals: pytest.approx(1.5 * math.log(1 / 2) - 1),
        group("d", 0).literals: -1,
    }


def test_a_sample_of_the_steps_counts_for_all(monkeypatch):
    """Five steps, of which two are looked at; in each a alone is red and not held."""
    names = [f"t{i}" for i in range(9)]
    header = CUPS | {"objects": dict.fromkeys([*"abc", *names], "object")}
    steps = [move("take", [f"(held {name})"], ["(held a)"]) for name in names[:5]]
    schema = lifted_schema("take", 1, literals("held 0"), (), literals("red 0"), literals("held 0"))
    monkeypatch.setattr(coincidence, "LOG_WEAK", 1)
    monkeypatch.setattr(coincidence, "MIN_STATES", 2)
    monkeypatch.setattr(coincidence, "MAX_STATES", 2)
    traces = read(header, *steps)
    examples = examples_by_action(traces)
    for bindings, n in (([(0,)] * 5, 5), ([(0,), None, (0,), (0,), None], 3)):
        found = groups_of_preconditions(schema, examples, bindings, traces)
        # Of twelve objects one is held; ten others are not red.
        assert found == [
            Group((Literal(literals("red 0")[0], True),), pytest.approx(n * math.log(1 / 11)))
        ]
    bare = replace(schema, positive=(), negative=())
    assert groups_of_preconditions(bare, examples, [(0,)] * 5, traces) == []


@pytest.mark.parametrize(("actions", "share"), [([], 1 / 2), (["nap", "run"], 3 / 4)])
@pytest.mark.parametrize(("max_states", "n_counted"), [(1, 1), (2, 2), (3, 3), (60, 3)])
def test_an_action_without_parameters_is_passed_over(
    monkeypatch, actions, share, max_states, n_counted
):
    """Three states without light, in which only resting was seen."""
    header = CUPS | {"predicates": {"light": [], "held": ["object"]}, "static": []}
    steps = [move("rest", [f"(held {name})"]) for name in "abc"]
    look = move("look", ["(light)"], ["(held a)"])
    traces = read(header | {"actions": ["look", "rest", *actions]}, *steps, look)
    schema = lifted_schema("look", 0, positive=literals("light"))
    monkeypatch.setattr(coincidence, "LOG_WEAK", 1)
    monkeypatch.setattr(coincidence, "MIN_STATES", min(16, max_states))
    monkeypatch.setattr(coincidence, "MAX_STATES", max_states)
    [found] = groups_of_preconditions(schema, examples_by_action(traces), [()], traces)
    assert found.literals == (Literal(literals("light")[0], True),)
    assert found.log_chance == pytest.approx(n_counted * math.log(share))


TIED = CUPS | {"predicates": {"by": ["object"] * 2}, "objects": dict.fromkeys("abcd", "object")}


def test_a_few_variables_at_a_time_are_tests_of_their_own(monkeypatch):
    """One of two is any of four at a time; where only resting was seen, nothing is exchanged."""
    monkeypatch.setattr(coincidence, "LOG_WEAK", 1)
    header = TIED | {"static": [], "predicates": TIED["predicates"] | {"tied": ["object"] * 2}}
    tie, rest = move("tie", ["(by a b)"], ["(by a b)", "(tied a b)"]), move("rest", [])
    traces = read(header, rest, tie)
    schema = lifted_schema("tie", 2, literals("tied 0 1"), positive=literals("by 0 1"))
    found = {}
    for max_work in (1, 10**6):
        monkeypatch.setattr(coincidence, "MAX_WORK", max_work)
        [own] = groups_of_preconditions(schema, examples_by_action(traces), [(0, 1)], traces)
        found[max_work] = own.log_chance
    # Of sixteen pairs, those of one object among them, one is such a pair; and resting was chosen.
    assert found == {
        1: pytest.approx(math.log(1 / 4)),
        10**6: pytest.approx(math.log(1 / 16) + math.log(1 / 2)),
    }


BELTS = CUPS | {
    "predicates": {"by": ["object"] * 2, "on": ["object"]},
    "objects": dict.fromkeys("abcd", "object"),
    "static": ["(by a b)", "(by b a)", "(by c b)", "(by d d)"],
}


def test_bindings_that_lead_to_one_successor_are_one():
    """Any of a, b and c has some other object beside it, and which one nobody sees."""
    schema = lifted_schema("go", 2, literals("on 0"), positive=literals("by 0 1", "by 1 0"))
    steps = [move("go", [], [f"(on {name})"]) for name in "ab"]
    traces = read(BELTS, *steps)
    examples = examples_by_action(traces)
    found = groups_of_preconditions(schema, examples, [(0, 1), (1, 0)], traces)
    # Without the first, c is still excluded; without the second it is not: one state, two steps.
    [(literal, chance)] = found
    assert literal == (Literal(*literals("by 1 0"), True),)
    assert chance == pytest.approx(2 * math.log(3 / 4))


def test_the_largest_problem_says_how_far_is_looked(monkeypatch):
    asked = []

    def extent(variables, n_objects):
        asked.append((variables, n_objects))
        return [()], 60

    monkeypatch.setattr(coincidence, "_extent", extent)
    small = TIED | {"problem": "small", "objects": dict.fromkeys("ab", "object"), "static": []}
    tie = move("tie", ["(by a b)"])
    for headers in ([small, TIED | {"static": []}], [TIED | {"static": []}, small]):
        traces = read(headers[0], tie, headers[1] | {"problem": "other"}, tie)
        schema = lifted_schema("tie", 2, positive=literals("by 0 1"))
        groups_of_preconditions(schema, examples_by_action(traces), [(0, 1)] * 2, traces)
    assert asked == [(range(2), 4)] * 2


def test_groups_are_sorted_once_they_are_recounted(monkeypatch):
    """The weakest first, then by their literals."""
    chances = {"red": -3.0, "by": -2.0, "held": -3.0}

    def recounted(own, schema, traces):
        return own._replace(log_chance=chances[own.literals[0].atom.relation])

    monkeypatch.setattr(coincidence, "_recounted", recounted)
    header = TIED | {"predicates": TIED["predicates"] | CUPS["predicates"], "static": []}
    state = ["(by a a)", "(red a)", "(held a)"]
    state += ["(red b)", "(held b)", "(by c c)", "(held c)", "(by d d)", "(red d)"]
    traces = read(header, move("tie", state, [*state, "(by a b)"]))
    schema = lifted_schema(
        "tie", 1, literals("by 0 0"), positive=literals("red 0", "by 0 0", "held 0")
    )
    found = groups_of_preconditions(schema, examples_by_action(traces), [(0,)], traces)
    assert [own.literals[0].atom.relation for own in found] == ["by", "held", "red"]
    assert [own.log_chance for own in found] == [-2.0, -3.0, -3.0]
