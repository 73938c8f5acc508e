"""Which preconditions may be coincidences, against a count of all bindings one by one."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from itertools import product

import pytest

from dias.learning.certificate import coincidence, near_misses
from dias.learning.certificate.coincidence import Group, groups_of_preconditions
from dias.learning.data.coding import examples_by_action
from dias.learning.data.replay import SchemaInTraces
from dias.learning.explain.full_labels import of_arguments
from dias.learning.finish.assemble import action_schema, over_terms
from dias.learning.schema import Literal, type_relation
from dias.strips.model import Atom
from dias.traces.record import LabelMode
from tests.learning.cases import benchmark, is_true, lifted_schema, literals, sampled
from tests.traces.files import read


@cache
def learned(name, n_per_action):
    """Traces, examples by action, and for each action the safe schema with the true bindings."""
    traces = sampled(*benchmark(name, "p01"), n_per_action, LabelMode.FULL)
    examples = examples_by_action(traces)
    return traces, examples, {a: of_arguments(group)[0] for a, group in examples.items()}


def bindings_of(group):
    return [
        tuple(e.codes.object_number[name] for name in e.transition.arguments)
        for e in group.examples
    ]


def violated(example, binding, wanted):
    """The literals that do not hold, one by one."""
    return frozenset(x for x in wanted if is_true(x.atom, binding, example) != x.is_positive)


def naive_groups(schema, examples, bindings, traces):
    """Minimal groups and their log chances, by going through all bindings of all states."""
    types = {type_relation(name) for name in traces.types}
    own = action_schema(schema, traces)
    signs = ((own.preconditions, own.equalities), (own.negative_preconditions, own.inequalities))
    written = [{*atoms, *(Atom("=", pair) for pair in pairs)} for atoms, pairs in signs]
    wanted = [
        Literal(atom, is_positive)
        for atoms, is_positive in ((schema.positive, True), (schema.negative, False))
        for atom in atoms
        if (is_positive and atom.relation in types)
        or over_terms(atom, schema.terms) in written[not is_positive]
    ]

    def outcomes(example):
        numbers = range(len(example.codes.objects))
        every = product(numbers, repeat=schema.arity)
        return Counter(violated(example, example.constants + own, wanted) for own in every)

    taken = [outcomes(example) for example in examples[schema.action].examples]
    own = {(e.transition.segment, e.state) for e in examples[schema.action].examples}
    last = dict[int, int]()  # by problem
    for e in examples[schema.action].examples:
        last[e.transition.segment] = max(e.transition.last_line, last.get(e.transition.segment, 0))
    others = {
        (e.transition.segment, e.state): e
        for group in examples.values()
        for e in group.examples
        if e.transition.line <= last.get(e.transition.segment, 0)
    }
    passed = [outcomes(example) for key, example in others.items() if key not in own]
    blocked = [table for table in passed if not table[frozenset()]]
    patterns = {p for table in taken + blocked for p in table if p}
    patterns = {p for p in patterns if len(p) <= near_misses.MAX_GROUP}
    log_passed = math.log(1 - 1 / max(2, len(examples)))
    return {
        p: sum(math.log(t[frozenset()] / (t[frozenset()] + t[p])) for t in taken)
        + log_passed * sum(p in t for t in blocked)
        for p in patterns
        if not any(other < p for other in patterns)
    }


@pytest.mark.parametrize("name", ["blocks-3", "gripper", "hanoi", "visitall"])
def test_the_fast_count_is_the_plain_one(name, monkeypatch):
    monkeypatch.setattr(coincidence, "LOG_WEAK", 1)  # nothing is weak, so nothing is recounted
    monkeypatch.setattr(coincidence, "MIN_STATES", 1000)
    monkeypatch.setattr(coincidence, "MAX_STATES", 1000)
    monkeypatch.setattr(coincidence, "MAX_WORK", 10**9)
    traces, examples, schemas = learned(name, 6)
    for action, schema in schemas.items():
        bindings = bindings_of(examples[action])
        found = groups_of_preconditions(schema, examples, bindings, traces)
        plain = naive_groups(schema, examples, bindings, traces)
        assert {frozenset(group.literals) for group in found} == set(plain)
        for group in found:
            assert group.log_chance == pytest.approx(plain[frozenset(group.literals)], abs=1e-9)
        chances = [group.log_chance for group in found]
        assert chances == sorted(chances, reverse=True)


def test_a_few_variables_at_a_time(monkeypatch):
    """With too many bindings two variables are bound otherwise at a time: a test each."""
    traces, examples, schemas = learned("gripper", 40)
    n_objects = len(examples["pick"].examples[0].codes.objects)
    monkeypatch.setattr(coincidence, "MAX_WORK", 2 * 16 * 3 * n_objects**2)
    monkeypatch.setattr(coincidence, "CHUNK", 60)
    assert coincidence._extent(range(3), n_objects) == ([(0, 1), (0, 2), (1, 2)], 16)
    group = groups_of_preconditions(
        schemas["pick"], examples, bindings_of(examples["pick"]), traces
    )
    chances = {one.literals: one.log_chance for one in group}
    for literal in map(positive, literals("at 0 1", "at-robby 1", "free 2")):
        assert chances[(literal,)] < math.log(0.01)


@pytest.mark.parametrize(
    ("n_variables", "n_objects", "n_free"),
    [(0, 5, 0), (1, 10**6, 1), (3, 5, 3), (3, 40, 2), (4, 15, 4), (4, 20, 3), (5, 1000, 1)],
)
def test_how_far_is_looked_depends_on_the_cost(n_variables, n_objects, n_free):
    cells, n_states = coincidence._extent(range(n_variables), n_objects)
    assert {len(cell) for cell in cells} == {n_free}
    assert len(cells) == math.comb(n_variables, n_free)
    assert coincidence.MIN_STATES <= n_states <= coincidence.MAX_STATES


def positive(atom):
    return Literal(atom, True)


SHELF = {
    "dias": "trace/1",
    "labels": "full",
    "predicates": {"cup": ["object"], "red": ["object"], "blue": ["object"], "held": ["object"]},
    "objects": dict.fromkeys("abcd", "object"),
    "static": ["(cup a)", "(cup b)", "(red a)", "(red c)", "(blue b)", "(blue d)"],
}
TAKE = lifted_schema(
    "take", 1, literals("held 0"), (), literals("cup 0", "red 0"), literals("held 0", "blue 0")
)


def takes(*held):
    lines = [{"state": h, "action": "(take a)", "next": [*h, "(held a)"]} for h in held]
    return read(SHELF, *lines)


def groups(traces, schema=TAKE):
    examples = examples_by_action(traces)
    applied = SchemaInTraces(action_schema(schema, traces), traces)
    found = [applied.explanations(t)[0] for t in traces.transitions]
    return groups_of_preconditions(schema, examples, found, traces)


def test_literals_that_imply_each_other_go_together():
    """The cup b is blue and not red; the red c is no cup. The blue d is covered by both."""
    red, cup = positive(literals("red 0")[0]), positive(literals("cup 0")[0])
    not_blue = Literal(literals("blue 0")[0], False)
    assert groups(takes([])) == [
        Group((cup,), math.log(1 / 2)),
        Group((red, not_blue), math.log(1 / 2)),
    ]


def test_the_chance_falls_with_the_transitions():
    states = [[], ["(held b)"], ["(held c)"], ["(held d)"], ["(held b)", "(held d)"]]
    chances = {g.literals[0].atom.relation: g.log_chance for g in groups(takes(*states))}
    # Where b is held, too, it violates more than colour: only three steps could have taken it.
    assert chances["red"] == pytest.approx(3 * math.log(1 / 2))
    assert chances["cup"] == pytest.approx(4 * math.log(1 / 2))
    assert all(group.is_weak for group in groups(takes(*states)))


def test_not_taking_it_where_only_the_group_forbids_it_counts():
    """`rest` is taken four times, where all but the light would allow to take a."""
    header = SHELF | {"predicates": SHELF["predicates"] | {"light": []}}
    light, dark = ["(light)"], []
    schema = lifted_schema("take", 1, literals("held 0"), (), literals("light", "red 0"))
    steps = [{"state": light, "action": "(take a)", "next": ["(held a)", "(light)"]}]
    held = [["(held b)"], ["(held c)"], ["(held d)"], ["(held b)", "(held c)"]]
    rests = [{"state": h + dark, "action": "(rest)", "next": h + dark} for h in held]
    (group,) = [
        g for g in groups(read(header, *steps), schema) if len(g.literals) == 1
    ]  # only red: the light was always on
    assert group.literals == (positive(literals("red 0")[0]),)
    traces = read(header, *rests, *steps)
    examples = examples_by_action(traces)
    found = groups_of_preconditions(schema, examples, [(0,)], traces)
    chances = {g.literals: g.log_chance for g in found}
    assert chances[(positive(literals("light")[0]),)] == pytest.approx(4 * math.log(1 / 2))


def test_nothing_explained_is_nothing_known():
    traces = takes([])
    assert groups_of_preconditions(TAKE, examples_by_action(traces), [None], traces) == []


@pytest.mark.parametrize("name", ["blocks-3", "hanoi", "gripper"])
def test_weak_with_few_samples_strong_with_many(name):
    """Each literal that a person would write is in a group; with a hundred samples none is weak."""
    weak = []
    for n in (3, 100):
        traces, examples, schemas = learned(name, n)
        weak.append(
            sum(
                group.is_weak
                for action, schema in schemas.items()
                for group in groups_of_preconditions(
                    schema, examples, bindings_of(examples[action]), traces
                )
            )
        )
    assert weak[0] > 0 == weak[1]
