"""Whether wrong atoms come together: then objects were confused, and no atom by itself.

What is put right is taken to have been wrong atom by atom. The number of wrong atoms in a step is
then spread as a Poisson number, its variance as large as its mean, or a little smaller. Two objects
that are taken for each other change several atoms at once, in the same way in many states, and much
of that passes for what an action does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dias.learning.data.transitions import Example
from dias.learning.noise.bind.binding import BoundAction
from dias.learning.noise.observations import Observations

MAX_DISPERSION = 1.8
"""Variance over mean of the number of wrong atoms in a step that noise by chance may have. On the
ten domains of the suites `own` and `fresh` it was 1.4 at most, and with two objects confused in
some states 2.3 at least."""


def dispersion(
    seen: Observations, bound: Mapping[str, BoundAction], corrected: Mapping[str, Sequence[Example]]
) -> float:
    """Variance over mean of how many atoms were wrong in a step, within problems; 1 if none was.

    Args:
        seen: What was seen.
        bound: The actions, bound; steps whose binding is in doubt do not count.
        corrected: The steps of each as they most likely were.
    """
    wrong, segment = [], []
    for name, own in bound.items():
        sure = set(own.sure_bindings()[0].tolist())
        for row, right in zip(own.action.rows.tolist(), corrected[name], strict=True):
            if row in sure:
                step = seen.examples[row]
                wrong.append(
                    len(step.state ^ right.state) + len(step.next_state ^ right.next_state)
                )
                segment.append(seen.segment[row])
    number, place = np.array(wrong, dtype=float), np.array(segment, dtype=np.int64)
    if not number.any():
        return 1.0
    mean = np.bincount(place, number) / np.maximum(1, np.bincount(place))
    return float(((number - mean[place]) ** 2).sum() / number.sum())
