"""The forms of a trace file: written alike, read alike, and measured."""

from __future__ import annotations

import pytest

from benchmarks.generate import DOMAINS
from benchmarks.reports.results import Results
from benchmarks.running.rawlines import read_rows
from benchmarks.running.runs import sample
from benchmarks.tables import reading
from benchmarks.tables.reading import FORMS, ReadingRun, convert, read_twice
from dias.traces.reading.reader import read_traces
from tests.benchmarks.tables.helpers import cells, invoke


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("reading") / "sampled.jsonl"
    problem = DOMAINS / "blocks-3" / "p02.pddl"
    assert sample({"failure": None}, "blocks-3", problem, path, 0, (400, 400))
    return path, len(read_traces(path).transitions)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_read_alike_and_in_little_memory(source, form):
    """At most three times what the unique transitions need, in every form."""
    path, n_distinct = source
    row = read_twice(str(convert(path, form)))
    assert (row["transitions"], row["distinct"]) == (1200, n_distinct)
    assert 0 < row["kept_mib"] < row["peak_mib"] < 3 * row["kept_mib"]


def test_table():
    row = dict.fromkeys(("file_mib", "wall_s", "resident_mib"), 1.0) | {"failure": None}
    row |= {"transitions": 3000, "distinct": 2900, "cpu_s": 0.5, "kept_mib": 2.0, "peak_mib": 5.0}
    runs = [ReadingRun("x", "gzip", seed=seed) for seed in range(3)]
    rows = dict(zip(runs, (row, row | {"cpu_s": 1.0}, row | {"cpu_s": 0.1}), strict=True))
    ((_, table),) = reading.report(Results("reading", runs, rows)).tables
    assert cells("\n".join(table.markdown()), "x p02", "gzip") == [
        "1.0", "3,000", "2,900", "1.0", "0.5", "6,000", "2", "5", "2.50", "1",
    ]  # fmt: skip


def test_a_real_run(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "SMALL_N_TRANSITIONS", 100)
    text = invoke(reading.command, tmp_path, "--form", "trajectories").output
    (row,) = read_rows(tmp_path / "reading.jsonl")
    assert row["failure"] is None
    assert (row["n_transitions"], row["transitions"]) == (100, 102)
    assert cells(text, "blocks-3 p02", "trajectories")[1] == "102"
