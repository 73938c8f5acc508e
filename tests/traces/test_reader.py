"""Transition and trajectory lines: what is read, what is refused, what is dropped."""

import gzip
import io
import json
import logging
import sys
from dataclasses import replace
from operator import attrgetter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.errors import InsufficientTracesError, TraceError
from dias.strips.model import Predicate
from dias.traces.reading.reader import collect_traces, read_traces
from dias.traces.record import LabelMode, RefusedAction, Segment, Transition
from dias.traces.writer import Step, write_traces
from tests.traces.files import DRIVE, HEADER, atoms, header, read, step

FULL = {"dias": "trace/1", "labels": "full"}


def test_a_file_with_a_header():
    traces = read(HEADER, DRIVE)
    assert traces.domain == "yard"
    assert traces.labels is LabelMode.NAMES
    assert traces.types == {"bay": "object", "car": "vehicle", "vehicle": "object"}
    assert traces.predicates == (
        Predicate("at", (("vehicle",), ("bay",))),
        Predicate("idle", ()),
        Predicate("road", (("bay",), ("bay",))),
    )
    assert traces.actions == ("drive", "park")
    assert traces.unobserved == ("park",)
    objects = {"c": "car", "m": "bay", "n": "bay"}
    assert traces.segments == (Segment("p01", objects, atoms("road n m")),)
    assert traces.transitions == (
        Transition(0, atoms("at c n", "idle"), "drive", (), atoms("at c m", "idle"), 1, 2, 2),
    )


def test_a_file_without_a_header():
    late = step(["(p a)"], "other", ["(p a)", "(q a z9)", "(r)"])
    traces = read(step(), late)
    assert traces.labels is LabelMode.NAMES
    assert (traces.domain, traces.types) == ("", {})
    assert list(traces.segments[0].objects.items()) == [(n, "object") for n in ("a", "b", "z9")]
    assert [(p.name, p.types) for p in traces.predicates] == [
        ("p", (("object",),)),
        ("q", (("object",), ("object",))),
        ("r", ()),
    ]
    assert traces.actions == ("act", "other")


def test_repeats_are_counted_whatever_the_order_and_the_case():
    again = step(["(idle)", "( AT c  N)", "(idle)"], ["Drive"], [["idle"], ["at", "c", "m"]])
    traces = read(HEADER, DRIVE, again, DRIVE)
    (transition,) = traces.transitions
    assert (transition.count, transition.line, transition.last_line) == (3, 2, 4)
    assert traces.n_steps == 3
    assert [transition.steps_until(line) for line in (1, 2, 3, 4, 9)] == [0, 1, 2, 3, 3]


def test_atoms_and_states_are_shared():
    traces = read(step(["(p a)", "(q b)"], "x", ["(q b)"]), step([["q", "b"]], "y", ["(q b)"]))
    first, second = traces.transitions
    assert first.next_state is second.state is second.next_state
    (kept,) = second.state
    assert any(atom is kept for atom in first.state)


def test_static_atoms_are_kept_out_of_the_states():
    traces = read(HEADER, step(["(road n m)", "(at c n)"], "drive", ["(at c m)", "(road n m)"]))
    (transition,) = traces.transitions
    assert transition.state == atoms("at c n")
    assert transition.next_state == atoms("at c m")


def test_a_trajectory_is_its_transitions():
    states = [["(p a)"], ["(p b)"], ["(p a)"]]
    traces = read({"states": states, "actions": ["(go)", "back"], "trace": 7})
    assert [(t.action, t.state, t.next_state, t.line) for t in traces.transitions] == [
        ("go", atoms("p a"), atoms("p b"), 1),
        ("back", atoms("p b"), atoms("p a"), 1),
    ]


def test_refused_actions_are_no_transitions():
    traces = read(FULL, step(action="(go a)", next=None), step(action="(go b)"),
                  step(action="(go a)", next=None))  # fmt: skip
    assert traces.refused == (RefusedAction(0, atoms("p a"), "go", ("a",), 2, 2),)
    assert [t.arguments for t in traces.transitions] == [("b",)]
    assert traces.n_steps == 1


