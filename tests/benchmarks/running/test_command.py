"""Commands in processes of their own: what is measured, what a limit and an interrupt do."""

from __future__ import annotations

import threading
import time

import pytest

from benchmarks.running import command
from benchmarks.running.command import run_dias, run_function, run_module, stop_children

PROGRAM = """
import json, os, sys, time
what = sys.argv[1]
if what == "json":
    is_leader = os.getsid(0) == os.getpid()
    print(json.dumps({"threads": os.environ["OMP_NUM_THREADS"], "leader": is_leader}))
elif what == "sleep":
    time.sleep(100)
elif what == "compute":
    while True:
        pass
elif what == "memory":
    block = b"x" * (100 * 2**20)
elif what == "abort":
    os.abort()
print("first", file=sys.stderr)
print("last", file=sys.stderr)
sys.exit(3)
"""


@pytest.fixture
def program(tmp_path, monkeypatch):
    (tmp_path / "bench_program.py").write_text(PROGRAM)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return "bench_program"


def test_status_output_and_message(program):
    done = run_module(program, "json")
    assert done["status"] == 3
    assert done["message"] == "last"
    assert done["json"] == {"threads": "1", "leader": True}
    assert done["seconds"] > 0
    assert 0 < done["cpu_s"] < done["seconds"] + 0.1


def test_memory_is_that_of_the_process(program):
    plain, large = (run_module(program, what)["peak_mib"] for what in ("nothing", "memory"))
    assert large - plain >= 80


def test_a_time_limit_ends_the_process(program, monkeypatch):
    monkeypatch.setattr(command, "SHARED", 2)
    done = run_module(program, "sleep", time_limit_s=0.3)
    assert (done["status"], done["message"]) == (-9, "stopped after 0 s")
    assert done["cpu_s"] < done["seconds"]
    assert done["json"] is None


def test_the_limit_is_in_processor_seconds(program, monkeypatch):
    monkeypatch.setattr(command, "SHARED", 100)
    done = run_module(program, "compute", time_limit_s=1)
    assert done["message"] == "stopped after 1 s"
    assert 0.9 < done["cpu_s"] < 1.5


def test_a_crash_is_said(program):
    assert run_module(program, "abort")["message"] == "ended by SIGABRT"


def test_children_can_be_stopped(program):
    found = []
    thread = threading.Thread(target=lambda: found.append(run_module(program, "sleep")))
    thread.start()
    while thread.is_alive():
        stop_children()
        time.sleep(0.05)
    assert found[0]["message"] == "ended by SIGKILL"
    stop_children()  # nothing to do


def add(first: int, second: int) -> dict[str, int]:
    if first < 0:
        raise MemoryError
    if second < 0:
        raise RuntimeError("no such thing")
    return {"sum": first + second}


def test_a_function_is_called():
    assert run_function(add, {"first": 1, "second": 2})["json"] == {"sum": 3}
    lost = run_function(add, {"first": -1, "second": 0}, memory_limit_mib=900)
    assert (lost["status"], lost["message"]) == (1, "more than 900 MiB needed")
    wrong = run_function(add, {"first": 0, "second": -1})
    assert (wrong["status"], wrong["message"]) == (1, "RuntimeError: no such thing")


def test_dias_is_run(tmp_path):
    done = run_dias("evaluate", tmp_path / "none.pddl", "--gt", tmp_path / "none.pddl")
    assert done["status"] == 1
    assert "none.pddl: expected a file" in done["message"]
