"""What the tests of evaluation begin with."""

from __future__ import annotations

import pytest

from benchmarks.generate import DOMAINS
from dias.strips.pddl.reader import read_domain, read_problem


@pytest.fixture(scope="module")
def blocks():
    domain = read_domain(DOMAINS / "blocks-3" / "domain.pddl")
    return domain, [
        read_problem(DOMAINS / "blocks-3" / f"{p}.pddl", domain) for p in ("p01", "p02")
    ]
