"""Odd PDDL of the kinds that people of the field really meet, through the commands.

Each is either read, with the warnings it deserves and with the right ground actions, or refused
with one message that has a place and leaves nothing written.
"""

from __future__ import annotations

import json
import os
from typing import NamedTuple

import pytest

from tests.cases.commands import DOMAIN_READERS, EVALUATE, PROBLEM_READERS, SAMPLE, STATES, put
from tests.cli.helpers import DOMAIN, PROBLEM, call, dias, is_one_error, strict_json

NO_OBJECT_TWICE = "rose leek - bed"
GOAL = "(:goal (and (wet rose) (wet leek) (shut south)))"


class Read(NamedTuple):
    """An odd pair of files that is right.

    Attributes:
        domain: The domain text.
        problem: The problem text.
        first: Action name to the number of its outcomes in the initial state.
        objects: The number of objects.
        warnings: What must be said, one fragment a warning, in any order.
    """

    domain: str | bytes
    problem: str | bytes
    first: dict[str, int] = {"turn-on": 2}  # noqa: RUF012 (never changed)
    objects: int = 4
    warnings: tuple[str, ...] = ()


def lines_but(text: str, word: str) -> str:
    """The text without the lines that hold a word."""
    return "".join(line for line in text.splitlines(keepends=True) if word not in line)


# Read as if they were the plain garden: the sampler's traces are the same, byte for byte.
SAME = {
    "letter case": Read(
        DOMAIN.replace("(wet ?b - bed)", "(Wet ?B - BED)").replace("(:action sun", "(:ACTION Sun"),
        PROBLEM.replace("(:init (shut", "(:INIT (SHUT").replace("(dry rose)", "(dry ROSE)"),
    ),
    "comments": Read(
        "; head ) of (\n"
        + DOMAIN.replace("(:types tank", "(:types ; (none\n tank;x\n ")
        + "; end )",
        PROBLEM.rstrip() + ";)",
    ),
    "line ends, byte-order mark, accents in a comment": Read(
        ("\ufeff; by Zoë – 张\n" + DOMAIN).replace("\n", "\r\n").encode(),
        PROBLEM.replace("\n", "\r").encode(),
    ),
    "no requirements": Read(
        lines_but(DOMAIN, ":requirements").replace("?b) (dry ?b))", "?b) (dry ?b) (not (wet ?b)))"),
        PROBLEM,
        warnings=("not declared as requirements: :negative-preconditions :typing",),
    ),
    "negative goal": Read(DOMAIN, PROBLEM.replace(GOAL, "(:goal (and (not (dry leek))))")),
    "empty goal": Read(DOMAIN, PROBLEM.replace(GOAL, "(:goal (and))")),
    "goal without and": Read(DOMAIN, PROBLEM.replace(GOAL, "(:goal (wet leek))")),
    "domain name in another case": Read(
        DOMAIN, PROBLEM.replace("(:domain garden)", "(:domain GARDEN)")
    ),
    "another domain name": Read(
        DOMAIN,
        PROBLEM.replace("(:domain garden)", "(:domain orchard)"),
        warnings=("the problem is for domain `orchard`, read with `garden`",),
    ),
    "an object twice": Read(
        DOMAIN,
        PROBLEM.replace("rose leek - bed", "rose leek rose - bed"),
        warnings=("p.pddl:2:42: the object `rose` is listed twice",),
    ),
}

