from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.generators import PAPER
from dias.errors import PlannerError
from dias.evaluation.evaluate import evaluate
from dias.strips.engines import pyperplan_grounding as pyperplan_engine
from dias.strips.engines.choice import ENGINES, UNPRUNED, build_engine
from dias.strips.model import ActionSchema, Atom, Domain, Instance, Parameter, Predicate
from dias.strips.pddl.reader import read_domain, read_problem
from dias.strips.problem import CodedProblem
from dias_cli.commands import evaluate as evaluate_command
from dias_cli.commands import sample as sample_command
from tests.oracles import naive_successors
from tests.strategies import domains, objects, states

BENCHMARKS = Path(__file__).parents[3] / "benchmarks" / "domains"
NAMES = sorted(path.parent.name for path in BENCHMARKS.glob("*/domain.pddl"))


def read(name: str, problem: str) -> tuple[Domain, Instance]:
    domain = read_domain(BENCHMARKS / name / "domain.pddl")
    return domain, read_problem(BENCHMARKS / name / f"{problem}.pddl", domain)


def engines(domain: Domain, instance: Instance, fluents=None):
    """All engines, by name, with the codes and the initial state."""
    problem = CodedProblem.of(instance, domain, fluents=fluents)
    built = {name: build_engine(name, domain, problem) for name in ENGINES}
    return built, problem.codes, problem.init


def changes(engine, state):
    """What the engine says can be done, without bindings; each of it once."""
    found = [(s.action, s.added, s.deleted) for own in engine.expansions(state) for s in own]
    assert len(found) == len(set(found))
    return set(found)


def compare_on_a_walk(domain: Domain, instance: Instance, n_steps: int) -> None:
    built, _, state = engines(domain, instance)
    rng = random.Random(1)
    for _ in range(n_steps):
        expected = built["lifted"].successors(state)
        for engine in built.values():
            assert engine.successors(state) == expected
            assert changes(engine, state) == {(s.action, s.added, s.deleted) for s in expected}
        if not expected:
            break
        action = rng.choice(sorted({successor.action for successor in expected}))
        step = rng.choice([successor for successor in expected if successor.action == action])
        state = (state - step.deleted) | step.added


def test_there_are_twenty_three_benchmarks():
    assert len(NAMES) == 23


@pytest.mark.parametrize("name", NAMES)
def test_engines_agree_on_the_benchmarks(name):
    compare_on_a_walk(*read(name, "p01"), n_steps=30)


@pytest.mark.slow
@pytest.mark.parametrize("problem", ["p02", "p03", "p04"])
@pytest.mark.parametrize("name", sorted(PAPER))  # our own have more operators than pyperplan holds
def test_engines_agree_on_large_benchmarks(name, problem):
    compare_on_a_walk(*read(name, problem), n_steps=200)


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None, max_examples=60)
@given(st.data())
def test_engines_equal_naive_enumeration(data):
    domain = data.draw(domains())
    types = data.draw(objects(domain))
    atoms = data.draw(states(domain, types))
    extra = data.draw(st.sets(st.sampled_from([p.name for p in domain.predicates])))
    built, codes, state = engines(
        domain, Instance("p", domain.name, types, atoms), domain.fluents | extra
    )
    assert built["pyperplan"].successors(state) == built["lifted"].successors(state)
    assert built["tarski"].successors(state) == built["lifted"].successors(state)
    expected = naive_successors(domain, types, atoms)
    for engine in built.values():
        found = {
            (
                successor.action,
                tuple(codes.objects[number] for number in successor.binding),
                codes.decode_state(successor.added),
                codes.decode_state(successor.deleted),
            )
            for successor in engine.successors(state)
        }
        assert found == expected
        assert changes(engine, state) == {
            (s.action, s.added, s.deleted) for s in engine.successors(state)
        }


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None, max_examples=80)
@given(st.data())
def test_a_change_is_reached_if_a_successor_makes_it(data):
    """Changes of this and of other domains, also such as no action could make."""
    domain = data.draw(domains())
    types = data.draw(objects(domain))
    atoms = data.draw(states(domain, types))
    built, codes, state = engines(domain, Instance("p", domain.name, types, atoms))
    possible = changes(built["lifted"], state)
    usable = sorted(code for code in range(codes.n_codes) if codes.split(code)[0] in domain.fluents)
    some = st.sets(st.sampled_from(usable), max_size=3) if usable else st.just(set())
    asked = {(added, deleted) for _, added, deleted in possible}
    for drawn in data.draw(st.lists(some, max_size=4)):
        asked.add((frozenset(drawn) - state, frozenset(drawn) & state))
    for engine in built.values():
        reached = engine.reached(state, asked)
        found = {(action, *change) for action, own in reached.items() for change in own}
        assert found == possible


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None, max_examples=60)
@given(st.data())
def test_unpruned_engines_agree_in_states_that_are_not_reachable(data):
    domain = data.draw(domains())
    types = data.draw(objects(domain))
    first, second = data.draw(states(domain, types)), data.draw(states(domain, types))
    built, codes, init = engines(domain, Instance("p", domain.name, types, first))
    other = codes.encode_state(atom for atom in second if atom.predicate in domain.fluents)
    for state in (init, other):
        assert built["pyperplan"].successors(state) == built["lifted"].successors(state)


