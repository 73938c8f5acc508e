"""Codes the transitions of traces: those of every action as `Examples`."""

from __future__ import annotations

from dias.learning.data.transitions import Example, Examples, Fitting
from dias.learning.schema import type_relation
from dias.limits import check
from dias.strips.codes import AtomCodes
from dias.strips.model import OBJECT, Atom, is_subtype, supertypes
from dias.traces.record import Segment, Traces


def relation_arities(traces: Traces) -> dict[str, int]:
    """Relation to arity: predicates first, then types, each in the order of the traces."""
    arities = {predicate.name: predicate.arity for predicate in traces.predicates}
    return arities | {type_relation(name): 1 for name in traces.types}


def examples_by_action(traces: Traces) -> dict[str, Examples]:
    """The transitions of every action that has any, by action name."""
    arities = relation_arities(traces)  # the types come last, so that predicates keep their numbers
    codes = [AtomCodes(arities, list(segment.objects)) for segment in traces.segments]
    constant = [
        c.encode_state(segment.static) | _type_atoms(segment, traces, c)
        for c, segment in zip(codes, traces.segments, strict=True)
    ]
    coded: dict[tuple[int, frozenset[Atom]], frozenset[int]] = {}

    def encode(segment: int, state: frozenset[Atom]) -> frozenset[int]:
        """One copy of each state: most are s′ of one transition and s of another."""
        if (segment, state) not in coded:
            coded[segment, state] = traces.encode(segment, state) | constant[segment]
        return coded[segment, state]

    constants = tuple(traces.constants)
    fixed = [tuple(map(c.object_number.__getitem__, constants)) for c in codes]
    fitting = [_fitting(segment, traces) for segment in traces.segments]
    found: dict[str, list[Example]] = {}
    for t in traces.transitions:
        check()
        states = encode(t.segment, t.state), encode(t.segment, t.next_state)
        own = codes[t.segment], *states, fixed[t.segment], fitting[t.segment]
        example = Example(t, *own)
        found.setdefault(t.action, []).append(example)
    return {name: Examples(name, arities, found[name], constants) for name in sorted(found)}


def _fitting(segment: Segment, traces: Traces) -> Fitting:
    """Which objects of a segment may stand where not all may."""
    found = {}
    for alternatives in {own for predicate in traces.predicates for own in predicate.types}:
        found[alternatives] = frozenset(
            number
            for number, name in enumerate(segment.objects.values())
            if is_subtype(name, alternatives, traces.types)
        )
    return {
        (predicate.name, position): found[own]
        for predicate in traces.predicates
        for position, own in enumerate(predicate.types)
        if len(found[own]) < len(segment.objects)
    }


def _type_atoms(segment: Segment, traces: Traces, codes: AtomCodes) -> frozenset[int]:
    return frozenset(
        codes.encode(Atom(type_relation(ancestor), (name,)))
        for name, type_name in segment.objects.items()
        for ancestor in supertypes(type_name, traces.types)
        if ancestor != OBJECT
    )
