"""Problems of unified-planning to ours and back; what it has and STRIPS has not is named."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import dias
from dias.errors import DiasError, PDDLInputError, UnsupportedPDDLError
from dias.strips.model import ActionSchema, Atom, Domain, Instance, Parameter, Predicate
from dias.strips.pddl.reader import parse_domain, parse_problem
from tests.garden import GARDEN, PLOT

pytest.importorskip("unified_planning", reason="the extra `planners` is not installed")

from unified_planning import shortcuts as up
from unified_planning.environment import get_environment
from unified_planning.io import PDDLReader, PDDLWriter
from unified_planning.model.contingent_problem import ContingentProblem

from dias.adapters.unified_planning import from_problem, to_problem

DOMAINS = Path(__file__).parents[2] / "benchmarks" / "domains"


def named_alike(domain: Domain, instance: Instance) -> tuple[Domain, Instance]:
    """As a problem of unified-planning names both."""
    name = instance.name
    return replace(domain, name=name), replace(instance, domain_name=name)


@pytest.mark.parametrize("name", sorted(path.parent.name for path in DOMAINS.glob("*/p01.pddl")))
def test_there_and_back(name):
    domain = dias.read_domain(DOMAINS / name / "domain.pddl")
    instance = dias.read_problem(DOMAINS / name / "p01.pddl", domain)
    assert from_problem(to_problem(domain, instance)) == named_alike(domain, instance)
    alone, nothing = from_problem(to_problem(domain))
    assert alone == domain
    assert (nothing.has_goal, nothing.init, dict(nothing.objects)) == (
        False,
        frozenset(),
        domain.constants,
    )


EVERYTHING = """\
(define (domain all)
  (:types place - object depot - place crate)
  (:constants home - depot)
  (:predicates (at ?c - crate ?p - place) (lit) (odd ?x))
  (:action at :parameters (?c - crate ?p ?q - place)
    :precondition (and (at ?c ?p) (not (lit)) (not (= ?p ?q)) (= ?q home) (not (at ?c home)))
    :effect (and (at ?c ?q) (not (at ?c ?p)) (lit))))
"""
ALL_PROBLEM = """\
(define (problem crates) (:domain all)
  (:objects c - crate p - place x)
  (:init (at c p) (odd x) (odd home))
  (:goal (and (at c home) (not (at c p)))))
"""


def test_all_that_strips_has():
    """One name in two roles, a root type, a constant, equalities, negative goals."""
    domain = parse_domain(EVERYTHING)
    instance = parse_problem(ALL_PROBLEM, domain)
    before = get_environment().error_used_name
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        problem = to_problem(domain, instance)
    assert get_environment().error_used_name == before
    assert from_problem(problem) == named_alike(domain, instance)


def test_what_is_added_and_deleted_is_there():
    atom = Atom("p", ("?x",))
    schema = ActionSchema(
        "a",
        (Parameter("?x"),),
        add_effects=frozenset([atom]),
        delete_effects=frozenset([atom, Atom("q")]),
    )
    domain = Domain("d", {}, {}, (Predicate("p", (("object",),)), Predicate("q")), (schema,))
    [action] = from_problem(to_problem(domain))[0].actions
    assert (action.add_effects, action.delete_effects) == ({atom}, {Atom("q")})


def test_types_that_facts_say():
    """A problem without types, for a domain that has learned some."""
    untyped = parse_domain("(define (domain d) (:predicates (bed ?x) (tank ?x) (dry ?x)))")
    problem = parse_problem(
        "(define (problem p) (:domain d) (:objects b t) (:init (bed b) (tank t) (dry b))"
        " (:goal (dry b)))",
        untyped,
    )
    typed = replace(GARDEN, name="d")
    _, instance = from_problem(to_problem(typed, problem))
    assert instance.objects == {"b": "bed", "t": "tank"}
    assert instance.init == {Atom("dry", ("b",))}


def test_what_other_tools_read_of_it(tmp_path):
    """unified-planning's own PDDL, read here, says the same."""
    writer = PDDLWriter(to_problem(GARDEN, PLOT))
    writer.write_domain(str(tmp_path / "domain.pddl"))
    writer.write_problem(str(tmp_path / "p.pddl"))
    domain = dias.read_domain(tmp_path / "domain.pddl")
    instance = dias.read_problem(tmp_path / "p.pddl", domain)
    assert set(domain.actions) == set(GARDEN.actions)
    assert (instance.init, instance.goal) == (PLOT.init, PLOT.goal)
    read = PDDLReader().parse_problem(str(tmp_path / "domain.pddl"), str(tmp_path / "p.pddl"))
    assert from_problem(read)[1].init == PLOT.init


def test_what_unified_planning_does_not_have():
    domain = parse_domain("(define (domain d) (:types a b) (:predicates (p ?x - (either a b))))")
    with pytest.raises(UnsupportedPDDLError, match=r"predicate p: .* \(either a b\)"):
        to_problem(domain)
    with pytest.raises(PDDLInputError, match=r"expected a predicate of domain garden, found \(p\)"):
        to_problem(GARDEN, replace(PLOT, goal=frozenset([Atom("p")])))


def lamps() -> up.Problem:
    """Two lamps and a switch."""
    lamp = up.UserType("Lamp")
    problem = up.Problem("Lamps")
    on = problem.add_fluent("On", up.BoolType(), default_initial_value=False, l=lamp)
    press = up.InstantaneousAction("Press", l=lamp)
    press.add_precondition(up.Not(on(press.parameter("l"))))
    press.add_effect(on(press.parameter("l")), True)
    problem.add_action(press)
    first, second = up.Object("L1", lamp), up.Object("L2", lamp)
    problem.add_objects([first, second])
    problem.set_initial_value(on(first), True)
    problem.add_goal(on(second))
    return problem