ODD = {
    "names with letters beyond ASCII": Read(DOMAIN, PROBLEM.replace("rose", "røse")),
    "names with digits, hyphens, underscores": Read(
        DOMAIN.replace("garden", "7-gardens").replace("pipe", "pipe_2-way"),
        PROBLEM.replace("garden", "7-gardens").replace("pipe", "pipe_2-way")
        .replace("rose", "1st-bed").replace("south", "s-_-"),
    ),
    "object among the types": Read(
        """(define (domain pets) (:requirements :typing) (:types cat object mat)
        (:predicates (near ?a ?b - object) (awake ?c - cat) (thing ?x))
        (:action leap :parameters (?c - cat ?a ?b - object)
         :precondition (and (awake ?c) (near ?a ?b)) :effect (not (near ?a ?b))))""",
        """(define (problem p) (:domain pets) (:objects tom - cat m - mat box jar)
        (:init (awake tom) (near m box) (near box jar) (thing jar)) (:goal (and)))""",
        {"leap": 2},
    ),
    "types declared child first": Read(
        DOMAIN.replace(
            "(:types tank bed)", "(:types clay-bed sand-bed - bed bed - place tank place - object)"
        ),
        PROBLEM.replace(NO_OBJECT_TWICE, "rose - clay-bed leek - sand-bed"),
    ),
    "a type that the grammar puts under a parent": Read(
        """(define (domain field) (:requirements :typing)
  (:types farmer
          clay sand - soil)
  (:predicates (soft ?s - soil))
  (:action till :parameters (?s - soil) :precondition (not (soft ?s)) :effect (soft ?s)))""",
        """(define (problem p) (:domain field) (:objects ann - farmer c - clay s - sand)
        (:init) (:goal (soft s)))""",
        {"till": 3},
        3,
        (
            "domain.pddl:2:11: read as subtypes of `soil`, as are all names before `- soil`: `far",
            "the type `soil` is only used as a parent",
            "not declared as requirements: :negative-preconditions",
        ),
    ),
    "a type that is its own parent": Read(
        DOMAIN.replace("(:types tank bed)", "(:types tank bed - bed)").replace("- tank", "- bed"),
        PROBLEM.replace("north south - tank", "north south - bed"),
        warnings=("the type `bed` is its own parent; read as a root type",),
    ),
    "a parent that is not declared": Read(
        DOMAIN.replace("(:types tank bed)", "(:types tank bed - thing)"),
        PROBLEM,
        warnings=("the type `thing` is only used as a parent",),
    ),
    "constants in a schema": Read(
        """(define (domain well) (:requirements :typing) (:types tank bucket)
        (:constants well - tank) (:predicates (at ?b - bucket ?t - tank) (full ?b - bucket))
        (:action dip :parameters (?b - bucket) :precondition (at ?b well) :effect (full ?b))
        (:action carry :parameters (?b - bucket ?s ?t - tank) :precondition (at ?b ?s)
         :effect (and (at ?b ?t) (not (at ?b ?s)))))""",
        """(define (problem p) (:domain well) (:objects b - bucket t - tank)
        (:init (at b well)) (:goal (and (full b) (at b t))))""",
        {"dip": 1, "carry": 2},
        3,
    ),
    "one word in many roles, keywords as names": Read(
        """(define (domain reuse) (:requirements :typing) (:types bed tank)
        (:predicates (bed ?b - bed) (at ?t - tank ?b - bed) (start ?b - bed) (over ?a ?b - bed))
        (:action at :parameters (?at - tank ?end ?over - bed)
         :precondition (and (at ?at ?end) (over ?end ?over) (bed ?over))
         :effect (and (at ?at ?over) (not (at ?at ?end)))))""",
        """(define (problem reuse) (:domain reuse) (:objects tank - tank bed b2 - bed)
        (:init (bed b2) (at tank bed) (over bed b2) (start bed)) (:goal (at tank b2)))""",
        {"at": 1},
        3,
        (
            "domain.pddl:1:17: names used in several roles, which are kept apart: bed (type, ",
            "p.pddl:1:41: names used in several roles, which are kept apart: tank (object, type), ",
        ),
    ),
    "empty bodies": Read(
        """(define (domain lamps) (:requirements :strips) (:predicates (on ?l) (power))
        (:action a1 :parameters (?l) :precondition () :effect (on ?l))
        (:action a2 :parameters (?l) :effect (not (on ?l)))
        (:action a3 :parameters (?l) :precondition (and) :effect (and (on ?l)))
        (:action a4 :parameters () :precondition (power) :effect (not (power)))
        (:action a5 :parameters (?l) :precondition (on ?l) :effect ()))""",
        "(define (problem p) (:domain lamps) (:objects l) (:init (power)) (:goal (on l)))",
        {"a1": 1, "a2": 1, "a3": 1, "a4": 1},
        1,
        ("domain.pddl:6:18: the action `a5` has no effect",),
    ),
    "equality": Read(
        """(define (domain hops) (:requirements :strips) (:predicates (at ?x) (eq ?x ?y))
        (:action hop :parameters (?f ?t) :precondition (and (at ?f) (not (= ?f ?t)))
         :effect (and (at ?t) (not (at ?f))))
        (:action stay :parameters (?f ?t) :precondition (and (at ?f) (= ?f ?t))
         :effect (at ?t)))""",
        """(define (problem p) (:domain hops) (:objects a b c)
        (:init (at a) (eq a a) (eq b b)) (:goal (at c)))""",
        {"hop": 2, "stay": 1},
        3,
        ("not declared as requirements: :equality",),
    ),
    "objects that occur in no atom": Read(
        DOMAIN, PROBLEM.replace(NO_OBJECT_TWICE, "rose leek ghost1 ghost2 - bed"), objects=6
    ),
    "odd action names": Read(
        DOMAIN.replace("turn-on", "turn+on")
        .replace("turn-off", "turn/0.5")
        .replace("sun", "#sun!"),
        PROBLEM,
        {"turn+on": 2},
    ),
    "added and deleted at once": Read(
        """(define (domain post) (:requirements :strips) (:predicates (idle ?c) (sent ?m))
        (:action send :parameters (?m ?c) :precondition (idle ?c)
         :effect (and (not (idle ?c)) (idle ?c) (sent ?m))))""",
        "(define (problem p) (:domain post) (:objects m c) (:init (idle c)) (:goal (sent m)))",
        {"send": 2},
        2,
    ),
    "predicates of arity 0 and 3": Read(
        """(define (domain belts) (:requirements :typing) (:types spot way)
        (:predicates (power) (box ?a - spot) (belt ?a ?b - spot ?w - way))
        (:action start :parameters () :precondition (and) :effect (power))
        (:action shift :parameters (?a ?b - spot ?w - way)
         :precondition (and (power) (box ?a) (belt ?a ?b ?w))
         :effect (and (box ?b) (not (box ?a)))))""",
        """(define (problem p) (:domain belts) (:objects s1 s2 - spot e w - way)
        (:init (box s1) (belt s1 s2 e) (belt s2 s1 w)) (:goal (box s2)))""",
        {"start": 1},
    ),
}  # fmt: skip


