"""Writing traces: the bytes, the round trip, and no half files."""

import gzip
import io
import json
import os
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.errors import TraceError
from dias.strips.model import Atom, Predicate
from dias.traces.reading.reader import read_traces
from dias.traces.record import LabelMode
from dias.traces.writer import Step, trace_header, write_traces
from tests.traces.files import atoms, read

EXAMPLE = trace_header(
    domain="blocks",
    problem="p01",
    labels=LabelMode.FULL,
    types={"block": "object", "ball": "object"},
    predicates=[Predicate("on", (("block",), ("ball", "block"))), Predicate("done")],
    objects={"b2": "block", "b1": "block"},
    constants=["b2", "b1"],
    actions=["stack", "drop"],
    static=atoms("on b2 b2", "on b1 b1"),
)
STEP = Step(atoms("on b2 b1", "done"), "stack", ("b1", "b2"), atoms("done"), "w", 0)
TEXT = (
    '{"dias":"trace/1","domain":"blocks","problem":"p01","labels":"full",'
    '"types":{"ball":"object","block":"object"},'
    '"predicates":{"done":[],"on":["block",["ball","block"]]},'
    '"objects":{"b1":"block","b2":"block"},"constants":["b1","b2"],"actions":["drop","stack"],'
    '"static":["(on b1 b1)","(on b2 b2)"]}\n'
    '{"state":["(done)","(on b2 b1)"],"action":"(stack b1 b2)","next":["(done)"],'
    '"trace":"w","step":0}\n'
    '{"state":[],"action":"(drop)","next":null}\n'
)


def example_blocks():
    yield EXAMPLE, iter([STEP, Step([], "drop", (), None)])


def test_the_bytes(tmp_path):
    path = tmp_path / "t.jsonl"
    assert write_traces(path, example_blocks()) == 2
    assert path.read_bytes() == TEXT.encode()
    assert os.listdir(tmp_path) == ["t.jsonl"]


def test_compressed_bytes_depend_on_the_content_alone(tmp_path):
    first, second = tmp_path / "a.jsonl.gz", tmp_path / "b.jsonl.gz"
    for path in (first, second):
        write_traces(path, example_blocks())
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes()[4:8] == bytes(4)  # no time
    assert gzip.decompress(first.read_bytes()) == TEXT.encode()
    assert read_traces(first).n_steps == 1


def test_standard_output(monkeypatch):
    stream = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(stream))
    write_traces("-", example_blocks())
    assert stream.getvalue() == TEXT.encode()


@pytest.mark.parametrize("name", ["t.jsonl", "t.jsonl.gz"])
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_failure_leaves_what_was_there(tmp_path, name, error):
    def failing():
        yield STEP
        raise error

    path = tmp_path / name
    for before in (None, b"before"):
        if before is not None:
            path.write_bytes(before)
        with pytest.raises(error):
            write_traces(path, [(EXAMPLE, failing())])
        assert os.listdir(tmp_path) == ([] if before is None else [name])
    assert path.read_bytes() == b"before"


def test_a_link_and_the_mode_of_a_file_are_kept(tmp_path):
    target, link = tmp_path / "target.jsonl", tmp_path / "link.jsonl"
    target.write_bytes(b"")
    target.chmod(0o640)
    link.symlink_to(target)
    write_traces(link, example_blocks())
    assert link.is_symlink()
    assert target.read_bytes() == TEXT.encode()
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_device_is_not_replaced():
    write_traces(os.devnull, example_blocks())
    assert not os.path.isfile(os.devnull)


def test_places_that_cannot_be_written(tmp_path):
    for path, finding in (
        (tmp_path / "none" / "t.jsonl", "the folder .* does not exist"),
        (tmp_path, "found a folder"),
    ):
        with pytest.raises(TraceError, match=finding) as caught:
            write_traces(path, example_blocks())
        assert caught.value.place == str(path)
        assert caught.value.remedy


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_a_long_name_has_room_beside_it(tmp_path, ending):
    path = tmp_path / f"{'a' * 245}{ending}"
    assert write_traces(path, example_blocks()) == 2
    assert os.listdir(tmp_path) == [path.name]


