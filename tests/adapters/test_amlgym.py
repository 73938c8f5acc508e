"""The learner as AMLGym has learners; with AMLGym itself where that is installed."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import dias
from benchmarks.amlgym_bench import FIGURES, measure, table
from dias.adapters.amlgym import DIAS, register
from dias.errors import PlannerError, TraceError
from dias.strips.pddl.reader import parse_domain
from tests.cli.helpers import DOMAIN, call, garden, write
from tests.documents.helpers import results

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


@pytest.mark.parametrize(
    ("module", "found"),
    [(None, "that it is not installed"), (ModuleType("amlgym"), "an older one")],
)
def test_without_amlgym(monkeypatch, module, found):
    monkeypatch.setitem(sys.modules, "amlgym", module)
    with pytest.raises(PlannerError, match=f"found {found}. Install it.*pip install amlgym"):
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
    assert table(map(json.loads, lines)) in results()


@needs_amlgym
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_its_own_benchmark(tmp_path):
    with contextlib.chdir(tmp_path):
        row = measure("blocksworld", "dias")
    assert row.pop("learn_s") < 60
    assert [row.pop(key) for key in ("false_plans", "unsolvable", "timed_out")] == [0, 0, 0]
    assert set(row.values()) == {1.0}


@pytest.mark.slow
def test_in_an_environment_of_its_own(tmp_path):
    """AMLGym is no dependency: it is installed beside dias, where its benchmark then runs."""
    python = tmp_path / "env" / "bin" / "python"
    install = (python, "-m", "pip", "install", "--quiet")
    for command in (
        (sys.executable, "-m", "venv", tmp_path / "env"),
        (*install, "-c", "constraints.txt", "-e", ".[test]"),
        (*install, "amlgym"),  # with what is pinned there would be an old one only
    ):
        subprocess.run(command, cwd=ROOT, check=True, timeout=1_200)
    tested = subprocess.run(
        (python, "-m", "pytest", "-q", "-m", "slow", "-k", "its_own_benchmark", __file__),
        cwd=ROOT, check=False, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert "1 passed" in tested.stdout, tested.stdout
