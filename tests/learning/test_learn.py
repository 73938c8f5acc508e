"""From traces to a domain, end to end, on problems small enough to train in a second or two."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from itertools import pairwise, permutations, product

import pytest

from benchmarks.generate import DOMAINS
from dias.config import LearningConfig, ModelConfig, TrainingConfig
from dias.errors import InsufficientTracesError, TraceError
from dias.evaluation.evaluate import evaluate
from dias.learning.learn import learn
from dias.learning.result import LearningResult
from dias.strips.model import ActionSchema, Atom, Domain, Instance, Parameter, Predicate
from dias.strips.pddl.writer import format_domain
from dias.traces.record import LabelMode, Traces
from tests.learning.cases import benchmark, sampled
from tests.traces.files import atoms, read

SMALL = LearningConfig(
    check_every=20,
    model=ModelConfig(n_slots=3, dim=16, n_layers=2),
    training=TrainingConfig(n_steps=100, batch_size=60),
)
"""For worlds of a few objects."""


# Lights and cells: relations of arity 0 to 3, all of which change except `next` and `light`.


def lights(n_cells: int, n_lights: int) -> tuple[Domain, Instance]:
    """Power on and off; with power a light shines from its cell to the next, and fades."""
    one, two, three = ((("object",),) * arity for arity in (1, 2, 3))

    def schema(name, variables, pre, add, delete, negative=""):
        text = (pre, negative, add, delete)
        pre, negative, add, delete = (atoms(*filter(None, t.split(", "))) for t in text)
        parameters = tuple(map(Parameter, variables.split()))
        return ActionSchema(name, parameters, pre, negative, frozenset(), frozenset(), add, delete)

    domain = Domain(
        "lights",
        predicates=(
            Predicate("power"),
            Predicate("light", one),
            Predicate("free", one),
            Predicate("next", two),
            Predicate("beam", three),
        ),
        actions=(
            schema("on", "", "", "power", "", "power"),
            schema("off", "", "power", "", "power"),
            schema(
                "shine", "?l ?a ?b", "power, light ?l, free ?l, next ?a ?b", "beam ?l ?a ?b",
                "free ?l",
            ),
            schema("fade", "?l ?a ?b", "beam ?l ?a ?b", "free ?l", "beam ?l ?a ?b"),
        ),
    )  # fmt: skip
    cells = [f"c{i}" for i in range(n_cells)]
    lamps = [f"l{i}" for i in range(n_lights)]
    init = atoms(
        *(f"next {a} {b}" for a, b in pairwise(cells)),
        *(f"{p} {lamp}" for lamp, p in product(lamps, ("light", "free"))),
    )
    objects = dict.fromkeys([*cells, *lamps], "object")
    return domain, Instance(f"{n_cells}-{n_lights}", "lights", objects, init)


@pytest.fixture(scope="module")
def lit() -> tuple[Domain, Traces, LearningResult]:
    """Lights and cells, learned from the names in two problems of different sizes."""
    domain, small = lights(3, 1)
    _, larger = lights(4, 2)
    traces = sampled(domain, [small, larger], 30)
    return domain, traces, learn(traces, SMALL)


def test_nullary_and_ternary_predicates_from_names_only(lit):
    domain, traces, result = lit
    assert traces.labels is LabelMode.NAMES
    assert all(transition.arguments == () for transition in traces.transitions)
    assert result.explains_everything
    assert {a.name: a.arity for a in result.domain.actions} == {
        "on": 0, "off": 0, "shine": 3, "fade": 3,
    }  # fmt: skip
    instances = [lights(n_cells, n_lights)[1] for n_cells, n_lights in ((3, 2), (5, 2))]
    evaluation = evaluate(result.domain, domain, instances, 100)
    assert evaluation.is_sound and evaluation.is_complete


def test_problems_of_different_sizes_in_one_file(lit):
    _, traces, result = lit
    assert [len(segment.objects) for segment in traces.segments] == [4, 6]
    assert {transition.segment for transition in traces.transitions} == {0, 1}
    assert result.n_distinct == len(traces.transitions)


def test_the_result_counts_what_it_was_given(lit):
    _, traces, result = lit
    names = ["fade", "off", "on", "shine"]
    assert [evidence.action for evidence in result.evidence] == names
    for evidence in result.evidence:
        own = [t for t in traces.transitions if t.action == evidence.action]
        assert evidence.n_transitions == evidence.n_explained == len(own)
        assert evidence.n_unchanged == sum(t.state == t.next_state for t in own) == 0
    assert result.n_transitions == sum(t.count for t in traces.transitions) >= result.n_distinct
    assert (result.method, result.labels, result.unobserved) == ("hybrid", LabelMode.NAMES, ())
    assert result.n_steps == 0
    assert list(result.seconds) == ["prepare", "complete", "shorten", "replay", "certify"]


def test_the_network_is_asked_only_where_single_transitions_are_left_out(lit):
    _, traces, _ = lit
    seen = []
    network_alone = replace(SMALL, without=("fallback",))
    result = learn(traces, network_alone, seen.append)
    assert 0 < result.n_steps < SMALL.training.n_steps
    assert list(result.seconds) == [
        "prepare", "import", "train", "check", "complete", "shorten", "replay", "certify",
    ]  # fmt: skip
    again = learn(traces, network_alone)
    assert again.domain == result.domain
    assert [(p.restart, p.step, p.n_steps) for p in seen] == [
        (0, step, 100) for step in range(20, result.n_steps + 1, 20)
    ]
    explained = [progress.explained for progress in seen]
    assert explained == sorted(explained)
    assert explained[-1] == 1.0 and (len(seen) == 1 or explained[-2] < 1.0)


def same_up_to_parameters(left: ActionSchema, right: ActionSchema) -> bool:
    """Whether some order of the parameters makes one schema the other."""
    groups = ("preconditions", "negative_preconditions", "add_effects", "delete_effects")
    types = {parameter.name: parameter.types for parameter in right.parameters}
    for names in permutations(right.variables) if left.arity == right.arity else ():
        rename = dict(zip(left.variables, names, strict=True))
        if all(p.types == types[rename[p.name]] for p in left.parameters) and all(
            {a.substitute(rename) for a in getattr(left, group)} == getattr(right, group)
            for group in groups
        ):
            return True
    return False


def test_blocks_3_from_names_only():
    """The same seed gives the same bytes; another one may only order the parameters otherwise."""
    domain, (train, test) = benchmark("blocks-3", "p01", "p02")
    traces = sampled(domain, [train], 100)
    training = TrainingConfig(n_steps=400, batch_size=100)
    results = [
        learn(traces, LearningConfig(seed=seed, check_every=25, training=training))
        for seed in (1, 1, 2)
    ]
    for result in results:
        assert result.explains_everything
        evaluation = evaluate(result.domain, domain, [test], 200)
        assert evaluation.pooled.n_states == 200
        assert evaluation.is_sound and evaluation.is_complete
    texts = [format_domain(result.domain) for result in results]
    assert texts[0] == texts[1]
    assert results[0].n_steps == results[1].n_steps
    for left, right in zip(results[0].domain.actions, results[2].domain.actions, strict=True):
        assert left.name == right.name
        assert same_up_to_parameters(left, right)


YARD = {
    "dias": "trace/1",
    "types": {"bay": "object", "cart": "object"},
    "predicates": {"lane": ["bay", "bay"], "parked": ["cart", "bay"], "cart": ["cart"]},
    "objects": {"n": "bay", "m": "bay", "k": "cart"},
    "static": ["(lane n m)", "(lane m n)"],
}
AT_N, AT_M = ["(parked k n)"], ["(parked k m)"]
ROLL = {"state": AT_N, "action": "roll", "next": AT_M}
BACK = {"state": AT_M, "action": "roll", "next": AT_N}
PING = {"state": AT_N, "action": "ping", "next": AT_N}


def test_a_single_transition():
    result = learn(read(YARD, ROLL), SMALL)
    assert result.explains_everything
    (evidence,) = result.evidence
    assert (evidence.n_transitions, evidence.n_explained) == (1, 1)
    (schema,) = result.domain.actions
    assert (len(schema.add_effects), len(schema.delete_effects)) == (1, 1)
    assert sorted(p.types for p in schema.parameters) == [("bay",), ("bay",), ("cart",)]


def test_an_action_that_never_changes_anything_has_no_effect():
    result = learn(read(YARD, PING, PING | {"state": AT_M, "next": AT_M}, ROLL, BACK), SMALL)
    ping = result.domain.action("ping")
    assert (ping.parameters, ping.add_effects, ping.delete_effects) == ((), set(), set())
    assert result.explains_everything
    assert result.evidence[0].n_unchanged == result.evidence[0].n_transitions == 2
    assert result.domain.action("roll").add_effects


def test_an_unobserved_action_gets_no_schema():
    result = learn(read(YARD | {"actions": ["roll", "inspect"]}, ROLL, BACK), SMALL)
    assert [action.name for action in result.domain.actions] == ["roll"]
    assert result.unobserved == ("inspect",)
    assert result.n_explained == result.n_distinct
    assert not result.explains_everything


def test_a_type_and_a_predicate_of_one_name():
    """`cart` is a type that k has for ever, and a fact that painting makes true."""
    paint = {"state": AT_N, "action": "paint", "next": [*AT_N, "(cart k)"]}
    traces = read(YARD, ROLL, BACK, paint, paint | {"state": AT_M, "next": [*AT_M, "(cart k)"]})
    result = learn(traces, replace(SMALL, preconditions="safe"))
    assert result.explains_everything
    schema = result.domain.action("paint")
    (name,) = (p.name for p in schema.parameters if p.types == ("cart",))
    assert schema.add_effects == {Atom("cart", (name,))}
    assert Atom("cart", (name,)) in schema.negative_preconditions
    roll = result.domain.action("roll")
    assert [p.types for p in roll.parameters].count(("cart",)) == 1


def test_two_outcomes_cannot_both_be_explained():
    """Noise, or a fact that was not observed: it is counted, not hidden."""
    traces = read(YARD, ROLL, BACK, ROLL | {"next": []})
    config = replace(SMALL, restarts=2, training=TrainingConfig(40, 60))
    result = learn(traces, config)
    assert result.n_explained < result.n_distinct == 3
    assert not result.explains_everything
    assert result.n_steps == 80  # both runs to their ends


def test_the_neural_method_takes_all_steps_and_is_honest(lit):
    """After ten steps a network knows next to nothing, and the count says so."""
    _, traces, _ = lit
    config = replace(
        SMALL, method="neural", restarts=1, check_every=5, training=TrainingConfig(10, 60)
    )
    seen = []
    result = learn(traces, config, seen.append)
    assert (result.method, result.n_steps) == ("neural", 10)
    assert [(p.step, p.explained) for p in seen] == [(5, None), (10, None)]
    assert result.n_explained < result.n_distinct
    assert not result.explains_everything
    assert [action.name for action in result.domain.actions] == ["fade", "off", "on", "shine"]


def test_no_transition_is_refused():
    traces = read(YARD, ROLL)
    empty = Traces("empty", "", LabelMode.NAMES, traces.types, traces.predicates, ("roll",), (), ())
    with pytest.raises(InsufficientTracesError, match="no transitions to learn from"):
        learn(empty, SMALL)


@pytest.mark.parametrize("names", ["", "a"])
@pytest.mark.parametrize("predicates", [{"on": []}, {"on": [], "hot": ["object"]}])
def test_propositional_actions(names, predicates):
    """No object at all, and no relation that could link objects, are no obstacle."""
    objects = dict.fromkeys(names, "object")
    traces = read(
        {"dias": "trace/1", "predicates": predicates, "objects": objects},
        {"state": [], "action": "go", "next": ["(on)"]},
        {"state": ["(on)"], "action": "stop", "next": []},
    )
    result = learn(traces, SMALL)
    assert result.explains_everything
    go, stop = result.domain.actions
    assert go.arity == stop.arity == 0
    assert go.add_effects == go.negative_preconditions == {Atom("on")}
    assert stop.delete_effects == stop.preconditions == {Atom("on")}


def test_a_problem_with_fewer_objects_than_an_action_of_another_one_has():
    small = {"dias": "trace/1", "problem": "small", "objects": {"a": "object"},
             "predicates": {"at": ["object"], "hot": ["object"]}}  # fmt: skip
    large = small | {"problem": "large", "objects": dict.fromkeys("abc", "object")}
    traces = read(
        small,
        {"state": ["(at a)"], "action": "heat", "next": ["(at a)", "(hot a)"]},
        large,
        {"state": ["(at a)"], "action": "move", "next": ["(at b)"]},
        {"state": ["(at b)"], "action": "move", "next": ["(at c)"]},
    )
    assert learn(traces, replace(SMALL, restarts=1)).explains_everything


def test_types_become_parameter_types():
    """Driverlog with full labels: the learned types are those of the true schemas."""
    domain, instances = benchmark("driverlog", "p01")
    learned = learn(sampled(domain, instances, 60, LabelMode.FULL)).domain
    for schema in domain.actions:
        assert [p.types for p in learned.action(schema.name).parameters] == [
            p.types for p in schema.parameters
        ]


@pytest.mark.slow
def test_types_from_names_only():
    domain, (train, test) = benchmark("driverlog", "p01", "p02")
    result = learn(sampled(domain, [train], 100), LearningConfig(check_every=25))
    assert result.explains_everything
    for schema in domain.actions:
        true = sorted(p.types for p in schema.parameters)
        found = sorted(p.types for p in result.domain.action(schema.name).parameters)
        if schema.name == "drive-truck" and len(found) == 3:
            # That a truck is not empty says as much as that someone drives it.
            true.remove(("driver",))
        assert found == true
    evaluation = evaluate(result.domain, domain, [test], 150)
    assert evaluation.is_sound and evaluation.is_complete


@pytest.mark.slow
def test_a_variable_that_occurs_in_preconditions_only():
    """Logistics: both locations of `drive` lie in one city, which no effect mentions."""
    domain, (train, test) = benchmark("logistics", "p01", "p02")
    result = learn(sampled(domain, [train], 100), LearningConfig(check_every=25))
    assert result.explains_everything
    assert result.domain.action("drive").arity == 4
    evaluation = evaluate(result.domain, domain, [test], 150)
    assert evaluation.is_sound and evaluation.is_complete


@pytest.mark.slow
def test_the_bytes_do_not_depend_on_hashing(tmp_path):
    """Through the command, since a hash seed is set before Python starts."""
    folder = DOMAINS / "blocks-3"
    traces = tmp_path / "traces.jsonl"
    run = partial(subprocess.run, check=True, capture_output=True)
    dias = [sys.executable, "-m", "dias_cli"]
    run([*dias, "sample", folder / "domain.pddl", folder / "p01.pddl", "-o", traces])
    written = [
        run(
            [*dias, "learn", traces, "--seed", "1"], env=os.environ | {"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    ]
    assert written[0] == written[1]
    assert b"(:action stack" in written[0]


def test_slots_grow_when_a_step_changes_more_objects(caplog):
    """Three lamps at once, and one slot asked for."""
    lamps = {"dias": "trace/1", "objects": dict.fromkeys("abcd", "object"),
             "predicates": {"lit": ["object"], "main": ["object"], "dim": ["object"]}}  # fmt: skip
    traces = read(
        lamps,
        *(
            {"state": [], "action": "flash", "next": [f"(lit {x})", f"(main {y})", f"(dim {z})"]}
            for x, y, z in permutations("abcd", 3)
        ),
    )
    config = replace(SMALL, model=ModelConfig(n_slots=1), restarts=1, without=("fallback",))
    result = learn(traces, config)
    assert "1 slots are too few: some step concerns 3 objects" in caplog.text
    assert result.explains_everything
    assert result.domain.action("flash").arity == 3


def test_nothing_is_trained_when_nothing_changes():
    """No predicate at all, and two actions that leave everything as it was."""
    bare = read(
        {"state": [], "action": "go", "next": []}, {"state": [], "action": "wait", "next": []}
    )
    result = learn(bare, SMALL)
    assert result.explains_everything
    assert result.n_steps == 0
    assert all(action == ActionSchema(action.name) for action in result.domain.actions)


def test_predicates_that_are_too_wide_are_named():
    wide = read({"state": [["p", *"abcdef"], ["q", "a"]], "action": "go", "next": [["q", "a"]]})
    with pytest.raises(TraceError, match="at most 5 arguments, found p/6"):
        learn(wide, SMALL)
