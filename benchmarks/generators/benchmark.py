"""What there is of a benchmark domain: its generator, and the sizes of its kept problems."""

from __future__ import annotations

from types import ModuleType
from typing import NamedTuple


class Benchmark(NamedTuple):
    """A benchmark domain's generator and the problems kept in the repository.

    Attributes:
        module: Where `generate` is.
        sizes: The sizes of p01 (training) and of p02, p03, … (test).
        seed: The seed of p01; p02 has the next one, and so on.
    """

    module: ModuleType
    sizes: tuple[dict[str, int], ...]
    seed: int = 1
