"""What comes out of the standard streams, whoever is at the other end."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.cli.helpers import (
    EVALUATE,
    PLAN,
    PROBLEM,
    QUICK,
    SAMPLE,
    STEPS,
    call,
    command,
    dias,
    garden,
    posix,
    started,
    traces,
    write,
)


def test_results_are_utf8_whatever_the_terminal(tmp_path):
    garden(tmp_path)
    write(tmp_path, "p.pddl", PROBLEM.replace("rose", "røse"))
    for arguments in (PLAN, SAMPLE):
        there = call(*arguments, cwd=tmp_path)
        assert there.status == 0
        assert "røse" in there.out
        assert dias(*arguments, cwd=tmp_path, environment={"PYTHONIOENCODING": "ascii"}) == there


@posix
@pytest.mark.parametrize("arguments", [["--help"], PLAN, SAMPLE, [*EVALUATE, "--json"]])
def test_a_reader_that_goes_away(tmp_path, arguments):
    """As in ``dias plan … | head -1``: no complaint."""
    garden(tmp_path)
    with started(*arguments, cwd=tmp_path) as process:
        process.stdout.close()
        err = process.stderr.read().decode()
        assert process.wait(timeout=60) == 0
        assert "rror" not in err


@posix
@pytest.mark.parametrize("arguments", [PLAN, SAMPLE, [*EVALUATE, "--json"]])
def test_a_full_disk(tmp_path, arguments):
    garden(tmp_path)
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            command(*arguments), cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, timeout=60
        )
    assert done.returncode == 1
    assert (
        done.stderr.decode()
        .splitlines()[-1]
        .startswith("error: standard output: No space left on device")
    )


@posix
def test_closed_streams(tmp_path):
    garden(tmp_path)
    for redirection, arguments, status in [
        (">&-", SAMPLE, 0), (">&-", PLAN, 0), ("2>&-", PLAN, 0), ("<&-", ["learn", "-"], 1),
    ]:  # fmt: skip
        shell = ["sh", "-c", f'"$@" {redirection}', "sh"]
        done = subprocess.run(
            [*shell, *command(*arguments)], cwd=tmp_path, capture_output=True, timeout=60
        )
        assert done.returncode == status
        assert b"Traceback" not in done.stderr


def test_no_colours_where_nobody_sees_them(tmp_path):
    garden(tmp_path)
    traces(tmp_path, *STEPS)
    for arguments in (PLAN, EVALUATE, [*SAMPLE, "-o", "s.jsonl"], ["learn", "t.jsonl", *QUICK]):
        outcome = call(*arguments, cwd=tmp_path)
        assert "\x1b" not in outcome.out + outcome.err


@posix
def test_no_colours_on_a_terminal_that_wants_none(tmp_path):
    import pty

    garden(tmp_path)
    leader, follower = pty.openpty()
    for arguments in (PLAN, EVALUATE, ["--help"]):
        done = subprocess.run(
            command(*arguments), cwd=tmp_path, stdout=follower, stderr=follower, timeout=60,
            env={**os.environ, "NO_COLOR": "1"},
        )  # fmt: skip
        assert done.returncode == 0
        assert b"\x1b" not in os.read(leader, 100_000)
    os.close(leader)
    os.close(follower)
