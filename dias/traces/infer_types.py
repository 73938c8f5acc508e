"""Types for traces that have none, from the static relations that divide their objects.

Where ``(ball b)`` and ``(room r)`` never change, and each object is a ball or a room and not both,
people declare types. The traces are then as if their header had done so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import NamedTuple

from dias.errors import TraceError
from dias.strips.model import OBJECT, Atom, Predicate
from dias.traces.record import Traces

Kinds = Mapping[tuple[int, str], frozenset[str]]
"""Segment and object to the relations that hold of it."""


class Division(NamedTuple):
    """What divides the objects of traces.

    Attributes:
        relations: The relations of which one holds of each object, sorted; none if nothing does.
        obstacle: Why there are none, as the rest of a sentence.
    """

    relations: tuple[str, ...] = ()
    obstacle: str = ""


def divide_objects(traces: Traces) -> Division:
    """Static relations of one argument of which exactly one holds of each object of each segment.

    There may be others, say of what some rooms are. Where several choices divide the objects,
    narrow relations go first. None can be called `OBJECT`, as the root of all types is.
    """
    if traces.types:
        return Division(obstacle="the traces have types")
    kinds = _kinds(traces, {predicate.name for predicate in traces.predicates} - {OBJECT})
    bare = min((name for (_, name), own in kinds.items() if not own), default=None)
    if bare is not None:
        root = f" but the one called {OBJECT}, which is the root of all types,"
        is_root = any(predicate.name == OBJECT for predicate in traces.predicates)
        return Division(
            obstacle=f"no static relation of one argument{root * is_root} says what {bare} is"
        )
    sizes = Counter(chain.from_iterable(kinds.values()))
    found = _division(frozenset(kinds.values()), sizes)
    if found is None:
        return Division(obstacle=f"the relations {', '.join(sorted(sizes))} overlap")
    of_constant = {
        name: own & found for (_, name), own in kinds.items() if name in traces.constants
    }
    for (_, name), own in kinds.items():
        if own & found != of_constant.get(name, own & found):
            return Division(obstacle=f"the constant {name} is of two kinds")
    return Division(tuple(sorted(found)))


def _division(kinds: frozenset[frozenset[str]], sizes: Mapping[str, int]) -> frozenset[str] | None:
    """Relations of which exactly one is in each of the sets; None if there are none."""
    if not kinds:
        return frozenset()
    fewest = min(kinds, key=lambda own: (len(own), sorted(own)))
    for relation in sorted(fewest, key=lambda name: (sizes[name], name)):
        overlapping = frozenset[str]().union(*(own for own in kinds if relation in own))
        others = frozenset(own - overlapping for own in kinds if relation not in own)
        rest = _division(others, sizes)
        if rest is not None:
            return rest | {relation}
    return None


def with_types(traces: Traces, relations: Collection[str]) -> Traces:
    """The traces with these relations as types, and no longer as predicates.

    Each argument of a predicate has the type of all objects that are seen there, the root type
    where these are of several types or none is seen.

    Args:
        traces: Traces without types.
        relations: Relations that divide the objects.

    Raises:
        TraceError: They do not divide those of these traces.
    """
    kinds = _kinds(traces, relations)
    for (_, name), own in kinds.items():
        if len(own) != 1:
            raise TraceError(
                f"expected one of the types {', '.join(sorted(relations))} for each object, found "
                f"{' and '.join(sorted(own)) or 'none'} for {name}",
                place=traces.source,
                remedy="Learn with --no-infer-types",
            )
    kind = {key: name for key, (name,) in kinds.items()}

    @cache
    def without(state: frozenset[Atom]) -> frozenset[Atom]:
        return frozenset(atom for atom in state if atom.predicate not in relations)

    return replace(
        traces,
        types=dict.fromkeys(sorted(relations), OBJECT),
        predicates=_predicates(traces, relations, kind),
        segments=tuple(
            replace(
                own, objects={o: kind[number, o] for o in own.objects}, static=without(own.static)
            )
            for number, own in enumerate(traces.segments)
        ),
        transitions=tuple(
            replace(t, state=without(t.state), next_state=without(t.next_state))
            for t in traces.transitions
        ),
        refused=tuple(replace(t, state=without(t.state)) for t in traces.refused),
        constants={name: kind[0, name] for name in traces.constants},
    )


def _predicates(
    traces: Traces, relations: Collection[str], kind: Mapping[tuple[int, str], str]
) -> tuple[Predicate, ...]:
    """The other predicates, typed."""
    seen = {
        (predicate.name, place): set[str]()
        for predicate in traces.predicates
        for place in range(predicate.arity)
    }
    for number, own in enumerate(_seen(traces)):
        for name, terms in own.ever:
            for place, term in enumerate(terms):
                seen[name, place].add(kind[number, term])
    return tuple(
        Predicate(
            predicate.name,
            tuple(
                tuple(types) if len(types := seen[predicate.name, place]) == 1 else (OBJECT,)
                for place in range(predicate.arity)
            ),
        )
        for predicate in traces.predicates
        if predicate.name not in relations
    )


class Seen(NamedTuple):
    """The atoms of all states of a segment, and those of any."""

    always: frozenset[Atom]
    ever: frozenset[Atom]


def _seen(traces: Traces) -> list[Seen]:
    """Per segment what was seen in it."""
    states: list[set[frozenset[Atom]]] = [set() for _ in traces.segments]
    for t in traces.transitions:
        states[t.segment] |= {t.state, t.next_state}
    for attempt in traces.refused:
        states[attempt.segment].add(attempt.state)
    return [
        Seen(
            segment.static.union(frozenset.intersection(*own) if own else ()),
            segment.static.union(*own),
        )
        for own, segment in zip(states, traces.segments, strict=True)
    ]


def _kinds(traces: Traces, relations: Collection[str]) -> Kinds:
    """Of each object which of the relations hold, if these are static in all segments."""
    seen = _seen(traces)
    changing = {atom.predicate for own in seen for atom in own.ever - own.always}
    static = {p.name for p in traces.predicates if p.arity == 1 and p.name in relations} - changing
    held: dict[tuple[int, str], set[str]] = {
        (number, name): set()
        for number, segment in enumerate(traces.segments)
        for name in segment.objects
    }
    for number, own in enumerate(seen):
        for atom in own.always:
            if atom.predicate in static:
                held[number, atom.terms[0]].add(atom.predicate)
    return {key: frozenset(names) for key, names in held.items()}
