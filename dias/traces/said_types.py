"""Untyped traces read with a domain that has types: their facts, ``(ball b)``, say the types."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from dias.strips.model import OBJECT, Atom, Domain
from dias.strips.type_facts import type_relations, types_said
from dias.traces.extents import seen
from dias.traces.record import Traces


def with_types_of(traces: Traces, domain: Domain) -> Traces:
    """The traces with the types of a domain, if they have none and their facts say some of these.

    Raises:
        PDDLInputError: An object is said to be of two types.
    """
    if traces.types:
        return traces
    segments = tuple(
        replace(segment, objects=types_said(segment.objects, own.always, domain, traces.source))
        for segment, own in zip(traces.segments, seen(traces), strict=True)
    )
    is_said = any(kind != OBJECT for own in segments for kind in own.objects.values())
    return replace(traces, types=dict(domain.types), segments=segments) if is_said else traces


def without_type_facts(traces: Traces, domain: Domain) -> Traces:
    """The traces without the facts that say types of a domain, as its own states are."""
    relations = type_relations(domain)

    @cache
    def rest(state: frozenset[Atom]) -> frozenset[Atom]:
        return frozenset(atom for atom in state if atom.predicate not in relations)

    return replace(
        traces,
        predicates=tuple(own for own in traces.predicates if own.name not in relations),
        segments=tuple(replace(own, static=rest(own.static)) for own in traces.segments),
        transitions=tuple(
            replace(t, state=rest(t.state), next_state=rest(t.next_state))
            for t in traces.transitions
        ),
        refused=tuple(replace(own, state=rest(own.state)) for own in traces.refused),
        masks=tuple(replace(own, state=rest(own.state)) for own in traces.masks),
    )
