"""Runs tests in a copy of the checkout, so that nothing in the checkout itself changes."""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from math import ceil
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
LEFT_OUT = (".*", "__pycache__", "build", "dist", "*.egg-info", "mutants")
INSTALLED_AS = {"dias_cli": "cli", "dias_benchmarks": "benchmarks"}
MAX_MEMORY = 16 << 30
"""Bytes of address space for each process: a mutant may ask for ever more."""
NO_TESTS = 5  # pytest's exit status for a file whose tests are all marked slow
OUTCOMES = {
    0: "survived",
    NO_TESTS: "survived",
    -signal.SIGXCPU: "timed out",
    -signal.SIGKILL: "timed out",
}
"""What became of the mutant, by the exit status of the tests; "killed" for any other."""


class Run(NamedTuple):
    """What became of the mutant, the seconds of processor time, and what the tests printed."""

    outcome: str
    seconds: float
    output: str

    @property
    def failed(self) -> str | None:
        """The test file that failed, where pytest came to say so."""
        found = re.search(r"^(?:FAILED|ERROR) ([^\s:]+)", self.output, re.MULTILINE)
        return found and found[1]


@contextmanager
def copy() -> Iterator[Path]:
    """A copy of the checkout, in a temporary folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="mutants-", ignore_cleanup_errors=True) as folder:
        root = Path(folder).resolve() / "checkout"
        shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns(*LEFT_OUT))
        (root.parent / "tmp").mkdir()
        for name, target in INSTALLED_AS.items():
            (root.parent / name).symlink_to(root / target)
        yield root


@contextmanager
def mutated(file: Path, code: str, number: int) -> Iterator[None]:
    """A file with other content, for a while."""
    original, before = file.read_bytes(), file.stat()
    file.write_text(code, encoding="utf-8")
    os.utime(file, (number, number))  # no time twice: Python would take another mutant's bytecode
    try:
        yield
    finally:
        file.write_bytes(original)
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def run(root: Path, tests: Sequence[str], limit_s: float, **environment: str) -> Run:
    """Run test files of a copy in the order given, up to the first failure.

    Time is the processor's, so that a busy machine decides nothing; only tests that wait are ended
    by the clock, after five times the limit.
    """

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (ceil(limit_s), ceil(limit_s)))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-qx", "-p", "no:cacheprovider", *tests],
        cwd=root,
        env={
            **os.environ,
            "PYTHONPATH": f"{root}{os.pathsep}{root.parent}",  # before what is installed
            "TMPDIR": str(root.parent / "tmp"),
            "OMP_NUM_THREADS": "1",
            **environment,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=limit,
    )
    try:
        output = process.communicate(timeout=5 * limit_s)[0].decode(errors="replace")
        outcome = OUTCOMES.get(process.returncode, "killed")
    except subprocess.TimeoutExpired:
        outcome, output = "timed out", ""
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # with all that the tests started
        process.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(outcome, round(seconds, 1), output)
