"""Domains as they are read."""

from __future__ import annotations

import subprocess
import sys

import pytest

from dias.errors import PDDLInputError
from dias.strips.model import Atom, Domain, Instance, Parameter, Predicate
from dias.strips.pddl.reader import parse_domain, parse_problem, read_domain, read_problem
from tests.hashing import printed_elsewhere
from tests.strips.pddl.port import PORT, TASK, domain_of, problem_of, refusal


def test_domain_in_the_order_of_the_file(port):
    assert port.name == "port"
    assert port.types == {"ship": "object", "quay": "object", "tug": "ship"}
    assert port.constants == {"home": "quay"}
    assert port.predicates == (
        Predicate("at", (("ship",), ("quay",))),
        Predicate("free", (("quay",),)),
        Predicate("storm"),
    )
    (sail,) = port.actions
    assert sail.parameters == (
        Parameter("?s", ("ship",)),
        Parameter("?a", ("quay",)),
        Parameter("?b", ("quay",)),
    )
    assert sail.preconditions == {Atom("at", ("?s", "?a")), Atom("free", ("?b",))}
    assert sail.add_effects == {Atom("at", ("?s", "?b")), Atom("free", ("?a",))}
    assert sail.delete_effects == {Atom("at", ("?s", "?a")), Atom("free", ("?b",))}


def test_the_smallest_files():
    domain = parse_domain("(define (domain d))")
    assert domain == Domain("d")
    smallest = parse_problem("(define (problem p) (:domain d) (:init))", domain)
    assert smallest == Instance("p", "d", {}, frozenset(), has_goal=False)


def test_files_are_read_whatever_their_line_ends(tmp_path, port):
    domain, problem = tmp_path / "d.pddl", tmp_path / "p.pddl"
    domain.write_bytes(b"\xef\xbb\xbf; Zo\xc3\xab\r\n" + PORT.replace("\n", "\r\n").encode())
    problem.write_bytes(TASK.replace("\n", "\r").encode())
    assert read_domain(domain) == port
    assert read_problem(problem, port) == parse_problem(TASK, port)
    with pytest.raises(PDDLInputError, match=r"missing\.pddl: .*found nothing"):
        read_domain(tmp_path / "missing.pddl")


def test_case_does_not_matter(port):
    assert parse_domain(PORT.upper()) == port
    assert parse_problem(TASK.upper(), port) == parse_problem(TASK, port)


def test_names_that_parsers_reserve():
    domain = parse_domain(
        "(define (domain 1-d) (:types at over - define) (:predicates (object ?x - at) (at)"
        " (start_ ?domain - over))"
        " (:action object :parameters (?object ?at - at ?1 - over)"
        " :precondition (object ?object) :effect (start_ ?1)))"
    )
    assert domain.name == "1-d"
    assert [predicate.name for predicate in domain.predicates] == ["object", "at", "start_"]
    (action,) = domain.actions
    assert action.name == "object"
    assert action.variables == ("?object", "?at", "?1")
    assert action.preconditions == {Atom("object", ("?object",))}
    assert action.add_effects == {Atom("start_", ("?1",))}


def test_names_in_two_roles_are_kept_apart(caplog):
    domain = parse_domain(
        "(define (domain d) (:requirements :typing) (:types cart) (:predicates (cart ?c - cart))"
        " (:action cart :parameters (?cart - cart) :effect (cart ?cart)))"
    )
    assert domain.action("cart").add_effects == {Atom("cart", ("?cart",))}
    assert "cart (type, predicate, action)" in caplog.text
    instance = parse_problem(
        "(define (problem d) (:domain d) (:objects cart - cart) (:init (cart cart)))", domain
    )
    assert instance.init == {Atom("cart", ("cart",))}
    assert "cart (object, type, predicate, action)" in caplog.text


def test_non_ascii_and_odd_names_are_kept(port):
    instance = parse_problem(
        problem_of("(:init (at 1st- nordøst))", "1st- - tug nordøst a.1 - quay"), port
    )
    assert set(instance.objects) == {"home", "1st-", "nordøst", "a.1"}
    domain = parse_domain(domain_of("(:action take/1.5+#! :parameters () :effect (and))"))
    assert domain.actions[0].name == "take/1.5+#!"


