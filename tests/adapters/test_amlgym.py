"""The learner as AMLGym has learners; with AMLGym itself where that is installed."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import sys
from pathlib import Path

import pytest

import dias
from benchmarks.amlgym_bench import FIGURES, measure, table
from dias.adapters.amlgym import DIAS, register
from dias.errors import PlannerError, TraceError
from dias.strips.pddl.reader import parse_domain
from tests.cli.helpers import DOMAIN, call, garden, write

ROOT = Path(__file__).parents[2]
needs_amlgym = pytest.mark.skipif(
    importlib.util.find_spec("amlgym") is None,
    reason="amlgym is not installed: it wants an environment of its own",
)


@pytest.fixture
def trajectories(tmp_path):
    """Walks in the garden, in AMLGym's format."""
    garden(tmp_path)
    arguments = ("domain.pddl", "p.pddl", "--labels", "full", "--min-per-action", 20)
    assert call("sample", *arguments, "-o", "t.jsonl", cwd=tmp_path).status == 0
    files = ("t.jsonl", "--to", "amlgym", "-o", "traj")
    assert call("convert", *files, cwd=tmp_path).status == 0
    return [str(path) for path in sorted(tmp_path.glob("*traj"))]


def test_what_is_learned(tmp_path, trajectories):
    """Types come from the domain, whose actions are not looked at."""
    write(tmp_path, "empty.pddl", DOMAIN[: DOMAIN.index("(:action")] + ")")
    text = DIAS().learn(str(tmp_path / "empty.pddl"), trajectories)
    learned, true = parse_domain(text), parse_domain(DOMAIN)
    instance = dias.read_problem(tmp_path / "p.pddl", true)
    evaluation = dias.evaluate(learned, true, [instance])
    assert evaluation.is_sound
    assert evaluation.is_complete
    kinds = {action.name: [p.types for p in action.parameters] for action in learned.actions}
    assert kinds == {action.name: [p.types for p in action.parameters] for action in true.actions}
    assert text == DIAS().learn(str(tmp_path / "domain.pddl"), trajectories)


def test_a_trajectory_that_is_none(tmp_path, trajectories):
    write(tmp_path, "bad", "(:trajectory (:state (wet rose)) (:action")
    with pytest.raises(TraceError, match="bad:1"):
        DIAS().learn(str(tmp_path / "domain.pddl"), [*trajectories, str(tmp_path / "bad")])


def test_without_amlgym(monkeypatch):
    monkeypatch.setitem(sys.modules, "amlgym", None)
    with pytest.raises(PlannerError, match="pip install amlgym"):
        register()


def test_the_table():
    rows = [
        {"domain": "ferry", "learner": "dias", **dict.fromkeys(FIGURES, 0.5)},
        {"domain": "ferry", "learner": "SAM", "learn_s": 1.25, "failure": "no such thing"},
    ]
    *_, first, second = table(rows).splitlines()
    assert first == "| ferry | dias |" + " 0.5 |" * len(FIGURES)
    assert second.startswith("| ferry | SAM | 1.25 | –")
    assert second.endswith("| failed: no such thing |")


def test_the_table_of_the_results_is_that_of_the_kept_rows():
    lines = (ROOT / "benchmarks" / "results" / "amlgym.jsonl").read_text("utf-8").splitlines()
    assert table(map(json.loads, lines)) in (ROOT / "docs" / "results.md").read_text("utf-8")


@needs_amlgym
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_its_own_benchmark(tmp_path):
    with contextlib.chdir(tmp_path):
        row = measure("blocksworld", "dias")
    assert row.pop("learn_s") < 60
    assert [row.pop(key) for key in ("false_plans", "unsolvable", "timed_out")] == [0, 0, 0]
    assert set(row.values()) == {1.0}
