"""Runs command lines, and holds the small world that they are tried on: a garden.

Two tanks are opened and shut, and water the beds that their pipes lead to; the sun dries a bed.
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TextIO
from unittest.mock import patch

import pytest

from dias_cli.main import LOGGERS, main
from tests.hashing import other_hash_seed

posix = pytest.mark.skipif(os.name != "posix", reason="signals, pipes and devices of POSIX")
SAMPLE = ("sample", "domain.pddl", "p.pddl", "--min-per-action", 5)
PLAN = ("plan", "domain.pddl", "p.pddl")
EVALUATE = ("evaluate", "domain.pddl", "--gt", "domain.pddl")

DOMAIN = """\
(define (domain garden)
  (:requirements :strips :typing)
  (:types tank bed)
  (:predicates (open ?t - tank) (shut ?t - tank) (pipe ?t - tank ?b - bed)
               (dry ?b - bed) (wet ?b - bed))
  (:action turn-on :parameters (?t - tank)
    :precondition (shut ?t)
    :effect (and (open ?t) (not (shut ?t))))
  (:action turn-off :parameters (?t - tank)
    :precondition (open ?t)
    :effect (and (shut ?t) (not (open ?t))))
  (:action water :parameters (?t - tank ?b - bed)
    :precondition (and (open ?t) (pipe ?t ?b) (dry ?b))
    :effect (and (wet ?b) (not (dry ?b))))
  (:action sun :parameters (?b - bed)
    :precondition (wet ?b)
    :effect (and (dry ?b) (not (wet ?b)))))
"""
PROBLEM = """\
(define (problem plot) (:domain garden)
  (:objects north south - tank rose leek - bed)
  (:init (shut north) (shut south) (dry rose) (dry leek)
         (pipe north rose) (pipe south rose) (pipe south leek))
  (:goal (and (wet rose) (wet leek) (shut south))))
"""
GOOD_PLAN = """\
(turn-on north)
(water north rose)
(turn-on south)
(water south leek)
(turn-off south)
"""

HEADER = {
    "dias": "trace/1",
    "domain": "garden",
    "labels": "names",
    "types": {"tank": "object", "bed": "object"},
    "predicates": {
        "open": ["tank"], "shut": ["tank"], "pipe": ["tank", "bed"], "dry": ["bed"], "wet": ["bed"],
    },
    "objects": {"n": "tank", "s": "tank", "rose": "bed"},
}  # fmt: skip
PIPES = ["(pipe n rose)", "(pipe s rose)"]
QUICK = ("--steps", 400, "--restarts", 1)
"""Learning options for a handful of transitions."""


class Outcome(NamedTuple):
    """What became of a command line."""

    status: int
    out: str
    err: str


def dias(
    *arguments: object,
    cwd: Path,
    stdin: str | bytes = "",
    environment: Mapping[str, str] | None = None,
) -> Outcome:
    """Run the command in a process of its own."""
    done = subprocess.run(
        command(*arguments),
        cwd=cwd,
        env={**os.environ, **(environment or {})},
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        timeout=120,
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def rehashed(*arguments: object, cwd: Path) -> Outcome:
    """Run the command in a process of its own, where sets of strings have another order."""
    return dias(*arguments, cwd=cwd, environment=other_hash_seed())


def command(*arguments: object) -> list[str]:
    """The command line as a list of words, the way the installed script would be called."""
    return [sys.executable, "-m", "dias_cli", *map(str, arguments)]


def call(
    *arguments: object,
    cwd: Path,
    stdin: str | bytes = "",
    environment: Mapping[str, str] | None = None,
    terminal: TextIO | None = None,
) -> Outcome:
    """Run the command in this process, which saves the start: for the many odd inputs.

    What it writes to standard error is not in the outcome if it goes to a terminal.
    """
    given = io.BytesIO(stdin.encode() if isinstance(stdin, str) else stdin)
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    loggers = [logging.getLogger(name) for name in LOGGERS]
    before = [(logger, logger.handlers, logger.level, logger.propagate) for logger in loggers]
    status = None
    try:
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(terminal or err),
            contextlib.chdir(cwd),
            patch.object(sys, "stdin", io.TextIOWrapper(given, encoding="utf-8")),
            patch.dict(os.environ, environment or {}),
        ):
            main([str(argument) for argument in arguments])
    except SystemExit as stop:
        status = stop.code
    finally:
        for logger, logger.handlers, level, logger.propagate in before:
            if logger.level != level:  # setting one takes a while
                logger.setLevel(level)
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())
    return Outcome(status, *texts)


def write(folder: Path, name: str, text: str | bytes) -> Path:
    """Write a file as it is, with its own line ends."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def garden(folder: Path) -> None:
    """Put the garden into a folder: domain.pddl and p.pddl."""
    write(folder, "domain.pddl", DOMAIN)
    write(folder, "p.pddl", PROBLEM)


def step(state: str, action: str, next_state: str) -> dict[str, Any]:
    """A transition line; states as in ``"open n, dry rose"``."""
    return {"state": _atoms(state), "action": action, "next": _atoms(next_state)}


def _atoms(text: str) -> list[str]:
    return [f"({atom.strip()})" for atom in text.split(",") if atom.strip()]


STEPS = [
    step("shut n, shut s, dry rose", "turn-on", "open n, shut s, dry rose"),
    step("open n, shut s, dry rose", "water", "open n, shut s, wet rose"),
    step("open n, shut s, wet rose", "turn-off", "shut n, shut s, wet rose"),
]
"""Three transitions that go with HEADER and, as static atoms, PIPES."""


def traces(folder: Path, *lines: Mapping[str, Any] | str, name: str = "t.jsonl") -> Path:
    """Write a trace file; a string is written as it is."""
    texts = (line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines)
    return write(folder, name, "".join(texts))


def strict_json(text: str) -> Any:
    """The value of a JSON text, which may hold neither NaN nor infinity."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refuse)


def is_one_error(outcome: Outcome, *fragments: str) -> None:
    """Assert status 1 and one message that holds the fragments: place, finding, remedy."""
    assert outcome.status == 1, outcome
    assert outcome.out == ""
    assert "Traceback" not in outcome.err
    errors = [line for line in outcome.err.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1, outcome.err
    assert outcome.err.splitlines()[-1] == errors[0]
    for fragment in fragments:
        assert fragment in errors[0], errors[0]


def heed_interrupts() -> None:
    """A job in the background of a shell inherits that SIGINT is ignored; a user's does not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextlib.contextmanager
def started(*arguments: object, cwd: Path) -> Iterator[subprocess.Popen]:
    """The command in a process of its own, running; ended at the end."""
    process = subprocess.Popen(
        command(*arguments),
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heed_interrupts,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()