def test_unknown_keys_blank_lines_and_windows_files():
    crlf = json.dumps(step(weight=0.5, step=1, trace="w")).encode() + b"\r\n"
    traces = read(b"\xef\xbb\xbf" + crlf, b"\r\n", b"  \n", crlf.rstrip())
    assert (traces.n_steps, traces.transitions[0].line) == (2, 1)


@pytest.mark.parametrize(
    ("labels", "given", "kept"),
    [("full", None, ("a", "b")), ("partial", None, ("a", "b")), ("names", None, ())]
    + [(None, mode, () if mode is LabelMode.NAMES else ("a", "b")) for mode in LabelMode],
)
def test_labels(labels, given, kept):
    head = {"dias": "trace/1"} | ({"labels": labels} if labels else {})
    traces = read(head, step(action="(go a b)"), labels=given)
    assert traces.labels is (given or LabelMode(labels))
    assert traces.transitions[0].arguments == kept
    assert set(traces.segments[0].objects) == {"a", "b"}


def test_arguments_without_a_word_on_labels_are_an_error():
    for options in ({}, {"skip_bad_lines": True}):
        with pytest.raises(TraceError, match=r"t.jsonl:2: action: .*\(go a\).*--labels"):
            read(step(), step(action="(go a)"), **options)


ATOM = r"names such as \"\(on b1 b2\)\""
BAD_LINES = [
    ("{", r"one JSON object a line, found something else at column 2"),
    ('{"a": NaN', r"one JSON object a line, found something else at column 10"),
    ("[1]", "a JSON object, found an array"),
    ("[" * 100_000, "nesting too deep"),
    ('{"state": ' + "1" * 5000 + "}", "number too long"),
    ('{"sate": []}', r'the keys of a transition .*, found "sate"'),
    ("{}", "found no key"),
    ('{"state": [], "next": []}', 'found "next", "state"'),
    ('{"states": [], "actions": [], "next": []}', 'found "actions", "next", "states"'),
    (b'{"state": ["(p \xff)"]}\n', "UTF-8 text, found 0xff as byte 16 of the line"),
    (step(weight=float("nan")), "weight: expected a name or a finite number, found NaN"),
    (step(**{"a\ud800": [{"b": [0, float("-inf")]}]}), r'"a\\ud800"\[0\].b\[1\]: .*-Infinity'),
    (step(action=float("inf")), "action: expected a name or a finite number, found Infinity"),
    (step(state=None), "state: expected an array of atoms, found null"),
    (step(next="(p a)"), r'next: expected an array of atoms, found "\(p a\)"'),
    (step(state=["(p a)", 7]), rf"state\[1\]: expected a list of {ATOM}.*, found 7"),
    (step(state=[{"p": "a"}]), rf"state\[0\]: expected a list of {ATOM}.*, found an object"),
    (step(state=["p a"]), rf'state\[0\]: expected a list of {ATOM}.*, found "p a"'),
    (step(state=[""]), r"state\[0\]: .*, found \"\""),
    (step(state=["( )"]), r"state\[0\]: expected at least one name"),
    (step(next=[[]]), r"next\[0\]: expected at least one name.*, found an empty array"),
    (step(next=[["p", 3]]), r"next\[0\]\[1\]: expected a name, found 3"),
    (step(next=[["p", ["a"]]]), r"next\[0\]\[1\]: expected a name, found an array"),
    (step(next=[["p", ""]]), r"next\[0\]\[1\]: expected a name without blanks.*, found \"\""),
    (step(next=[["p", "a b"]]), r'next\[0\]\[1\]: .*, found "a b"'),
    (step(next=[["p", "a)"]]), r'next\[0\]\[1\]: .*, found "a\)"'),
    (step(state=["(p a, b)"]), r'state\[0\]: .*, found "a,"'),
    (step(state=["(p \ud800)"]), r'state\[0\]: .*, found "\\ud800"'),
    (step(state=["(not (p a))"]), r"state\[0\]: .*an atom that is left out is false"),
    (step(state=[["=", "a", "a"]]), r"state\[0\]: .*equality is built in"),
    (step(state=["(p a)", "(p a b)"]), r"state\[1\]: expected predicate p of arity 1 as in line 1"),
    (step(action=None), "action: expected a list of names.*, found null"),
    (step(action=3.5), "action: expected a list of names.*, found 3.5"),
    (step(action=[]), "action: expected at least one name"),
    (step(action="go a"), 'action: expected a list of names.*, found "go a"'),
    ({"states": [[]], "actions": ["go"]}, r"states: expected 2 states for 1 action\(s\), found 1"),
    ({"states": {}, "actions": []}, "states: expected an array of states, found an object"),
    ({"states": [[]], "actions": "go"}, "actions: expected an array of actions"),
    ({"states": [[], [], [3]], "actions": ["go", "go"]}, r"states\[2\]\[0\]: .*, found 3"),
    ({"states": [[], []], "actions": [None]}, r"actions\[0\]: .*, found null"),
]


