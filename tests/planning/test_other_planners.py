"""Planners of unified-planning: found, asked, and not believed without a look."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from time import perf_counter

import pytest

from benchmarks.running.command import run_dias
from dias.errors import PlannerError
from dias.planning import other_planners
from dias.planning.plan import PlanStatus, plan
from dias.planning.validate import validate
from dias.strips.grounding import GroundAction
from dias.strips.model import Atom
from tests.cli.helpers import call, dias, garden, is_one_error, strict_json, write
from tests.garden import GARDEN, PLOT

BLOCKS = Path(__file__).parents[2] / "benchmarks" / "domains" / "blocks-3"
COMMAND = ("plan", "domain.pddl", "p.pddl", "--planner", "fast-downward")
needs_planners = pytest.mark.skipif(
    importlib.util.find_spec("up_fast_downward") is None,
    reason="the extra `planners` is not installed",
)


def test_without_the_extra(tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("dias.adapters.unified")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "unified_planning", None)
    garden(tmp_path)
    is_one_error(
        call(*COMMAND, cwd=tmp_path),
        "expected the package unified-planning, found that it is not installed",
        "pip install 'dias-planning[planners]'",
    )


@pytest.mark.parametrize("option", [("--search", "gbf"), ("--heuristic", "hff")])
def test_options_of_pyperplan(tmp_path, option):
    garden(tmp_path)
    status, out, err = call(*COMMAND, *option, cwd=tmp_path)
    assert (status, out) == (2, "")
    assert f"{option[0]} is for --planner pyperplan, not for fast-downward" in err
    assert call(*COMMAND[:3], "--planner", "pyperplan", *option, cwd=tmp_path).status == 0


@needs_planners
def test_a_plan(tmp_path):
    garden(tmp_path)
    status, out, err = call(*COMMAND, "--gt", "domain.pddl", cwd=tmp_path)
    assert status == 0
    assert out.endswith("(unit cost)\n")
    assert err.splitlines()[-1] == "valid in the true domain: yes"
    value = strict_json(call(*COMMAND, "--gt", "domain.pddl", "--json", cwd=tmp_path).out)
    assert value["valid"]
    assert value["status"] == "solved"


@needs_planners
def test_a_plan_that_is_wrong_in_the_true_domain(tmp_path):
    garden(tmp_path)
    text = (tmp_path / "domain.pddl").read_text()
    write(tmp_path, "learned.pddl", text.replace("(open ?t) (pipe ?t ?b)", "(pipe ?t ?b)"))
    outcome = call("plan", "learned.pddl", *COMMAND[2:], "--gt", "domain.pddl", cwd=tmp_path)
    assert outcome.status == 4
    assert "does not hold" in outcome.err


@needs_planners
def test_names_that_pddl_does_not_have():
    """Names are those of the domain, however the planner was given them.

    The action sun/1.5 changes nothing, which Fast Downward would refuse.
    """
    actions = tuple(
        action if action.name != "sun" else type(action)("sun/1.5", action.parameters)
        for action in GARDEN.actions
    )
    objects = {{"rose": "rosa.1"}.get(name, name): kind for name, kind in PLOT.objects.items()}

    def renamed(atoms):
        return frozenset(atom.substitute({"rose": "rosa.1"}) for atom in atoms)

    domain = type(GARDEN)(GARDEN.name, GARDEN.types, GARDEN.constants, GARDEN.predicates, actions)
    instance = type(PLOT)(
        PLOT.name, PLOT.domain_name, objects, renamed(PLOT.init), renamed(PLOT.goal)
    )
    found = plan(domain, instance, planner="fast-downward")
    assert any("rosa.1" in step.arguments for step in found.steps)
    assert validate(found.steps, domain, instance).valid


@needs_planners
def test_an_optimal_plan():
    found = plan(GARDEN, PLOT, planner="fast-downward-opt")
    assert (found.status, len(found.steps)) == (PlanStatus.SOLVED, 4)
    assert len(plan(GARDEN, PLOT, search="bfs").steps) == 4


@needs_planners
@pytest.mark.parametrize("goal", ["(pipe north leek)", "(not (pipe south leek))"])
def test_no_plan(tmp_path, goal):
    garden(tmp_path)
    text = (tmp_path / "p.pddl").read_text()
    write(tmp_path, "p.pddl", text.replace("(shut south)))", f"{goal}))"))
    status, out, err = call(*COMMAND, cwd=tmp_path)
    assert (status, out) == (3, "")
    assert err.startswith("no plan ")
    assert "fast-downward" in err


@needs_planners
def test_the_time_limit(tmp_path):
    """Blocks-3 with 40 blocks is too much for Fast Downward.

    In a process of its own: unified-planning leaves the pipes of a planner that it stops open.
    """
    files = (BLOCKS / "domain.pddl", BLOCKS / "p04.pddl")
    start = perf_counter()
    outcome = dias("plan", *files, "--planner", "fast-downward", "--time-limit", 4, cwd=tmp_path)
    assert perf_counter() - start < 20  # starting and stopping, on a busy machine
    assert outcome == (3, "", "no plan found within 4 s by fast-downward\n")
    assert list(tmp_path.iterdir()) == []


@needs_planners
def test_a_limit_of_the_system():
    """Such as ``ulimit -t``; the planner's own processes inherit it."""
    files = (BLOCKS / "domain.pddl", BLOCKS / "p04.pddl")
    done = run_dias("plan", *files, "--planner", "fast-downward", time_limit_s=5)
    limit = "no plan found within the time the system gives by fast-downward"
    assert (done["status"], done["message"]) == (3, limit)


@needs_planners
@pytest.mark.parametrize(
    ("planner", "problem", "remedy"),
    [
        ("fast-downwrd", "unknown planner 'fast-downwrd'", "Did you mean fast-downward?"),
        ("tamer", "expected planner tamer to be installed", "pip install up-tamer"),
        ("sequential_simulator", "unknown planner 'sequential_simulator'", "Choose one of"),
    ],
)
def test_planners_that_are_none(planner, problem, remedy):
    if planner == "tamer" and importlib.util.find_spec("up_tamer"):
        pytest.skip("tamer is installed")
    with pytest.raises(PlannerError) as caught:
        plan(GARDEN, PLOT, planner=planner)
    assert problem in caught.value.problem
    assert remedy in caught.value.remedy


@pytest.mark.parametrize(
    ("steps", "fault"),
    [
        ((), "the goal (wet leek), (wet rose) does not hold at the end"),
        ((GroundAction("sun", ("rose",)),), "step 1 (sun rose): (wet rose) does not hold"),
    ],
)
def test_steps_that_are_no_plan(steps, fault):
    with pytest.raises(PlannerError) as caught:
        other_planners._check(steps, "fast-downward", GARDEN, PLOT)
    assert fault in str(caught.value)


def test_a_plan_passes():
    steps = plan(GARDEN, PLOT).steps
    assert Atom("wet", ("rose",)) in PLOT.goal
    other_planners._check(steps, "fast-downward", GARDEN, PLOT)
