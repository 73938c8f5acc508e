"""Few samples: one real run, and what the table counts."""

from __future__ import annotations

from benchmarks.reports.results import Results
from benchmarks.running.learning import LearningRun
from benchmarks.running.rawlines import read_rows
from benchmarks.tables import small_data
from tests.benchmarks.tables.helpers import invoke


def test_one_run_and_its_row(tmp_path, in_this_process):
    output = tmp_path / "small_data.jsonl"
    options = ("--domain", "blocks-3", "--samples", "4", "--method", "symbolic", "--seeds", "1")
    invoke(small_data.command, tmp_path, *options)
    (one,) = read_rows(output)
    assert one["failure"] is None
    assert one["few"] == ["move", "newtower", "stack"]
    assert one["n_actions"] == 3
    assert set(one["weak"]) == {point.split(":")[0] for point in one["weak_points"]}
    before = output.read_bytes()
    again = invoke(small_data.command, tmp_path, *options)
    assert output.read_bytes() == before  # what is done is not done again
    assert "| blocks-3 | symbolic | 4 | 1 | 0 |" in again.output


def test_the_table_counts_what_was_not_doubted():
    runs = [LearningRun("d", samples=10, seed=seed) for seed in range(4)]
    done = {"failure": None, "n_actions": 3}
    rows = [
        done | {"weak": ["a"], "few": ["a", "b"], "wrong": ["a", "b", "c"]},
        done | {"weak": [], "few": [], "wrong": []},
        done | {"failure": "out of time", "weak": [], "few": [], "wrong": []},
        {"failure": "learn: x"},
    ]
    of_runs = dict(zip(runs, rows, strict=True))
    ((_, table),) = small_data.report(Results("small_data", runs, of_runs)).tables
    assert table.markdown()[-1] == "| d | hybrid | 10 | 4 | 2 | 1 | 6 | 1 | 2 | 3 | 2 | 1 |"


def test_runs_with_masks_have_a_row_of_their_own(tmp_path, in_this_process):
    options = ("--domain", "gripper", "--samples", "3", "--method", "symbolic", "--seeds", "1")
    both = invoke(
        small_data.command, tmp_path, *options, "--applicable", "none", "--applicable", "names"
    )
    rows = read_rows(tmp_path / "small_data.jsonl")
    assert {row["applicable"] for row in rows} == {"", "names"}
    assert "| gripper | symbolic | 3 | 1 | 0 |" in both.output
    assert "| gripper | symbolic, masks: names | 3 | 1 | 0 |" in both.output