@pytest.mark.parametrize(("line", "message"), BAD_LINES)
def test_bad_lines_are_refused_or_dropped(line, message, caplog):
    with pytest.raises(TraceError, match=r"t.jsonl:2: .*" + message) as caught:
        read(step(), line, step())
    assert caught.value.remedy
    traces = read(step(), line, line, step(), skip_bad_lines=True)
    assert traces.n_steps == 2
    assert traces.actions == ("act",)
    assert [p.name for p in traces.predicates] == ["p"]
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.getMessage().startswith("2 of 4 line(s) dropped, the first: ")
    assert "t.jsonl:2: " in record.getMessage()
    assert "--skip-bad-lines" not in record.getMessage()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            step(["(at c)"], "drive", []),
            r"state\[0\]: expected predicate at of arity 2 as in line 1",
        ),
        (
            step(["(on c n)"], "drive", []),
            r'state\[0\]: expected a name from "predicates", found on',
        ),
        (step(["(at c k)"], "drive", []), r'state\[0\]: expected a name from "objects", found k'),
        (step(["(at n n)"], "drive", []), r"state\[0\]: .* of type vehicle, found n of type bay"),
        (step([], "(drive z)", []), 'action: expected a name from "objects", found z'),
    ],
)
def test_lines_that_contradict_the_header(line, message):
    with pytest.raises(TraceError, match=r"t.jsonl:3: " + message):
        read(HEADER, DRIVE, line)
    assert read(HEADER, DRIVE, line, skip_bad_lines=True).n_steps == 1


@pytest.mark.parametrize("mode", ["full", "partial"])
def test_one_number_of_arguments_for_an_action(mode):
    head = FULL | {"labels": mode}
    lines = (head, step(action="(go a b)"), step(action="(go a)"))
    with pytest.raises(TraceError, match=r"t.jsonl:3: .* 2 argument\(s\) as in line 2"):
        read(*lines)
    assert read(*lines, skip_bad_lines=True).n_steps == 1
    assert read(*lines, labels=LabelMode.NAMES).n_steps == 2


def test_a_dropped_line_says_nothing_of_later_ones():
    bad = step(["(p a b c)", "(q z)", 3], "(go a b c)")
    traces = read(FULL, bad, step(["(p a)"], "(go a)"), skip_bad_lines=True)
    assert set(traces.segments[0].objects) == {"a", "b"}
    assert [(p.name, p.arity) for p in traces.predicates] == [("p", 1)]
    assert traces.transitions[0].arguments == ("a",)


def test_a_cut_last_line():
    whole = json.dumps(step()).encode()
    assert read(step(), whole).n_steps == 2
    for cut in (whole[:-1], whole[:20], '{"state":["(é'.encode()[:-1]):
        with pytest.raises(TraceError, match=r"t.jsonl:2: .*cut off.*--skip-bad-lines"):
            read(step(), cut)
        assert read(step(), cut, skip_bad_lines=True).n_steps == 1


@pytest.mark.parametrize("lines", [[], [b"\n \n"], [HEADER], [step(next=None)], [b"\xef\xbb\xbf"]])
def test_no_transitions(lines):
    with pytest.raises(InsufficientTracesError, match=r"t.jsonl: .*no transitions"):
        read(*lines)


