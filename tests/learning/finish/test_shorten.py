"""Fewer preconditions: as a person writes them, and with the same successors."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dias.config import LearningConfig
from dias.evaluation.evaluate import evaluate
from dias.learning.data.coding import examples_by_action
from dias.learning.data.replay import SchemaInTraces
from dias.learning.explain.full_labels import of_arguments
from dias.learning.finish import conflicts, shorten
from dias.learning.finish.assemble import action_schema, learned_domain
from dias.learning.finish.shorten import (
    SHORTEN,
    concise_preconditions,
    minimal_preconditions,
    needed,
)
from dias.learning.learn import learn
from dias.learning.schema import LiftedAtom, LiftedSchema
from dias.strips.model import ActionSchema
from dias.traces.record import LabelMode, Traces
from tests.learning.cases import all_steps, benchmark, lifted_schema, literals, sampled
from tests.strategies import domains, objects, states
from tests.traces.files import read

WRITTEN = {
    "blocks-3": {
        "stack": "clear 0, clear 1, on-table 0",
        "newtower": "clear 0, on 0 1",
        "move": "clear 0, clear 2, on 0 1",
    },
    "gripper": {
        "move": "at-robby 0, room 1",
        "pick": "at 0 1, at-robby 1, free 2",
        "drop": "carry 0 2, at-robby 1",
    },
    "hanoi": {"move": "smaller 0 2, on 0 1, clear 0, clear 2"},
    "logistics": {
        "load": "object 0, vehicle 1, at 1 2, at 0 2",
        "unload": "at 1 2, in 0 1",
        "drive": "truck 0, at 0 1, loc 1 3, loc 2 3",
        "fly": "airplane 0, airport 2, at 0 1",
    },
    "visitall": {"move": "at-robot 0, connected 0 1"},
    "driverlog": {
        "load-truck": "at 1 2, at 0 2",
        "unload-truck": "at 1 2, in 0 1",
        "board-truck": "at 1 2, at 0 2, empty 1",
        "disembark-truck": "at 1 2, driving 0 1",
        "drive-truck": "at 0 1, driving 3 0, link 1 2",
        "walk": "at 0 1, path 1 2",
    },
}
"""The positive preconditions over numbered parameters; no negative one is left in these."""

DIFFERENT = {
    ("blocks-3", "stack"): {("?x1", "?x2")},
    ("blocks-3", "move"): {("?x1", "?x3")},
    ("gripper", "move"): {("?x1", "?x2")},
    ("logistics", "drive"): {("?x2", "?x3")},
    ("logistics", "fly"): {("?x2", "?x3")},
}
"""Which parameters must differ, where neither types nor the other literals say so."""

NAMES = sorted(WRITTEN)


@cache
def learned(name: str, n_per_action: int = 100) -> tuple[Traces, dict[str, LiftedSchema]]:
    """Traces of a benchmark domain with all arguments, and the safe schemas by action."""
    traces = sampled(*benchmark(name, "p01"), n_per_action, LabelMode.FULL)
    groups = examples_by_action(traces)
    return traces, {action: of_arguments(group)[0] for action, group in groups.items()}


@cache
def shortened(name: str) -> tuple[Traces, dict[str, ActionSchema]]:
    traces, safe = learned(name)
    return traces, {
        action: action_schema(minimal_preconditions(schema, traces), traces)
        for action, schema in safe.items()
    }


def same_successors(left: ActionSchema, right: ActionSchema, traces: Traces) -> bool:
    """Whether two schemas lead to the same states from every state of the traces."""
    a, b = (SchemaInTraces(schema, traces) for schema in (left, right))
    return all(a.changes(t) == b.changes(t) for t in traces.transitions)


def unbound(schema: LiftedSchema) -> set[int]:
    bound = {v for atom in schema.positive for v in atom.variables}
    return set(range(schema.n_variables)) - bound


@pytest.mark.parametrize("name", NAMES)
def test_literal_for_literal_what_a_person_needs_to_write(name):
    _, short = shortened(name)
    assert set(short) == set(WRITTEN[name])
    for action, schema in short.items():
        variables = schema.variables
        wanted = {
            (atom.relation, tuple(variables[v] for v in atom.variables))
            for atom in literals(*WRITTEN[name][action].split(", "))
        }
        assert {(a.predicate, a.terms) for a in schema.preconditions} == wanted, action
        assert schema.negative_preconditions == frozenset()


@pytest.mark.parametrize("name", NAMES)
def test_nothing_that_the_true_domain_does_not_have(name):
    """What is missing is implied: unary types, and that a disc lay where it could lie."""
    domain, _ = benchmark(name)
    _, short = shortened(name)
    for true in domain.actions:
        schema = short[true.name]
        rename = dict(zip(true.variables, schema.variables, strict=True))
        written = {atom.substitute(rename) for atom in true.preconditions}
        assert schema.preconditions <= written
        missing = written - schema.preconditions
        assert all(len(a.terms) == 1 or a.predicate == "smaller" for a in missing)
        assert all(a.predicate == "eq" for a in true.negative_preconditions)
        if name in ("blocks-3", "driverlog", "visitall"):
            assert not missing
        # Different objects, where the true domain says so and nothing else implies it.
        different = {a.terms for a in true.negative_preconditions} | true.inequalities
        assert schema.inequalities <= {(rename[x], rename[y]) for x, y in different}
        assert schema.inequalities == DIFFERENT.get((name, true.name), set())
        assert schema.equalities == frozenset()


@pytest.mark.parametrize("name", NAMES)
def test_sound_and_complete_in_another_problem(name):
    domain, tests = benchmark(name, "p02")
    traces, short = shortened(name)
    evaluation = evaluate(learned_domain(traces, short.values()), domain, tests, 150)
    assert evaluation.pooled.n_states == 150
    assert evaluation.is_sound and evaluation.is_complete


@pytest.mark.parametrize("name", NAMES)
def test_same_successors_and_no_literal_too_many(name):
    traces, safe = learned(name)
    types = {f"type {type_name}" for type_name in traces.types}
    for schema in safe.values():
        short = minimal_preconditions(schema, traces)
        full = action_schema(schema, traces)
        assert same_successors(full, action_schema(short, traces), traces)
        assert set(short.positive) <= set(schema.positive)
        assert set(short.negative) <= set(schema.negative)
        assert unbound(short) == unbound(schema)
        for atom in short.positive:
            less = replace(short, positive=tuple(a for a in short.positive if a != atom))
            assert (
                atom.relation in types
                or unbound(less) > unbound(schema)
                or not same_successors(full, action_schema(less, traces), traces)
            ), atom


def test_a_negative_literal_that_nothing_implies_stays():
    """Sokoban with two boxes: no box where the player or the other box goes."""
    _, short = shortened("sokoban-pull")
    assert {
        action: {(a.predicate, a.terms) for a in schema.negative_preconditions}
        for action, schema in short.items()
    } == {
        "move-player": {("has_box", ("?x2",))},
        "push-box": {("has_box", ("?x3",))},
        "pull-box": {("has_box", ("?x1",))},
    }


@pytest.mark.parametrize("name", [*NAMES, "sokoban-pull"])
def test_concise_keeps_what_is_positive_and_no_negative_literal_too_many(name):
    domain, tests = benchmark(name, "p02")
    traces, safe = learned(name)
    found = []
    for schema in safe.values():
        short = concise_preconditions(schema, traces)
        full = action_schema(schema, traces)
        gone = {*schema.positive} - {*short.positive}
        assert {LiftedAtom(x.relation, x.variables[::-1]) for x in gone} <= {*short.positive}
        assert {x.relation for x in gone} <= {"adjacent", "adjacent_2", "connected"}  # both ways
        assert set(short.negative) < set(schema.negative)
        assert same_successors(full, action_schema(short, traces), traces)
        for atom in short.negative:
            less = replace(short, negative=tuple(a for a in short.negative if a != atom))
            assert atom.relation.startswith("type ") or not same_successors(
                full, action_schema(less, traces), traces
            )
        found.append(action_schema(short, traces))
    evaluation = evaluate(learned_domain(traces, found), domain, tests, 150)
    assert evaluation.is_sound and evaluation.is_complete


YARD = {
    "dias": "trace/1",
    "labels": "full",
    "predicates": {"on": ["object"], "lamp": ["object"], "next": ["object", "object"]},
    "objects": dict.fromkeys("abc", "object"),
    "static": ["(lamp a)", "(lamp b)", "(lamp c)", "(next a b)", "(next b a)"],
}


def test_a_parameter_stays_bound():
    """Every object is a lamp, so the literal rules out nothing; without it ?x1 would be free."""
    traces = read(
        YARD, *({"state": [], "action": f"(go {o})", "next": [f"(on {o})"]} for o in "abc")
    )
    schema = lifted_schema("go", 1, literals("on 0"), (), literals("lamp 0"), literals("on 0"))
    short = minimal_preconditions(schema, traces)
    assert (short.positive, short.negative) == (literals("lamp 0"), ())


def test_of_two_directions_the_one_of_the_effects_stays():
    traces = read(
        YARD,
        {"state": ["(on a)"], "action": "(go a b)", "next": ["(on b)"]},
        {"state": ["(on b)"], "action": "(go b a)", "next": ["(on a)"]},
    )
    for start, end in ("01", "10"):
        schema = lifted_schema(
            "go", 2, literals(f"on {end}"), literals(f"on {start}"),
            literals("next 0 1", "next 1 0", f"on {start}"),
        )  # fmt: skip
        short = minimal_preconditions(schema, traces)
        assert short.positive == literals(f"next {start} {end}", f"on {start}")


@pytest.mark.parametrize(
    ("positive", "negative", "delete", "kept"),
    [
        pytest.param("big 0", "tiny 0", None, "big 0", id="positive"),
        pytest.param("hot 0, glow 0", None, "glow 0", "glow 0", id="deleted"),
        pytest.param("area 0, spot 0", None, None, "area 0", id="excludes more"),
    ],
)
def test_of_two_literals_that_serve_alike_a_person_keeps(positive, negative, delete, kept):
    """Each of the two would do in the state; the names are against the right choice."""
    unary = ["on", "big", "tiny", "hot", "glow", "area", "spot"]
    objects = {"big": "ab", "tiny": "cd", "area": "ab", "spot": "abc"}
    header = {
        "dias": "trace/1",
        "types": {"thing": "object"},
        "predicates": {name: ["object"] for name in unary},
        "objects": dict.fromkeys("abcd", "thing"),
        "static": [f"({name} {o})" for name in objects for o in objects[name]],
    }
    thing = LiftedAtom("type thing", (0,))
    state = ["(on a)", "(on c)", "(hot a)", "(glow a)"]
    traces = read(header, {"state": state, "action": "go", "next": state})
    schema = lifted_schema(
        "go", 1, literals("on 0"), literals(delete) if delete else (),
        (thing, *literals(*positive.split(", "))), literals(negative) if negative else (),
    )  # fmt: skip
    short = minimal_preconditions(schema, traces)
    assert (short.positive, short.negative) == ((thing, *literals(kept)), ())


def test_an_inequality_stays_where_nothing_else_rules_the_object_out():
    """Where an object may be next to itself, and where it never is."""
    go = {"state": ["(on a)"], "action": "(go a b)", "next": ["(on b)"]}
    schema = lifted_schema(
        "go", 2, literals("on 1"), literals("on 0"),
        literals("next 0 1", "on 0"), literals("on 1", "= 0 1"),
    )  # fmt: skip
    short = minimal_preconditions(schema, read(YARD, go))
    assert (short.positive, short.negative) == (literals("next 0 1", "on 0"), ())
    loops = YARD | {"static": [*YARD["static"], "(next a a)"]}
    short = minimal_preconditions(schema, read(loops, go))
    # Either would do; that two objects differ comes to mind sooner.
    assert (short.positive, short.negative) == (literals("next 0 1", "on 0"), literals("= 0 1"))


def test_an_equality_stays():
    """Without it the second object is free."""
    go = {"state": ["(on a)"], "action": "(go a a)", "next": []}
    schema = lifted_schema("go", 2, (), literals("on 0"), literals("on 0", "= 0 1"))
    assert minimal_preconditions(schema, read(YARD, go)).positive == literals("on 0", "= 0 1")


def test_states_of_other_actions_count():
    """Only where `wait` was done is there a lamp that is on and should not be lit again."""
    light = {"state": [], "action": "(light a)", "next": ["(on a)"]}
    wait = {"state": ["(on b)"], "action": "(wait)", "next": ["(on b)"]}
    schema = lifted_schema(
        "light", 1, literals("on 0"), (), literals("lamp 0"), literals("on 0", "next 0 0")
    )
    assert minimal_preconditions(schema, read(YARD, light)).negative == ()
    assert minimal_preconditions(schema, read(YARD, light, wait)).negative == literals("on 0")


@pytest.mark.parametrize("name", ["gripper", "sokoban-pull"])
def test_the_outcome_depends_neither_on_the_sample_nor_on_the_order(name, monkeypatch):
    traces, safe = learned(name)
    rng = random.Random(0)
    for schema in safe.values():
        first = minimal_preconditions(schema, traces)
        assert minimal_preconditions(schema, traces) == first
        shuffled = replace(
            schema,
            positive=tuple(rng.sample(schema.positive, len(schema.positive))),
            negative=tuple(rng.sample(schema.negative, len(schema.negative))),
        )
        for size in (1, 10_000):
            for module in (shorten, conflicts):
                monkeypatch.setattr(module, "SAMPLE", size)
            monkeypatch.setattr(conflicts, "MAX_NEW", 1)
            again = minimal_preconditions(shuffled, traces)
            assert sorted(again.positive) == sorted(first.positive)
            assert sorted(again.negative) == sorted(first.negative)
        monkeypatch.undo()


def test_with_too_many_successors_to_look_at_nothing_is_dropped(monkeypatch):
    traces, safe = learned("gripper")
    monkeypatch.setattr(conflicts, "MAX_SUCCESSORS", 0)
    for schema in safe.values():
        assert minimal_preconditions(schema, traces) == schema


@pytest.mark.parametrize("shorten_it", SHORTEN.values())
def test_what_takes_too_long_leaves_everything(monkeypatch, caplog, shorten_it):
    traces, safe = learned("gripper")
    pick = safe["pick"]
    assert shorten_it(pick, traces) != pick
    assert not caplog.records
    for n_checks in (0, 1):
        monkeypatch.setattr(shorten, "MIN_ROWS", 0)
        monkeypatch.setattr(shorten, "ROWS_PER_STEP", n_checks)
        assert shorten_it(pick, traces) == pick
    assert [record.getMessage()[:6] for record in caplog.records] == ["pick: "] * 2


@given(
    st.sets(st.frozensets(st.integers(0, 9), min_size=1), max_size=5), st.permutations(range(10))
)
def test_halving_gives_what_dropping_one_by_one_gives(groups, order):
    """A set suffices if it hits every group, which larger sets do all the more."""

    def suffices(kept):
        return all(group & set(kept) for group in groups)

    kept = list(order)
    for candidate in order:
        rest = [c for c in kept if c != candidate]
        kept = rest if suffices(rest) else kept
    assert needed(order, [], suffices) == kept


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None, max_examples=60)
@given(st.data())
def test_random_domains_keep_their_successors(data):
    domain = data.draw(domains(with_constant=False))
    worlds = []
    for _ in range(data.draw(st.integers(1, 3))):
        types = data.draw(objects(domain))
        worlds.append((types, data.draw(states(domain, types))))
    traces = all_steps(domain, worlds, {p.name for p in domain.predicates} - domain.fluents)
    assume(traces.transitions)
    for group in examples_by_action(traces).values():
        schema = of_arguments(group)[0]
        for shorten_it in SHORTEN.values():
            short = shorten_it(schema, traces)
            assert short == shorten_it(short, traces)
            assert unbound(short) == unbound(schema)
            left, right = (action_schema(s, traces) for s in (schema, short))
            assert left.parameters == right.parameters
            assert same_successors(left, right, traces)
        assert concise_preconditions(schema, traces).positive == schema.positive


@pytest.mark.slow
@pytest.mark.parametrize("name", ["blocks-3", "gripper", "hanoi", "logistics"])
def test_from_names_only(name, monkeypatch):
    """True arities, and as many literals as with all arguments."""
    domain, (train, test) = benchmark(name, "p01", "p02")
    found = {}
    complete = action_schema

    def keep(schema, traces):
        found[schema.action] = schema
        return complete(schema, traces)

    monkeypatch.setattr("dias.learning.passes.action_schema", keep)
    traces = sampled(domain, [train], 100)
    assert learn(traces, LearningConfig(check_every=25)).explains_everything
    short = [action_schema(minimal_preconditions(s, traces), traces) for s in found.values()]
    for schema in short:
        assert schema.arity == domain.action(schema.name).arity
        assert len(schema.preconditions) == len(WRITTEN[name][schema.name].split(","))
        assert not schema.negative_preconditions
    evaluation = evaluate(learned_domain(traces, short), domain, [test], 150)
    assert evaluation.is_sound and evaluation.is_complete
