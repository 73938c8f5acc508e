"""What the tests of the reader begin with."""

from __future__ import annotations

import pytest

from dias.strips.pddl.reader import parse_domain
from tests.strips.pddl.port import PORT


@pytest.fixture(scope="module")
def port():
    return parse_domain(PORT)
