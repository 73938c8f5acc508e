"""A run: what a table consists of, and the commands and functions that it measures."""

from __future__ import annotations

import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, ClassVar, Self

from ..generate import DOMAINS
from .command import TIME_LIMIT_S, run_dias, run_function
from .rawlines import Row
from .surroundings import surroundings

GRACE_S = 120
"""Seconds after its own time limit before a process is killed."""

_PLAIN = ("domain", "labels", "method", "objective", "objectives", "problem", "engine", "form")
"""Fields whose values say what they are."""


class Run(ABC):
    """What a table consists of: a frozen dataclass. Its compared fields make the measurement.

    Attributes:
        seed: Where all chance comes from.
        timed: The fields of a row that say how long its commands took, in seconds.
    """

    seed: int
    timed: ClassVar[tuple[str, ...]] = ("sample_s", "learn_s", "evaluate_s", "measure_s")

    def execute(self) -> Row:
        """Do it; the row has `key`, and ``failure``: None or what went wrong."""
        row = self.new_row()
        with tempfile.TemporaryDirectory(prefix="dias-bench-") as place:
            self.measure(row, Path(place))
        return row

    @abstractmethod
    def measure(self, row: Row, place: Path) -> None:
        """Add to a new row what is measured, or the first failure; `place` is an empty folder."""

    def new_row(self) -> Row:
        """The row before anything is measured."""
        return self.key | {"failure": None} | surroundings()

    def resumed(self, row: Row, learned: Path) -> Run:
        """What is left to do of this run, which ended with `row`: all of it, in general.

        Args:
            row: A row with a failure.
            learned: Folder of the learned domains that rows name.
        """
        return self

    @property
    def seeds(self) -> Sequence[int]:
        """The seeds that have a say in it."""
        return (self.seed,)

    @property
    def key(self) -> Row:
        """The fields that make the run, as they stand in its row."""
        return {name: getattr(self, name) for name in _compared(type(self))}

    @classmethod
    def of(cls, row: Row) -> Self:
        """The run that a row is the outcome of; what older rows lack has its default."""
        return cls(**{name: row[name] for name in _compared(cls) if name in row})

    def __str__(self) -> str:
        defaults = {f.name: f.default for f in fields(self)}  # type: ignore[arg-type]
        return ", ".join(
            value if name in _PLAIN else f"{name} {value}"
            for name, value in self.key.items()
            if name in ("domain", "method", "seed") or value != defaults[name]
        )


def _compared(cls: type[Run]) -> list[str]:
    return [f.name for f in fields(cls) if f.compare]  # type: ignore[arg-type]


def dias(
    row: Row,
    *arguments: object,
    time_limit_s: float = TIME_LIMIT_S,
    successes: Sequence[int] = (0,),
) -> Row | None:
    """What a `dias` command prints as JSON; None if its status is none of the successes.

    The row gets its time and memory, and its failure if it has one.
    """
    done = run_dias(*arguments, "--json", time_limit_s=time_limit_s)
    return done["json"] if _note(row, str(arguments[0]), done, successes) else None


def sample(
    row: Row,
    domain: str,
    problem: Path,
    traces: Path,
    seed: int,
    least_most: tuple[int, int] | None = None,
    *options: object,
) -> bool:
    """Sample a benchmark domain's problem into a file, see `dias`; whether that succeeded.

    ``least_most``: samples of each action, if not as many as ``dias sample`` makes by itself.
    """
    words = ["sample", DOMAINS / domain / "domain.pddl", problem, "-o", traces, "--seed", seed]
    if least_most is not None:
        words += ["--min-per-action", least_most[0], "--max-per-action", least_most[1]]
    return dias(row, *words, *options) is not None


def call(row: Row, function: Callable[..., Row], arguments: Row, **limits: Any) -> None:
    """Add to a row what a function returns; see `run_function`, also for limits, and `dias`."""
    done = run_function(function, arguments, **limits)
    if _note(row, "measure", done, (0,)):
        row |= done["json"]


def _note(row: Row, stage: str, done: Row, successes: Sequence[int]) -> bool:
    """Put into a row what a process took, and its failure; whether there is none."""
    row |= {f"{stage}_s": done["seconds"], f"{stage}_cpu_s": done["cpu_s"]}
    row[f"{stage}_mib"] = done["peak_mib"]
    if done["status"] not in successes:
        row["failure"] = f"{stage}: {done['message']}"
    return row["failure"] is None
