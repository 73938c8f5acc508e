"""One run of the suite: sample, learn, evaluate, each as the command that a user would type."""

from __future__ import annotations

import tempfile
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import NamedTuple, Self

from dias.config import takes_paper_alpha

from ..generate import DOMAINS
from .command import run_dias
from .outcomes import MEASURED, learned, measured, schemas
from .rawlines import Row
from .surroundings import surroundings

GRACE_S = 120
"""Seconds after its own time limit before a process is killed."""

UNKEYED: Row = {"min_per_action": 1, "settings": ""}
"""Fields that have a say in what is learned but make no other run, and what older rows had."""

_PLAIN = ("domain", "labels", "method", "objective", "objectives")
"""Fields whose values say what they are."""


class Run(ABC):
    """What a table consists of: a frozen dataclass. Its compared fields make the measurement."""

    seed: int

    @abstractmethod
    def execute(self) -> Row:
        """Do it; the row has `key`, and ``failure``: None or what went wrong."""

    def resumed(self, row: Row, learned: Path) -> Run:
        """What is left to do of this run, which ended with `row`: all of it, in general.

        Args:
            row: A row with a failure.
            learned: Folder of the learned domains that rows name.
        """
        return self

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


@dataclass(frozen=True)
class Limits:
    """How long a run may take.

    Attributes:
        learn_s: Seconds of training; the best domain found by then is measured.
        evaluate_s: Seconds of the evaluation; one that is cut short has failed.
    """

    learn_s: float = 1200
    evaluate_s: float = 300


@dataclass(frozen=True)
class LearningRun(Run):
    """A domain learned from traces of p01 and measured on p02 to p04.

    Attributes:
        domain: A benchmark domain.
        labels: `names`, `partial` or `full`: which action arguments the traces have.
        method: As for ``dias learn``.
        objective: As for ``dias learn``.
        effects: `strips`, or `mlp`: effects that may depend on the state.
        without: Parts of the method that are left out, as for ``dias learn``, in one text.
        noise: Expected number of wrongly observed atoms per transition.
        seed: That of sampling and of learning.
        min_per_action: Samples of each action, if the domain's own number is below it.
        settings: TOML text for ``dias learn --config``; empty for none.
        limits: How long it may take.
        kept: The row with the text of the domain learned before; then it is only evaluated.
    """

    domain: str
    labels: str = "names"
    method: str = "hybrid"
    objective: str = "lifted"
    effects: str = "strips"
    without: str = ""
    noise: float = 0.0
    seed: int = 0
    min_per_action: int = field(default=1, compare=False)
    settings: str = field(default="", compare=False)
    limits: Limits = field(default=Limits(), compare=False)
    kept: Row | None = field(default=None, compare=False, repr=False)

    def resumed(self, row: Row, learned: Path) -> LearningRun:
        """Only the evaluation, if that is what failed and the learned domain is there."""
        path = learned / row["learned"] if row.get("learned") else None
        if path is None or not row["failure"].startswith("evaluate: ") or not path.exists():
            return self
        if any(row.get(name, UNKEYED[name]) != value for name, value in self._unkeyed.items()):
            return self  # it was learned in another way
        return replace(self, kept=row | {"learned": path.read_text(encoding="utf-8")})

    @property
    def _unkeyed(self) -> Row:
        """What is not part of the key and has a say in what is learned."""
        return {name: getattr(self, name) for name in UNKEYED}

    def execute(self) -> Row:
        """Run the three commands; the first that fails ends the run.

        ``learned`` of the row is the PDDL text of the domain, if it is one.
        """
        with tempfile.TemporaryDirectory(prefix="dias-bench-") as place:
            stages = list(self._stages(Path(place)))
            if self.kept is None:
                row = self.key | {"failure": None} | surroundings() | self._unkeyed
            else:
                row = {name: value for name, value in self.kept.items() if name not in MEASURED}
                row |= {"failure": None, "evaluated_with": surroundings()["versions"]}
                (Path(place) / "learned.pddl").write_text(row["learned"], encoding="utf-8")
                stages = stages[-1:]
            for stage in stages:
                done = run_dias(*stage.arguments, "--json", time_limit_s=stage.limit_s + GRACE_S)
                row |= {f"{stage.name}_s": done["seconds"], f"{stage.name}_mib": done["peak_mib"]}
                if done["status"] not in stage.successes:
                    return row | {"failure": f"{stage.name}: {done['message']}"}
                if stage.name == "learn":
                    row |= learned(done["json"], self.limits.learn_s)
                    if self.effects == "strips":
                        row |= {"learned": schemas(Path(place) / "learned.pddl")}
                elif stage.name == "evaluate":
                    row |= measured(done["json"])
        return row

    def _stages(self, place: Path) -> Iterator[_Stage]:
        folder = DOMAINS / self.domain
        known = tomllib.loads((folder / "dias.toml").read_text(encoding="utf-8"))
        least = max(self.min_per_action, known["sample"]["min_per_action"])
        traces = place / "traces.jsonl"
        learned = place / ("model.ckpt" if self.effects == "mlp" else "learned.pddl")
        yield _Stage(
            "sample",
            [
                *("sample", folder / "domain.pddl", folder / "p01.pddl", "-o", traces),
                *("--labels", self.labels, "--noise", self.noise, "--seed", self.seed),
                *("--min-per-action", least),
                *("--max-per-action", max(least, known["sample"]["max_per_action"])),
            ],
        )
        options: list[object] = ["--method", self.method]
        if self.method != "symbolic":  # which trains nothing that could be limited
            options += ["--time-limit", self.limits.learn_s]
        if self.objective != "lifted":
            options += ["--objective", self.objective]
        if takes_paper_alpha(self.method, self.objective, self.effects):
            options += ["--alpha", known["learn"]["alpha"]]
        if self.effects != "strips":
            options += ["--effects", self.effects]
        for part in self.without.split():
            options += ["--without", part]
        if self.settings:
            (place / "settings.toml").write_text(self.settings, encoding="utf-8")
            options += ["--config", place / "settings.toml"]
        yield _Stage(
            "learn",
            [
                *("learn", traces, "-o", learned, *options, "--seed", self.seed),
            ],
            self.limits.learn_s,
            successes=(0, 4),
        )
        yield _Stage(
            "evaluate",
            [
                *("evaluate", learned, "--gt", folder / "domain.pddl"),
                *("--time-limit", self.limits.evaluate_s),
            ],
            self.limits.evaluate_s,
        )


class _Stage(NamedTuple):
    """A command of a run, and the exit statuses with which the run goes on."""

    name: str
    arguments: list[object]
    limit_s: float = 600
    successes: tuple[int, ...] = (0,)
