"""Steps that change nothing: which of them are read as refused attempts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dias.config import LearningConfig
from dias.errors import InsufficientTracesError
from dias.learning.learn import learn
from dias.learning.propose.unchanged import read_unchanged
from dias.traces.record import Traces
from tests.learning.propose.yard import SYMBOLIC
from tests.traces.files import read

HEADER = {
    "dias": "trace/1",
    "labels": "full",
    "predicates": {"on": ["object"], "off": ["object"], "power": []},
    "objects": {"a": "object", "b": "object", "c": "object"},
}


def line(state, action, after=None, **more):
    """``line("off a", "press a", "on a")``; without an answer it was refused."""

    def listed(text):
        return [f"({atom})" for atom in filter(None, text.split(", "))]

    return {"state": listed(state), "action": f"({action})",
            "next": None if after is None else listed(after), **more}  # fmt: skip


PRESS = [
    line("off a, off b", "press a", "on a, off b"),  # line 2
    line("on a, off b", "press b", "on a, on b"),
    line("on a, off b", "press a", "on a, off b"),
    line("on b, off a", "press b", "on b, off a"),
    line("on a, off b", "press a", "on a, off b"),
]
"""`press` switches on what is off; the last three were refused, two of them alike."""


def press(*more, first=(), header=HEADER):
    return read(header, *first, *PRESS, *more)


def attempts(traces: Traces):
    return [(*map(str, sorted(a.state)), *a.arguments, a.count, a.line) for a in traces.refused]


def test_steps_become_attempts_with_their_counts_and_lines():
    covered, _, found = read_unchanged(press(), "auto")
    # `on` is added where it holds and `off` deleted where it does not: that may be so.
    assert found == {} and len(covered.transitions) == 4
    wait = [line("on a", "wait a", "on a"), line("off a", "wait a", "off a")]
    for reading, actions in (("refused", ["press", "wait"]), ("happened", [])):
        traces = press(*wait)
        done, _, found = read_unchanged(traces, reading)
        assert list(found) == actions
        if actions:
            assert found == {"press": 2, "wait": 2}
            assert attempts(done) == [
                ("(off b)", "(on a)", "a", 2, 4), ("(off a)", "(on b)", "b", 1, 5),
                ("(on a)", "a", 1, 7), ("(off a)", "a", 1, 8),
            ]  # fmt: skip
            assert [t.line for t in done.transitions] == [2, 3]
            assert done.unobserved == ("wait",)
        else:
            assert done == traces


def test_attempts_that_were_there_are_counted_together_in_the_order_of_the_file():
    first = [line("on a, off b", "press a"), line("on a, on b", "press b")]
    late = [line("on b, off a", "press b"), line("on a, off b", "press a")]
    done, _, found = read_unchanged(press(*late, first=first), "refused")
    assert found == {"press": 2}
    assert attempts(done) == [
        ("(off b)", "(on a)", "a", 4, 2), ("(on a)", "(on b)", "b", 1, 3),
        ("(off a)", "(on b)", "b", 2, 7),
    ]  # fmt: skip
    done, _, _ = read_unchanged(press(line("on a, on b", "press b")), "refused")
    assert [attempt.line for attempt in done.refused] == [4, 5, 7]


SET = [
    line("power, off a", "set a", "power, on a"),  # line 2
    line("power, off b, on b", "set b", "power, on b"),
    line("power", "set a", "power, on a"),
    line("power, on a", "set a", "power, on a"),  # not what the steps before rule out
    line("power, on a, on b", "set b", "power, on a, on b"),
    line("off b", "set b", "off b"),  # no effects cover that as well
]
"""`set` makes on what is or is not on, and not off. The last one was refused."""


def test_what_the_action_makes_anyway_happened():
    traces = read(HEADER, *SET)
    done, _, found = read_unchanged(traces, "auto")
    assert found == {"set": 1}
    assert [t.line for t in done.transitions] == [2, 3, 4, 5, 6]
    assert attempts(done) == [("(off b)", "b", 1, 7)]
    result = learn(traces, SYMBOLIC)
    assert (result.n_explained, result.n_distinct, result.n_wrongly_allowed) == (5, 5, 0)
    # A constant changes nothing of that.
    assert read_unchanged(read(HEADER | {"constants": ["c"]}, *SET), "auto")[2] == {"set": 1}
    # Whoever says that it was refused is taken at the word.
    assert read_unchanged(traces, "refused")[2] == {"set": 3}


def test_nothing_is_read_where_refusals_do_not_explain_everything():
    """A step that changes otherwise is not their fault."""
    traces = read(HEADER, *SET, line("power, on a", "set a", "on a"))
    same, _, found = read_unchanged(traces, "auto")
    assert (same, found) == (traces, {})


def test_one_simulator_answers_all_actions_alike():
    """Also where effects cover the steps; not where nothing shows that it ever does anything."""
    light = [
        line("off a", "light b", "off a, on b"), line("off b", "light a", "off b, on a"),
        line("on a", "light a", "on a"),
    ]  # fmt: skip
    look = line("on a", "look a", "on a")
    traces = read(HEADER, *light, look)
    assert read_unchanged(traces, "auto") == (traces, None, {})
    done, _, found = read_unchanged(read(HEADER, *light, look, *SET), "auto")
    assert found == {"light": 1, "set": 1}
    assert list(found) == ["light", "set"]
    assert [t.line for t in done.transitions] == [2, 3, 5, 6, 7, 8, 9, 10]
    # One that cannot be explained in any case speaks for itself.
    odd = [line("off a", "hit a", ""), line("off a, on b", "hit a", "on a, on b")]
    assert read_unchanged(read(HEADER, *light, look, *SET, *odd), "auto")[2] == found
    idle = line("on a", "hit a", "on a")
    traces = read(HEADER, *light, look, *SET, *odd, idle)
    assert read_unchanged(traces, "auto") == (traces, None, {})


def test_validation_is_read_like_the_traces_and_has_no_say():
    """Also of actions that have no step without change among those that are learned from."""
    traces = read(HEADER, *SET, line("off a", "light a", "on a"))
    idle = [
        line("on a", "light a", "on a"), line("off b", "set a", "off b"),
        line("power, on b", "set b", "power, on b"), line("on a", "look a", "on a"),
        line("off a", "light a", "on a"),
    ]  # fmt: skip
    validation = read(HEADER, *idle)
    _, judged, found = read_unchanged(traces, "auto", validation)
    assert found == {"set": 1}
    assert [t.line for t in judged.transitions] == [4, 5, 6]
    assert [(a.action, a.line) for a in judged.refused] == [("light", 2), ("set", 3)]
    _, judged, _ = read_unchanged(traces, "refused", validation)
    assert [t.line for t in judged.transitions] == [6]
    assert read_unchanged(traces, "happened", validation) == (traces, validation, {})
    # What it shows by itself would be reason enough.
    plain = read(HEADER, *SET[:3])
    assert read_unchanged(plain, "auto", read(HEADER, *SET))[2] == {}
    result = learn(traces, SYMBOLIC, validation=validation)
    assert result.validation == (2, 3)  # `look` was never seen


@pytest.mark.parametrize("labels", ["partial", "names"])
def test_without_all_arguments_no_change_is_preferred_to_a_refusal(labels):
    """No-ops are never taken for what happened where some step says that they were refused."""
    lines = [
        line("off a", "set", "on a"), line("off b", "set", "on b"),
        line("off a, off b", "set", "off a, off b"), line("on a", "set", "on a"),
    ]  # fmt: skip
    done, _, found = read_unchanged(read(HEADER | {"labels": labels}, *lines), "auto")
    assert found == {"set": 2}
    assert [t.line for t in done.transitions] == [2, 3]


def test_all_steps_as_refused_attempts_leave_nothing():
    traces = read(HEADER, line("on a", "wait a", "on a"))
    assert (
        read_unchanged(traces, "auto") == read_unchanged(traces, "happened") == (traces, None, {})
    )
    with pytest.raises(InsufficientTracesError, match="none of the 1 distinct") as raised:
        read_unchanged(traces, "refused")
    assert (raised.value.place, "happened" in raised.value.remedy) == (traces.source, True)
    for config in (SYMBOLIC, LearningConfig()):
        with pytest.raises(InsufficientTracesError, match="nothing to learn from"):
            learn(traces, replace(config, unchanged="refused"))