def switch(add: str, delete: str) -> ActionSchema:
    pre = frozenset({Atom(delete, ("?x",))})
    effects = {"add_effects": frozenset({Atom(add, ("?x",))}), "delete_effects": pre}
    return ActionSchema(f"{delete}-{add}", (Parameter("?x"),), pre, **effects)


ON_OFF = Domain(
    "on-off",
    predicates=(Predicate("on", (("object",),)), Predicate("off", (("object",),))),
    actions=(switch("on", "off"), switch("off", "on")),
)
ALL_OFF = Instance(
    "all-off", "on-off", dict.fromkeys("abc", "object"), frozenset(Atom("off", (x,)) for x in "abc")
)


@pytest.mark.parametrize("engine", UNPRUNED)
def test_a_missing_effect_removes_no_other_action(engine):
    # Grounded from the initial state, the learned `on-off` would be unreachable.
    first = replace(ON_OFF.actions[0], add_effects=frozenset())
    learned = replace(ON_OFF, actions=(first, ON_OFF.actions[1]))
    scores = evaluate(learned, ON_OFF, [ALL_OFF], 8, engine=engine).pooled.actions
    assert scores["on-off"].recall == 1
    assert scores["off-on"].recall == 0


@pytest.mark.parametrize("name", ["blocks-3", "spanner"])
def test_evaluation_does_not_depend_on_the_engine(name):
    domain, instance = read(name, "p01")
    first, *others = domain.actions
    learned = replace(domain, actions=(replace(first, add_effects=frozenset()), *others))
    lifted, pyperplan = (evaluate(learned, domain, [instance], 50, engine=e) for e in UNPRUNED)
    assert not lifted.is_sound
    assert lifted == pyperplan


def test_tarski_does_not_measure_a_learned_domain():
    with pytest.raises(PlannerError, match="'tarski' cannot measure a learned domain"):
        evaluate(ON_OFF, ON_OFF, [ALL_OFF], engine="tarski")


def test_unknown_engine():
    with pytest.raises(PlannerError, match=r"unknown engine 'gears'\. Choose one of lifted, "):
        build_engine("gears", ON_OFF, CodedProblem.of(ALL_OFF, ON_OFF))


def test_too_many_ground_operators(monkeypatch):
    monkeypatch.setattr(pyperplan_engine, "MAX_OPERATORS", 6)
    engines(ON_OFF, ALL_OFF)
    monkeypatch.setattr(pyperplan_engine, "MAX_OPERATORS", 5)
    with pytest.raises(PlannerError, match="more than 5 ground operators in domain on-off"):
        engines(ON_OFF, ALL_OFF)


@pytest.mark.parametrize("name", ["gripper", "spanner", "logistics"])
def test_the_same_traces_from_every_engine(name, tmp_path):
    written = set()
    for engine in ENGINES:
        output = tmp_path / f"{engine}.jsonl"
        arguments = [BENCHMARKS / name / "domain.pddl", BENCHMARKS / name / "p01.pddl"]
        arguments += ["-o", output, "--engine", engine, "--labels", "partial"]
        arguments += ["--min-per-action", 5, "--seed", 7]
        result = CliRunner().invoke(sample_command.command, list(map(str, arguments)))
        assert result.exit_code == 0, result.output
        written.add(output.read_bytes())
    assert len(written) == 1
    assert len(next(iter(written)).splitlines()) > 10


def choices(command):
    return next(p.type.choices for p in command.command.params if p.name == "engine")


def test_the_commands_offer_the_engines():
    assert tuple(choices(sample_command)) == tuple(ENGINES)
    assert tuple(choices(evaluate_command)) == UNPRUNED


def test_libraries_are_loaded_when_an_engine_needs_them():
    code = (
        "import sys\n"
        "import dias.strips.engines.choice, dias.evaluation.evaluate, dias.traces.sampling.sample\n"
        "print(sorted({'pyperplan', 'tarski', 'clingo', 'pddl'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
