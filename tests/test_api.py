"""The verbs of the package `dias`: what they give without files is what the commands write."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

import dias
from dias.errors import InsufficientTracesError, TraceError
from dias.traces.reading.reader import collect_traces
from dias.traces.record import LabelMode
from dias.traces.sampling.samples import SamplingConfig
from dias.traces.writer import Step
from tests.cli.helpers import call, garden
from tests.garden import GARDEN, PLOT

LIMITS = ("--min-per-action", 5, "--max-per-action", 9)


def test_all_names_are_there():
    for name in dias.__all__:
        assert callable(getattr(dias, name))
    with pytest.raises(AttributeError, match="nosuch"):
        _ = dias.nosuch


def test_importing_it_imports_nothing_else():
    code = "import dias, sys; print(sorted(m for m in sys.modules if m.startswith('dias.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("labels", LabelMode)
def test_sampling_in_memory_and_by_command(tmp_path, labels):
    garden(tmp_path)
    arguments = ("domain.pddl", "p.pddl", *LIMITS, "--labels", labels.value, "--seed", 3)
    assert call("sample", *arguments, "-o", "t.jsonl", cwd=tmp_path).status == 0
    read = dias.read_traces(tmp_path / "t.jsonl")
    domain = dias.read_domain(tmp_path / "domain.pddl")
    problem = dias.read_problem(tmp_path / "p.pddl", domain)
    sampled = dias.sample(domain, [problem], SamplingConfig(5, 9), labels=labels.value, seed=3)
    without_findings = [replace(traces, source="", findings=()) for traces in (read, sampled)]
    assert without_findings[0] == without_findings[1]
    assert len(read.findings) == len(sampled.findings)


@pytest.mark.parametrize(
    ("problems", "settings", "fragment"),
    [
        ([], {}, "needs a problem"),
        ([PLOT], {"seed": -1}, "a seed of 0 or more"),
        ([PLOT], {"labels": "some"}, "'some' is not a valid LabelMode"),
        ([PLOT], {"applicable": "all"}, "applicable must be one of names, ground, or empty"),
    ],
)
def test_settings_of_sampling_that_make_no_sense(problems, settings, fragment):
    with pytest.raises(ValueError, match=fragment):
        dias.sample(GARDEN, problems, **settings)


def test_traces_from_memory():
    steps = [Step(["(p a)"], "go", (), ["(q a)"]), Step(["(q a)"], "go", (), None)]
    traces = collect_traces([({"dias": "trace/1"}, steps)])
    assert (traces.n_steps, len(traces.refused)) == (1, 1)
    with pytest.raises(InsufficientTracesError, match="<memory>"):
        collect_traces([])
    with pytest.raises(TraceError, match=r"robot:2: state\[0\]: .*found \"p a\""):
        collect_traces([({"dias": "trace/1"}, [Step(["p a"], "go", (), [])])], "robot")
