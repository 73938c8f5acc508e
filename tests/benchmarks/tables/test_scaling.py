"""The scaling table: what it makes of rows, and what a run measures."""

from __future__ import annotations

import re

import pytest

from benchmarks.running.rawlines import Row
from benchmarks.tables import scaling
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
