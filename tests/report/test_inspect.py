"""What a trace file is worth, in words and as JSON."""

from __future__ import annotations

import json
import random

import pytest

from dias.coverage.coverage import coverage
from dias.report.advice import advice, notes, verdict
from dias.report.inspect import inspection_json, inspection_text
from dias.traces.inspect import inspect_traces
from dias.traces.reading.reader import read_traces
from dias.traces.record import LabelMode
from dias.traces.sampling.sample import sample_traces, trace_block
from dias.traces.sampling.samples import SamplingConfig
from dias.traces.writer import write_traces
from tests.garden import GARDEN, NAMED, PLOT, START, WALK
from tests.traces.files import read, step

FULL = {"dias": "trace/1", "labels": "full"}


def many(action, n):
    """Distinct steps of an action."""
    return [step([f"(p {i})"], action, [f"(p {i + 1})"]) for i in range(n)]


def texts(*lines, instances=()):
    """Verdict, notes and advice on a file."""
    traces = read(*lines)
    found = inspect_traces(traces)
    covered = coverage(traces, GARDEN, instances, 100) if instances else []
    return verdict(found), list(notes(found, covered)), list(advice(found, covered))


def test_enough():
    assert texts(*many("go", 20)) == (
        "enough in number; every action has at least 20 distinct transitions that change something",
        [],
        [],
    )


def test_too_few():
    first, _, wishes = texts({"dias": "trace/1", "actions": ["go", "stop", "wait"]},
                             *many("go", 19), *many("wait", 25))  # fmt: skip
    assert first.endswith("that change something: go 19, stop 0")
    assert wishes == ["further distinct transitions that change something: stop (20), go (1)"]


def test_steps_without_effect_do_not_count():
    idle = [step([f"(p {i})"], "go", [f"(p {i})"]) for i in range(25)]
    first, _, wishes = texts(*many("go", 5), *idle)
    assert first.endswith("go 5")
    assert wishes == ["further distinct transitions that change something: go (15)"]
    first, _, wishes = texts(*many("go", 20), *idle)
    assert first.startswith("enough")
    assert wishes == ["steps of go that change something; 25 of 45 change nothing"]


def test_noise_shows_in_the_kinds_of_change():
    """Each step changes atoms of other predicates."""
    lines = [step([f"(p{i} a)"], "go", [f"(p{i + 1} a)"]) for i in range(20)]
    _, found, wishes = texts(*lines)
    assert found == [
        "go changes the state in 20 ways; 5.0 % of its changes are one of them or a part of it:"
        " noise, or several actions under one name"
    ]
    assert wishes == ["states that are observed without noise and show all that matters"]


@pytest.mark.parametrize(
    ("n_whole", "n_part", "n_other", "share"),
    [
        (10, 90, 0, None),  # it holds beforehand in most steps
        (4, 80, 16, "80.0 %"),  # it is hardly ever seen whole
        (50, 40, 10, None),
        (50, 39, 11, "89.0 %"),
        (50, 0, 50, "50.0 %"),
    ],
)
def test_parts_of_a_change_are_no_noise(n_whole, n_part, n_other, share):
    def changes(*after):
        return step([], "go", after)

    numbers = iter(range(1000))
    lines = [changes(f"(p {next(numbers)})", f"(q {next(numbers)})") for _ in range(n_whole)]
    lines += [changes(f"(p {next(numbers)})") for _ in range(n_part)]
    lines += [changes(f"(r {next(numbers)})") for _ in range(n_other)]
    _, found, _ = texts(*lines)
    ways = [text for text in found if "ways" in text]
    assert len(ways) == (share is not None) and all(f"; {share} of its" in text for text in ways)


def test_findings_of_the_reader_without_the_file_name():
    _, found, wishes = texts(FULL, step(["(p a)"], "(go a)", ["(p b)"]),
                             step(["(p a)"], "(go a)", ["(p c)"]))  # fmt: skip
    assert found[0] == "actions with fewer than 20 transitions: go 2"
    assert found[1].startswith("line 3: (go a) leads to another successor")
    assert wishes[0] == "states that are observed without noise and show all that matters"


def test_what_a_known_problem_adds():
    neither = ["(open north)", "(dry rose)", "(dry leek)"]
    _, found, wishes = texts(
        {**NAMED, "static": []}, *WALK, step(neither, "sun", START), instances=[PLOT]
    )
    assert found[-3:] == [
        "line 5: the domain has no such transition, and 1 of plot like that in all: noise, or"
        " another domain",
        "1 state that cannot be reached from the initial state of plot: noise, or another problem",
        "static atoms of plot that the traces lack: pipe (3)",
    ]
    assert 'the static atoms of pipe, in each state or as "static" in the header' in wishes
    assert wishes[-1] == (
        "water in plot: the fewest of its transitions were seen (0.0 %); 3 others begin in states"
        " that were visited"
    )


