from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dias import arrays as facts
from dias.arrays import NumberSet


@pytest.mark.parametrize("max_bits", [0, facts.MAX_BITS])
@given(members=st.sets(st.integers(0, 99)))
def test_says_of_every_number_whether_it_belongs(max_bits, members):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(facts, "MAX_BITS", max_bits)
        known = NumberSet(np.array(sorted(members), dtype=np.int64), 100)
    asked = np.arange(100).reshape(4, 25)
    assert known.contains(asked).tolist() == [[x in members for x in row] for row in asked.tolist()]
