"""A run on a random domain: learn it, judge it on larger instances, ask what the data decide."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dias.strips.pddl.reader import read_domain

from ..generators.random_domains import INJECTIVE, random_domain
from .dispute import dispute
from .flips import flip_atoms
from .outcomes import learned, measured, schemas
from .rawlines import Row
from .runs import GRACE_S, Run, call, dias, masks

N_SAMPLES = 44
"""Steps of each action in each of the three training instances."""

N_STATES, STATES_FROM = 300, "both"
"""Test states, near the start and far from it."""

LEARN_S, EVALUATE_S, DISPUTE_S = 300, 60, 300
"""Time limits; what needs longer has failed."""

RIGHT, RIGHT_DOUBTED, WRONG_DOUBTED, WRONG_SILENT = OUTCOMES = (
    *("right", "right, doubted"),
    *("wrong, doubted", "wrong, silent"),
)
"""Whether any action has a wrong successor or misses one in the test states, and whether learning
has named a weak point or ended with status 4."""


@dataclass(frozen=True)
class RandomRun(Run):
    """A random domain, learned from three instances and measured on two larger ones.

    Attributes:
        seed: That of the domain, of sampling, of flips and of learning.
        variant: One of `dias_benchmarks.generators.random_domains.VARIANTS`.
        flips: Wrong atoms in the whole trace.
        labels: `names`, `partial` or `full`: which action arguments the traces have.
        method: As for ``dias learn``.
        preconditions: As for ``dias learn``; empty for its default.
        applicable: What the traces say of what is applicable, as for ``dias sample``; empty:
            nothing.
    """

    seed: int
    variant: str = INJECTIVE
    flips: int = 0
    labels: str = "names"
    method: str = "symbolic"
    preconditions: str = ""
    applicable: str = ""

    def measure(self, row: Row, place: Path) -> None:
        """Sample, flip, learn, evaluate, and where that shows a fault, weigh it against the truth.

        ``outcome`` of the row is one of `OUTCOMES`; ``actions`` has the details of each action.
        """
        domain, training, test = random_domain(self.seed, self.variant).write(place)
        clean, seen, output = (place / name for name in ("clean.jsonl", "t.jsonl", "learned.pddl"))
        if dias(
            row, "sample", domain, *training, "-o", clean, "--labels", self.labels,
            "--min-per-action", N_SAMPLES, "--max-per-action", N_SAMPLES, "--seed", self.seed,
            *masks(self.applicable),
        ) is None:  # fmt: skip
            return
        true = read_domain(domain)
        flip_atoms(clean, seen, true, self.flips, self.seed)
        result = dias(
            row, "learn", seen, "-o", output, "--method", self.method, *self._preconditions,
            "--seed", self.seed,
            time_limit_s=LEARN_S, successes=(0, 4),
        )  # fmt: skip
        if result is None:
            return
        row |= learned(result, math.inf)
        row |= {"domain": true.name, "learned": schemas(output)}
        row["explains_everything"] = result["explains_everything"]
        problems = [word for path in test for word in ("--problem", path)]
        evaluation = dias(
            row, "evaluate", output, "--gt", domain, *problems, "--states", N_STATES,
            "--states-from", STATES_FROM, "--time-limit", EVALUATE_S,
            time_limit_s=EVALUATE_S + GRACE_S,
        )  # fmt: skip
        if evaluation is None:
            return
        row |= measured(evaluation)
        row["outcome"] = outcome(row)
        row["actions"] = {
            name: {
                **{key: score[key] for key in ("precision", "recall")},
                "doubted": any(point.startswith(f"{name}: ") for point in row["weak_points"]),
            }
            for name, score in evaluation["actions"].items()
        }
        if row["failure"] is None and row["wrong"]:
            is_sound = {
                name: evaluation["actions"][name]["precision"] == 1 for name in row["wrong"]
            }
            arguments = {
                "true": domain,
                "learned": output,
                "traces": clean,
                "problems": list(map(str, test)),
                "n_states": N_STATES,
                "states_from": STATES_FROM,
                "actions": is_sound,
            }
            call(row, dispute, arguments, time_limit_s=DISPUTE_S)

    @property
    def _preconditions(self) -> list[str]:
        return ["--preconditions", self.preconditions] if self.preconditions else []


def outcome(row: Mapping[str, object]) -> str:
    """One of `OUTCOMES`."""
    is_doubted = bool(row["weak_points"]) or not row["explains_everything"]
    if row["wrong"]:
        return WRONG_DOUBTED if is_doubted else WRONG_SILENT
    return RIGHT_DOUBTED if is_doubted else RIGHT
