"""What was learned from untyped traces is written with types, and means the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dias.config import LearningConfig
from dias.evaluation.evaluate import evaluate
from dias.learning.certificate.support import NO_OUTCOMES, Doubt, LiteralSupport, Support
from dias.learning.data.refusals import NO_ATTEMPTS
from dias.learning.finish.type_texts import typed_support
from dias.learning.finish.types import with_inferred_types
from dias.learning.learn import learn
from dias.learning.schema import NETWORK
from dias.report.learning import report_json
from dias.strips.model import OBJECT, Atom, Parameter, Predicate
from dias.strips.pddl.reader import parse_domain, parse_problem
from dias.strips.pddl.writer import format_domain
from dias.strips.type_facts import with_types_said
from dias.traces.infer_types import Types
from dias.traces.record import LabelMode
from dias.traces.sampling.sample import sample
from dias.traces.sampling.samples import SamplingConfig
from tests.learning.cases import benchmark
from tests.traces.files import read, step

SYMBOLIC = LearningConfig(method="symbolic")
PAINT = """\
(define (domain paint) (:requirements :strips :negative-preconditions)
  (:predicates (wall ?x) (door ?x) (lamp ?x) (dusty ?x) (red ?x) (dull ?x))
  (:action paint :parameters (?x)
    :precondition (and (dull ?x) NOT) :effect (and (red ?x) (not (dull ?x))))
  (:action strip :parameters (?x)
    :precondition (and (red ?x)) :effect (and (dull ?x) (not (red ?x))))
  (:action shake :parameters (?x)
    :precondition (and (wall ?x) (dusty ?x)) :effect (and (not (dusty ?x))))
  (:action soil :parameters (?x)
    :precondition (and (wall ?x)) :effect (and (dusty ?x))))
"""
HOUSE = """\
(define (problem house) (:domain paint) (:objects w1 w2 w3 d1 d2 l1 l2)
  (:init (wall w1) (wall w2) (wall w3) (door d1) (door d2) (lamp l1) (lamp l2) (dull w1) (dull w2)
         (red w3) (dull d1) (red d2) (dull l1) (red l2) (dusty w1)) (:goal (and (red w1))))
