"""Static literals that say what another says the other way round, such as two of adjacency."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator

from dias.learning.certificate.coincidence import LOG_WEAK
from dias.learning.schema import LiftedAtom
from dias.traces.record import Traces


def mirrored(
    among: Collection[LiftedAtom], others: Collection[LiftedAtom], traces: Traces
) -> Iterator[tuple[LiftedAtom, LiftedAtom]]:
    """Atoms of relations that hold in both directions, each with its mirror.

    Args:
        among: Lifted atoms.
        others: Where their mirrors are looked for.
        traces: Where they are from: there each relation holds in both directions or in none, and
            that is no accident.
    """
    symmetric: dict[str, bool] = {}
    for atom in among:
        mirror = atom._replace(variables=atom.variables[::-1])
        if len({*atom.variables}) == 2 == len(atom.variables) and mirror in others:
            name = atom.relation
            if name not in symmetric:
                symmetric[name] = log_chance(name, traces) <= LOG_WEAK
            if symmetric[name]:
                yield atom, mirror


def log_chance(relation: str, traces: Traces) -> float:
    """Log of the chance that a static relation holds both ways by accident; 0 if it does not.

    That is if each pair of the objects that it is about were as likely related as they are often.
    """
    if relation in traces.changing_predicates:
        return 0.0
    states = {t.segment: t.state for t in reversed(traces.transitions)}
    nats = 0.0
    for number, segment in enumerate(traces.segments):
        atoms = segment.static | states.get(number, frozenset())
        pairs = {atom.terms for atom in atoms if atom.predicate == relation}
        pairs = {pair for pair in pairs if len({*pair}) == 2}
        if not pairs >= {(y, x) for x, y in pairs}:
            return 0.0
        n = len({name for pair in pairs for name in pair})
        nats += len(pairs) / 2 * -math.log(len(pairs) / (n * (n - 1))) if pairs else 0.0
    return -nats
