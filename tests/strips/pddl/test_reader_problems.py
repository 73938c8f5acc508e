"""Problems as they are read, and what is refused in them."""

from __future__ import annotations

import pytest

from dias.errors import PDDLInputError, UnsupportedPDDLError
from dias.strips.model import Atom
from dias.strips.pddl.reader import parse_domain, parse_problem
from tests.strips.pddl.port import PORT, TASK, problem_of, refusal


def test_instance_counts_constants_as_objects(port):
    instance = parse_problem(TASK, port)
    assert instance.objects == {"home": "quay", "t": "tug", "s": "ship", "pier": "quay"}
    assert instance.init == {Atom("at", ("t", "home")), Atom("free", ("pier",))}
    assert instance.goal == {Atom("at", ("t", "pier"))}
    assert instance.has_goal


@pytest.mark.parametrize(
    ("goal", "positive", "negative", "has_goal"),
    [
        ("", set(), set(), False),
        ("(:goal ())", set(), set(), True),
        ("(:goal (and))", set(), set(), True),
        ("(:goal (storm))", {"(storm)"}, set(), True),
        ("(:goal (not (storm)))", set(), {"(storm)"}, True),
        ("(:goal (and (storm) (not (free pier)) (not (= t s)) (= t t)))", {"(storm)"},
         {"(free pier)"}, True),
    ],
)  # fmt: skip
def test_goals(port, goal, positive, negative, has_goal):
    instance = parse_problem(problem_of(f"(:init) {goal}"), port)
    assert set(map(str, instance.goal)) == positive
    assert set(map(str, instance.negative_goal)) == negative
    assert instance.has_goal == has_goal


@pytest.mark.parametrize("goal", ["(:goal (storm))", "(:goal (or (storm)))", "(:goal (= t s))", ""])
def test_a_goal_that_is_not_needed_is_not_read(port, goal):
    """Nor a metric or constraints; an instance read so cannot pass for one with an empty goal."""
    rest = "(:metric maximize (profit)) (:constraints (always (storm)))"
    instance = parse_problem(problem_of(f"(:init (storm)) {goal} {rest}"), port, needs_goal=False)
    assert not (instance.goal or instance.negative_goal or instance.has_goal)
    assert set(map(str, instance.init)) == {"(storm)"}
    with pytest.raises(UnsupportedPDDLError, match="constraints"):
        parse_problem(problem_of(f"(:init (storm)) {goal} {rest}"), port)


def test_what_else_is_wrong_is_said_without_a_goal_too(port):
    for body in ("(:init (att t pier)) (:goal (storm))", "(:goal (storm))", "(:gaol (storm))"):
        with pytest.raises(PDDLInputError):
            parse_problem(problem_of(body), port, needs_goal=False)


@pytest.mark.parametrize(
    ("body", "place", "fragments"),
    [
        ("(:init (att t pier))", "2:8", ["`att`", "Did you mean at?"]),
        ("(:init (at t))", "2:8", ["2 argument", "(at ship quay)"]),
        ("(:init (at t peer))", "2:14", ["`peer`", "Did you mean pier?"]),
        ("(:init (at t ?x))", "2:14", ["`?x`"]),
        ("(:init (at pier t))", "2:12", ["type ship", "`pier` of type quay", ":init"]),
        ("(:init) (:goal (at t s))", "2:22", ["type quay", "`s` of type ship", ":goal"]),
        ("(:init (= t t))", "2:8", ["`=`"]),
        ("(:init (storm) (not (storm)))", "2:21", ["(storm)", "both"]),
        ("(:init storm)", "2:8", ["parentheses"]),
        ("(:init) (:goal (storm) (storm))", "2:9", ["one formula"]),
        ("(:init) (:goal (= t s))", "2:16", ["false equality"]),
        ("(:goal (storm))", "1:18", [":init"]),
        ("(:init) (:init)", "2:9", ["`:init`", "line 2"]),
        ("(:init (or (storm)))", "2:8", ["`or`"]),
        ("(:init (at (f) pier))", "2:12", ["function"]),
        ("(:init) (:goal (at t ?x))", "2:22", ["an object, found `?x`", "Name an object"]),
        ("(:init) (:goal (= (total-cost) 0))", "2:19", ["function"]),
        ("(:init) (:constants a)", "2:9", ["section of a problem, found `:constants`"]),
    ],
)
def test_errors_in_problems(port, body, place, fragments):
    error = refusal(problem_of(body), port)
    assert error.place == f"p.pddl:{place}"
    for fragment in fragments:
        assert fragment in str(error)


def test_negative_facts_are_read_as_absent(port):
    assert parse_problem(problem_of("(:init (not (storm)) (and (free pier)))"), port).init == {
        Atom("free", ("pier",))
    }


def test_objects(port, caplog):
    instance = parse_problem(problem_of("(:init)", "t s t - tug home - quay x"), port)
    assert instance.objects == {"home": "quay", "t": "tug", "s": "tug", "x": "object"}
    assert "the object `t` is listed twice" in caplog.text
    assert "type quay" in str(refusal(problem_of("(:init)", "home - tug"), port))
    assert "Did you mean tug?" in str(refusal(problem_of("(:init)", "t - tog"), port))


def test_an_untyped_domain_reads_typed_objects(caplog):
    domain = parse_domain("(define (domain port) (:predicates (free ?q)))")
    instance = parse_problem(problem_of("(:init (free pier))"), domain)
    assert instance.objects == {"t": "object", "s": "object", "pier": "object"}
    assert len(caplog.messages) == 1
    assert "declares no types" in caplog.text


def test_domain_name_of_a_problem(port, caplog):
    parse_problem("(define (problem p) (:domain PORT) (:init))", port)
    assert caplog.messages == []
    instance = parse_problem("(define (problem p) (:domain docks) (:init))", port)
    assert instance.domain_name == "docks"
    assert "`docks`" in caplog.text and "`port`" in caplog.text
    assert "(:domain name)" in str(refusal("(define (problem p) (:init))", port))


def test_domain_and_problem_in_each_others_place(port):
    assert "found a problem" in str(refusal(TASK))
    assert "found a domain" in str(refusal(PORT, port))
