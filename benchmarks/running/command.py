"""Runs `dias` as a user would, or a function, in a process of its own; measures it from outside."""

from __future__ import annotations

import json
import math
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

TIME_LIMIT_S = 600
SHARED = 8
"""How many times as long as its processor seconds a process may take on a busy machine."""

_POLL_S = 0.01

_lock = threading.Lock()
_running: set[int] = set()
"""Process ids that are started and not yet reaped."""


def run_dias(*arguments: object, time_limit_s: float = TIME_LIMIT_S) -> dict[str, Any]:
    """Run a `dias` command with one thread; see `run_module`."""
    return run_module("dias_cli", *arguments, time_limit_s=time_limit_s)


def run_function(
    function: Callable[..., dict[str, Any]],
    arguments: Mapping[str, object],
    time_limit_s: float = TIME_LIMIT_S,
    memory_limit_mib: int = 0,
) -> dict[str, Any]:
    """Call a function of a module with one thread; see `run_module`.

    Args:
        function: What it returns is ``json``.
        arguments: By keyword: what JSON has, and paths, which it gets as texts.
        time_limit_s: Seconds after which it is killed.
        memory_limit_mib: What it may reserve; 0: any amount.
    """
    called = (function.__module__, function.__name__, json.dumps(dict(arguments), default=str))
    module = f"{__package__}.call"
    return run_module(module, *called, memory_limit_mib, time_limit_s=time_limit_s)


def run_module(
    module: str, *arguments: object, time_limit_s: float = TIME_LIMIT_S
) -> dict[str, Any]:
    """Run ``python -m module`` with one thread.

    Time limits are processor seconds, so that a busy machine fails no run; `SHARED` times as long
    by the clock ends it, too. The process is in a session of its own: Ctrl-C on the terminal does
    not reach it, so that an interrupted run never looks like one that failed. `stop_children` ends
    it.

    Returns:
        ``status`` (negative: the signal that ended it), ``json`` (None unless it printed some),
        ``message`` (its last line on standard error, or what stopped it), ``seconds`` (wall
        clock), ``cpu_s`` (processor seconds), ``peak_mib`` (largest resident memory).
    """
    command = [sys.executable, "-m", module, *map(str, arguments)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    started = time.perf_counter()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with _lock:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=environment,
                start_new_session=True,
            )
            _running.add(process.pid)
        _limit_cpu_time(process.pid, time_limit_s)
        deadline = started + SHARED * time_limit_s
        status, cpu_s, peak_mib, is_late = _wait(process.pid, deadline)
        process.returncode = status
        seconds = time.perf_counter() - started
        out.seek(0)
        err.seek(0)
        text, messages = out.read().decode(), err.read().decode().strip().splitlines()
    if is_late or status == -signal.SIGXCPU:
        messages.append(stopped_after(time_limit_s))
    elif status < 0:
        messages.append(f"ended by {signal.Signals(-status).name}")
    return {
        "status": status,
        "json": json.loads(text) if text.startswith("{") else None,
        "message": messages[-1] if messages else "",
        "seconds": round(seconds, 2),
        "cpu_s": round(cpu_s, 2),
        "peak_mib": round(peak_mib),
    }


def stopped_after(time_limit_s: float) -> str:
    """The message of a process that needed more than its limit."""
    return f"stopped after {time_limit_s:.0f} s"


def stop_children() -> None:
    """Kill every process that `run_module` has under way in this process."""
    with _lock:
        for pid in _running:
            os.killpg(pid, signal.SIGKILL)


def _limit_cpu_time(pid: int, seconds: float) -> None:
    """Let the system end the process, even if it outlives us."""
    if hasattr(resource, "prlimit"):  # Linux
        limit = math.ceil(seconds)
        resource.prlimit(pid, resource.RLIMIT_CPU, (limit, limit + 10))


def _wait(pid: int, deadline: float) -> tuple[int, float, float, bool]:
    """Exit status, processor seconds, peak memory in MiB, and whether it was killed as late."""
    peak_mib, is_late = 0.0, False
    while True:
        with _lock:  # a process that is not reaped keeps its id, so nobody else is killed
            peak_mib = max(peak_mib, _peak_mib(pid))
            reaped, status, usage = os.wait4(pid, os.WNOHANG)
            if reaped:
                _running.discard(pid)
                peak_mib = peak_mib or usage.ru_maxrss / 2**10
                cpu_s = usage.ru_utime + usage.ru_stime
                return os.waitstatus_to_exitcode(status), cpu_s, peak_mib, is_late
            if not is_late and time.perf_counter() >= deadline:
                is_late = True
                os.killpg(pid, signal.SIGKILL)
        time.sleep(_POLL_S)


def _peak_mib(pid: int) -> float:
    """The peak of a process's memory so far; 0 where the system does not tell.

    What `os.wait4` says is never less than the memory of this process, which a child shares until
    it has loaded its program.
    """
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0.0
    found = re.search(r"^VmHWM:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) / 2**10 if found else 0.0  # a process that has ended has none
