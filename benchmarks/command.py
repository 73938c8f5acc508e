"""Runs `dias` as a user would, in a process of its own, and measures it from outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

TIME_LIMIT_S = 600


def run_dias(*arguments: object, time_limit_s: float = TIME_LIMIT_S) -> dict[str, Any]:
    """Run a command with one thread.

    Returns:
        ``status`` (-9 when it was stopped), ``json`` (None unless it printed some), ``message``
        (its last line on standard error), ``seconds`` (wall clock), ``peak_mib``.
    """
    command = [sys.executable, "-m", "dias_cli", *map(str, arguments)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    started = time.perf_counter()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, env=environment)
        timer = threading.Timer(time_limit_s, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - started
        out.seek(0)
        err.seek(0)
        text, messages = out.read().decode(), err.read().decode().strip().splitlines()
    return {
        "status": process.returncode,
        "json": json.loads(text) if text.startswith("{") else None,
        "message": messages[-1] if messages else "",
        "seconds": round(seconds, 2),
        "peak_mib": round(usage.ru_maxrss / 1024),
    }


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The finished runs of a results file; none if there is no such file."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def append_line(path: Path, value: dict[str, Any]) -> None:
    """Add a finished run to a results file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(value, allow_nan=False) + "\n")
