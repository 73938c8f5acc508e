"""Queries that may always hold, from noisy transitions.

They are those of `dias.learning.extend.queries`, asked of small samples of transitions: in most
samples no transition has lost an atom of the query twice over, so what holds in all of a sample
includes what always holds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.extend.queries import Query, common_queries
from dias.learning.extend.variables import MAX_TRIED
from dias.learning.noise.extend.climb import Climb

N_SAMPLES, SAMPLE = 3, 50
"""Samples that queries are taken from, and transitions in each."""

N_IMPROVED = 8
"""Improved queries that are kept, the likeliest."""


def sampled_queries(
    examples: Examples, bindings: BindingTable, evidence: np.ndarray, n_new: int, linked: bool
) -> list[Query]:
    """What holds in every transition of a sample, for samples of the clearest transitions.

    Args:
        examples: The transitions, put right.
        bindings: Their bindings of the known variables that come into question.
        evidence: ``[n]`` how likely it is that the action happened at all.
        n_new: How many new variables.
        linked: Whether these are linked to the others (`dias.learning.extend.queries`).
    """
    n_bindings = np.bincount(bindings.owner, minlength=len(examples.examples))
    order = np.lexsort((-evidence, n_bindings))
    clearest = order[: max(1, len(order) * 2 // 3)]
    step = max(N_SAMPLES, len(clearest) // SAMPLE)
    queries: dict[Query, None] = {}
    for number in range(N_SAMPLES):
        asked = bindings.where(np.isin(bindings.owner, clearest[number::step]))
        found = common_queries(examples, asked, n_new, linked, injective=True)
        queries |= dict.fromkeys(found[:MAX_TRIED])
    return list(queries)[:MAX_TRIED]


def improved_queries(queries: Sequence[Query], climb: Climb) -> list[Query]:
    """The likeliest queries near some, and these, the likeliest first.

    Args:
        queries: The queries to start from.
        climb: How they are improved.
    """
    found = dict.fromkeys([*(climb.best(query) for query in queries), *queries])
    return sorted(found, key=climb.value, reverse=True)[:N_IMPROVED]
