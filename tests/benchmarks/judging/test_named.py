"""Which wrong literals a certificate names."""

from __future__ import annotations

import pytest

from benchmarks.judging.literals import named_differences
from dias.diff.domains import diff_domains
from dias.strips.pddl.reader import parse_domain

SUPPORT = {
    "literals": [
        {"literal": "(q ?b)", "word": "untested"},
        {"literal": "(p ?a)", "word": "decided"},
    ],
    "implied": ["(not (= ?b ?a))"],
    "may_be_needed": ["(not (s ?a))"],
    "open": ["(not (q ?a))"],
    "further_parameters": [["(q ?x3)", "(r ?x3 ?a)"], ["(r ?b ?x3)"]],
}


def domain(parameters, *preconditions):
    return parse_domain(
        "(define (domain d) (:predicates (p ?x) (q ?x) (s ?x) (r ?x ?y) (t ?x))"
        f"(:action go :parameters ({parameters}) :precondition (and {' '.join(preconditions)})"
        " :effect (and (t ?a) (not (t ?b)))))".replace("?a", parameters.split()[0]).replace(
            "?b", parameters.split()[1]
        )
    )


@pytest.mark.parametrize(
    ("true", "named"),
    [
        (("(p ?c)", "(not (= ?c ?d))"), ["(not (= ?b ?a))"]),  # in whatever order
        (("(p ?c)", "(not (s ?c))"), ["(not (s ?a))"]),
        (("(p ?c)", "(not (s ?d))"), []),
        (("(p ?c)", "(not (q ?c))"), ["(not (q ?a))"]),
        (("(p ?c)", "(r ?e ?c)"), ["(r ?x3 ?a)"]),  # whatever the new one is called
        (("(p ?c)", "(r ?c ?e)"), []),
        (("(p ?c)", "(r ?e ?c)", "(q ?e)"), ["(q ?x3)", "(r ?x3 ?a)"]),
        (("(p ?c)", "(s ?e)"), []),
        (("(p ?c)",), []),
    ],
)
def test_what_is_missing(true, named):
    (diff,) = diff_domains(domain("?a ?b", "(p ?a)"), domain("?c ?d ?e", *true)).actions
    assert named_differences(diff, SUPPORT, too_much=True, too_little=False) == named
    assert named_differences(diff, SUPPORT, too_much=False, too_little=False) == []


@pytest.mark.parametrize(("own", "named"), [("(q ?b)", ["(q ?b)"]), ("(p ?a)", []), ("(s ?a)", [])])
def test_what_is_too_much(own, named):
    """Only what the certificate does not call decided."""
    (diff,) = diff_domains(domain("?a ?b", own), domain("?c ?d")).actions
    assert named_differences(diff, SUPPORT, too_much=False, too_little=True) == named
    assert named_differences(diff, SUPPORT, too_much=True, too_little=False) == []


def test_an_inequality_too_much_in_whatever_order():
    support = SUPPORT | {"literals": [{"literal": "(not (= ?b ?a))", "word": "doubtful"}]}
    (diff,) = diff_domains(domain("?a ?b", "(not (= ?a ?b))"), domain("?c ?d")).actions
    found = named_differences(diff, support, too_much=False, too_little=True)
    assert found == ["(not (= ?b ?a))"]


def test_what_is_matched_for_want_of_another_is_lacking():
    """The learned ?e has nothing in common with the true one: that one is a further parameter."""
    learned, true = domain("?a ?b ?e", "(q ?e)"), domain("?c ?d ?f", "(r ?f ?c)")
    (diff,) = diff_domains(learned, true).actions
    assert named_differences(diff, SUPPORT, too_much=True, too_little=False) == ["(r ?x3 ?a)"]
