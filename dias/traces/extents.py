"""Of which objects of traces something holds: static relations, and places in atoms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dias.strips.model import Atom
from dias.traces.record import Traces

Key = tuple[int, str]
"""An object: its segment and its name."""

Extents = dict[str, frozenset[Key]]
"""Relations to the objects that they hold of."""


class Seen(NamedTuple):
    """The atoms that hold in all states of a segment, and those that hold in any.

    Where states are not certain, what the header says holds in all of them.
    """

    always: frozenset[Atom]
    ever: frozenset[Atom]


def seen(traces: Traces) -> list[Seen]:
    """Per segment what was seen in it."""
    states: list[set[frozenset[Atom]]] = [set() for _ in traces.segments]
    for t in traces.transitions:
        states[t.segment] |= {t.state, t.next_state}
    for attempt in traces.refused:
        states[attempt.segment].add(attempt.state)
    return [
        Seen(
            segment.static.union(
                frozenset.intersection(*own) if own and not traces.is_soft else ()
            ),
            segment.static.union(*own),
        )
        for own, segment in zip(states, traces.segments, strict=True)
    ]


def static_extents(whole: Sequence[Seen]) -> Extents:
    """The static relations of one argument with the objects that they hold of."""
    changing = {atom.predicate for own in whole for atom in own.ever - own.always}
    found: dict[str, set[Key]] = {}
    for number, own in enumerate(whole):
        for name, terms in own.always:
            if len(terms) == 1 and name not in changing:
                found.setdefault(name, set()).add((number, terms[0]))
    return {name: frozenset(own) for name, own in found.items()}


def places(whole: Iterable[Seen], static: Extents) -> frozenset[frozenset[Key]]:
    """The sets of objects that fill some argument of a predicate, all in all and beside a kind.

    So where airplanes are is a place, and where anything is. Static relations of one argument have
    none.

    Args:
        whole: What was seen.
        static: The static relations of one argument, which say the kinds.
    """
    kinds: dict[Key, list[str]] = {}
    for name, extent in static.items():
        for key in extent:
            kinds.setdefault(key, []).append(name)
    found: dict[tuple[str, int, int, str], set[Key]] = {}
    for number, own in enumerate(whole):
        for name, terms in own.ever:
            for place, term in enumerate(terms if name not in static else ()):
                found.setdefault((name, place, place, ""), set()).add((number, term))
                for other, beside in enumerate(terms):
                    for kind in kinds.get((number, beside), ()) if other != place else ():
                        found.setdefault((name, place, other, kind), set()).add((number, term))
    return frozenset(map(frozenset, found.values()))
