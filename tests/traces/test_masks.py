"""Masks in trace files: what is read, what is refused, what several lines say of one state."""

from __future__ import annotations

import json

import pytest

from dias.errors import TraceError
from dias.traces.inspect import inspect_traces
from dias.traces.reading.reader import collect_traces, read_traces
from dias.traces.record import LabelMode, Mask
from dias.traces.writer import Step, step_record, write_traces
from tests.traces.files import DRIVE, HEADER, atoms, header, read, step

FULL = header(labels="full")
AT_N = atoms("at c n", "idle")


def drive(*applicable, action="(drive)", **more):
    return DRIVE | {"action": action, "applicable": applicable} | more


def masks(*lines, **options):
    return {mask.state: mask for mask in read(*lines, **options).masks}


def only(*lines, **options):
    (mask,) = read(*lines, **options).masks
    return mask


def test_names_alone_and_with_parentheses():
    listed = frozenset({("drive", ()), ("park", ())})
    assert only(HEADER, drive("Drive", "(park)")) == Mask(0, AT_N, listed, 2)
    assert only(HEADER, drive(["drive"], ["park"], "park")).listed == listed
    assert read(HEADER, DRIVE).masks == ()


def test_what_is_not_listed_is_refused():
    mask = only(FULL, drive("(drive c m)", "park", action="(drive c m)"))
    assert mask.arguments("drive") == {("c", "m")}
    assert not mask.refuses("drive", ("c", "m"))
    assert mask.refuses("drive", ("c", "n"))
    assert not mask.refuses("park", ("c", "n"))  # which one is applicable is not said
    assert mask.refuses("wash", ())


def test_with_names_the_arguments_are_ignored():
    traces = read(HEADER, drive("(drive c m)", "(drive c n)"))
    assert traces.masks[0].listed == {("drive", ())}
    assert any("are ignored" in finding for finding in traces.findings)


def test_of_leading_arguments_some_completion_is_applicable():
    mask = only(header(labels="partial"), drive("(drive c)", action="(drive c)"))
    assert mask.listed == {("drive", ("c",))}


@pytest.mark.parametrize(
    ("applicable", "problem", "remedy"),
    [
        ("drive", "applicable: expected an array of actions", ""),
        ([3], "applicable[0]: expected", ""),
        (
            ["park", "drove"],
            'applicable[1]: expected a name from "actions", found drove',
            "Did you mean drive?",
        ),
        (["(drive c x)"], 'applicable[0]: expected a name from "objects", found x', ""),
        (["(drive c)"], "expected action drive with 2 argument(s) as in line 2, found", ""),
        (
            ["(drive c n)", "drive"],
            "applicable: expected drive by its name alone or by its ground actions, found both"
            " (drive) and (drive c n)",
            "",
        ),
    ],
)  # fmt: skip
def test_errors_name_their_place(applicable, problem, remedy):
    first = DRIVE | {"action": "(drive c m)"}
    bad = first | {"applicable": applicable}
    with pytest.raises(TraceError) as caught:
        read(FULL, first, bad)
    assert "t.jsonl:3: " in str(caught.value)
    assert problem in str(caught.value)
    assert remedy in str(caught.value)
    left = read(FULL, first, bad, skip_bad_lines=True)
    assert (left.masks, left.n_steps, left.actions) == ((), 1, ("drive", "park"))


def test_without_labels_arguments_are_an_error_there_too():
    with pytest.raises(TraceError, match=r'Add "labels"'):
        read(step(applicable=["(act a)"]))


def test_an_unknown_name_is_not_observed_where_no_header_lists_names():
    traces = read(step(applicable=["act", "rest"]))
    assert traces.unobserved == ("rest",)


@pytest.mark.parametrize("n", [2, 3])
def test_trajectories_have_a_list_for_each_action_or_each_state(n):
    states = [["(p a)"], ["(p b)"], ["(p c)"]]
    lists = [["act"], ["act", "rest"], []][:n]
    line = {"states": states, "actions": ["act", "act"], "applicable": lists}
    found = read(line).masks
    assert [mask.state for mask in found] == [atoms("p a"), atoms("p b"), atoms("p c")][:n]
    assert [len(mask.listed) for mask in found] == [1, 2, 0][:n]


@pytest.mark.parametrize("n", [0, 1, 4])
def test_trajectories_with_another_number_of_lists(n):
    states = [["(p a)"], ["(p b)"], ["(p c)"]]
    line = {"states": states, "actions": ["act", "act"], "applicable": [["act"]] * n}
    with pytest.raises(TraceError, match="expected 2 or 3 arrays for 2 action"):
        read(line)
    with pytest.raises(TraceError, match=r"applicable\[1\]: expected an array of actions"):
        read(line | {"applicable": [["act"], "act"]})


