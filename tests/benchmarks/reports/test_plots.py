"""The plots: drawn, honest about what they show, and the same bytes every time."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from benchmarks.reports import plots
from benchmarks.reports.results import Results, learning_figures
from benchmarks.running.learning import LearningRun
from benchmarks.running.rawlines import RowWriter
from benchmarks.tables import coverage
from dias.report.figures import save_figure
from tests.benchmarks.fakes import failed, row

RUNS = [LearningRun(domain, seed=seed) for domain in ("hanoi", "gripper") for seed in range(3)]


@pytest.fixture
def results():
    rows = {run: row(run, learn_s=1.0 + run.seed) for run in RUNS[:-1]}
    return Results("main", RUNS, rows | {RUNS[0]: failed(RUNS[0])})


@pytest.fixture
def groups(results):
    return [
        {"domain": domain, "labels": "names", "method": "hybrid", "paper": {"both": 8}}
        | learning_figures(rows)
        for (domain,), rows in results.groups("domain").items()
    ]


def written(draw, tmp_path) -> str:
    """A figure as SVG, whose letters can be read; drawn and saved twice with the same bytes."""
    first, again = tmp_path / "a.svg", tmp_path / "b.svg"
    save_figure(draw(), first)
    save_figure(draw(), again)
    assert first.read_bytes() == again.read_bytes()
    return re.sub(r"<[^>]+>|\s+", " ", first.read_text())


def test_bars_have_their_numbers(results, groups, tmp_path):
    text = written(lambda: plots.perfect_runs(results, groups, 10), tmp_path)
    for part in ("hanoi", "gripper", "2/3", "2/2", "8/10", "paper", "action names only"):
        assert part in text
    assert "5 of 6 runs done, 1 not done yet, 1 failed. Seeds: 0–2." in text
    assert "dias 0.1.0, torch 2.0 (4 runs); not recorded (1 runs)" in text
    assert "Machine: pdp-11, 1 core" in text


def test_without_the_papers_figures_nothing_is_said_of_it(results, groups, tmp_path):
    own = [group | {"paper": None} for group in groups]
    assert "paper" not in written(lambda: plots.perfect_runs(results, own, 10), tmp_path)


def test_a_caption_is_no_wider_than_its_figure(results, monkeypatch):
    versions = {
        "dias 0.1.0+3b91f76, torch 2.13.0+cpu": 130, "dias 0.1.0+734bdfa, torch 2.13.0+cpu": 260,
    }  # fmt: skip
    machines = {"x86_64, 2 cores, Python 3.11.7": 390}
    known = results.provenance() | {"versions": versions, "machines": machines}
    monkeypatch.setattr(Results, "provenance", lambda self: known)
    figure = plots.run_times(results, lambda run: run.labels)
    figure.set_dpi(150)  # as it is saved: letters are wider then
    figure.canvas.draw()
    text = next(own for own in figure.texts if "Versions" in own.get_text())
    assert text.get_window_extent().x1 <= figure.bbox.x1


def test_every_run_is_a_dot(results):
    (panel,) = plots.run_times(results, lambda run: run.labels).axes
    (dots,) = panel.collections
    assert sorted(x for x, _ in dots.get_offsets()) == [1.0, 2.0, 2.0, 3.0]
    low, high = panel.get_xlim()
    assert low < 1.0 < 3.0 < high


def test_noise_has_a_panel_for_each_domain():
    runs = [LearningRun("hanoi", noise=flips) for flips in (1.0, 4.0)]
    rows = {runs[0]: row(runs[0], precision=0.5), runs[1]: failed(runs[1])}
    groups = [
        {"domain": "hanoi", "method": "hybrid", "flips": run.noise, "paper": None}
        | learning_figures([rows[run]])
        for run in runs
    ]
    (panel,) = plots.shares_over(Results("noise", runs, rows), groups, "flips", "flips").axes
    assert panel.get_title() == "hanoi"
    points = {line.get_label(): list(line.get_ydata()) for line in panel.lines}
    assert points["hybrid: precision"] == [0.5]  # where all runs failed there is no point
    assert "paper: precision" not in points
    groups[1]["paper"] = {"precision": 0.25, "recall": 1.0}
    (panel,) = plots.shares_over(Results("noise", runs, rows), groups, "flips", "flips").axes
    points = {line.get_label(): list(line.get_ydata()) for line in panel.lines}
    assert points["paper: precision"] == [0.25]


def test_a_size_that_failed_is_named(tmp_path):
    groups = [
        {"objective": "dense", "objects": 15, "step_s": 0.02, "peak_mib": 300},
        {"objective": "dense", "objects": 500, "step_s": None, "peak_mib": None},
    ]
    text = written(lambda: plots.over_size(Results("scaling", [], {}), groups), tmp_path)
    assert "No point, since failed or not done: dense, 500 objects." in text


def test_the_walk_is_marked_in_the_state_space(tmp_path):
    run = coverage.WalkRun(0)
    with RowWriter(tmp_path / "coverage.jsonl") as writer:
        writer.add(run.key | {"failure": None, "steps": 2, "visited": ["111111", "111112"]})
    command = ["--report-only", "-o", str(tmp_path)]
    CliRunner().invoke(coverage.command, command, catch_exceptions=False)
    text = re.sub(r"<[^>]+>|\s+", " ", (tmp_path / "coverage-states.svg").read_text())
    assert "not visited: 727" in text
    assert "visited: 2" in text
