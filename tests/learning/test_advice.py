"""What is tried as the certificate asks for settles its doubts."""

from __future__ import annotations

from math import exp
from types import SimpleNamespace

import pytest

from dias.config import LearningConfig
from dias.evaluation.evaluate import evaluate
from dias.learning.certificate.count_support import support
from dias.learning.certificate.settled import MAX_BINDINGS, Trials
from dias.learning.data.coding import examples_by_action
from dias.learning.explain.full_labels import of_arguments
from dias.learning.extend.evidence import LOG_CHANCE
from dias.learning.learn import learn
from dias.report.doubts import doubts
from dias.strips.model import Atom
from dias.strips.pddl.reader import parse_domain, parse_problem
from dias.traces.record import LabelMode
from dias.traces.sampling.sample import sample
from dias.traces.sampling.samples import SamplingConfig
from tests.learning.cases import benchmark, lifted_schema
from tests.oracles import naive_successors
from tests.traces.files import read, step

SYMBOLIC = LearningConfig(method="symbolic")

FERRY = parse_domain("""\
(define (domain ferry) (:requirements :strips :negative-preconditions)
  (:predicates (car ?c) (bank ?b) (at ?c ?b) (moored ?b) (aboard ?c) (empty) (fuel) (broken ?c))
  (:action sail :parameters (?from ?to)
    :precondition (and (moored ?from) (bank ?to) (fuel) (not (= ?from ?to)))
    :effect (and (moored ?to) (not (moored ?from))))
  (:action board :parameters (?c ?b)
    :precondition (and (car ?c) (at ?c ?b) (moored ?b) (empty) (not (broken ?c)))
    :effect (and (aboard ?c) (not (at ?c ?b)) (not (empty))))
  (:action leave :parameters (?c ?b)
    :precondition (and (aboard ?c) (moored ?b))
    :effect (and (at ?c ?b) (empty) (not (aboard ?c))))
  (:action refuel :parameters () :precondition (not (fuel)) :effect (fuel))
  (:action burn :parameters () :precondition (fuel) :effect (not (fuel))))
""")
RIVER = parse_problem(
    """\
(define (problem river) (:domain ferry) (:objects a b c n s w)
  (:init (car a) (car b) (car c) (bank n) (bank s) (bank w) (at a n) (at b n) (at c s) (broken c)
    (moored n) (empty) (fuel)))
""",
    FERRY,
)


class Simulator:
    """Tries what it is told to, and keeps the lines of the trace file."""

    def __init__(self, n: int, labels: LabelMode) -> None:
        self.labels = labels
        walk = sample(FERRY, [RIVER], SamplingConfig(n, n), seed=3, labels=LabelMode.FULL)
        self.static = walk.segments[0].static
        self.states = [t.state for t in walk.transitions]
        self.lines = [
            self.line(t.state, t.action, t.arguments, t.next_state) for t in walk.transitions
        ]

    def line(self, state, action, arguments, next_state, **more):
        said = " ".join([action, *(arguments if self.labels is LabelMode.FULL else ())])
        after = None if next_state is None else sorted(map(str, next_state))
        return step(sorted(map(str, state)), f"({said})", after, **more)

    def traces(self):
        header = {
            "dias": "trace/1", "labels": self.labels.value, "static": sorted(map(str, self.static)),
            "objects": dict.fromkeys(RIVER.objects, "object"),
            "actions": [action.name for action in FERRY.actions],
            "predicates": {name: ["object"] * len(types) for name, types in FERRY.predicates},
        }  # fmt: skip
        return read(header, *self.lines)

    def attempt(self, learned, trial) -> bool:
        """Record what the true domain makes of it; whether there is a way to."""
        state = self.states[trial.line - 2]
        objects = dict(trial.objects)
        add, delete = (
            frozenset(atom.substitute(objects) for atom in atoms)
            for atoms in (learned.add_effects, learned.delete_effects)
        )
        whole = state | self.static
        found = sorted(naive_successors(FERRY, RIVER.objects, whole), key=lambda own: own[:2])
        named = [own for own in found if own[0] == learned.name]
        bound = tuple(objects[variable] for variable in learned.variables)
        for name, arguments, added, deleted in named:
            is_it = (whole - deleted) | added == (whole - delete) | add
            if arguments == bound if self.labels is LabelMode.FULL else is_it:
                after = (state - deleted) | added
                self.lines.append(self.line(state, name, arguments, after))
                break
        else:
            if self.labels is LabelMode.FULL:
                self.lines.append(self.line(state, learned.name, bound, None))
            elif named:
                return False  # others of that name are applicable: a mask can only say so
            else:
                name, arguments, added, deleted = found[0]
                listed = sorted({own[0] for own in found})
                after = (state - deleted) | added
                self.lines.append(self.line(state, name, arguments, after, applicable=listed))
        self.states.append(state)
        return True