def warnings(text: str) -> list[str]:
    return [line.removeprefix("warning: ") for line in text.splitlines() if "warning: " in line]


@pytest.mark.parametrize("name", [*SAME, *ODD])
def test_read(tmp_path, name):
    case = (SAME | ODD)[name]
    put(tmp_path, case.domain, case.problem)

    first = call(*EVALUATE, "--states", 1, "--json", cwd=tmp_path)
    outcomes = strict_json(first.out)["actions"]
    assert {action: score["true_positives"] for action, score in outcomes.items()} == case.first
    found = warnings(first.err)
    assert len(found) == len(case.warnings), found
    for fragment in case.warnings:
        assert any(fragment in warning for warning in found), found

    assert call(*EVALUATE, cwd=tmp_path).out.endswith("Sound: yes. Complete: yes.\n")
    planned = call("plan", "domain.pddl", "p.pddl", "--gt", "domain.pddl", cwd=tmp_path)
    assert planned.status == 0
    assert planned.err.endswith("valid in the true domain: yes\n")
    sampled = call(*SAMPLE, "-o", "t.jsonl", cwd=tmp_path)
    assert sampled.status == 0
    header = json.loads((tmp_path / "t.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert len(header["objects"]) == case.objects
    listed = call(*STATES, "-o", "states.jsonl", cwd=tmp_path)
    assert listed.status == 0
    head, *states = map(strict_json, (tmp_path / "states.jsonl").read_text("utf-8").splitlines())
    assert head["objects"] == header["objects"]
    assert states and len({tuple(state["state"]) for state in states}) == len(states)


@pytest.mark.parametrize("name", SAME)
def test_read_as_if_it_were_plain(tmp_path, name):
    put(tmp_path, DOMAIN)
    plain = call(*SAMPLE, cwd=tmp_path).out
    assert "\r" not in plain
    put(tmp_path, SAME[name].domain, SAME[name].problem)
    assert call(*SAMPLE, cwd=tmp_path).out == plain


@pytest.mark.parametrize("name", ODD)
def test_what_is_read_is_learned_and_written(tmp_path, name):
    """From traces with all arguments, which need no training."""
    put(tmp_path, ODD[name].domain, ODD[name].problem)
    call(*SAMPLE, "--labels", "full", "-o", "t.jsonl", cwd=tmp_path)
    learned = call("learn", "t.jsonl", "-o", "learned.pddl", cwd=tmp_path)
    assert learned.status == 0
    text = (tmp_path / "learned.pddl").read_text(encoding="utf-8")
    arguments = ("learned.pddl", "--gt", "domain.pddl", "--problem", "p.pddl", "--json")
    measured = strict_json(call("evaluate", *arguments, cwd=tmp_path).out)
    assert measured["sound"]
    if name == "types declared child first":
        assert "clay-bed sand-bed - bed" in text
        assert "bed - place" in text
    if name == "odd action names":
        assert [word for word in warnings(learned.err) if "is written" in word]
        assert len({line for line in text.splitlines() if line.startswith("  (:action")}) == 4
    if name == "added and deleted at once":
        assert text.count("(idle ?") == text[: text.index(":effect")].count("(idle ?")
    if name == "names with letters beyond ASCII":
        planned = call("plan", "learned.pddl", "p.pddl", cwd=tmp_path)
        assert "(water south røse)" in planned.out or "(water north røse)" in planned.out


def test_without_a_goal_all_but_planning_works(tmp_path):
    put(tmp_path, DOMAIN, PROBLEM.replace(GOAL, ""))
    assert call(*SAMPLE, cwd=tmp_path).status == 0
    assert call(*EVALUATE, cwd=tmp_path).status == 0
    is_one_error(call("plan", "domain.pddl", "p.pddl", cwd=tmp_path), "p.pddl: ", "goal")


TWICE = DOMAIN.rstrip()[:-1] + "\n  (:action sun :parameters () :effect (open north)))\n"
UNSUPPORTED = """\
(define (domain d) (:requirements :adl) (:predicates (p ?x) (q ?x))
  (:action act :parameters (?x)
    :precondition {}
    :effect {}){})
"""
ORDINARY = ("(p ?x)", "(q ?x)", "")
# Name to domain, problem and the words of the message.
WRONG = {
    "a cycle of types": (
        DOMAIN.replace("(:types tank bed)", "(:types tank bed a - b b - a)"),
        PROBLEM,
        ("domain.pddl:3:", "cycle", "`a`", "`b`", "Give one of them another parent"),
    ),
    "a parameter twice": (
        DOMAIN.replace("(?t - tank ?b - bed)\n    :pre", "(?t - tank ?t - bed)\n    :pre"),
        PROBLEM,
        ("domain.pddl:12:", "`?t` twice", "`water`", "Rename"),
    ),
    "an action twice": (TWICE, PROBLEM, ("domain.pddl:18:", "`sun`", "line 15", "line 18")),
    "commas": (
        DOMAIN,
        PROBLEM.replace("rose leek", "rose, leek"),
        ("p.pddl:2:36: ", "comma", "separates names by blanks"),
    ),
    "an undeclared predicate": (
        DOMAIN,
        PROBLEM.replace("(dry leek)", "(arid leek)"),
        ("p.pddl:3:", "`arid`", "Declare it"),
    ),
    "a wrong number of arguments": (
        DOMAIN, PROBLEM.replace("(dry leek)", "(dry leek rose)"), ("p.pddl:3:", "dry"),
    ),
    "an object that is not declared": (
        DOMAIN, PROBLEM.replace("(dry leek)", "(dry kale)"), ("p.pddl:3:", "`kale`"),
    ),
    "an object of another type": (
        DOMAIN, PROBLEM.replace("(dry leek)", "(dry south)"), ("p.pddl:3:", "`south`", "bed"),
    ),
    "a missing parenthesis": (
        DOMAIN.replace("(not (wet ?b)))))", "(not (wet ?b))))"),
        PROBLEM,
        ("domain.pddl:1:1", "Close it"),
    ),
    "a conditional effect": (
        UNSUPPORTED.format("(p ?x)", "(when (q ?x) (not (p ?x)))", ""), PROBLEM,
        ("domain.pddl:4:", "`when`", "`act`", "Rewrite it"),
    ),
    "a universal quantifier": (
        UNSUPPORTED.format("(forall (?y) (p ?y))", "(q ?x)", ""), PROBLEM,
        ("domain.pddl:3:", "`forall`", "`act`"),
    ),
    "a disjunction": (
        UNSUPPORTED.format("(or (p ?x) (q ?x))", "(q ?x)", ""), PROBLEM,
        ("domain.pddl:3:", "`or`", "`act`"),
    ),
    "a derived predicate": (
        UNSUPPORTED.format("(p ?x)", "(q ?x)", "\n  (:derived (q ?x) (p ?x))"), PROBLEM,
        ("domain.pddl:5:", "`:derived`", "`q`"),
    ),
    "a durative action": (
        UNSUPPORTED.format(*ORDINARY).replace("(:action", "(:durative-action"), PROBLEM,
        ("domain.pddl:2:", "`:durative-action`", "`act`"),
    ),
    "a number": (
        UNSUPPORTED.format("(p ?x)", "(increase (cost) 1)", ""), PROBLEM,
        ("domain.pddl:4:", "`increase`", "`act`"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_refused(tmp_path, name):
    """By every command alike, and nothing is written."""
    domain, problem, fragments = WRONG[name]
    put(tmp_path, domain, problem)
    before = sorted(os.listdir(tmp_path))
    readers = DOMAIN_READERS if fragments[0].startswith("domain.pddl") else PROBLEM_READERS
    for arguments in readers.values():
        is_one_error(call(*arguments, cwd=tmp_path), *fragments)
    assert sorted(os.listdir(tmp_path)) == before


def test_deep_nesting_is_no_crash(tmp_path):
    depth = 100_000
    put(
        tmp_path,
        "(define (domain deep) (:predicates (p ?x)) (:action a :parameters (?x) :precondition "
        + "(and " * depth + "(p ?x)" + ")" * depth + " :effect (not (p ?x))))",
        "(define (problem p) (:domain deep) (:objects a) (:init (p a)) (:goal (not (p a))))",
    )  # fmt: skip
    outcome = dias("plan", "domain.pddl", "p.pddl", cwd=tmp_path)
    assert outcome.status == 0
    assert outcome.out.startswith("(a a)\n")


def test_a_large_problem_is_read_and_sampled(tmp_path):
    """5,000 beds in 10,000 atoms."""
    beds = [f"b{number}" for number in range(5000)]
    atoms = " ".join(f"(dry {bed}) (pipe south {bed})" for bed in beds)
    problem = PROBLEM.replace("rose leek", f"rose leek {' '.join(beds)}")
    put(tmp_path, DOMAIN, problem.replace("(:init", f"(:init {atoms}"))
    outcome = call("sample", "domain.pddl", "p.pddl", "--min-per-action", 1,
                   "--max-per-action", 1, "-o", "t.jsonl", cwd=tmp_path)  # fmt: skip
    assert outcome.status == 0
    assert outcome.err == "t.jsonl: 4 transitions\n"
