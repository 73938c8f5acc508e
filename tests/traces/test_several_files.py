"""Several trace files, read as if one held all of them."""

import copy
import gzip
import json
import logging
import os

import pytest

from dias.errors import InsufficientTracesError, TraceError
from dias.traces.places import Line, as_value
from dias.traces.reading.reader import read_traces
from dias.traces.record import LabelMode
from tests.traces.files import DRIVE, HEADER, header, step

BACK = DRIVE | {"state": DRIVE["next"], "next": DRIVE["state"]}


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Writes a file of lines; names in messages are as given, without a folder."""
    monkeypatch.chdir(tmp_path)

    def write(name, *lines):
        text = "".join(
            (line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines
        )
        (tmp_path / name).write_text(text)
        return name

    return write


def refused(*paths, error=TraceError, **options):
    with pytest.raises(error) as caught:
        read_traces(paths, **options)
    return str(caught.value)


def content(traces, but=("source", "files", "findings")):
    own = {name: value for name, value in vars(traces).items() if name in traces.__match_args__}
    return {name: value for name, value in own.items() if name not in but}


def test_it_is_as_if_one_file_held_all(write):
    other = header(problem="p02", objects={"C": "car", "n": "bay"}, static=None)
    stay = step(["(at c n)"], "park", ["(at c n)"])
    no = step(["(at c n)"], "drive", None)
    first, second = [HEADER, DRIVE, BACK], [HEADER, DRIVE, other, stay, "", no, no]
    one = read_traces(write("all.jsonl", *first, *second))
    several = read_traces([write("a.jsonl", *first), write("b.jsonl", *second)])
    assert content(several) == content(one)
    assert len(several.segments) == 2
    assert [(str(t.line), str(t.last_line), t.count) for t in several.transitions] == [
        ("a.jsonl:2", "b.jsonl:2", 2),
        ("a.jsonl:3", "a.jsonl:3", 1),
        ("b.jsonl:4", "b.jsonl:4", 1),
    ]
    assert [t.line for t in one.transitions] == [2, 3, 7]
    assert [as_value(t.line) for t in one.transitions] == [2, 3, 7]
    assert as_value(several.refused[0].line) == "b.jsonl:6"
    assert (one.files, several.files) == ((), ("a.jsonl", "b.jsonl"))
    assert several.findings[0].startswith("a.jsonl:2: 1 of 4 transitions repeat")
    assert "a.jsonl, b.jsonl: actions with fewer than 20" in "\n".join(several.findings)


def test_one_file_in_a_list_is_that_file(write):
    name = write("a.jsonl", HEADER, DRIVE)
    assert read_traces([name]) == read_traces(name)
    assert type(read_traces([name]).transitions[0].line) is int


def test_headers_end_with_their_file(write):
    """Under the first one's header the second file's names would be refused."""
    a = write("a.jsonl", HEADER, DRIVE)
    plain = write("plain.jsonl", step(), step(["(p a)"], "act", ["(p c)"]))
    traces = read_traces([a, plain])
    assert [t.segment for t in traces.transitions] == [0, 1, 1]
    assert [list(s.objects) for s in traces.segments] == [["c", "m", "n"], ["a", "b", "c"]]
    assert "types are ignored" in traces.findings[0]


def test_files_without_a_header_go_on_with_one_segment(write):
    a, b = write("a.jsonl", step()), write("b.jsonl", step(["(p b)"], "act", ["(p c)"]))
    traces = read_traces([a, b])
    assert len(traces.segments) == 1
    assert content(traces) == content(
        read_traces(write("all.jsonl", step(), step(["(p b)"], "act", ["(p c)"])))
    )


def test_lines_keep_their_order_from_file_to_file(write):
    names = [write(f"{letter}.jsonl", *[""] * 20, HEADER, BACK, "") for letter in "dcba"]
    traces = read_traces([*names, write("e.jsonl", HEADER, DRIVE)])
    one, other = traces.transitions
    assert (str(one.line), str(one.last_line), str(other.line)) == (
        "d.jsonl:22",
        "a.jsonl:22",
        "e.jsonl:2",
    )
    assert one.line < one.last_line < other.line
    assert [one.steps_until(other.line), one.steps_until(one.line)] == [4, 1]
    assert traces.source == "d.jsonl, c.jsonl, b.jsonl and 2 more"


def test_a_line_can_be_copied():
    line = copy.deepcopy(Line(30, "b.jsonl", 12))
    assert (line, f"{line}", [line] == [30]) == (30, "b.jsonl:12", True)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"predicates": {"at": ["vehicle"], "idle": [], "road": ["bay", "bay"]}},
            "predicate at of arity 2 as in line a.jsonl:1, found predicate at of arity 1",
        ),
        (
            {"types": {"car": "bay", "vehicle": "object", "bay": "object"}},
            "type car with parent vehicle as in line a.jsonl:1, found type car with parent bay",
        ),
        (
            {"labels": "full"},
            'labels "names" as in the segment of line a.jsonl:1, found "full". Give all',
        ),
        ({"domain": "Harbour"}, "domain yard as in line a.jsonl:1, found domain harbour"),
    ],
)
def test_files_that_do_not_fit_are_refused_by_both_names(write, change, message):
    a, b = write("a.jsonl", HEADER, DRIVE), write("b.jsonl", "", header(**change), DRIVE)
    found = refused(a, b)
    assert found.startswith("b.jsonl:2: expected ")
    assert message in found


def test_constants_have_one_type_in_all_files(write):
    a = write("a.jsonl", header(constants=["c"]), DRIVE)
    b = write(
        "b.jsonl", header(constants=["c"], objects={"C": "vehicle", "n": "bay", "m": "bay"}), DRIVE
    )
    message = refused(a, b)
    assert message.startswith("b.jsonl:1: constants: expected one type for c in all headers")
    assert "car in line a.jsonl:1 and vehicle in line b.jsonl:1" in message


def test_without_headers_the_arities_must_agree(write):
    a, b = write("a.jsonl", step()), write("b.jsonl", step(["(p a b)"]))
    expected = "b.jsonl:1: state[0]: expected predicate p of arity 1 as in line a.jsonl:1"
    assert refused(a, b).startswith(expected)


def test_arguments_without_labels_in_the_second_file(write):
    a, b = write("a.jsonl", step()), write("b.jsonl", "", step(action="(act a)"))
    assert refused(a, b).startswith("b.jsonl:2: action: expected a name without arguments")


def test_headerless_labels_that_differ_name_the_line_of_either(write):
    full = header(labels="full")
    a, b = write("a.jsonl", "", step()), write("b.jsonl", "", full, DRIVE | {"action": "(drive c)"})
    message = refused(a, b)
    assert message.startswith(
        'b.jsonl:2: expected labels "names" as in the segment of line a.jsonl:1'
    )


@pytest.mark.parametrize("again", ["a.jsonl", "./a.jsonl", "link.jsonl", "-"])
def test_a_file_is_named_once(write, again):
    a = write("a.jsonl", HEADER, DRIVE)
    os.symlink(a, "link.jsonl")
    first = "-" if again == "-" else a
    message = refused(first, write("b.jsonl", HEADER, BACK), again)
    name = "<stdin>" if again == "-" else again
    assert message.startswith(f"{name}: expected each file once, found it twice")


@pytest.mark.parametrize("lines", [[], [""], [HEADER], ["{"]])
def test_each_file_holds_a_step(write, lines):
    a, b = write("a.jsonl", HEADER, DRIVE), write("b.jsonl", *lines)
    error = InsufficientTracesError
    assert refused(a, b, error=error, skip_bad_lines=True).startswith(
        "b.jsonl: expected transitions"
    )
    assert refused(b, a, error=error, skip_bad_lines=True).startswith(
        "b.jsonl: expected transitions"
    )


def test_a_file_may_hold_refused_attempts_alone(write):
    no = step(["(at c n)"], "drive", None)
    traces = read_traces([write("a.jsonl", HEADER, DRIVE), write("b.jsonl", HEADER, no)])
    assert (len(traces.transitions), str(traces.refused[0].line)) == (1, "b.jsonl:2")


def test_no_file_at_all():
    assert refused().startswith("expected a trace file, found none")


def test_dropped_lines_are_counted_over_all_files(write, caplog):
    a, b = write("a.jsonl", HEADER, DRIVE, "nonsense"), write("b.jsonl", HEADER, "{", BACK)
    with caplog.at_level(logging.WARNING):
        traces = read_traces([a, b], skip_bad_lines=True)
    assert len(traces.transitions) == 2
    assert "2 of 6 line(s) dropped, the first: a.jsonl:3: expected one JSON object" in caplog.text
    assert refused(b).startswith("b.jsonl:2: ")
    assert refused(write("c.jsonl", HEADER, DRIVE), b).startswith("b.jsonl:2: ")


def test_forms_and_formats_may_differ(write):
    flat = header(
        types={"car": "object", "bay": "object"},
        predicates={"at": ["car", "bay"], "road": ["bay", "bay"], "idle": []},
        domain=None,
    )
    plain = write("a.jsonl", flat, DRIVE)
    with gzip.open("b.jsonl.gz", "wt") as stream:
        stream.write(json.dumps(flat) + "\n" + json.dumps(BACK) + "\n")
    other = write(
        "c.txt",
        "(trajectory",
        "(:objects c - car n m - bay)",
        "(:init (at c n) (idle))",
        "(:action (drive c m))",
        "(:state (at c m) (idle)))",
    )
    traces = read_traces([plain, "b.jsonl.gz", other], labels=LabelMode.NAMES)
    assert traces.n_steps == 3
    assert traces.files == (plain, "b.jsonl.gz", other)
    assert [str(t.line) for t in traces.transitions] == ["a.jsonl:2", "b.jsonl.gz:2", "c.txt:4"]