"""


def learned(domain, problems, config=SYMBOLIC, labels=LabelMode.NAMES, n=60):
    """The untyped result, the typed one, and the types."""
    traces = sample(domain, problems, SamplingConfig(min_per_action=n), labels=labels, seed=7)
    result = learn(traces, config)
    return result, *with_inferred_types(result, traces)


def allow_the_same(plain, typed, problems):
    """In problems that say the types by facts, and in the same with types."""
    said = [with_types_said(problem, typed.domain) for problem in problems]
    for own in (problems, said):
        found = evaluate(typed.domain, plain.domain, own, 60)
        assert found.is_sound and found.is_complete


@pytest.mark.parametrize("labels", [LabelMode.NAMES, LabelMode.FULL])
@pytest.mark.parametrize("preconditions", ["concise", "safe"])
@pytest.mark.parametrize("name", ["gripper", "logistics", "miconic"])
def test_the_typed_domain_allows_what_the_untyped_one_does(name, preconditions, labels):
    domain, (problem, larger) = benchmark(name, "p01", "p02")
    config = replace(SYMBOLIC, preconditions=preconditions)
    plain, typed, types = learned(domain, [problem], config, labels)
    assert types.parents == typed.domain.types and not plain.domain.types
    assert not types.parents.keys() & {p.name for p in typed.domain.predicates}
    # With all that never failed, what packages are not (trucks, airports) has to be said.
    assert types.parents or (name, preconditions) == ("logistics", "safe")
    allow_the_same(plain, typed, [problem, larger])
    text = format_domain(typed.domain)
    assert format_domain(parse_domain(text)) == text
    assert [x.n_given for x in plain.evidence] == [x.n_given for x in typed.evidence]


def test_logistics_as_people_write_it():
    domain, (problem,) = benchmark("logistics", "p01")
    _, typed, types = learned(domain, [problem], n=100)
    assert types.parents == {
        "airplane": "vehicle", "airport": "location", "city": OBJECT, "location": OBJECT,
        "obj": OBJECT, "truck": "vehicle", "vehicle": OBJECT,
    }  # fmt: skip
    assert typed.domain.predicates == (
        Predicate("at", ((OBJECT,), ("location",))),
        Predicate("in", (("obj",), ("vehicle",))),
        Predicate("loc", (("location",), ("city",))),
    )
    fly, load = typed.domain.action("fly"), typed.domain.action("load")
    assert fly.parameters == (
        Parameter("?airplane", ("airplane",)),
        Parameter("?from-airport", ("airport",)),
        Parameter("?to-airport", ("airport",)),
    )
    assert load.parameters[0] == Parameter("?obj", ("obj",))
    assert "?obj - obj" in {one.text for one in typed.evidence[2].support.literals}
    assert not any(atom.predicate == OBJECT for atom in load.preconditions)
    texts = {one.text for one in typed.evidence[1].support.literals}
    assert {"?airplane - airplane", "?to-airport - airport"} < texts
    assert not any(text.startswith(("(airport ", "(location ", "(vehicle ")) for text in texts)


@pytest.mark.parametrize(
    ("condition", "stays"), [("(not (lamp ?x))", {"lamp"}), ("(not (dusty ?x))", set())]
)
def test_what_types_cannot_say_is_said_all_the_same(condition, stays):
    """That something is no lamp, where it may be a wall or a door; and that it is not dusty, where
    nothing but walls ever is.
    """
    domain = parse_domain(PAINT.replace("NOT", condition))
    house = parse_problem(HOUSE, domain)
    plain, typed, types = learned(domain, [house])
    assert Atom(*condition[6:-2].split()[:1], ("?x1",)) in (
        plain.domain.action("paint").negative_preconditions
    )
    if stays:
        assert typed == plain
        assert types.obstacle == (
            "an action must not be applied to what is lamp: types cannot say so"
        )
    else:
        assert typed.domain.types == {"door": OBJECT, "lamp": OBJECT, "wall": OBJECT}
        assert typed.domain.predicate("dusty").types == ((OBJECT,),)  # as `paint` names it
        assert typed.domain.action("soil").parameters == (Parameter("?wall", ("wall",)),)
    for result in (plain, typed):
        found = evaluate(result.domain, domain, [house], 60)
        assert found.is_sound and found.is_complete


def test_a_subtype_that_must_not_be_stays_a_relation_alone():
    domain = parse_domain(
        PAINT.replace("NOT", "(not (lamp ?x))").replace("(lamp ?x)", "(lamp ?x) (thing ?x)", 1)
    )
    things = "".join(f"(thing {name}) " for name in ("l1", "l2", "d1", "d2"))
    house = parse_problem(HOUSE.replace("(door d1) (door d2)", things), domain)
    _, typed, types = learned(domain, [house])
    assert types.parents == {"thing": OBJECT, "wall": OBJECT}
    [paint] = [own for own in typed.domain.actions if own.name == "paint"]
    assert paint.negative_preconditions == {Atom("lamp", (paint.variables[0],))}
    found = evaluate(typed.domain, domain, [house], 60)
    assert found.is_sound and found.is_complete


def test_minimal_parameters_have_their_types_all_the_same():
    domain, (problem,) = benchmark("gripper", "p01")
    config = replace(SYMBOLIC, preconditions="minimal")
    plain, typed, _ = learned(domain, [problem], config, n=100)
    assert Atom("ball", ("?ball",)) not in plain.domain.action("pick").preconditions
    assert [p.types for p in typed.domain.action("pick").parameters] == [
        ("ball",), ("gripper",), ("room",),
    ]  # fmt: skip
    known = {
        x["literal"]: x for x in report_json(typed, ())["actions"]["pick"]["support"]["literals"]
    }
    assert known["?ball - ball"]["word"] == "untested"
    assert known["?ball - ball"]["instances"] == 6 and known["?ball - ball"]["role"] == "type"


def test_constants_have_types():
    header = {
        "dias": "trace/1", "labels": "full", "constants": ["hall"],
        "static": ["(room hall)", "(room attic)", "(ball b)", "(ball c)"],
    }  # fmt: skip
    lines = [
        step([f"(at {name} {here})"], f"(bring {name} {here})", [f"(at {name} hall)"])
        for name in ("b", "c") for here in ("attic",)
    ]  # fmt: skip
    traces = read(header, *lines)
    typed, _ = with_inferred_types(learn(traces, SYMBOLIC), traces)
    assert typed.domain.constants == {"hall": "room"}
    assert typed.domain.predicate("at").types == (("ball",), ("room",))


def test_without_types_the_result_is_as_it_was():
    domain, (problem,) = benchmark("blocks-3", "p01")
    plain, typed, types = learned(domain, [problem])
    assert typed is plain
    assert types.obstacle.startswith("no static relation of one argument says what ")


def test_what_is_said_of_the_schema_says_it_with_types():
    types = Types(
        {"truck": "vehicle", "vehicle": OBJECT, "box": OBJECT},
        {(0, "t"): "truck", (0, "u"): "truck", (0, "b"): "box"},
        {name: name for name in ("truck", "vehicle", "box")},
    )

    def literal(text, chance=None, role="precondition"):
        return LiteralSupport(role, text, 9, None, 3, chance)

    support = Support(
        origin=NETWORK, n_extra=0, refusals=NO_ATTEMPTS, unexplained_lines=(), outcomes=NO_OUTCOMES,
       
        literals=(
            literal("(truck ?t)", 0.01), literal("(vehicle ?t)", 0.02), literal("(hot ?t)"),
            literal("(not (box ?t))"), literal("(not (= ?b ?t))"), literal("(not (= ?o ?t))"),
            literal("(free ?b)", role="add"),
        ),
        kinds=(literal("(box ?b)"), literal("(hot ?b)")),
        weak=(
            Doubt(("(truck ?t)", "(vehicle ?t)", "(hot ?t)"), 0.5, ("(not (box ?t))",)),
            Doubt(("(not (box ?t))",), 0.4),
        ),
        missing=Doubt(("(truck ?x4)", "(vehicle ?x4)", "(not (box ?x4))", "(by ?x4 ?t)"), 0.3),
        doubtful=Doubt(("(not (= ?b ?t))",), 0.2),
        fixed=(("?t", "t"), ("?b", "b")),
        left_out=("(not (truck ?b))", "(not (hot ?t))"),
        may_be_needed=("(not (truck ?o))",),
        implied=("(not (= ?b ?t))", "(not (= ?o ?t))"),
        open=("(not (vehicle ?b))",),
        further=(("(not (box ?x4))", "(truck ?x4)"), ("(not (truck ?b))",)),
    )  # fmt: skip
    found = typed_support(support, {"?t": "truck", "?b": "box", "?o": OBJECT}, types)
    assert found == replace(
        support,
        literals=(
            literal("?t - truck", 0.01, "type"), literal("?b - box", role="type"),
            literal("(hot ?t)"), literal("(not (= ?o ?t))"), literal("(free ?b)", role="add"),
        ),
        kinds=(literal("(hot ?b)"),),
        weak=(Doubt(("?t - truck", "(hot ?t)"), 0.5),),
        missing=Doubt(("?x4 - truck", "(by ?x4 ?t)"), 0.3),
        doubtful=None,
        fixed=(("?t", "t"),),
        left_out=("(not (hot ?t))",),
        may_be_needed=("(not (truck ?o))",),
        implied=("(not (= ?o ?t))",),
        open=(),
        further=(("?x4 - truck",),),
    )  # fmt: skip


LAMPS = """\
(define (domain lamps) (:requirements :strips)
  (:predicates (lamp ?x) (box ?x) (plug ?x ?y) (lit ?x) (dark ?x) (open ?x) (shut ?x))
  (:action light :parameters (?x)
    :precondition (and (lamp ?x) (plug ?x ?x) (dark ?x)) :effect (and (lit ?x) (not (dark ?x))))
  (:action dim :parameters (?x)
    :precondition (and (lamp ?x) (lit ?x)) :effect (and (dark ?x) (not (lit ?x))))
  (:action close :parameters (?x)
    :precondition (and (box ?x) (open ?x)) :effect (and (shut ?x) (not (open ?x))))
  (:action lift :parameters (?x)
    :precondition (and (box ?x) (shut ?x)) :effect (and (open ?x) (not (shut ?x)))))
