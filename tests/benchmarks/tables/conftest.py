"""What a run of a table does, done in the process of the tests."""

from __future__ import annotations

import json
import threading
import time

import pytest

from benchmarks.running import runs
from benchmarks.running.rawlines import Row
from tests.cli.helpers import call

_one_at_a_time = threading.Lock()
"""A run is a thread; where the output goes and what the folder is, all threads share."""


@pytest.fixture
def in_this_process(monkeypatch, tmp_path):
    """Commands and functions of runs, without the start of a process for each.

    `tests/benchmarks/running` starts processes, and some table's test does for each command.
    """

    def run_dias(*arguments, time_limit_s) -> Row:
        done, cpu_s = _timed(lambda: call(*arguments, cwd=tmp_path))
        said = json.loads(done.out) if done.out.startswith("{") else None
        messages = done.err.strip().splitlines() or [""]
        return _measured(cpu_s) | {"status": done.status, "json": said, "message": messages[-1]}

    def run_function(function, arguments, **limits) -> Row:
        words = json.loads(json.dumps(dict(arguments), default=str))
        said, cpu_s = _timed(lambda: function(**words))
        return _measured(cpu_s) | {
            "status": 0, "json": json.loads(json.dumps(said)), "message": ""
        }  # fmt: skip

    monkeypatch.setattr(runs, "run_dias", run_dias)
    monkeypatch.setattr(runs, "run_function", run_function)


def _timed(run):
    with _one_at_a_time:
        before = time.process_time()
        return run(), time.process_time() - before


def _measured(cpu_s: float) -> Row:
    return {"seconds": cpu_s, "cpu_s": cpu_s, "peak_mib": 1}