def test_nothing_but_dropped_lines():
    with pytest.raises(InsufficientTracesError, match="no transitions"):
        read(HEADER, "{", skip_bad_lines=True)


@pytest.mark.parametrize(
    ("content", "finding"),
    [
        ("(a (b))", r"an s-expression\. .*dias-trace/1.*\.gz"),
        ("; only a comment", r"a comment\. .*dias-trace/1"),
        ("<start>", "markup"),
        ("; made by hand\n\n(define (domain d))", "a PDDL domain.*`dias sample`"),
        ("(DEFINE (problem d))", "a PDDL problem.*`dias sample`"),
        ("(go a b)\n(go b c)\n", r"a plan\."),
        ('<?xml version="1.0"?>\n<svg/>', "an SVG picture"),
        ("time,fact\n1,p a\n", r"a table \(CSV\)"),
        (b"\x89PNG\r\n\x1a\n", "a PNG picture.*right file"),
        (b"PK\x03\x04\n", "a zip archive.*Decompress"),
        (gzip.compress(b"{}", mtime=0), r"a gzip file\. Give it a name that ends in \.gz"),
        (json.dumps(step()).encode("utf-16"), "UTF-16 text.*as UTF-8"),
        (json.dumps(step()).encode("utf-16-le"), "UTF-16 text.*as UTF-8"),
        (json.dumps(step()).encode("utf-32"), "UTF-32 text.*as UTF-8"),
    ],
)
def test_other_kinds_of_file_are_told_apart(content, finding):
    for options in ({}, {"skip_bad_lines": True}):
        with pytest.raises(TraceError, match=rf"t.jsonl:2: .*JSON Lines.*found {finding}"):
            read(b"\n", content, **options)


def test_json_that_is_spread_over_lines():
    for text in ("[", "{"):
        with pytest.raises(TraceError, match=r"t.jsonl:1: .*on one line"):
            read(text, '"state": []}')


@pytest.mark.parametrize(
    ("content", "finding"),
    [(b'{"dias":"trace/1"}\n', "a trace file"), (b"no gzip", "other data"), (b"PK\3\4", "zip")],
)
def test_a_file_that_is_called_gzip_and_is_none(tmp_path, content, finding):
    path = tmp_path / "t.jsonl.gz"
    path.write_bytes(content)
    with pytest.raises(TraceError, match=rf"t.jsonl.gz: .*ends in \.gz, found .*{finding}"):
        read_traces(path)


def test_names_that_are_nearly_right():
    for lines, message in [
        ([HEADER, step(["(at c nm)"], "drive", [])], None),
        ([HEADER, step(["(att c n)"], "drive", [])], r"Did you mean at\? Correct the name"),
        ([header(objects={"cart": "car", "n": "bay", "m": "bay"}),
          step(["(at carts n)"], "drive", [])], r"Did you mean cart\?"),
        ([header(objects={"c": "cars", "n": "bay", "m": "bay"})], r"Did you mean car\?"),
        ([header(labels="name")], r'found "name"\. Did you mean names\?'),
        ([{"stat": [], "action": "go", "next": []}], r"Did you mean state\?"),
        ([{"dias": "states/1"}], "A file of states holds no transitions"),
    ]:  # fmt: skip
        with pytest.raises(TraceError, match=message or "Correct the name"):
            read(*lines, DRIVE)
    traces = read(header(type={"car": "vehicle"}, actions=["driven"]), DRIVE)
    assert any('here: "type". Did you mean types?' in finding for finding in traces.findings)
    assert any("list: drive. Did you mean driven?" in finding for finding in traces.findings)


def test_files_that_cannot_be_read(tmp_path):
    for path in (tmp_path / "none.jsonl", tmp_path, "nul\0", tmp_path / "none.gz"):
        with pytest.raises(TraceError, match=r"can be read|of that name|a folder"):
            read_traces(path)
    data = gzip.compress(json.dumps(step()).encode() + b"\n")
    path = tmp_path / "t.jsonl.gz"
    for bad in (data[:-9], data[:12], data + b"junk", data[:15] + b"\0\0" + data[17:]):
        path.write_bytes(bad)
        with pytest.raises(TraceError, match=r"t.jsonl.gz:\d+: expected whole gzip data"):
            read_traces(path)
    path.write_bytes(data)
    assert read_traces(path).n_steps == 1


