"""Instance generators of the benchmark domains: one module a domain, and the instances kept.

Each module has ``generate(rng, *, <sizes>) -> Problem``. Its problems are solvable by
construction, and their goals do not hold at the start.
"""

from __future__ import annotations

from .fresh import FRESH
from .own import OWN
from .paper import PAPER

BENCHMARKS = PAPER | OWN | FRESH
"""Every domain's generator and kept problems, by name."""

SUITES = {"paper": PAPER, "own": OWN, "fresh": FRESH, "all": BENCHMARKS}
"""The domains that are measured together."""
