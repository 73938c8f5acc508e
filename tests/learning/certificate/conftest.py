"""What the tests of the certificate begin with."""

from __future__ import annotations

import pytest

from dias.traces.record import Traces
from tests.learning.certificate.lamps import LAMPS, STEPS
from tests.traces.files import read


@pytest.fixture(scope="module")
def traces() -> Traces:
    return read(LAMPS, *STEPS)
