"""A run on a random domain: learn it, judge it on larger instances, ask what the data decide."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dias.strips.pddl.reader import read_domain

from ..generators.random_domains import INJECTIVE, random_domain
from ..running.rawlines import Row
from ..running.runs import Run, dias, masks
from .judge import dispute_wrong, judge
from .spoil import flip_atoms

N_SAMPLES = 44
"""Steps of each action in each of the three training instances."""

LEARN_S, EVALUATE_S = 300, 60
"""Time limits; what needs longer has failed."""


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

        The row is that of `judge` and `dispute_wrong`.
        """
        domain, training, test = random_domain(self.seed, self.variant).write(place)
        clean, seen = place / "clean.jsonl", place / "t.jsonl"
        if dias(
            row, "sample", domain, *training, "-o", clean, "--labels", self.labels,
            "--min-per-action", N_SAMPLES, "--max-per-action", N_SAMPLES, "--seed", self.seed,
            *masks(self.applicable),
        ) is None:  # fmt: skip
            return
        flip_atoms(clean, seen, read_domain(domain), self.flips, self.seed)
        options: list[object] = ["--method", self.method, "--seed", self.seed]
        if self.preconditions:
            options += ["--preconditions", self.preconditions]
        limits = {"learn_s": LEARN_S, "evaluate_s": EVALUATE_S}
        if learned := judge(row, domain, seen, test, options, **limits):
            dispute_wrong(row, domain, learned, clean, seen, test)
