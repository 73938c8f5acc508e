"""Ctrl-C at any moment: status 130, one word, nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.helpers import PROBLEM, garden, heed_interrupts, posix, started, step, traces, write

ENDLESS = {
    "learn": ["learn", "pipe", "-o", "out", "--steps", 10**6, "--restarts", 10**6],
    "sample": ["sample", "domain.pddl", "pipe", "-o", "out", "--restart-after", 10**12],
    "evaluate": ["evaluate", "domain.pddl", "--gt", "domain.pddl", "--problem", "pipe",
                 "--states", 10**9, "--json"],
    "plan": ["plan", "domain.pddl", "pipe", "-o", "out", "--search", "bfs"],
}  # fmt: skip


def _endless_input(name: str) -> str:
    if name == "learn":  # one action with two effects: no schema explains both
        lines = [f'{{"state":["(p a)"],"action":"go","next":["({p} a)"]}}\n' for p in "qr"]
        return "".join(lines)
    beds = " ".join(f"b{number}" for number in range(40))
    piped = " ".join(f"(dry {bed}) (pipe south {bed})" for bed in beds.split())
    text = PROBLEM.replace("rose leek", f"rose leek {beds}").replace("(:init", f"(:init {piped}")
    if name == "sample":  # nothing can be watered, so there is no sample of it
        return PROBLEM.replace("(pipe north rose) (pipe south rose) (pipe south leek)", "")
    # Two to the power of 44 states, in none of which the goal holds.
    return text.replace("(shut south)))", "(dry rose)))")


def _feed(process: subprocess.Popen, pipe: Path, text: str) -> None:
    """Wait until the process reads the pipe, and write the text into it."""
    descriptor = None
    while descriptor is None:
        assert process.poll() is None, process.stderr.read()
        with suppress(OSError):  # nobody reads it yet
            descriptor = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        time.sleep(0.02)
    os.set_blocking(descriptor, True)
    with open(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)


@posix
@pytest.mark.parametrize("name", sorted(ENDLESS))
def test_interrupt(tmp_path, name):
    """Ctrl-C: status 130, one word, the old output untouched, nothing else left behind.

    The input comes through a named pipe, so that the process is known to be past its start.
    """
    garden(tmp_path)
    write(tmp_path, "out", "old")
    os.mkfifo(tmp_path / "pipe")
    before = sorted(os.listdir(tmp_path))
    with started(*ENDLESS[name], cwd=tmp_path) as process:
        _feed(process, tmp_path / "pipe", _endless_input(name))
        time.sleep(0.2)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        assert process.stdout.read() == b""
        err = process.stderr.read().decode()
    assert err.splitlines()[-1] == "interrupted"
    assert "Traceback" not in err
    assert (tmp_path / "out").read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == before


STUB = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(60)\n"


@posix
@pytest.mark.parametrize("module", ["click", "dias", "dias.learning.learn", "torch"])
def test_interrupt_while_importing(tmp_path, module):
    """A stand-in for a module interrupts the process when it is imported."""
    traces(tmp_path, step("p a", "go", "q a"))
    write(
        tmp_path,
        "run.py",
        "import runpy, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}:\n"
        f"            exec({STUB!r})\n"
        "sys.meta_path.insert(0, Finder())\n"
        "sys.argv[1:] = ['learn', 't.jsonl', '-o', 'l.pddl', '--without', 'fallback']\n"
        "runpy.run_module('dias_cli', run_name='__main__')\n",
    )
    done = subprocess.run(
        [sys.executable, "run.py"], cwd=tmp_path, capture_output=True, timeout=60,
        preexec_fn=heed_interrupts,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (130, b"")
    assert done.stderr.decode().splitlines()[-1] == "interrupted"
    assert b"Traceback" not in done.stderr


@posix
def test_an_interrupt_that_a_library_turns_into_an_error():
    """As in `import torch`: status 130 and no traceback, whatever becomes of KeyboardInterrupt."""
    script = (
        "import os, signal, dias_cli.main\n"
        "def run():\n"
        "    try:\n"
        "        exec('os.kill(os.getpid(), signal.SIGINT); import time; time.sleep(9)')\n"
        "    except KeyboardInterrupt:\n"
        "        raise ImportError('half a library')\n"
        "dias_cli.main.main = run\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from dias_cli.start import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


@posix
def test_an_interrupt_while_a_text_is_executed(tmp_path):
    """Status 130, where `python -m` would die of the signal: KeyboardInterrupt out of `exec`."""
    write(
        tmp_path,
        "as_module.py",
        "import os, signal, dias_cli.main\n"
        "def run():\n"
        "    try:\n"
        "        exec('os.kill(os.getpid(), signal.SIGINT); import time; time.sleep(9)')\n"
        "    except KeyboardInterrupt:\n"
        "        print('interrupted')\n"
        "        raise SystemExit(130)\n"
        "dias_cli.main.main = run\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from dias_cli.start import main\n"
        "main()\n",
    )
    words = [sys.executable, "-m", "as_module"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "interrupted\n", "")


@posix
def test_an_interrupt_while_torch_is_imported(tmp_path):
    """Its import in C++ aborts the process on KeyboardInterrupt; so none is raised there."""
    (tmp_path / "torch").mkdir()
    write(
        tmp_path,
        "torch/__init__.py",
        "import os, signal\n"
        "try:\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    sum(range(10**7))\n"
        "except KeyboardInterrupt:\n"
        "    os.abort()\n",
    )
    script = (
        "import signal, sys\n"
        "import dias_cli.main\n"
        "dias_cli.main.main = lambda: __import__('torch')\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from dias_cli.start import main\n"
        "main()\n"
    )
    words = [sys.executable, "-c", script]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")