def test_standard_input(monkeypatch):
    stream = io.BytesIO(json.dumps(step()).encode() + b"\n{")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))
    with pytest.raises(TraceError, match=r"^<stdin>:2: "):
        read_traces("-")


LETTERS = st.characters(exclude_categories=("Z", "C"), exclude_characters="()?;,")
NAMES = st.text(LETTERS, min_size=1, max_size=3)


@settings(deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_of_keys_and_atoms_says_nothing(rng):
    def shuffled(value):
        if isinstance(value, dict):
            items = [(key, shuffled(entry)) for key, entry in value.items()]
            return dict(rng.sample(items, len(items)))
        if isinstance(value, list) and value and value[0].startswith("("):
            return rng.sample(value, len(value))
        return value

    head = header(labels="full")
    lines = [DRIVE, step(["(at c m)", "(idle)"], "(park c)", ["(at c m)"])]
    plain, mixed = read(head, *lines), read(*map(shuffled, [head, *lines]))
    content = attrgetter("domain", "labels", "actions", "predicates", "segments", "transitions")
    assert content(plain) == content(mixed)
    assert list(plain.types) == list(mixed.types)
    assert list(plain.segments[0].objects) == list(mixed.segments[0].objects)


@settings(deadline=None)
@given(st.sets(st.tuples(NAMES, NAMES), min_size=1, max_size=4))
def test_strings_and_arrays_say_the_same(pairs):
    names = sorted({name for pair in pairs for name in pair if name[0] not in "-="})
    states = [[f"(p{len(name)} {name})" for name in names], ["(r)"]]
    arrays = [[[f"p{len(name)}", name] for name in names], [["r"]]]
    texts = read(FULL, step(states[0], f"(go {' '.join(names)})", states[1]))
    lists = read(FULL, step(arrays[0], ["go", *names], arrays[1]))
    assert texts.transitions == lists.transitions
    assert texts.segments == lists.segments


def test_a_name_that_is_nearly_there_is_named(tmp_path):
    (tmp_path / "walk.jsonl").write_text("")
    with pytest.raises(TraceError, match=r"nothing of that name\. Did you mean walk\.jsonl\?"):
        read_traces(tmp_path / "wlak.jsonl")
    with pytest.raises(TraceError, match=r"nothing of that name\. Check the path"):
        read_traces(tmp_path / "other")
    with pytest.raises(TraceError, match=r"found a folder\. Name a file in it"):
        read_traces(tmp_path)


def test_headers_and_steps_in_memory_are_what_their_file_gives(tmp_path):
    blocks = [
        (
            {"dias": "trace/1", "labels": "full", "problem": problem},
            [
                Step(atoms("p a"), "go", ("a",), atoms("p b")),
                Step(atoms("p a"), "go", ("a",), atoms("p b")),
                Step(atoms("p b"), "go", ("b",), None),
            ],
        )
        for problem in ("one", "two")
    ]
    path = tmp_path / "t.jsonl"
    write_traces(path, blocks)
    written, collected = read_traces(path), collect_traces(blocks, "t.jsonl")
    assert replace(written, source="t.jsonl", findings=()) == replace(collected, findings=())
    assert collected.n_steps == 4 and len(collected.transitions) == 2
    assert [segment.problem for segment in collected.segments] == ["one", "two"]
    odd = [({"dias": "trace/1"}, [Step(atoms("p a"), "go", (), atoms("p a b"))])]
    with pytest.raises(TraceError, match=r"^memory:2: "):
        collect_traces(odd, "memory")


def test_types_that_only_predicates_name_are_types():
    known = {"dias": "trace/1", "predicates": {"at": ["truck", "place"]}}
    found = read(known | {"objects": {"a": "truck", "b": "place"}}, step(["(at a b)"], "go", []))
    assert set(found.types) == {"truck", "place"}
