"""Actions with state-dependent effects become several STRIPS actions that do the same."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import cache

import pytest

from dias.config import LearningConfig, TrainingConfig
from dias.evaluation.evaluate import evaluate
from dias.learning import learn as pipeline
from dias.learning.data.coding import examples_by_action
from dias.learning.learn import learn
from dias.learning.result import LearningResult
from dias.learning.schema import Effects
from dias.learning.state_dependent.conditional import MAX_PARTS, divide, divide_actions
from dias.learning.state_dependent.parts import placements
from dias.strips.model import Atom, Instance
from dias.strips.pddl.reader import parse_domain
from dias.traces.record import LabelMode, RefusedAction
from tests.learning.cases import all_steps, benchmark, literals, sampled
from tests.learning.conditional_cases import alarm, fetch, nameless, reap, toggle

CONDITIONAL = LearningConfig(effects="conditional", method="symbolic")
WORLDS = {"toggle": toggle, "reap": reap, "fetch": fetch, "alarm": alarm}


def instances(domain, worlds):
    return [
        Instance(f"p{number}", domain.name, objects, atoms)
        for number, (objects, atoms) in enumerate(worlds)
    ]


FULL = [(name, LabelMode.FULL) for name in ("toggle", "reap", "alarm")]
"""How many arguments `fetch` has depends on the state, which full labels cannot say."""


@cache
def learned(name: str, labels: LabelMode, kind: str = "safe") -> LearningResult:
    """A world, learned with state-dependent effects."""
    return learn(nameless(*WORLDS[name](), labels), replace(CONDITIONAL, preconditions=kind))


def does_the_same(domain_learned, name):
    domain, worlds = WORLDS[name]()
    measured = evaluate(domain_learned, domain, instances(domain, worlds), 400, variants=True)
    pairs = measured.pooled.pairs
    return measured.is_sound and measured.is_complete and pairs.is_sound and pairs.is_complete


@pytest.mark.parametrize(
    ("name", "labels", "kind"),
    [
        pytest.param(
            name, labels, kind, marks=[pytest.mark.slow] * ((name, kind) == ("fetch", "safe"))
        )
        for name, labels in [(name, LabelMode.NAMES) for name in WORLDS] + FULL
        for kind in ("safe", "concise")
    ],
)
def test_what_comes_out_does_the_same(name, labels, kind):
    """From a state with the alarm's lamp lit no step is known: there only `safe` is right."""
    result = learned(name, labels, kind)
    assert result.explains_everything
    assert does_the_same(result.domain, name) == ((name, kind) != ("alarm", "concise"))


def test_a_negative_literal_stays_where_a_state_asks_for_it():
    """Nobody presses while the lamp is lit, but somebody looks at it."""
    traces = nameless(*alarm())
    looks = [
        replace(t, action="look", state=state, next_state=state)
        for t in traces.transitions
        for state in (t.next_state, t.next_state - _powered(t.next_state))
    ]
    steps = (*traces.transitions, *dict.fromkeys(looks))
    looked_at = replace(traces, actions=("look", "press"), transitions=steps)
    found = learn(looked_at, CONDITIONAL).domain
    pressing = tuple(action for action in found.actions if action.name != "look")
    assert does_the_same(replace(found, actions=pressing), "alarm")


def _powered(state):
    return {atom for atom in state if atom.predicate in ("mains", "battery", "solar")}


@pytest.mark.parametrize("name", ["toggle", "reap", "alarm"])
def test_strips_effects_cannot_say_it(name):
    result = learn(nameless(*WORLDS[name]()), LearningConfig(method="symbolic"))
    assert 0 < result.n_explained < result.n_distinct


def test_each_variant_gets_the_literal_that_decides():
    result = learned("toggle", LabelMode.NAMES)
    assert result.variants == {"press": ("press-1", "press-2")}
    on, off = sorted(result.domain.actions, key=lambda action: len(action.delete_effects))
    lit = next(iter(on.add_effects))
    assert lit in on.negative_preconditions
    assert next(iter(off.delete_effects)) in off.preconditions


def test_variants_may_have_different_arities():
    result = learned("fetch", LabelMode.NAMES, "concise")
    assert sorted(action.arity for action in result.domain.actions) == [2, 3]


def test_a_disjunction_becomes_several_actions_of_one_effect():
    result = learned("alarm", LabelMode.NAMES)
    effects = [sorted(atom.predicate for atom in a.add_effects) for a in result.domain.actions]
    assert effects.count(["lit"]) == 3 and effects.count(["broken"]) == 1


@pytest.mark.parametrize("name", ["blocks-3", "gripper", "miconic", "satellite"])
def test_strips_actions_stay_whole(name):
    """Satellite's take_image changes nothing in three steps of four, and still is one action."""
    domain, [training] = benchmark(name, "p01")
    traces = sampled(domain, [training], 40)
    divided, variants = divide_actions(traces)
    assert variants == {}
    assert divided == traces


def test_effects_that_hold_already_are_no_reason_to_divide():
    """``touched`` is added at every press, and changes something at the first one only."""
    domain = parse_domain(
        "(define (domain d) (:requirements :negative-preconditions)"
        "(:predicates (lit ?l) (touched ?l))"
        "(:action press-1 :parameters (?l) :precondition (not (lit ?l))"
        " :effect (and (lit ?l) (touched ?l)))"
        "(:action press-2 :parameters (?l) :precondition (lit ?l)"
        " :effect (and (not (lit ?l)) (touched ?l))))"
    )
    _, worlds = toggle()
    lit = [
        (objects, frozenset(a for a in atoms if a.predicate == "lit")) for objects, atoms in worlds
    ]
    worlds = [
        (objects, atoms | {atom._replace(predicate="touched") for atom in others})
        for objects, atoms in lit
        for _, others in lit
    ]
    traces = nameless(domain, worlds)
    _, variants = divide_actions(traces)
    assert variants == {"press": ("press-1", "press-2")}
    result = learn(traces, CONDITIONAL)
    measured = evaluate(result.domain, domain, instances(domain, worlds), 400)
    assert measured.is_sound and measured.is_complete


