"""What all but a few steps obey: a precondition, and these steps seen wrong, or an accident?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from dias.learning.certificate.support import Exceptions
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.explain.odd_steps import odd_steps
from dias.learning.schema import LiftedSchema, Literal
from dias.traces.record import Traces


def exceptions(
    safe: LiftedSchema,
    group: Examples,
    found: Sequence[Sequence[tuple[int, ...]]],
    traces: Traces,
    texts: Callable[[Iterable[Literal]], tuple[str, ...]],
) -> Exceptions | None:
    """The literals that are most likely to be preconditions but for a few steps.

    Args:
        safe: The schema with every literal that never fails.
        group: The steps of its action.
        found: The bindings of its parameters that explain each of them.
        traces: All steps.
        texts: Literals in the words of the domain file.

    Returns:
        None where the steps speak against every such literal. Where more speaks for them the steps
        are called odd, and none of these is left.
    """
    rows = [
        [example.constants[: len(safe.constants)] + binding for binding in own]
        for example, own in zip(group.examples, found, strict=True)
    ]
    table = BindingTable.of(rows, safe.n_variables)
    _, nearest = odd_steps(safe, group, table, traces)
    if nearest is None or not nearest.literals:
        return None
    lines = tuple(group.examples[n].transition.line for n in nearest.steps.tolist())
    n_steps = sum(map(bool, rows))
    return Exceptions(texts(nearest.literals), lines, n_steps, math.exp(-nearest.gain))