"""
CELLAR = """\
(define (problem cellar) (:domain lamps) (:objects l1 l2 l3 b1 b2)
  (:init (lamp l1) (lamp l2) (lamp l3) (box b1) (box b2) (dark l1) (dark l2) (dark l3) (open b1)
         (open b2) (plug l1 l1) (plug l2 l2) (plug b1 b1) PLUG) (:goal (and (lit l1))))
"""


@pytest.mark.parametrize(
    ("plug", "preconditions", "is_written"),
    [("(plug l3 l3)", "concise", False), ("(plug l3 l3)", "safe", True), ("", "concise", True)],
)
def test_what_holds_of_all_objects_of_a_type_is_part_of_it(plug, preconditions, is_written):
    """Each lamp has a plug; or one has none, and then that is a condition."""
    domain = parse_domain(LAMPS)
    problem = parse_problem(CELLAR.replace("PLUG", plug), domain)
    config = replace(SYMBOLIC, preconditions=preconditions)
    plain, typed, _ = learned(domain, [problem], config)
    schema, own = typed.domain.action("light"), typed.evidence[3]
    (variable,), atom = schema.variables, Atom("plug", (schema.variables[0],) * 2)
    assert own.action == "light" and schema.parameters == (Parameter(variable, ("lamp",)),)
    assert (atom in schema.preconditions) is is_written
    assert own.support.of_type == (() if is_written else (str(atom),))
    assert (str(atom) in [one.text for one in own.support.literals]) is is_written
    assert report_json(typed, [])["actions"]["light"]["support"]["of_type"] == [
        *own.support.of_type
    ]
    allow_the_same(plain, typed, [problem])
