"""A run that is killed goes on from its checkpoint, to the very bytes of an unbroken run."""

from __future__ import annotations

import subprocess
import time
from functools import cache

import pytest

from tests.cli.helpers import HEADER, PIPES, STEPS, call, command, step, traces, write

OTHER = step("shut n, shut s, dry rose", "turn-on", "open n, shut s, wet rose")
"""Two effects under one name: what nothing explains keeps the hybrid method training."""

SETTINGS = """
check_every = 10
restarts = 2
[training]
n_steps = 60
early_stop = false
"""
LEARN = ("learn", "t.jsonl", "--config", "s.toml", "--seed", 3)


def kill_after_first_checkpoint(folder, *arguments):
    """Start a run and end it without warning once its checkpoint is there."""
    process = subprocess.Popen(command(*arguments), cwd=folder, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 100
    while not (folder / "run.ckpt").exists() and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.kill()
    assert process.wait() == -9, "it had ended before it was killed"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """By method, what comes out of a run that nothing breaks."""

    @cache
    def of(method):
        folder = tmp_path_factory.mktemp(method)
        prepare(folder)
        return call(*LEARN, "--method", method, cwd=folder)

    return of


def prepare(folder):
    traces(folder, {**HEADER, "static": PIPES}, *STEPS, OTHER)
    write(folder, "s.toml", SETTINGS)


@pytest.mark.parametrize("method", ["neural", pytest.param("hybrid", marks=pytest.mark.slow)])
def test_a_killed_run_goes_on_to_the_same_file(tmp_path, method, whole):
    prepare(tmp_path)
    assert whole(method).status == 4
    resumable = (*LEARN, "--method", method, "-o", "d.pddl", "--checkpoint", "run.ckpt")
    kill_after_first_checkpoint(tmp_path, *resumable)
    assert not (tmp_path / "d.pddl").exists()
    saved = (tmp_path / "run.ckpt").read_bytes()
    logged = call("-v", *resumable, cwd=tmp_path)
    assert logged.status == 4
    assert "going on after" in logged.err
    assert (tmp_path / "d.pddl").read_bytes() == whole(method).out.encode()
    assert (tmp_path / "run.ckpt").read_bytes() != saved


def test_a_run_out_of_time_goes_on_to_the_same_file(tmp_path, whole):
    prepare(tmp_path)
    resumable = (*LEARN, "--method", "neural", "--checkpoint", "run.ckpt")
    short = call(*resumable, "--time-limit", 0.1, "--json", "-o", "d.pddl", cwd=tmp_path)
    assert short.status == 4
    assert call(*resumable, cwd=tmp_path).out == whole("neural").out
