"""The time limit of sampling: what was sampled must still be written within it."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from dias.limits import OutOfTimeError
from dias.strips.problem import CodedProblem
from dias.traces.sampling.samples import WalkStep

TRIAL_EVERY = 20
"""Steps of which one is written as a trial."""


class Deadline:
    """Ends the walks early enough for their steps to be written.

    Writing may take several times as long as walking, most of all with noise. So some steps are
    written as a trial, to nowhere, and the time that all of them will need is kept back.

    Args:
        end: When everything must be done, by `time.perf_counter`.
        write: Does with a step what writing does.
    """

    def __init__(self, end: float, write: Callable[[CodedProblem, WalkStep], object]) -> None:
        self._end = end
        self._write = write
        self._n_kept = 0
        self._trials_s = 0.0

    def check(self) -> None:
        """Raise `OutOfTimeError` when the rest of the time is needed for writing."""
        if perf_counter() + TRIAL_EVERY * self._trials_s >= self._end:
            raise OutOfTimeError

    def kept(self, problem: CodedProblem, step: WalkStep) -> None:
        """A step has been kept and will have to be written."""
        if self._n_kept % TRIAL_EVERY == 0:
            start = perf_counter()
            self._write(problem, step)
            if self._n_kept:  # the first one loads what writing needs
                self._trials_s += perf_counter() - start
        self._n_kept += 1
