"""The scaling table: what it makes of rows, and what a run measures."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from click.testing import CliRunner

from benchmarks.running.rawlines import Row
from benchmarks.tables import scaling
from benchmarks.tables.scale import trace_sizes
from tests.benchmarks.tables.helpers import cells, report


def test_the_scaling_table(tmp_path):
    def measured(run: scaling.StepRun, **step_s: float) -> Row:
        return run.key | {
            "failure": None, "n_objects": 5, "relations": 4, "before_mib": 230, "peak_mib": 300,
            "step_s": {name.replace("_", "-"): seconds for name, seconds in step_s.items()},
        }  # fmt: skip

    def alone(name: str, objects: int) -> scaling.StepRun:
        return scaling.StepRun("logistics", name, objects)

    together = scaling.StepRun("blocks-3", scaling.TOGETHER)
    rows = [
        measured(alone("lifted", 15), lifted=0.01),
        measured(alone("dense", 15), dense=0.025),
        measured(alone("lifted", 50), lifted=0.02),
        alone("dense", 50).key | {"failure": "measure: more than 9 MiB needed"},
        measured(together, lifted=0.01, dense=0.015, dense_pcgrad=0.02),
    ]
    text = report(scaling.command, tmp_path, rows).output
    assert cells(text, "15") == ["10.0", "300", "25.0", "300", "2.5"]
    assert cells(text, "50") == ["20.0", "300", "failed", "–", "–"]
    assert cells(text, "blocks-3") == ["5", "4", "10.0", "15.0", "20.0", "1.50"]
    assert "Median ratio dense / lifted over these domains: 1.50." in text


@pytest.mark.parametrize("n_objects", scaling.SIZES)
def test_growing_problems_have_the_size_that_they_are_named_by(n_objects):
    text = scaling.problem_text("logistics", scaling.SIZES[n_objects], 1)
    objects = re.search(r"\(:objects(.*?)\)", text, re.DOTALL)
    assert objects
    assert len(objects[1].split()) == n_objects


@pytest.mark.slow
def test_a_real_step_run(monkeypatch):
    monkeypatch.setattr(scaling, "N_STEPS", 3)
    done = scaling.StepRun("blocks-3", "lifted dense").execute()
    assert done["failure"] is None
    assert set(done["step_s"]) == {"lifted", "dense"}
    assert done["steps"] == 3
    assert done["peak_mib"] > done["before_mib"] > 100


def test_too_little_memory_is_a_row(monkeypatch):
    monkeypatch.setattr(scaling, "MEMORY_LIMIT_MIB", 500)
    done = scaling.StepRun("blocks-3", "lifted").execute()
    assert done["failure"].startswith("measure: ")


def learned(domain: str, n: int, seed: int = 0, **more: object) -> Row:
    """The row of learning from a file with so many transitions, nine in ten of them distinct."""
    phases = dict.fromkeys(trace_sizes.PHASES, 0.5) | {"complete": 2.5}
    return scaling.StepRun(domain, "", seed=seed, transitions=n).key | {
        "failure": None, "file_mib": n / 2000, "n_steps": n, "distinct": n * 9 // 10,
        "explained": n * 9 // 10, "learn_cpu_s": n / 1000, "peak_mib": 50 + n / 100,
        "phase_s": phases, **more,
    }  # fmt: skip


def test_the_table_over_transitions(tmp_path):
    rows = [
        learned("logistics", 1000),
        learned("logistics", 1000, seed=1, peak_mib=70, learn_cpu_s=3.0),
        learned("logistics", 3000) | {"failure": "learn: stopped after 3600 s"},
        learned("gripper", 1000),
    ]
    text = report(scaling.command, tmp_path, rows, "--over", "transitions", "--seeds", "2").output
    expected = ["1,000", "900", "0.5", "2.0", "2.22", "65", "10", "10", "50", "10", "10", "10"]
    assert cells(text, "logistics", *expected[:2]) == expected[2:]
    assert cells(text, "gripper", "1,000") == ["900", "0.5", "1.0", "1.11", "60", *expected[6:]]
    assert "Runs: 4 of 12 done, 8 not done yet, 1 failed." in text
    again = report(scaling.command, tmp_path, [], "--over", "objects").output
    assert "0 of" in again and "The cost of a training step" in again


def test_the_runs_over_transitions(tmp_path):
    full = report(scaling.command, tmp_path, [], "--over", "transitions", "--full").output
    assert "0 of 45 done" in full
    one = ("--over", "transitions", "--domain", "gripper")
    assert "0 of 2 done" in report(scaling.command, tmp_path, [], *one).output
    wrong = CliRunner().invoke(scaling.command, [*one, "--domain", "hanoi"])
    assert (wrong.exit_code, "not hanoi" in wrong.output) == (2, True)


@pytest.mark.parametrize("domain", trace_sizes.PROBLEMS)
def test_the_problems_have_500_objects_in_all(domain):
    sizes = trace_sizes.PROBLEMS[domain]
    texts = [
        trace_sizes.problem_text(domain, sizes[number % len(sizes)], number)
        for number in range(trace_sizes.N_PROBLEMS)
    ]
    words = [re.search(r"\(:objects(.*?)\)", text, re.DOTALL)[1] for text in texts]
    n_objects = [len(re.sub(r" - \w+", "", own).split()) for own in words]
    assert (sum(n_objects), max(Counter(n_objects))) == (500, 20)


@pytest.mark.slow
def test_a_real_run_over_transitions(monkeypatch):
    monkeypatch.setattr(trace_sizes, "N_PROBLEMS", 2)
    done = scaling.StepRun("gripper", "", transitions=120).execute()
    assert done["failure"] is None
    assert done["n_steps"] == 120
    assert 60 < done["distinct"] == done["explained"] <= 120
    assert done["learn_cpu_s"] > 0 < done["peak_mib"]
    assert done["phase_s"]["complete"] > 0
