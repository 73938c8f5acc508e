"""Trajectories are written as AMLGym and SAM read them, and come back as they were."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.strips.model import Atom
from dias.traces.dialects.write import FORMATS, write_trajectories
from dias.traces.reading.reader import read_blocks
from dias.traces.record import LabelMode
from dias.traces.writer import Block, Step, trace_header, write_traces
from tests.traces.dialects.texts import TEXTS, atoms, read, steps, walk

NAMES = st.sampled_from(["a", "b", "on", "and", "state", "é", "x.1", "1", "object"])
ATOMS = st.builds(
    lambda name, terms: Atom(f"{name}/{len(terms)}", tuple(terms)),
    NAMES,
    st.lists(NAMES, max_size=3),
)
STATES = st.frozensets(ATOMS, max_size=4)


def header(static=()) -> dict[str, object]:
    """That of a file in which nothing is declared but the labels, and what holds throughout."""
    made = trace_header(
        domain="d", problem="p", labels=LabelMode.FULL, types={}, predicates=(), objects={},
        actions=(), static=static,
    )  # fmt: skip
    return {key: made[key] for key in ("dias", "problem", "labels", "static")}


@st.composite
def blocks(draw) -> list[Block]:
    """Walks, some of whose steps jump or are refused."""
    made = []
    for _ in range(draw(st.integers(1, 3))):
        static = draw(st.frozensets(ATOMS, max_size=2))
        state, own = draw(STATES) - static, []
        for number in range(draw(st.integers(0, 5))):
            name, size = draw(NAMES), draw(st.integers(0, 2))
            arguments = tuple(draw(NAMES) for _ in range(size))
            after = draw(STATES) - static
            is_refused = draw(st.integers(0, 5)) == 0
            own.append(
                Step(state, f"{name}/{size}", arguments, None if is_refused else after, 0, number)
            )
            if not is_refused and draw(st.integers(0, 3)):
                state = after
        made.append((header(static), own))
    return made


def whole(found: list[Block]) -> list[tuple[object, ...]]:
    """The transitions in their order, static atoms and all."""
    return [
        (
            {*map(str, step.state), *known["static"]},
            step.action,
            step.arguments,
            {*map(str, step.next_state), *known["static"]},
        )
        for known, own in found
        for step in own
        if step.next_state is not None
    ]


@settings(deadline=None)
@given(blocks(), st.sampled_from(FORMATS))
def test_there_and_back(made, format_):
    """From a trace file to trajectories and back, the same transitions in the same order."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.jsonl"
        write_traces(path, made)
        if not whole(made):
            return
        first = read_blocks(path, labels=LabelMode.FULL).blocks
        assert whole(first) == whole(made)
        texts, n_refused = write_trajectories(first, format_)
        assert n_refused == sum(step.next_state is None for _, own in made for step in own)
        path = Path(folder) / "t.trajectory"
        path.write_text("".join(texts), "utf-8")
        found = read_blocks(path, labels=LabelMode.FULL)
        assert found.dialect == format_
        assert whole(found.blocks) == whole(made)


@pytest.mark.parametrize("format_", FORMATS)
def test_the_text_itself(format_, tmp_path):
    path = tmp_path / "walk.txt"
    path.write_text(TEXTS["l1"], "utf-8")
    [text] = write_trajectories(read_blocks(path).blocks, format_).texts
    assert steps(read(text)) == walk()
    lines = text.splitlines()
    if format_ == "amlgym":
        assert lines[:5] == [
            "(:trajectory", "", "(:state (dry rose) (pipe n rose) (shut n))", "",
            "(:action (turn-on n))",
        ]  # fmt: skip
        assert lines[-2:] == ["", ")"]
    else:
        assert lines[:2] == [
            "((:init (dry rose) (pipe n rose) (shut n))",
            "(operator: (turn-on n))",
        ]
        assert lines[-2:] == ["(:state (pipe n rose) (shut n) (wet rose))", ")"]


def test_a_walk_ends_where_the_next_step_begins_elsewhere():
    here, there = atoms("(at a)"), atoms("(at b)")
    walks = [
        [Step(here, "go", ("a",), there, 1), Step(there, "go", ("b",), here, 1)],
        [Step(here, "go", ("a",), there, 2)],
        [Step(here, "go", ("a",), there, 2)],
    ]
    steps_ = [step for own in walks for step in own]
    written = write_trajectories([(header(), steps_)], "sam")
    assert [text.count("operator:") for text in written.texts] == [2, 1, 1]
    assert written.n_refused == 0
