"""Names are put to what was learned, in the domain and in all that is said of it alike."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given

from dias.config import LearningConfig
from dias.diff.domains import diff_domains
from dias.learning.certificate.support import (
    NO_OUTCOMES,
    ApartEffects,
    Doubt,
    LiteralSupport,
    Support,
)
from dias.learning.data.refusals import NO_ATTEMPTS
from dias.learning.finish.reference_names import with_names_of
from dias.learning.finish.renaming import free_names, renamed, with_readable_names
from dias.learning.learn import learn
from dias.learning.result import ActionEvidence, LearningResult
from dias.learning.schema import NETWORK
from dias.strips.model import ActionSchema, Atom, Domain, Parameter, Predicate
from dias.traces.record import LabelMode
from tests import strategies
from tests.learning.cases import benchmark, sampled

SYMBOLIC = LearningConfig(method="symbolic")


def resulting(domain, *evidence):
    return LearningResult(
        domain=domain, evidence=evidence, unobserved=(), method="symbolic", labels=LabelMode.NAMES,
        preconditions="safe", seed=0, n_steps=0, n_transitions=0,
    )  # fmt: skip


def atom(text):
    name, *terms = text.split()
    return Atom(name, tuple(terms))


PUT = ActionSchema(
    "put",
    (Parameter("?x1"), Parameter("?x2", ("box",)), Parameter("?x3", ("box",))),
    frozenset({atom("free ?x1")}), frozenset({atom("in ?x2 ?x3")}),
    frozenset({("k", "?x3")}), frozenset({("?x3", "?x2")}),
    frozenset({atom("in ?x2 ?x1")}), frozenset({atom("free k")}),
)  # fmt: skip
BOXES = Domain("d", {"box": "object"}, {"k": "box"}, (Predicate("free", (("object",),)),), (PUT,))
SUPPORT = Support(
    origin=NETWORK, n_extra=0, refusals=NO_ATTEMPTS, unexplained_lines=(), outcomes=NO_OUTCOMES,
    literals=(
        LiteralSupport("type", "?x2 - box", 1, None, 1, None),
        LiteralSupport("type", "?x3 - box", 1, None, 1, None),
        LiteralSupport("precondition", "(free ?x1)", 1, None, 1, None),
        LiteralSupport("precondition", "(seen ?x3)", 1, None, 1, None),
        LiteralSupport("precondition", "(not (in ?x2 ?x3))", 1, None, 1, 0.5),
        LiteralSupport("add", "(in ?x2 ?x1)", 1, 1, 1, None),
        LiteralSupport("delete", "(not (free k))", 1, 1, 1, None),
    ),
    weak=(Doubt(("(free ?x1)",), 0.5, ("(not (= ?x3 ?x2))",)),),
    missing=Doubt(("(by ?x1 ?x4)", "(by ?x5 ?x4)"), 0.5),
    fixed=(("?x3", "b"),),
    doubtful=Doubt(("?x3 - box",), 0.25),
    left_out=("(not (in ?x3 ?x2))",),
    may_be_needed=("(not (in ?x3 ?x2))",),
    implied=("(not (= ?x3 ?x2))",),
    further=(("(near ?x4 ?x1)",), ("(seen ?x4)", "(by ?x2 ?x4)")),
)  # fmt: skip
EVIDENCE = ActionEvidence(
    "put", 1, 1, 0, 0, SUPPORT, (ApartEffects(("(in ?x2 ?x1)", "(not (free k))"), 0, 1, 0.1),),
    kinds={"?x2": "box"},
)  # fmt: skip
NEW = {"?x3": "?x5", "?x1": "?a", "?x2": "?x1"}


def test_everything_that_mentions_a_parameter_is_renamed():
    found = renamed(resulting(BOXES, EVIDENCE), {"put": NEW})
    assert found.domain == replace(BOXES, actions=(ActionSchema(
        "put",
        (Parameter("?x5", ("box",)), Parameter("?a"), Parameter("?x1", ("box",))),
        frozenset({atom("free ?a")}), frozenset({atom("in ?x1 ?x5")}),
        frozenset({("k", "?x5")}), frozenset({("?x5", "?x1")}),
        frozenset({atom("in ?x1 ?a")}), frozenset({atom("free k")}),
    ),))  # fmt: skip
    [own] = found.evidence
    assert own.kinds == {"?x1": "box"}
    assert own.apart[0].literals == ("(in ?x1 ?a)", "(not (free k))")
    assert [literal.text for literal in own.support.literals] == [
        "?x5 - box", "?x1 - box", "(free ?a)", "(seen ?x5)", "(not (in ?x1 ?x5))",
        "(in ?x1 ?a)", "(not (free k))",
    ]  # fmt: skip
    assert own.support.literals[4] == LiteralSupport(
        "precondition", "(not (in ?x1 ?x5))", 1, None, 1, 0.5
    )
    assert own.support.weak == (Doubt(("(free ?a)",), 0.5, ("(not (= ?x5 ?x1))",)),)
    # ?x5 was none of the schema's and is now, so another one stands for it.
    assert own.support.missing == Doubt(("(by ?a ?x4)", "(by ?x2 ?x4)"), 0.5)
    assert own.support.fixed == (("?x5", "b"),)
    assert own.support.doubtful == Doubt(("?x5 - box",), 0.25)
    assert own.support.left_out == own.support.may_be_needed == ("(not (in ?x5 ?x1))",)
    assert own.support.implied == ("(not (= ?x5 ?x1))",)
    assert own.support.further == (("(near ?x4 ?a)",), ("(seen ?x4)", "(by ?x1 ?x4)"))


def test_what_has_no_new_names_stays():
    rest = ActionEvidence("never", 0, 0, 0, 0)
    result = resulting(BOXES, EVIDENCE, rest)
    assert renamed(result, {}) == result
    bare = resulting(BOXES, replace(EVIDENCE, support=None), rest)
    [own, other] = renamed(bare, {"put": NEW}).evidence
    assert (own.support, other) == (None, rest)
    sparse = replace(SUPPORT, missing=None, doubtful=None)
    [own] = renamed(resulting(BOXES, replace(EVIDENCE, support=sparse)), {"put": NEW}).evidence
    assert (own.support.missing, own.support.doubtful) == (None, None)


def test_literals_stand_in_the_order_of_the_file():
    """Sorted by their new names, the positive ones first."""
    [own] = renamed(
        resulting(BOXES, EVIDENCE), {"put": {"?x1": "?z", "?x2": "?y", "?x3": "?x"}}
    ).evidence
    texts = [literal.text for literal in own.support.literals]
    assert texts[:2] == ["?y - box", "?x - box"]
    assert texts[2:5] == ["(free ?z)", "(seen ?x)", "(not (in ?y ?x))"]


def test_a_name_that_is_taken_gets_another_number():
    assert free_names(["?a", "?b"], ["?c"]) == {"?a": "?a", "?b": "?b"}
    assert free_names(["?ball", "?x2"], ["?ball", "?x2", "?x1"]) == {
        "?ball": "?ball1", "?x2": "?x3",
    }  # fmt: skip
    # The second may not be called as the first was renamed.
    assert free_names(["?ball2", "?ball"], ["?ball2"]) == {"?ball2": "?ball", "?ball": "?ball1"}


def test_names_of_kinds_in_the_order_of_effects():
    result = with_readable_names(resulting(BOXES, EVIDENCE))
    assert result.domain.action("put").variables == ("?x1", "?box", "?x2")
    given = with_readable_names(resulting(BOXES, replace(EVIDENCE, n_given=3)))
    assert given.domain.action("put").variables == ("?x1", "?box", "?x2")


@pytest.fixture(scope="module")
def gripper():
    domain, instances = benchmark("gripper", "p01")
    traces = sampled(domain, instances, 30)
    return domain, {
        kind: learn(traces, replace(SYMBOLIC, preconditions=kind))
        for kind in ("concise", "minimal", "safe")
    }


def test_the_static_relation_counts_whether_it_is_written_or_not(gripper):
    """A minimal schema does not say that balls are balls: nothing else is carried."""
    _, results = gripper
    assert Atom("ball", ("?ball",)) in results["concise"].domain.action("drop").preconditions
    assert "ball" not in {
        a.predicate for a in results["minimal"].domain.action("drop").preconditions
    }
    for result in results.values():
        assert {action.name: action.variables for action in result.domain.actions} == {
            "drop": ("?ball", "?gripper", "?room"),
            "move": ("?from-room", "?to-room"),
            "pick": ("?ball", "?gripper", "?room"),
        }
        for own in result.evidence:
            literals = " ".join(literal.text for literal in own.support.literals)
            found = set(re.findall(r"\?[\w-]+", literals))
            assert found == set(result.domain.action(own.action).variables) == set(own.kinds)


def test_the_names_and_the_order_of_a_reference(gripper):
    true, results = gripper
    for kind, result in results.items():
        found = with_names_of(result, true)
        assert diff_domains(result.domain, found.domain).is_equal
        for schema in true.actions:
            assert found.domain.action(schema.name).variables == schema.variables
        if kind == "minimal":  # the others say more
            assert all(
                found.domain.action(schema.name).preconditions <= schema.preconditions
                for schema in true.actions
            )
        for own in found.evidence:
            texts = [literal.text for literal in own.support.literals]
            schema = true.action(own.action)
            assert {str(atom) for atom in schema.add_effects} <= set(texts)


def test_what_the_reference_lacks_keeps_its_name():
    predicates = (Predicate("at", (("object",),) * 2),)
    learned = Domain("d", {}, {}, predicates, (
        ActionSchema("go", (Parameter("?to"), Parameter("?car"), Parameter("?new")),
                     frozenset({atom("new ?new"), atom("by ?new ?to")}),
                     add_effects=frozenset({atom("at ?car ?to")})),
        ActionSchema("stay", (Parameter("?car"),)),
    ))  # fmt: skip
    true = Domain("d", {}, {}, predicates, (
        ActionSchema("go", (Parameter("?new"), Parameter("?t")),
                     add_effects=frozenset({atom("at ?new ?t")})),
        ActionSchema("rest", (Parameter("?z"),)),
    ))  # fmt: skip
    evidence = [ActionEvidence(name, 1, 1, 0, 0) for name in ("go", "stay")]
    go, stay = with_names_of(resulting(learned, *evidence), true).domain.actions
    assert go.variables == ("?new", "?t", "?new1")
    assert go.preconditions == {atom("new ?new1"), atom("by ?new1 ?t")}
    assert go.add_effects == {atom("at ?new ?t")}
    assert stay.variables == ("?car",)
    # What the traces give keeps its place.
    given = [replace(own, n_given=1) for own in evidence]
    go, _ = with_names_of(resulting(learned, *given), true).domain.actions
    assert go.variables == ("?t", "?new", "?new1")


@given(strategies.domains(), strategies.domains())
def test_whatever_the_reference_is_nothing_but_names_changes(domain, reference):
    evidence = [ActionEvidence(action.name, 1, 1, 0, 0) for action in domain.actions]
    result = resulting(domain, *evidence)
    for found in (with_names_of(result, reference), with_readable_names(result)):
        assert diff_domains(domain, found.domain).is_equal
        assert replace(found, domain=domain, evidence=result.evidence) == result
        for action in found.domain.actions:
            assert len(set(action.variables)) == action.arity == domain.action(action.name).arity
