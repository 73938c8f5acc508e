"""The progress of `dias learn`: on a terminal only."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from contextlib import suppress

import pytest

from tests.cli.helpers import HEADER, PIPES, STEPS, call, step, traces
from tests.hashing import other_hash_seed

pty = pytest.importorskip("pty")

LEARN = ("learn", "t.jsonl", "-o", "d.pddl", "--steps", 40, "--method", "neural")
COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-9]")
"""A control sequence that sets the colour of the text."""


def plain(shown):
    """The text without control sequences."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)


def on_terminal(folder, *arguments, **environment):
    """What a run writes to standard error when that is a terminal."""
    master, slave = pty.openpty()
    written = []

    def read():
        with suppress(OSError):  # how Linux says that the other end is closed
            while part := os.read(master, 4096):
                written.append(part)

    reader = threading.Thread(target=read)
    reader.start()
    environment = {"TERM": "xterm-256color", "COLUMNS": "120", **environment}
    with open(slave, "w", encoding="utf-8") as terminal:
        call(*arguments, cwd=folder, environment=environment, terminal=terminal)
    reader.join()
    os.close(master)
    return b"".join(written).decode()


@pytest.fixture
def written(tmp_path):
    traces(tmp_path, {**HEADER, "static": PIPES}, *STEPS)
    return tmp_path


def test_a_terminal_is_shown_where_training_stands(written):
    shown = on_terminal(written, *LEARN)
    for text in (
        "run 1 of 3",
        "40/40 steps",
        "run 3 of 3",
        "L_main ",
        "L_aux ",
        "p_pre ",
        "active slots: ",
    ):
        assert text in plain(shown)
    assert re.search(r"slots: turn-off \d, turn-on \d, water \d", plain(shown))
    assert COLOUR.search(shown)


@pytest.mark.slow
def test_no_colours_where_they_are_not_wanted(written):
    shown = on_terminal(written, *LEARN, NO_COLOR="1")
    assert "40/40 steps" in plain(shown)
    assert not COLOUR.search(shown)


@pytest.mark.slow
def test_what_is_logged_stands_above_what_is_drawn(written):
    other = step("shut n, shut s, dry rose", "turn-on", "open n, shut s, wet rose")
    traces(written, {**HEADER, "static": PIPES}, *STEPS, other)
    options = ("-o", "d.pddl", "--steps", 50, "--restarts", 2)
    shown = plain(on_terminal(written, "-v", "learn", "t.jsonl", *options))
    assert re.search(r"explained \d+\.\d%", shown)
    logged = shown.index("run 1 left some transitions unexplained\r\n")
    assert shown.index("run 1 of 2") < logged < shown.index("run 2 of 2")


def test_a_pipe_is_shown_nothing_and_gets_the_same_bytes_for_the_same_seed(written):
    """And rich is not imported. Sets of strings have another order there than here."""
    program = (
        "import sys; from dias_cli.main import main\n"
        "try: main(sys.argv[1:])\n"
        "finally: print('rich' in sys.modules, file=sys.stderr)"
    )
    arguments = ("learn", "t.jsonl", "--steps", 40, "--method", "neural")
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        cwd=written,
        capture_output=True,
        text=True,
        check=False,
        env=other_hash_seed(),
    )
    assert done.stderr.splitlines()[-1] == "False"
    assert "L_main" not in done.stderr
    assert "\x1b" not in done.stderr + done.stdout
    assert "(:action water" in done.stdout
    assert done.stdout == call(*arguments, cwd=written).out
