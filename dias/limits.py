"""Time and memory limits that long-running work checks from within.

A time limit that holds for everything a command does is set once, by `within`. What may run long
calls `check`, wherever it is; whoever has something to show catches `OutOfTimeError`, keeps what
there is by then, and says what is left undone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter
from typing import TypeVar

Check = Callable[[], None]
"""What long work calls again and again, such as `Limits.check`; it raises to end the work."""

_T = TypeVar("_T")

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
        self._n_checks = self._n_left = n_checks

    @property
    def n_done(self) -> int:
        """Checks so far."""
        return self._n_checks - self._n_left

    def check(self, n_checks: int = 1) -> None:
        """Count some checks; raise `OutOfWorkError` where they are more than are left.

        It is a `check` of the time, too.
        """
        check()
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
        self._deadline = now + (float("inf") if time_limit_s is None else time_limit_s)
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


_UNLIMITED = Limits()

_around: ContextVar[Limits] = ContextVar("limits", default=_UNLIMITED)
"""The limits that hold where the code runs."""


def check() -> None:
    """Raise `OutOfTimeError` if a time limit around has passed."""
    limits = _around.get()
    if limits is not _UNLIMITED:
        limits.check()


def active_check() -> Check | None:
    """`check`, for loops that are compiled with a call or without; None without a limit."""
    return None if _around.get() is _UNLIMITED else check


def remaining_s() -> float:
    """Seconds until the nearest time limit around; infinite if there is none."""
    return _around.get().remaining_s


@contextmanager
def within(time_limit_s: float | None) -> Iterator[None]:
    """Give what runs inside so many seconds, or what is left of the limits around it.

    Args:
        time_limit_s: Seconds from now; None or infinity: only the limits around hold.
    """
    if time_limit_s is None or time_limit_s == float("inf"):
        yield
        return
    token = _around.set(Limits(min(time_limit_s, remaining_s())))
    try:
        yield
    finally:
        _around.reset(token)


@contextmanager
def suspended() -> Iterator[None]:
    """Let what runs inside end, whatever the limits: it is short, and makes the rest worth it."""
    token = _around.set(_UNLIMITED)
    try:
        yield
    finally:
        _around.reset(token)


class Attempts:
    """Parts of a task that make its result better, and of which some may be left undone.

    Args:
        time_limit_s: Seconds from now that they have in all; None for no limit.

    Attributes:
        undone: Part to what it was left undone for, in order.
    """

    def __init__(self, time_limit_s: float | None = None) -> None:
        self._limits = Limits(time_limit_s)
        self.undone: dict[str, list[str]] = {}

    @property
    def remaining_s(self) -> float:
        """Seconds that are left; infinite without a limit."""
        return min(self._limits.remaining_s, remaining_s())

    @contextmanager
    def at(self, part: str, subject: str = "", share: float = 1.0) -> Iterator[None]:
        """Try a part; if the time ends before, note it and go on after it.

        Args:
            part: What is tried.
            subject: For what.
            share: Of the time that is left, how much it may take.
        """
        with self.needed(part, subject), within(share * self.remaining_s):
            yield

    @contextmanager
    def needed(self, part: str, subject: str = "") -> Iterator[None]:
        """Try a part without which there is little to show: only the limits around end it."""
        try:
            yield
        except OutOfTimeError:
            self.note(part, subject)

    def note(self, part: str, subject: str = "") -> None:
        """Note a part as left undone, once."""
        own = self.undone.setdefault(part, [])
        if subject not in own:
            own.append(subject)


def in_turn(
    subjects: Iterable[str], time_s: float, attempts: Attempts, do: Callable[[str, Attempts], _T]
) -> dict[str, _T]:
    """Do something for one subject after another, each in an even part of the time.

    What most of them need is less: those for which something is left undone are done again, as long
    as each may take more than twice the time that it had.

    Args:
        subjects: For what, each once.
        time_s: Seconds that all of them may take.
        attempts: Where it is noted what is left undone in the end.
        do: Is given a subject and where to note what is left undone for it.

    Returns:
        Subject to what came of it, in the order of the subjects.
    """
    found: dict[str, _T] = {}
    pending = list(subjects)
    with within(time_s):
        while pending:
            unfinished: dict[str, tuple[float, Attempts]] = {}
            for n_done, subject in enumerate(pending):
                limit = remaining_s() / (len(pending) - n_done)
                own = Attempts(attempts.remaining_s)
                with within(limit):
                    found[subject] = do(subject, own)
                if own.undone:
                    unfinished[subject] = limit, own
            limit = remaining_s() / max(1, len(unfinished))
            pending = [subject for subject, (had, _) in unfinished.items() if limit > 2 * had]
            for subject, (_, own) in unfinished.items():
                for part in own.undone if subject not in pending else ():
                    attempts.note(part, subject)
    return found


def resident_mb() -> float:
    """Resident memory of this process in MiB; its peak where the system tells only that."""
    try:
        with open("/proc/self/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except FileNotFoundError:
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / (2**20 if sys.platform == "darwin" else 2**10)
