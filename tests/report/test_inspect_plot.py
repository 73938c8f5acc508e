"""Pictures: what they show is in them, and the same input gives the same bytes."""

from __future__ import annotations

import re

import numpy as np
import pytest
from matplotlib.colors import to_rgba

from dias.coverage.coverage import coverage
from dias.coverage.state_space import Edge
from dias.report import inspect_plot
from dias.report.figures import save_figure
from dias.report.inspect_plot import BLUE, GREY, PALE, can_be_drawn, inspection_figure
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


@pytest.fixture(scope="module")
def drawn():
    """The axes of a picture of a walk through three states, by the name of their place."""
    traces = read(NAMED, *WALK)
    covered = coverage(traces, GARDEN, [PLOT], 100)
    figure = inspection_figure(inspect_traces(traces), covered)
    graph, samples, bars = figure.axes
    return {"graph": graph, "samples": samples, "coverage": bars, "covered": covered[0]}


def test_what_was_seen_is_dark_filled_and_above_what_was_not(drawn):
    graph = drawn["graph"]
    rest, seen = graph.lines
    assert rest.get_label().endswith("not seen") and not seen.get_label().endswith("not seen")
    assert [to_rgba(line.get_color()) for line in (rest, seen)] == [to_rgba(PALE), to_rgba(BLUE)]
    others, visited, start = graph.collections
    for dots, inside, edge in ((others, "white", GREY), (visited, BLUE, BLUE)):
        assert to_rgba(dots.get_facecolor()[0]) == to_rgba(inside)
        assert to_rgba(dots.get_edgecolor()[0]) == to_rgba(edge)
    order = [rest, others, seen, visited, start]
    assert [artist.get_zorder() for artist in order] == sorted(
        {artist.get_zorder() for artist in order}
    )
    assert len(others.get_offsets()) == 13 and len(visited.get_offsets()) == 3
    assert not graph.axison


def test_lines_run_from_state_to_state_with_gaps():
    places = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 2.0]])
    edges = [Edge(0, "a", 1), Edge(1, "b", 2), Edge(1, "c", 2)]
    x, y = inspect_plot._segments(edges, places)
    nan = np.nan
    np.testing.assert_array_equal(x, [0, 1, nan, 1, 1, nan])
    np.testing.assert_array_equal(y, [0, 0, nan, 0, 2, nan])
    assert [len(part) for part in inspect_plot._segments([], places)] == [0, 0]


def test_bars_are_as_long_as_the_share_that_was_seen(drawn):
    bars = drawn["coverage"]
    names = [label.get_text() for label in bars.get_yticklabels()]
    whole, seen = (
        {name: bar.get_width() for name, bar in zip(names, container, strict=True)}
        for container in bars.containers
    )
    assert set(whole.values()) == {100}
    expected = {a.name: 100 * a.n_seen / a.n_reachable for a in drawn["covered"].actions}
    assert seen == pytest.approx(expected) and max(seen.values()) == 12.5
