"""The engines expand the same states, and the table says how fast."""

from __future__ import annotations

import pytest

from benchmarks.reports.results import Results
from benchmarks.running.rawlines import read_rows
from benchmarks.tables import successors
from benchmarks.tables.successors import ENGINES, ExpandRun, expand_all
from tests.benchmarks.tables.helpers import cells, invoke


@pytest.mark.parametrize("domain", ["gripper", "spanner"])
def test_the_engines_find_the_same(domain):
    rows = [expand_all(domain, "p01", engine, 4, 0) for engine in ENGINES]
    assert len({row["successors"] for row in rows}) == 1 <= rows[0]["successors"]
    assert [len(row["seconds"]) for row in rows] == list(successors.ROUNDS.values())


def test_a_real_run(tmp_path):
    text = invoke(successors.command, tmp_path, "--domain", "gripper", "--engine", "lifted").output
    (row,) = read_rows(tmp_path / "successors.jsonl")
    assert row["failure"] is None
    assert (row["engine"], row["problem"], row["states"]) == ("lifted", "p04", 20)
    assert cells(text, "gripper", "lifted")[3] == "1.0x"


def measured(engine: str, successors: int = 600, **changes):
    run = ExpandRun("d", engine)
    row = {"failure": None, "successors": successors, "setup_s": 1.0, "seconds": [9.0, 2.0, 1.0]}
    return run, run.key | row | changes


def test_what_is_slower():
    """Without set-up 300 and 60 a second, with it 200 and 50; an engine that fails is a dash."""
    rows = dict(
        [
            measured("lifted"),
            measured("pyperplan", setup_s=2.0, seconds=[10.0]),
            (ExpandRun("d", "tarski"), {"failure": "measure: stopped"}),
        ]
    )
    report = successors.report(Results("successors", list(rows), rows))
    text = "\n".join(report.tables[0][1].markdown())
    assert cells(text, "d", "lifted") == ["1.000", "100", "300", "1.0x", "200", "1.0x"]
    assert cells(text, "d", "pyperplan") == ["2.000", "500", "60", "5.0x", "50", "4.0x"]
    assert cells(text, "d", "tarski") == ["–"] * 6
    assert len(report.notes) == 1


def test_engines_that_disagree_are_named():
    rows = dict([measured("lifted"), measured("pyperplan", successors=601)])
    report = successors.report(Results("successors", list(rows), rows))
    assert report.notes[1:] == ["The engines disagree about the successors in d, seed 0."]
