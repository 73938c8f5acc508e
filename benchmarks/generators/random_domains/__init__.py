"""Random STRIPS domains with instances to learn from and larger ones to be judged on.

A domain is drawn again until random walks in its instances show every action often enough and go
on changing the state. The same seed gives the same bytes, on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from dias.files import write_text_atomically
from dias.strips.model import Domain, Instance
from dias.strips.pddl.writer import format_domain, format_problem

from .actions import draw_domain
from .instances import draw_instance
from .vocabulary import draw_vocabulary
from .walks import is_alive

INJECTIVE, PDDL = VARIANTS = ("injective", "pddl")
"""Whether all parameters must be different objects, or only some pairs of them, or none."""

N_TRAINING, N_TEST = 3, 2


class RandomDomain(NamedTuple):
    """A domain with its instances."""

    domain: Domain
    training: tuple[Instance, ...]
    test: tuple[Instance, ...]

    def write(self, folder: Path) -> tuple[Path, list[Path], list[Path]]:
        """Write ``domain.pddl``, the training instances ``p01`` … and the test ones after them.

        Returns:
            The paths of the domain, the training and the test instances.
        """
        folder.mkdir(parents=True, exist_ok=True)
        domain = folder / "domain.pddl"
        write_text_atomically(domain, format_domain(self.domain))
        return domain, self._write(folder, self.training), self._write(folder, self.test)

    def _write(self, folder: Path, instances: Sequence[Instance]) -> list[Path]:
        paths = [folder / f"{instance.name}.pddl" for instance in instances]
        for path, instance in zip(paths, instances, strict=True):
            write_text_atomically(path, format_problem(instance, self.domain))
        return paths


def random_domain(seed: int, variant: str) -> RandomDomain:
    """The domain of a seed.

    Args:
        seed: Any number.
        variant: One of `VARIANTS`; each has domains of its own.
    """
    rng = random.Random(f"{variant} {seed}")
    while True:
        drawn = _draw(rng, f"random-{variant}-{seed}", variant == INJECTIVE)
        if is_alive(drawn.domain, (*drawn.training, *drawn.test), rng):
            return drawn


def _draw(rng: random.Random, name: str, is_injective: bool) -> RandomDomain:
    vocabulary = draw_vocabulary(rng)
    domain = draw_domain(rng, name, vocabulary, is_injective)
    instances = [
        draw_instance(rng, f"p{number:02}", name, vocabulary, is_large=number > N_TRAINING)
        for number in range(1, N_TRAINING + N_TEST + 1)
    ]
    return RandomDomain(domain, tuple(instances[:N_TRAINING]), tuple(instances[N_TRAINING:]))