@pytest.mark.parametrize(
    "formula",
    ["(and (p ?x) (not (q ?x ?y)))", "(and (and (p ?x)) (and) (not (not (not (q ?x ?y)))))",
     "(and (not (and (q ?x ?y))) (p ?x) (p ?x))"],
)  # fmt: skip
def test_conjunctions_are_flattened_and_double_negations_removed(formula):
    text = f"(:action a :parameters (?x ?y) :precondition {formula} :effect {formula})"
    (action,) = parse_domain(domain_of(text)).actions
    assert action.preconditions == action.add_effects == {Atom("p", ("?x",))}
    assert action.negative_preconditions == action.delete_effects == {Atom("q", ("?x", "?y"))}


@pytest.mark.parametrize("precondition", ["", ":precondition ()", ":precondition (and)"])
@pytest.mark.parametrize("effect", ["", ":effect ()", ":effect (and)"])
def test_empty_and_missing_bodies(precondition, effect, caplog):
    (action,) = parse_domain(
        domain_of(f"(:action a :parameters () {precondition} {effect})")
    ).actions
    assert not action.preconditions | action.add_effects | action.delete_effects
    assert "the action `a` has no effect" in caplog.text


def test_parts_of_an_action_in_any_order():
    (action,) = parse_domain(domain_of("(:action a :effect (p ?x) :parameters (?x))")).actions
    assert action.add_effects == {Atom("p", ("?x",))}


def test_equality():
    body = (
        "(:action a :parameters (?x ?y) :precondition (and (= ?y ?x) (not (= ?y k))) :effect (p k))"
    )
    head = "(:constants k) (:predicates (p ?x))"
    (action,) = parse_domain(domain_of(body, head)).actions
    assert action.equalities == {("?x", "?y")}
    assert action.inequalities == {("?y", "k")}
    assert action.preconditions == frozenset()


def test_either_types():
    domain = parse_domain(
        "(define (domain d) (:types b a - object) (:predicates (p ?x - (either b a) ?y - b))"
        "(:action m :parameters (?z - (either b a)) :effect (p ?z ?z)))"
    )
    assert domain.predicates == (Predicate("p", (("a", "b"), ("b",))),)
    assert domain.actions[0].parameters == (Parameter("?z", ("a", "b")),)


def test_trailing_group_of_types(caplog):
    domain = parse_domain(
        "(define (domain d) (:requirements :typing) (:types person\n a b - shape))"
    )
    assert domain.types == {
        "person": "shape", "a": "shape", "b": "shape", "shape": "object",
    }  # fmt: skip
    assert any("1:52" in m and "`person`" in m and "`a`" not in m for m in caplog.messages)
    assert any("`shape` is only used as a parent" in message for message in caplog.messages)


def test_type_hierarchies(caplog):
    domain = parse_domain("(define (domain d) (:types a - b a b - object c - c object))")
    assert domain.types == {"a": "b", "b": "object", "c": "object"}
    assert "`c` is its own parent" in caplog.text
    error = refusal("(define (domain d)\n (:types a - b b - c c - b))")
    assert "`b` - `c` - `b`" in error.problem
    assert error.place.startswith("d.pddl:2:")
    assert "found `b` and `c`" in str(refusal("(define (domain d) (:types a - b a - c))"))
    assert "root type" in str(refusal("(define (domain d) (:types object - a))"))


def test_deep_nesting_and_long_lists_are_no_problem(port):
    depth = 20_000
    text = f"(:action a :parameters (?x) :effect {'(and ' * depth}(p ?x){')' * depth})"
    assert parse_domain(domain_of(text)).actions[0].add_effects == {Atom("p", ("?x",))}
    facts = " ".join(f"(free q{i})" for i in range(5000))
    names = " ".join(f"q{i}" for i in range(5000))
    assert len(parse_problem(problem_of(f"(:init {facts})", f"{names} - quay"), port).init) == 5000


def test_hash_seeds_do_not_change_the_order():
    text = (
        "(define (domain d) (:types b a c) (:constants z y x) (:predicates (q) (p) (r))"
        " (:action n) (:action m) (:action l))"
    )
    here = repr(parse_domain(text))
    code = f"from dias.strips.pddl.reader import parse_domain; print(parse_domain({text!r}))"
    assert printed_elsewhere(code) == here + "\n"
    assert "'b': 'object', 'a': 'object', 'c': 'object'" in here


def test_importing_the_reader_does_not_import_pddl():
    code = "import sys, dias.strips.pddl.reader; print('pddl' in sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout == "False\n"


def test_predicates_of_a_domain_by_name(port):
    assert port.predicate("free") == Predicate("free", (("quay",),))
    with pytest.raises(KeyError):
        port.predicate("none")
