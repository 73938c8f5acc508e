"""Steps of a walk that do not follow each other, and keys that mean nothing."""

from __future__ import annotations

import json

import pytest

from dias.errors import TraceError
from dias.traces.reading.reader import read_traces
from tests.traces.files import read

HEADER = {"dias": "trace/1", "labels": "names", "objects": dict.fromkeys("abcd", "object")}


def line(before, after, walk="a", number=0, **more):
    states = {"state": [f"({x})" for x in before], "next": [f"({x})" for x in after]}
    return {**states, "action": "(go)", "trace": walk, "step": number, **more}


def odd(traces):
    return [text for text in traces.findings if "begins in another state" in text]


def test_a_state_that_the_step_before_did_not_lead_to():
    traces = read(
        HEADER,
        line(["p a"], ["p a", "p b"], "a", 0),
        line(["p a"], ["q a"], "a", 1),  # p b is gone
        line(["q a"], ["q b"], "a", 2),
        line(["p c", "p d"], ["q c"], "a", 3),  # q b is gone, two others came
        line(["q a"], ["q b"], "b", 4),  # another walk
        line(["q c"], ["q b"], "a", 5),  # a step is missing
    )
    [text] = odd(traces)
    assert text.split(": ")[0].endswith(":3")
    assert "line 2, the one before it" in text and "(p b) differs" in text
    assert "2 such step(s)" in text


@pytest.mark.parametrize(
    "more", [{"unknown": ["(p b)"]}, {"next-unknown": ["(p b)"]}], ids=["before", "after"]
)
def test_what_is_not_certain_differs_from_nothing(more):
    first, second = line(["p a"], ["p a", "p b"], "a", 0), line(["p a"], ["q a"], "a", 1)
    assert odd(read(HEADER, first, second))
    if "unknown" in more:
        second |= more
    else:
        first |= {"next": ["(p a)"]} | more
    assert not odd(read(HEADER, first, second))


def test_walks_of_several_files_are_told_apart(tmp_path):
    a, b = line(["p a"], ["q a"], 0, 0), line(["p b"], ["q b"], 0, 1)
    assert odd(read(HEADER, a, b))
    traces = read_traces([file(tmp_path / "a.jsonl", a), file(tmp_path / "b.jsonl", b)])
    assert not odd(traces)


def file(path, *lines):
    path.write_text("".join(f"{json.dumps(own)}\n" for own in lines))
    return path


def test_keys_that_look_like_others_are_named_with_the_first_line_and_how_many():
    traces = read(
        HEADER,
        line(["p a"], ["q a"], number=0, reward=1.0),
        line(["q a"], ["p a"], number=1, applicables=["go"]),
        line(["p a"], ["q a"], number=2, applicables=["go"]),
    )
    [text] = [text for text in traces.findings if "means nothing" in text]
    assert ':3: "applicables" means nothing here (2 line(s)). Did you mean applicable?' in text


def test_a_key_that_is_there_twice_is_an_error(tmp_path):
    text = '{"state": [], "state": ["(p a)"], "action": "(go)", "next": []}'
    path = tmp_path / "t.jsonl"
    path.write_text(text + "\n")
    with pytest.raises(TraceError, match='each key once, found "state" twice'):
        read_traces([path])
    other = '{"state": ["(p a)"], "action": "(go)", "next": ["(q a)"]}\n'
    path.write_text(f"{other}{text}\n")
    assert len(read_traces([path], skip_bad_lines=True).transitions) == 1
    path.write_text('{"dias": "trace/1", "objects": {"a": "x", "a": "y"}}\n' + other)
    with pytest.raises(TraceError, match='found "a" twice'):
        read_traces([path])


@pytest.mark.parametrize(
    ("more", "fragment"),
    [
        ({"step": "1"}, 'step: expected a whole number, the place in the walk, found "1"'),
        ({"step": 1.5}, "step: expected a whole number, the place in the walk, found 1.5"),
        ({"step": True}, "step: expected a whole number, the place in the walk, found true"),
        ({"trace": True}, "trace: expected a string or a number, found true"),
        ({"trace": ["a"]}, "trace: expected a string or a number, found an array"),
    ],
)
def test_walks_and_places_that_are_none_are_refused(more, fragment):
    with pytest.raises(TraceError) as caught:
        read(HEADER, line(["p a"], ["q a"]), line(["q a"], ["p a"]) | more)
    assert caught.value.place.endswith(":3") and fragment in str(caught.value)


@pytest.mark.parametrize("walk", [1.0, 1.5, "a"])
def test_numbers_may_have_a_fraction_of_nothing(walk):
    """As tables of other programs write whole numbers that may be missing."""
    first, second = line(["p a"], ["p b"], walk, 0.0), line(["p a"], ["q a"], walk, 1.0)
    assert odd(read(HEADER, first, second))
    assert not odd(read(HEADER, first, second | {"trace": None}))
