from __future__ import annotations

from click.testing import CliRunner

from benchmarks.running.rawlines import read_rows
from benchmarks.tables import small_data


def test_one_run_and_its_row(tmp_path):
    output = tmp_path / "runs.jsonl"
    arguments = [
        "--domain", "blocks-3", "--samples", "4", "--method", "symbolic", "--seeds", "1",
        "-o", str(output),
    ]  # fmt: skip
    outcome = CliRunner().invoke(small_data.main, arguments)
    assert outcome.exit_code == 0, outcome.output
    (one,) = read_rows(output)
    assert one["failure"] is None
    assert one["few"] == ["move", "newtower", "stack"]
    assert one["n_actions"] == 3
    assert set(one["weak"]) == {point.split(":")[0] for point in one["weak_points"]}
    before = output.read_bytes()
    again = CliRunner().invoke(small_data.main, arguments)
    assert output.read_bytes() == before  # what is done is not done again
    assert "| blocks-3 | symbolic | 4 | 1 | 0 |" in again.output


def test_the_table_counts_what_was_not_doubted():
    base = {"domain": "d", "samples": 10, "method": "hybrid", "failure": None, "n_actions": 3}
    runs = [
        base | {"seed": 0, "weak": ["a"], "few": ["a", "b"], "wrong": ["a", "b", "c"]},
        base | {"seed": 1, "weak": [], "few": [], "wrong": []},
        base | {"seed": 2, "failure": "out of time", "weak": [], "few": [], "wrong": []},
        {"domain": "d", "samples": 10, "method": "hybrid", "seed": 3, "failure": "learn: x"},
    ]
    row = small_data.markdown(runs).splitlines()[-1]
    assert row == "| d | hybrid | 10 | 4 | 2 | 1 | 6 | 1 | 2 | 3 | 2 | 1 |"