def test_a_problem_that_has_no_more_to_show(tmp_path):
    """The sun has 16 transitions in the garden, all of them seen: others are elsewhere."""
    [[sample]] = sample_traces(
        GARDEN, [PLOT], [SamplingConfig(1000, 1000, "bfs")], random.Random(0)
    )
    write_traces(tmp_path / "t.jsonl", [trace_block(GARDEN, sample, LabelMode.NAMES)])
    traces = read_traces(tmp_path / "t.jsonl")
    covered = coverage(traces, GARDEN, [PLOT], 100)
    assert list(advice(inspect_traces(traces), covered)) == [
        "a larger problem: in those given, every transition was seen of sun, turn-off, turn-on,"
        " water"
    ]


@pytest.mark.parametrize("width", [50, 80])
def test_text_fits(width):
    traces = read(NAMED, *WALK, *WALK)
    covered = coverage(traces, GARDEN, [PLOT], 100)
    lines = inspection_text(inspect_traces(traces), covered, width).splitlines()
    assert max(map(len, lines)) <= width
    assert lines[0].endswith("t.jsonl: 6 steps, action names only") or width == 50
    assert "3 distinct transitions between 3 states" in lines
    assert "1 problem: plot (4 objects)" in lines
    assert [line.split() for line in lines if line.startswith("turn-o")][:2] == [
        ["turn-off", "2", "1", "1", "0", "1"],
        ["turn-on", "4", "2", "2", "0", "1"],
    ]
    assert "turn-on: +open -shut" in lines
    assert "static predicates: dry, pipe" in lines
    assert "states that no step leaves: 0" in lines
    title = lines.index("action    transitions  seen   share  next")
    assert " ".join(lines[title - 2 : title]).startswith("State space of plot: 3 of 16") or (
        lines[title - 1].startswith("State space of plot: 3 of 16")
    )


def test_long_lists_are_cut_in_the_text_only():
    traces = read(*many("go", 1), *[step([f"(q {i})"], "go", [f"(p x{i})"]) for i in range(12)])
    found = inspect_traces(traces)
    text = inspection_text(found, [], 200)
    assert "states that no step leaves: 13, reached in lines 1, 2, 3, 4, 5, 6, 7, 8 and 5 more" in (
        text.splitlines()
    )
    assert [end["line"] for end in inspection_json(found, [])["dead_ends"]] == list(range(1, 14))


def test_contradictions_in_text_and_json():
    lines = [step(["(p a)"], "(go a)", [f"(p {name})"]) for name in "bcd"]
    found = inspect_traces(read(FULL, *lines))
    assert "contradictions: 1: (go a) in lines 2, 3, 4" in inspection_text(found, [], 80)
    value = inspection_json(found, [])
    assert value["contradictions"] == [{"action": "(go a)", "lines": [2, 3, 4]}]
    none = inspect_traces(read(FULL, lines[0]))
    assert "contradictions: none" in inspection_text(none, [], 80)


def test_json():
    traces = read(NAMED, *WALK)
    value = inspection_json(inspect_traces(traces), coverage(traces, GARDEN, [PLOT], 100))
    assert json.loads(json.dumps(value)) == value
    assert value["actions"]["turn-on"] == {
        "transitions": 2,
        "distinct_transitions": 2,
        "states": 2,
        "unchanged": 0,
        "refused": 0,
        "changes": [{"change": ["+open", "-shut"], "distinct_transitions": 2}],
        "same_arguments": [],
    }
    assert value["predicates"] == {
        "changing": ["open", "shut"], "static": ["dry", "pipe"], "never_true": [],
    }  # fmt: skip
    [space] = value["state_spaces"]
    assert (space["reachable_states"], space["visited_states"], space["other_states"]) == (16, 3, 0)
    assert space["actions"]["turn-on"] == {
        "reachable_transitions": 16, "seen": 2, "unseen_in_visited_states": 1,
    }  # fmt: skip


def test_constants_and_arguments_that_may_be_one():
    lines = [step([f"(p {i})"], f"(put {i} depot yard)", [f"(q {i})"]) for i in range(3)]
    found = inspect_traces(read(FULL | {"constants": ["yard", "attic"]}, *lines))
    text = inspection_text(found, [], 80).splitlines()
    assert "2 constants: attic, yard" in text
    assert "put: argument 2 is depot throughout (may be a constant)" in text
    assert "put: argument 3 is yard throughout (a constant)" in text
    value = inspection_json(found, [])
    assert value["constants"] == {"attic": "object", "yard": "object"}
    assert value["actions"]["put"]["same_arguments"] == [
        {"place": 2, "object": "depot"},
        {"place": 3, "object": "yard"},
    ]
    none = inspect_traces(read(*many("go", 3)))
    assert "constant" not in inspection_text(none, [], 80)
    assert inspection_json(none, [])["constants"] == {}
