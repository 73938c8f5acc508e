"""A learning run: sample, learn, evaluate, each as the command that a user would type."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dias.config import takes_paper_alpha
from dias.methods import method_named

from ..generate import DOMAINS
from .outcomes import MEASURED, learned, measured, schemas
from .rawlines import Row
from .runs import GRACE_S, Run, dias, masks, sample
from .surroundings import surroundings

UNKEYED: Row = {"min_per_action": 1, "settings": ""}
"""Fields that have a say in what is learned but make no other run, and what older rows had."""


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
        samples: Samples of each action, twice as many at most; 0: the domain's own numbers.
        applicable: What the traces say of what is applicable, as for ``dias sample``; empty:
            nothing.
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
    samples: int = 0
    applicable: str = ""
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

    def new_row(self) -> Row:
        """What is known before; of what was learned before, all but its evaluation."""
        if self.kept is None:
            return super().new_row() | self._unkeyed
        row = {name: value for name, value in self.kept.items() if name not in MEASURED}
        return row | {"failure": None, "evaluated_with": surroundings()["versions"]}

    def measure(self, row: Row, place: Path) -> None:
        """Run the three commands; the first that fails ends the run.

        ``learned`` of the row is the PDDL text of the domain, if it is one.
        """
        output = place / ("model.ckpt" if self.effects == "mlp" else "learned.pddl")
        if self.kept is not None:
            output.write_text(row["learned"], encoding="utf-8")
        elif not self.learn(row, place, output):
            return
        evaluation = dias(
            row, "evaluate", output, "--gt", DOMAINS / self.domain / "domain.pddl",
            "--time-limit", self.limits.evaluate_s,
            time_limit_s=self.limits.evaluate_s + GRACE_S,
        )  # fmt: skip
        if evaluation is not None:
            row |= measured(evaluation)

    def learn(self, row: Row, place: Path, output: Path) -> bool:
        """Sample and learn; whether both came to an end. ``learned`` of the row is the domain."""
        folder, traces = DOMAINS / self.domain, place / "traces.jsonl"
        known = tomllib.loads((folder / "dias.toml").read_text(encoding="utf-8"))
        least = max(self.min_per_action, known["sample"]["min_per_action"])
        most = max(least, known["sample"]["max_per_action"])
        result = None
        if sample(
            row, self.domain, folder / "p01.pddl", traces, self.seed,
            (self.samples, 2 * self.samples) if self.samples else (least, most),
            "--labels", self.labels, "--noise", self.noise, *masks(self.applicable),
        ):  # fmt: skip
            result = dias(
                row, "learn", traces, "-o", output, *self._options(known, place),
                "--seed", self.seed, "--no-infer-types",
                time_limit_s=self.limits.learn_s + GRACE_S, successes=(0, 4),
            )  # fmt: skip
        if result is None:
            return False
        row |= learned(result, self.limits.learn_s)
        row["preconditions"] = result.get("preconditions")  # a network for effects says none
        if self.effects == "strips":
            row["learned"] = schemas(output)
        return True

    def _options(self, known: Mapping[str, Any], place: Path) -> list[object]:
        """Those of ``dias learn``; `known` are the domain's settings."""
        options: list[object] = ["--method", self.method]
        if method_named(self.method).trains:  # else there is nothing that could be limited
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
        return options