def test_numbers_that_json_does_not_have_are_never_written(tmp_path):
    with pytest.raises(ValueError, match="JSON"):
        write_traces(tmp_path / "t.jsonl", [(EXAMPLE | {"seed": float("nan")}, [])])


OBJECTS = {"a": "t1", "b": "t2", "é-1": "t1"}
PREDICATES = (Predicate("p", (("t1", "t2"),)), Predicate("q", (("object",), ("object",))),
              Predicate("r"))  # fmt: skip
GROUND = [Atom("r")] + [Atom("p", (o,)) for o in OBJECTS]
GROUND += [Atom("q", (first, second)) for first in OBJECTS for second in OBJECTS]
STATES = st.frozensets(st.sampled_from(GROUND), max_size=5)
ACTIONS = st.sampled_from([("go", ("a", "b")), ("go", ("b", "é-1")), ("stop", ())])
STEPS = st.builds(
    lambda state, action, next_state, step: Step(state, *action, next_state, "w", step),
    STATES, ACTIONS, STATES | st.none(), st.integers(),
)  # fmt: skip
MODES = st.sampled_from([LabelMode.FULL, LabelMode.STRIPS_PLUS])


@settings(deadline=None)
@given(
    STATES, MODES, st.lists(st.lists(STEPS, max_size=6), min_size=1, max_size=3),
    st.sets(st.sampled_from(sorted(OBJECTS))),
)  # fmt: skip
def test_what_is_written_is_read_back(tmp_path_factory, static, labels, walks, constants):
    first = Step(frozenset(), "stop", (), frozenset(), 0, 0)
    walks[0].insert(0, first)
    walks = [[step for step in steps if not static & (step.state | (step.next_state or set()))]
             for steps in walks]  # fmt: skip
    blocks = []
    for number, steps in enumerate(walks):
        head = trace_header(
            domain="d", problem=f"p{number}", labels=labels, types={"t1": "t2", "t2": "object"},
            predicates=PREDICATES, objects=OBJECTS, actions=["go", "stop"], static=static,
            constants=constants,
        )  # fmt: skip
        blocks.append((head, steps))
    path = tmp_path_factory.mktemp("written") / "t.jsonl"
    write_traces(path, blocks)
    traces = read_traces(path)

    assert (traces.domain, traces.labels, traces.predicates) == ("d", labels, PREDICATES)
    assert traces.types == {"t1": "t2", "t2": "object"}
    assert traces.actions == ("go", "stop")
    assert list(traces.constants.items()) == [(c, OBJECTS[c]) for c in sorted(constants)]
    assert all(("constants" in head) is bool(constants) for head, _ in blocks)
    assert all(s.objects == OBJECTS and s.static == static for s in traces.segments)

    def problem(entry) -> str:
        return traces.segments[entry.segment].problem

    steps = [(f"p{i}", *step[:4]) for i, walk in enumerate(walks) for step in walk]
    done = [step for step in steps if step[-1] is not None]
    refused = [step[:-1] for step in steps if step[-1] is None]
    kept = {(problem(t), t.state, t.action, t.arguments, t.next_state): t.count
            for t in traces.transitions}  # fmt: skip
    assert kept == {step: done.count(step) for step in done}
    assert list(kept) == list(dict.fromkeys(done))
    kept = {(problem(r), r.state, r.action, r.arguments): r.count for r in traces.refused}
    assert kept == {step: refused.count(step) for step in refused}
    lines = path.read_bytes().splitlines()
    assert [line for line in map(json.loads, lines) if "dias" in line] == [b[0] for b in blocks]


def test_a_written_file_reads_as_lines_by_hand():
    assert read(TEXT.removesuffix("\n")).transitions[0].state == atoms("done", "on b2 b1")
