"""What the data say of a wrong schema: one input for each word."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace

import pytest

from benchmarks.judging.dispute import AGAINST, DECIDED, RIVAL, UNPAID, _Weighing, dispute, verdict
from dias.strips.model import Atom, Domain, Parameter
from dias.strips.pddl.reader import parse_domain, parse_problem
from dias.strips.pddl.writer import format_domain
from dias.traces.record import LabelMode
from dias.traces.sampling.sample import sample_traces, trace_block
from dias.traces.sampling.samples import SamplingConfig
from dias.traces.writer import write_traces

DOMAIN = """(define (domain roads) (:requirements :strips :negative-preconditions :equality)
  (:predicates (at ?x) (road ?x ?y) (gate ?x) (shut ?x) (safe ?x))
  (:action go :parameters (?x ?y)
    :precondition (and (at ?x) (road ?x ?y) (not (shut ?y)) (not (= ?x ?y)))
    :effect (and (at ?y) (not (at ?x))))
  (:action close :parameters (?x) :precondition (at ?x) :effect (shut ?x))
  (:action open :parameters (?x) :precondition (shut ?x) :effect (not (shut ?x))))"""
PLACES = "abcdef"
ROADS = " ".join(f"(road {x} {PLACES[(i + n) % 6]})" for i, x in enumerate(PLACES) for n in (1, 2))
SAFE = " ".join(f"(safe {place})" for place in PLACES)
TRAINING = f"""(define (problem p) (:domain roads) (:objects {" ".join(PLACES)})
  (:init (at a) (at d) {ROADS} {SAFE}))"""
TEST = f"""(define (problem q) (:domain roads) (:objects {" ".join(PLACES)} g)
  (:init (at a) (gate b) (gate e) (road c g) (road g a) {ROADS} {SAFE}))"""


@pytest.fixture
def weighed(tmp_path):
    """A function: what is said of `go`, if this schema is learned instead of the true one."""
    domain = parse_domain(DOMAIN)
    paths = {}
    for name, text in (("true.pddl", DOMAIN), ("p.pddl", TRAINING), ("q.pddl", TEST)):
        paths[name] = tmp_path / name
        paths[name].write_text(text)
    instance = parse_problem(TRAINING, domain, "", False)
    ((walk,),) = sample_traces(domain, [instance], [SamplingConfig(150, 150)], random.Random(0))
    traces = tmp_path / "t.jsonl"
    write_traces(traces, [trace_block(domain, walk, LabelMode.NAMES)])

    def weigh(learned, true: Domain = domain, is_sound: bool = True, seen: str = "t.jsonl"):
        others = [schema for schema in true.actions if schema.name != "go"]
        answer = replace(true, actions=(*others, *([learned] if learned else [])))
        (tmp_path / "l.pddl").write_text(format_domain(answer))
        (tmp_path / "true.pddl").write_text(format_domain(true))
        files = {"true": "true.pddl", "learned": "l.pddl", "traces": "t.jsonl", "seen": seen}
        said = dispute(
            **{name: str(tmp_path / file) for name, file in files.items()},
            problems=[str(paths["q.pddl"])], n_states=60, states_from="both",
            actions={"go": is_sound},
        )  # fmt: skip
        return said["disputes"]["go"]

    weigh.go = domain.action("go")
    weigh.domain = domain
    return weigh


def test_a_lost_precondition_is_decided(weighed):
    said = weighed(replace(weighed.go, preconditions=frozenset({Atom("at", ("?x",))})))
    assert said["data"] == DECIDED
    assert said["true"] - said["learned"] > 20


def test_what_leaves_steps_unexplained_is_decided(weighed):
    narrow = weighed.go.preconditions | {Atom("road", ("?y", "?x"))}
    said = weighed(replace(weighed.go, preconditions=narrow))
    assert (said["data"], said["learned"]) == (DECIDED, None)
    assert weighed(None)["data"] == DECIDED


def test_steps_as_seen_may_be_odd(weighed, tmp_path):
    """One `go` was seen to arrive nowhere: the true schema leaves that step out, at a price."""
    lines = (tmp_path / "t.jsonl").read_text().splitlines()
    steps = [json.loads(line) for line in lines]
    odd = next(x for x in reversed(steps) if x.get("action") == "(go)" and x["next"] != x["state"])
    odd["next"] = [atom for atom in odd["next"] if atom in odd["state"]]
    (tmp_path / "s.jsonl").write_text("\n".join(map(json.dumps, steps)))
    said = weighed(weighed.go, is_sound=False, seen="s.jsonl")
    assert (said["data"], said["as_seen"]) == (RIVAL, RIVAL)
    lost = replace(weighed.go, preconditions=frozenset({Atom("at", ("?x",))}))
    assert weighed(lost, seen="s.jsonl")["as_seen"] == DECIDED
    assert weighed(None, seen="s.jsonl")["as_seen"] == DECIDED
    happened, seen = (
        _Weighing(str(tmp_path / name), True).scores("go", weighed.domain, weighed.domain)
        for name in ("t.jsonl", "s.jsonl")
    )
    assert happened[0] == happened[1] and seen[0] == seen[1]
    assert seen[0] < happened[0] - math.log(sum(x.get("action") is not None for x in steps))
    without = _Weighing(str(tmp_path / "s.jsonl")).scores("go", weighed.domain, weighed.domain)
    assert without == (-math.inf, None)  # no step is odd there


def test_a_negative_literal_that_excluded_nothing_is_unpaid(weighed):
    """There was no gate in training, and there is one in the test."""
    never = weighed.go.negative_preconditions | {Atom("gate", ("?y",))}
    said = weighed(replace(weighed.go, negative_preconditions=never))
    assert said["data"] == UNPAID
    assert said["true"] == said["learned"]
    assert (
        weighed(replace(weighed.go, negative_preconditions=never), is_sound=False)["data"] == RIVAL
    )


def test_a_negative_literal_that_is_paid_for_is_kept(weighed):
    """Without ``(not (shut ?y))`` the schema would say less of what was never done."""
    without = replace(weighed.go, negative_preconditions=frozenset())
    assert weighed(without)["data"] == DECIDED


def test_a_positive_literal_that_always_held_is_a_rival(weighed):
    """It costs nothing; in the test there is a place that is not safe."""
    always = weighed.go.preconditions | {Atom("safe", ("?y",))}
    said = weighed(replace(weighed.go, preconditions=always))
    assert said["data"] == RIVAL
    assert said["true"] == said["learned"]


def test_what_says_more_than_the_truth_is_better(weighed):
    """A true schema that says nothing of roads allows what was never seen."""
    loose = replace(weighed.go, preconditions=frozenset({Atom("at", ("?x",))}))
    true = replace(
        weighed.domain,
        actions=tuple(loose if own.name == "go" else own for own in weighed.domain.actions),
    )
    assert weighed(weighed.go, true)["data"] == AGAINST


def test_a_true_parameter_that_nothing_shows_is_no_matter(weighed):
    """It asks for a third place without gate: there is always one. Learned, it is a fault."""
    more = replace(
        weighed.go,
        parameters=(*weighed.go.parameters, Parameter("?z")),
        negative_preconditions=weighed.go.negative_preconditions | {Atom("gate", ("?z",))},
        inequalities=weighed.go.inequalities | {("?x", "?z"), ("?y", "?z")},
    )
    true = replace(
        weighed.domain,
        actions=tuple(more if own.name == "go" else own for own in weighed.domain.actions),
    )
    said = weighed(weighed.go, true)
    assert said["true"] == said["learned"]
    assert weighed(more, weighed.domain)["data"] == DECIDED


def test_the_true_schema_must_explain_all_steps(weighed):
    wrong = replace(weighed.go, add_effects=weighed.go.add_effects | {Atom("gate", ("?y",))})
    with pytest.raises(ValueError, match="the true schema of go does not explain all steps"):
        weighed(weighed.go, replace(weighed.domain, actions=(wrong,)))


@pytest.mark.parametrize(
    ("true", "learned", "is_wrong", "word"),
    [
        (-10.0, None, True, DECIDED),
        (-10.0, -13.5, True, DECIDED),
        (-10.0, -13.5, False, DECIDED),
        (-10.0, -13.0, True, RIVAL),
        (-10.0, -13.0, False, UNPAID),
        (-10.0, -10.0, True, RIVAL),
        (-10.0, -7.0, True, RIVAL),
        (-10.0, -6.5, True, AGAINST),
        (-10.0, -6.5, False, UNPAID),
    ],
)
def test_the_margin(true, learned, is_wrong, word):
    assert verdict(true, learned, is_wrong) == word