def test_an_action_of_too_many_kinds_is_left_alone(caplog):
    """Every press changes another set of atoms."""
    n = MAX_PARTS + 1
    atoms = " ".join(f"(p{i} ?x)" for i in range(n))
    actions = " ".join(
        f"(:action press-{i + 1} :parameters (?x) :precondition (q{i} ?x) :effect (p{i} ?x))"
        for i in range(n)
    )
    marks = " ".join(f"(q{i} ?x)" for i in range(n))
    domain = parse_domain(f"(define (domain d) (:predicates {atoms} {marks}) {actions})")
    worlds = [({"a": "object"}, frozenset({Atom(f"q{i}", ("a",))})) for i in range(n)]
    traces = nameless(domain, worlds)
    with caplog.at_level(logging.WARNING):
        divided, variants = divide_actions(traces)
    assert variants == {} and divided == traces
    assert "press: more than 16 kinds of effects" in caplog.text


def test_names_of_variants_are_free():
    domain, worlds = toggle()
    traces = nameless(domain, worlds)
    taken = replace(traces, actions=("press", "press-1"))
    _, variants = divide_actions(taken)
    assert variants == {"press": ("press-2", "press-3")}


def test_parts_are_a_partition():
    domain, worlds = reap()
    traces = nameless(domain, worlds)
    [examples] = examples_by_action(traces).values()
    parts = divide(examples)
    found = [example.transition for part in parts for example in part.examples.examples]
    assert sorted(map(repr, found)) == sorted(map(repr, traces.transitions))
    for part in parts:
        assert all(part.bindings)


def test_placements_follow_common_effects():
    move = Effects(2, literals("at 0"), literals("at 1"))
    reaping = Effects(2, literals("at 1", "reaped 1"), literals("at 0", "ripe 1"))
    assert placements(move, reaping) == [(1, 0)]
    assert placements(reaping, move) == [(1, 0)]
    on, off = Effects(1, literals("lit 0"), ()), Effects(1, (), literals("lit 0"))
    assert placements(on, off) == [(0,)]
    assert placements(on, move) == [(0,), (1,)]  # nothing coincides, so nothing is known
    assert placements(move, on) == []


def test_validation_transitions_keep_their_names():
    domain, worlds = toggle()
    traces = nameless(domain, worlds)
    result = learn(traces, CONDITIONAL, validation=traces)
    assert result.validation == (len(traces.transitions), len(traces.transitions))


def test_full_traces_of_strips_domains_are_learned_as_before():
    domain, worlds = toggle()
    traces = all_steps(domain, worlds)
    with_and_without = [learn(traces, c) for c in (CONDITIONAL, LearningConfig())]
    assert with_and_without[0].domain == with_and_without[1].domain


def rare_toggle():
    """Lamps in all states, nearly always switched on: to the noise pass that is odd."""
    domain, _ = toggle()
    lamps = dict.fromkeys("abcde", "object")
    wired = {Atom("wired", (name,)) for name in lamps}
    lit = [{Atom("lit", (n,)) for i, n in enumerate(lamps) if code >> i & 1} for code in range(32)]
    traces = nameless(domain, [(lamps, frozenset(wired | own)) for own in lit])
    on = [t for t in traces.transitions if len(t.next_state) > len(t.state)]
    off = [t for t in traces.transitions if len(t.next_state) < len(t.state)]
    return replace(traces, transitions=(*on, *off[::12]))


def test_noise_is_not_looked_for_where_effects_depend_on_the_state(monkeypatch):
    traces = rare_toggle()
    monkeypatch.setattr(pipeline, "looks_noisy", lambda examples: True)
    result = learn(traces, CONDITIONAL)
    assert result.noise is None
    assert result.explains_everything
    assert result.variants == {"press": ("press-1", "press-2")}


@pytest.mark.parametrize("method", ["symbolic", "hybrid"])
def test_with_strips_effects_the_rest_stays_unexplained(method):
    """Neither frequent nor rare toggling passes for noise."""
    domain, worlds = reap()
    config = LearningConfig(method=method, restarts=1, training=TrainingConfig(20, 20))
    for traces in (nameless(domain, worlds), rare_toggle()):
        result = learn(traces, config)
        assert not result.explains_everything


def test_a_refused_attempt_is_one_at_every_part():
    domain, worlds = toggle()
    traces = nameless(domain, worlds, LabelMode.FULL)
    unwired = RefusedAction(0, traces.transitions[0].state, "press", ("c",), 1, 9)
    divided = divide_actions(replace(traces, refused=(unwired,))).traces
    assert [attempt.action for attempt in divided.refused] == ["press-1", "press-2"]
    result = learn(replace(traces, refused=(unwired,)), CONDITIONAL)
    assert [own.support.refusals.n_ruled_out for own in result.evidence] == [1, 1]
    wired = replace(unwired, arguments=traces.transitions[0].arguments)
    wrongly = learn(replace(traces, refused=(wired,)), CONDITIONAL)
    assert wrongly.n_wrongly_allowed == 1
    assert not wrongly.explains_everything
