"""How much of what could be true is: the share of the ground atoms of each predicate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from dias.learning.data.visited import Visit
from dias.traces.record import Traces


def predicate_shares(visits: Sequence[Visit], traces: Traces) -> dict[str, float]:
    """Predicate to the share of its ground atoms that are true, all visited states together.

    Args:
        visits: The states; one that is visited twice counts twice.
        traces: Where they are from.
    """
    n_true = Counter(atom.predicate for visit in visits for atom in visit.state)
    n_visits = Counter(visit.segment for visit in visits)
    n_atoms = Counter[str]()
    for number, n in n_visits.items():  # what never changes is counted once
        segment = traces.segments[number]
        for name, n_static in Counter(atom.predicate for atom in segment.static).items():
            n_true[name] += n * n_static
        for predicate in traces.predicates:
            n_atoms[predicate.name] += n * len(segment.objects) ** predicate.arity
    return {p.name: n_true[p.name] / max(1, n_atoms[p.name]) for p in traces.predicates}
