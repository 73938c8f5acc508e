"""`dias bench` from the command line: killed, interrupted, gone on with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from dias_cli.commands.bench import TABLES
from tests.cli.helpers import call, dias, is_one_error

RUNS = (
    "bench", "main", "--method", "symbolic", "--domain", "gripper", "--domain", "miconic",
    "--seeds", 2,
)  # fmt: skip


def rows(folder: Path) -> list[dict[str, Any]]:
    path = folder / "bench-results" / "main.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def timeless(folder: Path) -> dict[str, Any]:
    """The report without what depends on how fast the machine was."""
    told = json.loads((folder / "bench-results" / "main.json").read_text())
    for name in ("load", "at_a_time", "work_s"):
        del told[name]
    for group in told["groups"]:
        for name in [name for name in group if name.endswith(("_s", "_mib"))]:
            del group[name]
    return told


def start(folder: Path, *options: object) -> subprocess.Popen[bytes]:
    """Start the runs one by one, and wait for the first to be finished."""
    folder.mkdir()
    # A shell may have made SIGINT ignored, which children inherit.
    program = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    program += "from dias_cli.main import main; main(sys.argv[1:])"
    arguments = [str(word) for word in (*RUNS, "--workers", 1, *options)]
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    while not rows(folder):
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    return process


def is_under_way(folder: Path) -> bool:
    """Whether a process works for the runs of the folder: their temporary files are in it."""
    done = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    return any(str(folder) in line for line in done.stdout.splitlines())


@pytest.mark.parametrize("table", TABLES)
def test_every_table_has_help(tmp_path, table):
    done = call("bench", table, "--help", cwd=tmp_path)
    assert done.status == 0
    assert "--full" in done.out
    assert "Default" in done.out


def test_an_unknown_table_is_wrong_usage(tmp_path):
    assert call("bench", "nothing", cwd=tmp_path).status == 2


def test_a_log_can_be_asked_for_and_settings_must_exist(tmp_path):
    done = call("bench", "main", "-v", "--config", "none.toml", cwd=tmp_path)
    is_one_error(done, "none.toml", "found nothing of that name")
    (tmp_path / "s.toml").write_text("stepps = 3")
    is_one_error(call("bench", "main", "--config", "s.toml", cwd=tmp_path), "s.toml", "stepps")
    (tmp_path / "s.toml").unlink()
    assert os.listdir(tmp_path) == []


def test_a_report_of_nothing(tmp_path):
    done = call(*RUNS, "--report-only", cwd=tmp_path)
    assert done.status == 0
    assert "Runs: 0 of 4 done, 4 not done yet, 0 failed." in done.out


def test_a_scheduler_that_is_not_there(tmp_path):
    done = call(*RUNS, "--scheduler", "tcp://127.0.0.1", cwd=tmp_path)
    is_one_error(done, "tcp://127.0.0.1: the scheduler cannot be reached", "dask scheduler")


def test_slurm_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    is_one_error(call(*RUNS, "--scheduler", "slurm", cwd=tmp_path), "sbatch", "Run this on")


def test_a_damaged_file_is_an_error(tmp_path):
    (tmp_path / "bench-results").mkdir()
    (tmp_path / "bench-results" / "main.jsonl").write_text("what?\n")
    is_one_error(call(*RUNS, cwd=tmp_path), "main.jsonl:1", "Delete the line")


@pytest.mark.slow
def test_a_killed_table_goes_on_to_the_same_end(tmp_path):
    broken, whole = tmp_path / "broken", tmp_path / "whole"
    process = start(broken)
    process.kill()
    process.communicate()
    n_kept = len(rows(broken))
    assert 0 < n_kept < 4
    with (broken / "bench-results" / "main.jsonl").open("a") as stream:
        stream.write('{"domain": "gri')  # killed while it wrote
    whole.mkdir()
    for folder in (broken, whole):
        done = dias(*RUNS, cwd=folder)
        assert done.status == 0, done.err
        assert "Runs: 4 of 4 done, 0 failed." in done.out
    assert len(rows(broken)) == len(rows(whole)) == 4
    assert timeless(broken) == timeless(whole)


@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_everything(tmp_path, monkeypatch, sent):
    (tmp_path / "scratch").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    process = start(tmp_path / "results")
    process.send_signal(sent)
    _, err = process.communicate()
    assert process.returncode == 130
    assert err.decode().splitlines()[-1] == "interrupted"
    assert "Traceback" not in err.decode()
    assert not is_under_way(tmp_path / "scratch")
    assert all(row["failure"] is None for row in rows(tmp_path / "results"))
    assert len(rows(tmp_path / "results")) < 4


@pytest.mark.slow
def test_a_lost_worker_loses_no_run(tmp_path):
    """Two Dask workers, one of which is killed in the middle: the table is complete."""
    dask = [sys.executable, "-m"]
    address = tmp_path / "scheduler.json"
    servers = [
        subprocess.Popen(
            [*dask, f"distributed.cli.dask_{name}", "--scheduler-file", str(address), *options],
            cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        for name, *options in (
            ("scheduler", "--port", "0", "--no-dashboard"),
            ("worker", "--nthreads", "1", "--no-nanny", "--no-dashboard"),
            ("worker", "--nthreads", "1", "--no-nanny", "--no-dashboard"),
        )
    ]  # fmt: skip
    try:
        while not address.exists() or not address.read_text():
            time.sleep(0.1)
        where = json.loads(address.read_text())["address"]
        process = start(tmp_path / "results", "--scheduler", where)
        servers[1].kill()
        _, err = process.communicate()
        assert process.returncode == 0, err.decode()
    finally:
        for server in servers:
            server.kill()
            server.wait()
    told = json.loads((tmp_path / "results" / "bench-results" / "main.json").read_text())
    assert (told["done"], told["missing"], told["failed"]) == (4, 0, 0)
    assert len(rows(tmp_path / "results")) == 4


SBATCH = """#!/bin/sh
bash "$1" >/dev/null 2>&1 &
echo $! >> jobs
echo "Submitted batch job $!"
"""


@pytest.mark.slow
def test_jobs_of_slurm(tmp_path):
    """With a stand-in for sbatch that runs its jobs here."""
    for name, text in (("sbatch", SBATCH), ("scancel", "#!/bin/sh\n")):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = dias(*RUNS, "--scheduler", "slurm", "--workers", 2, cwd=tmp_path,
                environment={"PATH": path})  # fmt: skip
    assert done.status == 0, done.err
    assert "Runs: 4 of 4 done, 0 failed." in done.out
    assert len((tmp_path / "jobs").read_text().split()) >= 2
