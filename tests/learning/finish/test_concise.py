"""What `--preconditions concise`, the default, gives, from traces to domain and certificate."""

from __future__ import annotations

import pytest

from dias.config import LearningConfig
from dias.evaluation.evaluate import evaluate
from dias.learning.certificate import count_support
from dias.learning.learn import learn
from dias.strips.model import Atom
from dias.traces.infer_types import Types
from dias.traces.record import LabelMode
from tests.learning.cases import benchmark, sampled
from tests.traces.files import read


def by_kind(traces):
    return {
        kind: learn(traces, LearningConfig(method="symbolic", preconditions=kind))
        for kind in ("safe", "concise", "minimal")
    }


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        pytest.param(
            name,
            labels,
            marks=[pytest.mark.slow] * (name == "sokoban" and labels != LabelMode.FULL),
        )
        for name in ("blocks-3", "miconic", "sokoban")
        for labels in LabelMode
    ],
)
def test_right_in_larger_problems_with_few_negative_literals(name, labels):
    """In these walks no box of Sokoban was ever in the way of another."""
    domain, (training, test) = benchmark(name, "p01", "p02")
    results = by_kind(sampled(domain, [training], 20, labels))
    assert LearningConfig().preconditions == "concise"
    for kind, result in results.items():
        assert result.explains_everything and result.preconditions == kind
        evaluation = evaluate(result.domain, domain, [test], 150)
        assert evaluation.is_sound, kind
        wrong = {own for own, score in evaluation.pooled.actions.items() if not score.is_complete}
        # What is safe may allow too little: nobody got out on the lowest floor.
        assert wrong <= ({"unboard"} if (name, kind) == ("miconic", "safe") else set()), kind
    for safe in results["safe"].domain.actions:
        concise, minimal = (results[k].domain.action(safe.name) for k in ("concise", "minimal"))
        assert minimal.preconditions <= concise.preconditions
        if len(safe.parameters) > len(concise.parameters):  # a further one that is safe
            assert (name, safe.name) == ("miconic", "unboard") and labels != LabelMode.FULL
            continue
        assert concise.preconditions <= safe.preconditions
        gone = safe.preconditions - concise.preconditions  # what adjacency says once more
        assert {Atom(x.predicate, x.terms[::-1]) for x in gone} <= concise.preconditions
        assert concise.negative_preconditions <= safe.negative_preconditions
        assert concise.inequalities <= safe.inequalities
        assert len(concise.negative_preconditions) <= 1 < len(safe.negative_preconditions)


SHELF = {
    "dias": "trace/1", "labels": "full", "objects": dict.fromkeys("abc", "object"),
    "predicates": {"red": ["object"], "blue": ["object"], "held": ["object"]},
    "static": ["(red a)", "(blue b)", "(blue c)"],
}  # fmt: skip


def test_what_was_left_out_is_no_weak_point(monkeypatch):
    """Red things are never blue: together the two exclude b and c, and either would do."""
    monkeypatch.setattr(count_support, "infer_types", lambda traces: Types())
    results = by_kind(read(SHELF, {"state": [], "action": "(take a)", "next": ["(held a)"]}))

    def named(result):
        [own] = result.evidence
        return [text for doubt in own.support.weak for text in doubt.literals]

    assert {kind: named(result) for kind, result in results.items()} == {
        "safe": ["(red ?red)", "(not (blue ?red))"],
        "concise": ["(red ?red)"],
        "minimal": ["(red ?red)"],
    }


@pytest.mark.parametrize("kind", ["concise", "minimal"])
def test_the_certificate_is_about_literals_of_the_file(kind):
    domain, [training] = benchmark("gripper", "p01")
    traces = sampled(domain, [training], 3)
    result = learn(traces, LearningConfig(method="symbolic", preconditions=kind))
    n_weak = 0
    for evidence in result.evidence:
        action = result.domain.action(evidence.action)
        support = evidence.support
        conditions = {one.text for one in support.literals if one.role == "precondition"}
        written = {str(atom) for atom in action.preconditions}
        written |= {f"(not {atom})" for atom in action.negative_preconditions}
        written |= {f"(not (= {x} {y}))" for x, y in action.inequalities}
        assert conditions == written
        typed = {one.text for one in support.literals if one.role == "type"}
        for doubt in support.weak:
            n_weak += 1
            assert set(doubt.literals) <= written | typed
    assert n_weak > 0
