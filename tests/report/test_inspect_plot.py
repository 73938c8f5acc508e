"""Pictures: what they show is in them, and the same input gives the same bytes."""

from __future__ import annotations

import re

import pytest

from dias.coverage.coverage import coverage
from dias.report import inspect_plot
from dias.report.figures import save_figure
from dias.report.inspect_plot import can_be_drawn, inspection_figure
from dias.traces.inspect import inspect_traces
from tests.garden import GARDEN, NAMED, PLOT, WALK
from tests.traces.files import read, step


def picture(folder, name, *lines, instances=(), max_states=100):
    """The file that a picture of these lines is saved in."""
    traces = read(*lines)
    covered = coverage(traces, GARDEN, instances, max_states) if instances else []
    path = folder / name
    save_figure(inspection_figure(inspect_traces(traces), covered), path)
    return path


def words(path):
    """The texts in an SVG."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text("utf-8"))


def test_bars_only(tmp_path):
    found = words(picture(tmp_path, "p.svg", NAMED, *WALK, *WALK))
    assert {"Steps per action", "turn-on", "turn-off", "4", "2", "repeats"} <= set(found)
    assert not any("visited" in text or "change nothing" in text for text in found)
    idle = step(["(dry rose)"], "wait", ["(dry rose)"])
    assert "change nothing" in words(picture(tmp_path, "p.svg", idle))


def test_the_state_space(tmp_path):
    found = words(picture(tmp_path, "p.svg", NAMED, *WALK, instances=[PLOT]))
    assert "plot: 3 of 16 states visited (18.7 %)" in found
    assert {"3 states visited", "13 states not visited", "initial state"} <= set(found)
    assert {"3 transitions seen", "55 transitions not seen"} <= set(found)
    assert {"2 of 16 (12.5 %)", "0 of 10 (0.0 %)"} <= set(found)


def test_a_large_state_space_is_not_drawn(tmp_path, monkeypatch):
    arguments = {"instances": [PLOT], "max_states": 5}
    found = words(picture(tmp_path, "p.svg", NAMED, *WALK, **arguments))
    assert "Transitions seen of the first reachable ones" in found
    assert not any("visited" in text for text in found)
    [whole] = coverage(read(NAMED, *WALK), GARDEN, [PLOT], 16)
    assert can_be_drawn(whole)
    monkeypatch.setattr(inspect_plot, "MAX_DRAWN", 15)
    assert not can_be_drawn(whole)


@pytest.mark.parametrize("name", ["p.png", "p.svg"])
def test_same_bytes(tmp_path, name):
    first = picture(tmp_path, name, NAMED, *WALK, instances=[PLOT]).read_bytes()
    assert picture(tmp_path, name, NAMED, *WALK, instances=[PLOT]).read_bytes() == first
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_names_are_not_formulas(tmp_path):
    names = ["$\\frac{$", "a_$x^$", "动"]
    lines = [step(["(p a)"], name, ["(q a)"]) for name in names]
    assert set(names) <= set(words(picture(tmp_path, "p.svg", *lines)))
    assert picture(tmp_path, "p.png", *lines).read_bytes().startswith(b"\x89PNG")
