"""Runs in the workers of a Dask cluster that is started for them."""

from __future__ import annotations

import pytest

from benchmarks.running import cluster
from benchmarks.running.suite import do_missing, rows_of
from dias.errors import DiasError
from tests.benchmarks.fakes import FakeRun


@pytest.mark.slow
def test_a_local_cluster_does_the_runs(tmp_path):
    path = tmp_path / "t.jsonl"
    behaviours = ["succeeds", "raises", "fails", "dies", "lasts", "lasts", "succeeds"]
    runs = [FakeRun(n, behaviour=behaviour) for n, behaviour in enumerate(behaviours)]
    do_missing("t", runs, path, n_workers=2, scheduler=cluster.LOCAL)
    rows = rows_of(runs, path)
    assert rows[runs[3]]["failure"].startswith("KilledWorker: ")  # each worker that tried it
    assert [rows[run]["failure"] for run in runs if run.behaviour != "dies"] == [
        None, "ValueError: no such thing", "learn: lost", None, None, None,
    ]  # fmt: skip


def test_nothing_to_do_needs_no_cluster():
    assert list(cluster.on_cluster([], "tcp://nowhere:1", 1)) == []


def test_without_dask_it_is_said(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(DiasError, match=r"needs Dask.*dias-planning\[cluster\]"):
        next(cluster.on_cluster([FakeRun(0)], cluster.LOCAL, 1))