def test_equal_states_have_one_mask():
    again = drive("drive", next=["(at c n)", "(idle)"])
    traces = read(HEADER, drive("drive"), again, DRIVE)
    assert len(traces.masks) == 1
    assert traces.masks[0].line == 2
    assert not any("applicable" in finding for finding in traces.findings)
    two = read(HEADER, drive("drive"), header(problem="p02"), drive("drive", "park"))
    assert [(mask.segment, len(mask.listed)) for mask in two.masks] == [(0, 1), (1, 2)]


def test_lines_that_say_otherwise_of_an_action_leave_it_open():
    traces = read(HEADER, drive("drive"), drive("drive", "park"))
    (mask,) = traces.masks
    assert mask.unclear == {"park"}
    assert not mask.refuses("park", ())
    (finding,) = (one for one in traces.findings if "applicable" in one)
    said = '"applicable" says otherwise of park than of the same state in line 2; 1 such state(s)'
    assert f":3: {said}" in finding


def test_a_name_agrees_with_ground_actions_and_they_with_no_others():
    go = "(drive c m)"
    assert masks(FULL, drive("drive", action=go), drive(go, action=go))[AT_N] == Mask(
        0, AT_N, frozenset({("drive", ("c", "m"))}), 2
    )
    both = masks(FULL, drive(go, action=go), drive(go, "(drive c n)", action=go))[AT_N]
    assert both.unclear == {"drive"}


def test_what_happened_though_it_is_refused_is_open():
    traces = read(HEADER, drive("park"))
    assert traces.masks[0].unclear == {"drive"}
    assert any(':2: (drive) happened though "applicable" does not' in f for f in traces.findings)
    full = read(FULL, drive("(drive c n)", action="(drive c m)"))
    assert full.masks[0].unclear == {"drive"}


def test_what_changed_nothing_though_it_is_refused_may_have_been():
    traces = read(HEADER, drive("park", next=DRIVE["state"]))
    assert traces.masks[0].refuses("drive", ())
    assert any("1 transition(s) that change nothing, of" in f for f in traces.findings)


def test_an_attempt_that_was_refused_though_it_is_listed_is_open():
    go, attempt = "(drive c m)", {"action": "(drive c n)", "next": None}
    lines = FULL, drive(go, "(drive c n)", action=go), DRIVE | attempt
    traces = read(*lines)
    assert traces.masks[0].unclear == {"drive"}
    assert any(':3: (drive c n) was refused though "applicable"' in f for f in traces.findings)
    named = read(HEADER, drive("drive"), DRIVE | {"next": None})
    assert not named.masks[0].unclear  # another ground action of that name is applicable


def test_round_trip(tmp_path):
    listed = {("drive", ("c", "m")), ("park", ())}
    state = AT_N
    one = Step(state, "drive", ("c", "m"), atoms("at c m", "idle"), applicable=listed)
    empty = Step(atoms("idle"), "drive", ("c", "m"), None, applicable=[])
    assert step_record(one)["applicable"] == ["(drive c m)", "(park)"]
    assert "applicable" not in step_record(one._replace(applicable=None))
    path = tmp_path / "t.jsonl"
    write_traces(path, [(FULL, [one, empty])])
    written = path.read_text().splitlines()
    assert json.loads(written[2])["applicable"] == []
    traces = read(*written)
    assert traces.masks == (
        Mask(0, state, frozenset(listed), 2),
        Mask(0, atoms("idle"), frozenset(), 3),
    )
    assert collect_traces([(FULL, [one, empty])]).masks == traces.masks


def test_masks_of_an_action_in_numbers():
    lines = [drive("(drive c m)", action="(drive c m)"), drive(state=["(at c m)"], action="park")]
    traces = read(FULL, *lines)
    first, second = traces.masks_of("drive")
    assert (first.listed, first.n_known) == ({(0, 1)}, 2)  # of c, m and n
    assert (second.listed, second.n_known) == (frozenset(), 0)
    assert [own.mask.line for own in traces.masks_of("park")] == [2]  # what happened is open
    assert traces.masks_of("wash") == ()
    assert traces.labels is LabelMode.FULL


def test_inspection_counts_states():
    inspection = inspect_traces(read(HEADER, drive("drive"), drive(state=["(at c m)"], next=[])))
    counts = {own.name: (own.n_listed, own.n_unlisted) for own in inspection.actions}
    assert counts == {"drive": (1, 0), "park": (0, 2)}


def test_what_is_odd_in_one_of_several_files_names_that_one(tmp_path):
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    refused = {"state": ["(at c n)", "(idle)"], "action": "(drive)", "next": None}
    lines = [[HEADER, drive("drive")], [HEADER, drive("park"), drive("park"), refused]]
    for path, own in zip(paths, lines, strict=True):
        path.write_text("".join(f"{json.dumps(line)}\n" for line in own))
    found = [text for text in read_traces(paths).findings if '"applicable"' in text]
    assert found and all(text.startswith(f"{paths[1]}:2: ") for text in found)
    found = [text for text in read_traces(paths[1:]).findings if '"applicable"' in text]
    assert found and all(text.startswith(f"{paths[1]}:2: ") for text in found)