def test_under_noise_a_refused_attempt_settles_nothing():
    """The state in which it was tried may be seen wrong."""
    simulator = Simulator(8, LabelMode.FULL)
    for state in simulator.states:
        if Atom("fuel", ()) in state and Atom("moored", ("n",)) in state:
            dry = state - {Atom("fuel", ())}
            simulator.lines.append(simulator.line(dry, "sail", ("n", "s"), None))
    traces = simulator.traces()
    examples = examples_by_action(traces)
    schema, _ = of_arguments(examples["sail"])
    for is_exact in (True, False):
        found = support(schema, examples, traces, is_exact=is_exact)
        [fuel] = [one for one in found.literals if one.text == "(fuel)"]
        assert (fuel.chance <= exp(LOG_CHANCE)) == is_exact


def key(action, literals):
    return action, frozenset(literals)


@pytest.mark.parametrize("labels", [LabelMode.FULL, LabelMode.NAMES])
@pytest.mark.parametrize("n", [4, 8])
def test_what_the_gravest_doubt_asks_for_is_tried_until_none_is_left(labels, n):
    simulator = Simulator(n, labels)
    tried, recorded = set(), set()
    n_first = None
    while True:
        result = learn(simulator.traces(), SYMBOLIC)
        assert result.explains_everything
        points = doubts(result)
        n_first = len(points) if n_first is None else n_first
        for own in result.evidence:
            for weak in own.support.weak:
                assert key(own.action, weak.literals) not in recorded, weak
        doubted = [point.action for point in points]
        trials = [
            (own.action, trial)
            for own in sorted(
                result.evidence, key=lambda own: [*doubted, own.action].index(own.action)
            )
            for trial in own.support.trials
            if key(own.action, trial.literals) not in tried
        ]
        if not trials:
            break
        action, trial = trials[0]
        tried.add(key(action, trial.literals))
        if simulator.attempt(result.domain.action(action), trial):
            recorded.add(key(action, trial.literals))
    assert n_first > 3 and len(recorded) > 1
    found = evaluate(result.domain, FERRY, [RIVER])
    assert found.is_sound and found.is_complete
    if labels is LabelMode.FULL:
        assert not [own for own in result.evidence if own.support.weak]


def test_a_kind_of_a_kind_may_be_an_accident():
    """All was loaded into airplanes, though there are trucks: vehicles are meant, maybe."""
    domain, (problem,) = benchmark("logistics", "p01")
    traces = sample(domain, [problem], SamplingConfig(20, 40), seed=1)
    [load] = [own for own in learn(traces, SYMBOLIC).evidence if own.action == "load"]
    doubted = [text for weak in load.support.weak for text in weak.literals]
    assert any(text.startswith("(airplane ") for text in doubted)
    assert not any(text.startswith(("(vehicle ", "(location ", "(object ")) for text in doubted)
    [trial] = [own for own in load.support.trials if own.literals[0] in doubted]
    assert any(name.startswith("truck") for _, name in trial.objects)


@pytest.mark.parametrize("is_turned", [False, True])
@pytest.mark.parametrize(("n", "expected"), [(3, 0), (MAX_BINDINGS, 0), (MAX_BINDINGS + 1, None)])
def test_what_to_try_does_not_depend_on_what_is_found_first(monkeypatch, is_turned, n, expected):
    """Of too many bindings none is named."""
    order = range(n)[::-1] if is_turned else range(n)
    applied = SimpleNamespace(
        successors=lambda visit: iter([SimpleNamespace(binding=(number,)) for number in order]),
        names=lambda visit, binding: {"?x1": binding[0]},
    )
    schema, visit = lifted_schema("act", 1), SimpleNamespace(line=7)
    trials = object.__new__(Trials)
    trials._safe = trials._written = schema
    monkeypatch.setattr(Trials, "_applied", lambda self, literals, schema: applied)
    monkeypatch.setattr(Trials, "_first", lambda self, applied: [visit])
    found = trials.breaking([])
    assert found == (None if expected is None else (7, (("?x1", expected),)))