def test_names_are_lower_case():
    domain, instance = from_problem(lamps())
    [press] = domain.actions
    assert (press.name, press.parameters) == ("press", (Parameter("?l", ("lamp",)),))
    assert press.negative_preconditions == press.add_effects == {Atom("on", ("?l",))}
    assert (instance.name, instance.init) == ("lamps", {Atom("on", ("l1",))})
    assert dias.plan(domain, instance).message == "found a plan of 1 step"


def test_values_that_are_true_by_default():
    problem = lamps()
    problem.add_fluent("quiet", up.BoolType(), default_initial_value=True)
    before = repr(problem)
    assert from_problem(problem)[1].init == {Atom("on", ("l1",)), Atom("quiet")}
    assert repr(problem) == before


def numeric(problem: up.Problem) -> None:
    problem.add_fluent("fuel", up.IntType(), default_initial_value=3)


def temporal(problem: up.Problem) -> None:
    problem.add_action(up.DurativeAction("wait"))


def conditional(problem: up.Problem) -> None:
    [press] = problem.actions
    on = problem.fluent("On")
    press.add_effect(on(problem.object("L1")), False, on(problem.object("L2")))


def disjunctive(problem: up.Problem) -> None:
    on = problem.fluent("On")
    problem.add_goal(up.Or(on(problem.object("L1")), on(problem.object("L2"))))


def quantified(problem: up.Problem) -> None:
    lamp = up.Variable("v", problem.user_type("Lamp"))
    problem.actions[0].add_precondition(up.Forall(problem.fluent("On")(lamp), lamp))


def counting(problem: up.Problem) -> None:
    action = up.InstantaneousAction("count", n=up.IntType(0, 3))
    problem.add_action(action)


def copying(problem: up.Problem) -> None:
    on = problem.fluent("On")
    problem.actions[0].add_effect(on(problem.object("L1")), on(problem.object("L2")))


def timed(problem: up.Problem) -> None:
    problem.add_timed_effect(
        up.GlobalStartTiming(5), problem.fluent("On")(problem.object("L1")), True
    )


def always(problem: up.Problem) -> None:
    problem.add_trajectory_constraint(up.Always(problem.fluent("On")(problem.object("L1"))))


def same_name(problem: up.Problem) -> None:
    problem.add_fluent("on", up.BoolType(), default_initial_value=False)


def unknown_start(problem: up.Problem) -> None:
    problem.add_fluent("new", up.BoolType())


def impossible(problem: up.Problem) -> None:
    problem.actions[0].add_precondition(up.FALSE())


def not_possible(problem: up.Problem) -> None:
    problem.actions[0].add_precondition(up.Not(up.TRUE()))


@pytest.mark.parametrize("condition", [up.TRUE, lambda: up.Not(up.FALSE())])
def test_what_always_holds_is_no_condition(condition):
    before, problem = from_problem(lamps()), lamps()
    problem.add_goal(condition())
    with_condition = problem.clone()
    with_condition.actions[0].preconditions.append(condition())
    assert from_problem(with_condition) == before


def test_an_object_that_an_action_names_anywhere_is_a_constant():
    for kind in ("precondition", "unequal", "effect"):
        problem = lamps()
        press, lamp = problem.actions[0], problem.object("L1")
        on, own = problem.fluent("On"), press.parameters[0]
        if kind == "precondition":
            press.add_precondition(on(lamp))
        elif kind == "unequal":
            press.add_precondition(up.Not(up.Equals(own, lamp)))
        else:
            press.add_effect(on(lamp), False)
        assert list(from_problem(problem)[0].constants) == ["l1"]
    assert not from_problem(lamps())[0].constants


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (impossible, "action Press: expected STRIPS, found the condition false"),
        (not_possible, "action Press: expected STRIPS, found the condition"),
        (numeric, "fluent fuel of type integer"),
        (temporal, "action wait: expected STRIPS, found a DurativeAction"),
        (conditional, "action Press: expected STRIPS, found the conditional or quantified effect"),
        (disjunctive, "goal: expected STRIPS, found the condition (On(L1) or On(L2))"),
        (quantified, "action Press: expected STRIPS, found the condition Forall"),
        (counting, "action count: expected STRIPS, found the type integer[0, 3]"),
        (copying, "action Press: expected STRIPS, found the effect"),
        (timed, "found effects at a time"),
        (always, "found trajectory constraints"),
        (same_name, "names differ in more than case, found On and on"),
        (unknown_start, "expected new to be true or false at the start, found neither"),
    ],
)
def test_what_strips_does_not_have(change: Callable[[up.Problem], None], message):
    problem = lamps()
    change(problem)
    with pytest.raises(DiasError) as caught:
        from_problem(problem)
    assert message in str(caught.value)
    assert str(caught.value).startswith("problem Lamps")


def test_other_kinds_of_problem():
    with pytest.raises(UnsupportedPDDLError, match="found a ContingentProblem"):
        from_problem(ContingentProblem("maybe"))


def test_a_metric_is_left_out(caplog):
    problem = lamps()
    problem.add_quality_metric(up.MinimizeSequentialPlanLength())
    assert from_problem(problem)[0] == from_problem(lamps())[0]
    assert "left out: the metric" in caplog.text


def test_parameters_in_order():
    problem = lamps()
    lamp = problem.user_type("Lamp")
    problem.add_action(up.InstantaneousAction("swap", OrderedDict(b=lamp, a=lamp)))
    assert from_problem(problem)[0].action("swap").variables == ("?b", "?a")
