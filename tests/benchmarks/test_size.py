"""The cost of a training step against the size of the problem."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from benchmarks.generate import problem_text
from benchmarks.size import SIZES, main, markdown


@pytest.mark.parametrize("n_objects", SIZES)
def test_the_problems_have_as_many_objects_as_they_say(n_objects):
    text = problem_text("logistics", SIZES[n_objects], 0)
    objects = text.partition("(:objects")[2].partition(")")[0].split()
    assert len(objects) == n_objects


def test_growth_is_against_the_atoms():
    small = {
        "objective": "lifted", "objects": 15, "atoms": 30, "prepare_cpu_s": 0.1,
        "step_cpu_s": 0.01, "step_s": 0.011, "peak_mib": 300,
    }  # fmt: skip
    large = small | {"objects": 50, "atoms": 90, "step_cpu_s": 0.06}
    rows = markdown([small, large, large | {"objective": "dense"}]).splitlines()[2:]
    assert rows[0] == "| lifted | 15 | 30 | 0.10 | 10.0 | 11.0 |  | 300 |"
    assert rows[1] == "| lifted | 50 | 90 | 0.10 | 60.0 | 11.0 | 2.00 | 300 |"
    assert rows[2].endswith("|  | 300 |")


@pytest.mark.slow
def test_a_size_is_measured_in_a_process_of_its_own(tmp_path):
    results = tmp_path / "size.jsonl"
    arguments = ["--objects", "15", "--steps", "1", "-o", str(results)]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    [line] = results.read_text().splitlines()
    one = json.loads(line)
    assert one["objects"] == 15
    assert one["atoms"] > 15
    assert one["peak_mib"] > 50
    assert "| lifted | 15 |" in done.output
