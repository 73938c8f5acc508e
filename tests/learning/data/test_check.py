"""What traces must have in common with validation traces, and the outcome per action."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest

from dias.errors import InsufficientTracesError, TraceError
from dias.learning.data.check import MAX_ARITY, as_validation, check_arities, check_traces
from dias.learning.explain.bindings import MAX_CHANGES
from dias.strips.model import Predicate
from dias.traces.record import LabelMode
from tests.traces.files import read

HEADER = {
    "dias": "trace/1",
    "types": {"lamp": "object", "oil-lamp": "lamp"},
    "predicates": {"on": ["lamp"], "hot": ["lamp"], "used": []},
    "objects": {"a": "lamp"},
}
STEP = {"state": [], "action": "light", "next": ["(on a)"]}
TRACES = read(HEADER, STEP)


def test_without_a_transition_there_is_nothing_to_learn_from():
    check_traces(TRACES)
    with pytest.raises(InsufficientTracesError, match="no transitions") as raised:
        check_traces(replace(TRACES, transitions=()))
    assert raised.value.place == TRACES.source


@pytest.mark.parametrize("way", ["state", "next"])
def test_the_first_step_that_changes_too_much_is_named(caplog, way):
    def changing(n):
        return {"state": [], "action": "light", "next": []} | {way: [f"(p o{i})" for i in range(n)]}

    with caplog.at_level(logging.WARNING):
        check_traces(read(changing(MAX_CHANGES)))
        assert not caplog.messages
        check_traces(read(*(changing(MAX_CHANGES + i) for i in range(3))))
    n = MAX_CHANGES + 1
    assert caplog.messages == [
        f"line 2 changes {n} atoms; steps that change more than {MAX_CHANGES} stay unexplained"
    ]


def test_validation_gets_the_predicates_that_it_lacks():
    fewer = {"predicates": {"cold": ["lamp"], "on": ["lamp"]}}
    found = as_validation(read(HEADER | fewer, STEP), TRACES)
    assert [p.name for p in found.predicates] == ["cold", "on", "hot", "used"]
    assert as_validation(TRACES, TRACES) == TRACES


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"types": {"lamp": "object"}}, r"the types of .* \(lamp, oil-lamp\), found lamp"),
        (
            {"types": {"lamp": "object", "oil-lamp": "object"}},
            r"the types of .* \(lamp, oil-lamp\), found lamp, oil-lamp",
        ),
        ({"predicates": {"on": ["lamp", "lamp"]}}, r"the predicates of .* \(on/1\), found on/2"),
        ({"predicates": {"on": ["lamp"], "hot": []}}, r"predicates of .* \(hot/1\), found hot/0"),
        ({"labels": "full"}, r"the labels of .* \(names\), found full"),
    ],
)
def test_validation_of_another_domain_is_refused(changes, message):
    still = {"state": [], "action": "light", "next": []}
    validation = replace(read(HEADER | {"labels": "names"} | changes, still), source="v.jsonl")
    traces = replace(TRACES, labels=LabelMode.NAMES)
    with pytest.raises(TraceError, match=message) as raised:
        as_validation(validation, traces)
    assert raised.value.place == "v.jsonl"
    assert raised.value.remedy


def test_validation_has_the_same_constants():
    """By name and by type."""
    known = HEADER | {"objects": {"a": "lamp", "b": "oil-lamp"}, "constants": ["a"]}
    traces = read(known, STEP)
    assert as_validation(traces, traces) == traces
    other = known | {"objects": {"a": "oil-lamp"}}
    for changes, wanted, found in (
        ({"constants": []}, "a", "none"),
        ({"constants": ["a", "b"]}, "a", "a, b"),
        ({"constants": ["b"]}, "a", "b"),
        (other, "a", "a"),
    ):
        validation = replace(read(known | changes, STEP), source="v.jsonl")
        message = rf"the constants of .* \({wanted}\), found {found}\."
        with pytest.raises(TraceError, match=message) as raised:
            as_validation(validation, traces)
        assert raised.value.place == "v.jsonl"
        assert "same constants" in raised.value.remedy
    with pytest.raises(TraceError, match=r"the constants of .* \(none\), found a\."):
        as_validation(traces, replace(traces, constants={}))


def test_no_types_are_said_to_be_none():
    untyped = read({"dias": "trace/1", "predicates": {"on": ["object"]}}, STEP)
    for validation, traces, message in (
        (untyped, TRACES, r"\(lamp, oil-lamp\), found none"),
        (TRACES, untyped, r"\(none\), found lamp, oil-lamp"),
    ):
        with pytest.raises(TraceError, match=message):
            as_validation(validation, traces)


@pytest.mark.parametrize("arity", [MAX_ARITY, MAX_ARITY + 1, MAX_ARITY + 2])
def test_predicates_have_so_many_arguments(arity):
    wide = tuple(Predicate(f"p{i}", (("object",),) * (arity - i)) for i in range(2))
    traces = replace(TRACES, predicates=wide)
    if arity <= MAX_ARITY:
        check_arities(traces)
        return
    found = ", ".join(f"p{i}/{arity - i}" for i in range(2) if arity - i > MAX_ARITY)
    with pytest.raises(TraceError, match=f"at most {MAX_ARITY} arguments, found {found}[.]"):
        check_arities(traces)
