"""Inequalities and constants in the count of coincidences."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from dias.learning.certificate import coincidence
from dias.learning.certificate.coincidence import Group, groups_of_preconditions
from dias.learning.data.coding import examples_by_action
from dias.learning.extend.evidence import Evidence
from dias.learning.schema import Literal
from tests.learning.cases import lifted_schema, literals
from tests.learning.certificate.test_coincidence import naive_groups
from tests.learning.certificate.test_groups import TIED, move
from tests.traces.files import read

APART = Literal(literals("= 0 1")[0], False)
TIE = lifted_schema("tie", 2, literals("by 0 1"), negative=literals("= 0 1"))
UNTIED = TIED | {"static": []}


def ties(n):
    """Steps that tie a to b, each from a state of its own."""
    marks = {f"mark{i}": [] for i in range(n)}
    header = UNTIED | {"predicates": UNTIED["predicates"] | marks}
    return read(header, *(move("tie", [f"({mark})"], ["(by a b)"]) for mark in marks))


@pytest.mark.parametrize(("n", "is_weak"), [(1, True), (16, True), (17, False)])
def test_an_inequality_may_be_a_coincidence(n, is_weak):
    """Of four objects sixteen pairs could be tied, were it not for the four of one object."""
    traces = ties(n)
    [found] = groups_of_preconditions(TIE, examples_by_action(traces), [(0, 1)] * n, traces)
    assert (found.literals, found.is_weak) == ((APART,), is_weak)
    assert found.log_chance == pytest.approx(n * math.log(12 / 16))


def test_what_only_a_pair_of_one_object_violates_goes_with_the_inequality():
    """Nothing is by itself: the inequality and that literal are violated together, never alone."""
    traces = read(UNTIED, move("tie", [f"(by {x} {x})" for x in "abcd"], ["(by a b)"]))
    examples, bindings = examples_by_action(traces), [(0, 1)]
    schema = replace(TIE, negative=literals("by 0 1", "= 0 1"))
    [found] = groups_of_preconditions(schema, examples, bindings, traces)
    assert set(found.literals) == {Literal(literals("by 0 1")[0], False), APART}
    assert found.log_chance == pytest.approx(math.log(12 / 16))
    plain = naive_groups(schema, examples, bindings, traces)
    assert plain == {frozenset(found.literals): pytest.approx(found.log_chance)}


def test_of_bindings_and_changes_the_stronger_count_holds():
    """Bindings to one object change nothing where they add and delete the same atom.

    Of the sixteen pairs twelve move a mark, and all four others leave the state as it is: thirteen
    changes, of which the inequality rules out one.
    """
    state = [f"(by {x} {x})" for x in "abcd"]
    step = {"state": state, "action": "tie", "next": [*state[1:], "(by b a)"]}
    traces = read(UNTIED, step)
    schema = lifted_schema("tie", 2, literals("by 1 0"), literals("by 0 0"), (), literals("= 0 1"))
    [found] = groups_of_preconditions(schema, examples_by_action(traces), [(0, 1)], traces)
    assert found == Group((APART,), pytest.approx(math.log(12 / 16)))
    wide = replace(schema, negative=())
    assert Evidence(wide, traces).log_chance(schema) == pytest.approx(math.log(12 / 13))


FIXED = UNTIED | {"constants": ["d"]}


def test_a_constant_is_bound_to_nothing_else(monkeypatch):
    """What is tied to the post d: of the four objects one is not by it, in two problems.

    In the second the post has another number; where only resting was seen nothing but d is by it.
    """
    monkeypatch.setattr(coincidence, "LOG_WEAK", 1)
    later = FIXED | {"problem": "two", "objects": dict.fromkeys(["e", "d", "z"], "object")}
    traces = read(
        FIXED | {"problem": "one"},
        move("rest", ["(by d d)"]),
        move("tie", ["(by a d)", "(by b d)", "(by c a)"], ["(by a a)"]),
        later,
        move("tie", ["(by z d)"], ["(by z z)"]),
    )
    examples = examples_by_action(traces)
    schema = lifted_schema("tie", 2, literals("by 1 1"), positive=literals("by 1 0"))
    schema = replace(schema, negative=literals("= 0 1"), constants=("d",))
    bindings = [(0,), (2,)]
    found = groups_of_preconditions(schema, examples, bindings, traces)
    plain = naive_groups(schema, examples, bindings, traces)
    assert {frozenset(group.literals): pytest.approx(group.log_chance) for group in found} == plain
    by_it = Literal(literals("by 1 0")[0], True)
    # Of four two are by the post and c alone is not; of three one, and e is not. d misses both.
    # Resting: three are not by it; d is by itself, which the inequality alone rules out.
    assert {group.literals: group.log_chance for group in found} == {
        (by_it,): pytest.approx(math.log(2 / 3) + math.log(1 / 2) + math.log(1 / 2)),
        (APART,): pytest.approx(math.log(1 / 2)),
    }


def test_constants_are_no_variables_that_are_bound_anew(monkeypatch):
    asked = []

    def extent(variables, n_objects):
        asked.append((tuple(variables), n_objects))
        return [tuple(variables)], 60

    monkeypatch.setattr(coincidence, "_extent", extent)
    traces = read(FIXED, move("tie", ["(by a d)", "(by a b)"], ["(by b d)"]))
    schema = lifted_schema("tie", 3, literals("by 2 0"), positive=literals("by 1 0", "by 1 2"))
    schema = replace(schema, constants=("d",))
    groups_of_preconditions(schema, examples_by_action(traces), [(0, 1)], traces)
    assert asked == [((1, 2), 4)]
