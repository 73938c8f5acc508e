"""The comparison of two domains as text: side by side, in one column, and as JSON."""

from __future__ import annotations

import json

from hypothesis import given, settings

from dias.diff.domains import diff_domains
from dias.report.diff.lines import MARKS, diff_json, diff_lines
from dias.report.diff.rows import LEFT, PLAIN, RIGHT
from dias.strips.model import Domain, Predicate
from tests.diff.cases import schema
from tests.strategies import domains

P, Q = Predicate("p", (("object",),)), Predicate("q", (("object",), ("object",)))
TRUE = Domain("d", predicates=(P, Q), actions=(
    schema("b, t", ["p b", "q b t"], ["not p b"], name="go"),
))  # fmt: skip
LEARNED = Domain("d", predicates=(P, Q), actions=(
    schema("x1, x2", ["p x2", "q x2 x1", "not q x1 x2", "not = x1 x2"], ["p x1"], name="go"),
))  # fmt: skip


def text(left, right, width=80):
    """The lines as text."""
    lines = diff_lines(diff_domains(left, right), "true.pddl", "learned.pddl", width)
    return ["".join(text for text, _ in line).rstrip() for line in lines]


def test_side_by_side():
    lines = text(TRUE, LEARNED)
    assert [line.split("|") for line in lines[:14]] == [
        [f"{left:<22} ", f" {right}".rstrip()]
        for left, right in [
            ("- true.pddl", "+ learned.pddl"),
            ("", ""),
            ("  (:action go", "  (:action go"),
            ("    :parameters", "    :parameters"),
            ("      ?b", "      ?x2"),
            ("      ?t", "      ?x1"),
            ("    :precondition", "    :precondition"),
            ("      (p ?b)", "      (p ?x2)"),
            ("      (q ?b ?t)", "      (q ?x2 ?x1)"),
            ("", "+     (not (q ?x1 ?x2))"),
            ("", "+     (not (= ?x1 ?x2))"),
            ("    :effect", "    :effect"),
            ("-     (not (p ?b))", ""),
            ("", "+     (p ?x1)"),
        ]
    ]


def test_in_one_column():
    """Common literals once, and all in the names of the left side."""
    lines = text(TRUE, LEARNED, 40)
    assert lines[:18] == [
        "- true.pddl",
        "+ learned.pddl",
        "",
        "  (:action go",
        "    :parameters",
        "      ?b = ?x2",
        "      ?t = ?x1",
        "    :precondition",
        "      (p ?b)",
        "      (q ?b ?t)",
        "+     (not (q ?t ?b))",
        "+     (not (= ?b ?t))",
        "    :effect",
        "-     (not (p ?b))",
        "+     (p ?t)",
        "",
        "action  arity  -pre  -eff  +pre  +eff",
        "go          2     0     1     2     1",
    ]
    assert lines[-1] == "Not equal: 1 of 1 actions differ."


def test_the_summary():
    lines = text(TRUE, LEARNED)[-4:]
    assert lines == [
        "",
        "Only in true.pddl (-): 0 preconditions, 1 effect.",
        "Only in learned.pddl (+): 2 preconditions, 1 effect.",
        "Not equal: 1 of 1 actions differ.",
    ]
    assert text(TRUE, TRUE)[-1] == "Equal up to the names of parameters."
    renamed = Domain("d", predicates=(P, Predicate("r", Q.types)), actions=(
        schema("b, t", ["p b", "r b t"], ["not p b"], name="go"),
    ))  # fmt: skip
    lines = text(TRUE, renamed, 40)
    assert lines[-2:] == ["Equal up to the names of parameters and", "predicates."]
    assert "    (q ?x1 ?x2) = (r ?x1 ?x2)" in lines
    more = Domain("d", predicates=(P, Q), actions=(
        schema("b, t", ["p b"], ["not p b"], name="go"),
    ))  # fmt: skip
    assert text(TRUE, more)[-2:] == [
        "Not equal: 1 of 1 actions differ.", "All effects are the same.",
    ]  # fmt: skip


