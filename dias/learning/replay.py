"""Checks a finished domain against the transitions it was learned from.

This is the last word on what a domain explains: it looks at the PDDL schemas as a planner would,
through the successor generator, and at nothing that learning believed on the way.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice

from dias.strips.codes import AtomCodes
from dias.strips.model import Domain
from dias.strips.successors import SuccessorGenerator, split_static
from dias.traces.record import Traces

MAX_SUCCESSORS = 100_000
"""Successors of one action looked at per transition; a domain that allows more says nothing."""


def count_reproduced(domain: Domain, traces: Traces) -> Counter[str]:
    """Per action the distinct transitions ⟨s, a, s′⟩ with s′ among the successors of a in s."""
    arities = {predicate.name: predicate.arity for predicate in domain.predicates}
    static_everywhere = [
        {atom.predicate for atom in segment.static} - domain.fluents for segment in traces.segments
    ]
    generators = {}
    counts: Counter[str] = Counter()
    schemas = {schema.name: schema for schema in domain.actions}
    for t in traces.transitions:
        if t.action not in schemas:
            continue
        segment = traces.segments[t.segment]
        # A predicate that the header lists as static may still occur in states of other segments.
        fluents = arities.keys() - static_everywhere[t.segment]
        if (t.segment, t.action) not in generators:
            codes = AtomCodes(arities, list(segment.objects))
            static, always = split_static(segment.static, codes, fluents)
            single = Domain(domain.name, domain.types, {}, domain.predicates, (schemas[t.action],))
            generator = SuccessorGenerator(single, segment.objects, codes, static, fluents)
            generators[t.segment, t.action] = codes, always, generator
        codes, always, generator = generators[t.segment, t.action]
        state = codes.encode_state(t.state) | always
        next_state = codes.encode_state(t.next_state) | always
        wanted = next_state - state, state - next_state
        found = islice(generator.iterate(state), MAX_SUCCESSORS)
        counts[t.action] += any((s.added, s.deleted) == wanted for s in found)
    return counts
