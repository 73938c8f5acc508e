"""Time and memory limits that long-running work checks from within."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from time import perf_counter

Check = Callable[[], None]
"""What long work calls again and again, such as `Limits.check`; it raises to end the work."""

_MEMORY_CHECK_INTERVAL_S = 0.05
"""Reading the resident memory costs about 10 µs, too much for every check."""


class OutOfTimeError(Exception):
    """The deadline has passed. Internal: whoever set the limit catches it."""


class OutOfWorkError(Exception):
    """An allowance is used up. Internal: whoever set it catches it."""


class Allowance:
    """Work that may be done, in checks: the same on every machine, unlike time.

    Args:
        n_checks: Checks that pass.
    """

    def __init__(self, n_checks: int) -> None:
        self._n_left = n_checks

    def check(self, n_checks: int = 1) -> None:
        """Count some checks; raise `OutOfWorkError` where they are more than are left."""
        self._n_left -= n_checks
        if self._n_left < 0:
            raise OutOfWorkError


class Limits:
    """A deadline and a ceiling on the resident memory of the process.

    Checking needs no signal, thread or child process, so it works in any thread and nests.

    Args:
        time_limit_s: Seconds from now; None for no limit.
        memory_limit_mb: Resident memory of the whole process in MiB; None for no limit.
    """

    def __init__(self, time_limit_s: float | None = None, memory_limit_mb: int | None = None):
        now = perf_counter()
        self._deadline = float("inf") if time_limit_s is None else now + time_limit_s
        self._memory_limit_mb = float("inf") if memory_limit_mb is None else memory_limit_mb
        self._next_memory_check = float("inf") if memory_limit_mb is None else now

    def check(self) -> None:
        """Raise `OutOfTimeError` or MemoryError if a limit is exceeded."""
        now = perf_counter()
        if now >= self._deadline:
            raise OutOfTimeError
        if now >= self._next_memory_check:
            self._next_memory_check = now + _MEMORY_CHECK_INTERVAL_S
            if resident_mb() > self._memory_limit_mb:
                raise MemoryError

    @property
    def is_out_of_time(self) -> bool:
        """Whether the deadline has passed."""
        return perf_counter() >= self._deadline

    @property
    def remaining_s(self) -> float:
        """Seconds until the deadline, 0 at least; infinite without a time limit."""
        return max(0.0, self._deadline - perf_counter())


def resident_mb() -> float:
    """Resident memory of this process in MiB; its peak where the system tells only that."""
    try:
        with open("/proc/self/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except FileNotFoundError:
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / (2**20 if sys.platform == "darwin" else 2**10)