def test_nothing_to_compare():
    empty = Domain("d")
    assert text(empty, empty)[-1] == "Equal up to the names of parameters."
    assert text(empty, TRUE)[-1] == "Not equal: predicates, 1 of 1 actions differ."


def test_declarations_show_where_they_differ():
    typed = Domain("d", {"t": "object"}, {"k": "t"}, (Predicate("p", (("t",),)), Q), (
        schema("b - t, t", ["p b", "q b t"], ["not p b"], name="go"), schema("", name="stop"),
    ))  # fmt: skip
    lines = text(TRUE, typed, 30)
    assert lines[3:11] == [
        "  (:types",
        "+   t - object",
        "",
        "  (:constants",
        "+   k - t",
        "",
        "  (:predicates",
        "-   (p ?x1)",
    ]
    assert lines[15:17] == ["-     ?b", "+     ?b - t"]
    assert "+ (:action stop" in lines
    assert "Not equal: types, constants," in lines


@settings(deadline=None, max_examples=30)
@given(left=domains(), right=domains())
def test_lines_fit_or_stand_alone(left, right):
    """Side by side only if that fits; every line that has a style shows it by its mark."""
    diff = diff_domains(left, right)
    for width in (1, 30, 50, 80, 200):
        lines = diff_lines(diff, "a/left.pddl", "right.pddl", width)
        beside = any(len(line) == 3 for line in lines)
        for line in lines:
            if beside:
                assert sum(len(text) for text, _ in line) <= width
            for part, style in line:
                if style in (LEFT, RIGHT):
                    assert part.startswith(MARKS[style])
                assert style != PLAIN or part[:2] not in ("+ ", "- ")


def test_json():
    value = diff_json(diff_domains(TRUE, LEARNED), "true.pddl", "learned.pddl")
    assert json.loads(json.dumps(value)) == value
    assert (value["left"], value["right"], value["equal"]) == ("true.pddl", "learned.pddl", False)
    [go] = value["actions"]
    assert go["parameters"] == [
        {"left": "?b", "right": "?x2", "equal": True},
        {"left": "?t", "right": "?x1", "equal": True},
    ]
    assert go["precondition"][1:] == [
        {"left": "(q ?b ?t)", "right": "(q ?x2 ?x1)", "equal": True},
        {"left": None, "right": "(not (q ?x1 ?x2))", "equal": False},
        {"left": None, "right": "(not (= ?x1 ?x2))", "equal": False},
    ]
    assert [row["left"] for row in go["effect"]] == ["(not (p ?b))", None]
    assert go["best_match"] is True
    assert value["predicates"][0] == {"left": "(p ?x1)", "right": "(p ?x1)", "equal": True}


def test_a_parameter_in_the_place_of_a_constant():
    fixed = Domain("d", {}, {"k": "object"}, (P, Q), (schema("b", ["q b k"], ["p k"], "go"),))
    free = Domain("d", predicates=(P, Q), actions=(schema("x, y", ["q x y"], ["p y"], "go"),))
    for left, right, files in (
        (fixed, free, ("learned.pddl", "true.pddl")),
        (free, fixed, ("true.pddl", "learned.pddl")),
    ):
        lines = text(left, right, 100)
        said = f"go: ?y of {files[0]} stands where {files[1]} has the constant k."
        assert lines[-2:] == [said, "Not equal: constants, 1 of 1 actions differ."]
    value = diff_json(diff_domains(fixed, free), "true.pddl", "learned.pddl")
    assert value["constants"] == [{"left": "k - object", "right": None, "equal": False}]
    assert value["actions"][0]["constants"] == [{"left": "k", "right": "?y"}]
    assert diff_json(diff_domains(fixed, fixed), "a", "b")["actions"][0]["constants"] == []
