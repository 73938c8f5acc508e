"""Applies learned schemas in the states of the traces, as a planner would.

`count_reproduced` is the last word on what a domain explains: it looks at the finished PDDL
schemas through the successor generator, and at nothing that learning believed on the way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice

from dias.strips.codes import AtomCodes, State
from dias.strips.model import ActionSchema, Domain
from dias.strips.successors import SuccessorGenerator, split_static
from dias.traces.record import Traces, Transition

MAX_SUCCESSORS = 100_000
"""Successors of one action looked at per state; a schema that allows more says nothing."""

Change = tuple[State, State]


class SchemaInTraces:
    """One schema, ready to be applied in the states of the traces.

    Args:
        schema: The schema.
        traces: The traces, for types, objects and static atoms.
    """

    def __init__(self, schema: ActionSchema, traces: Traces) -> None:
        self._traces = traces
        self._domain = Domain("learned", dict(traces.types), {}, traces.predicates, (schema,))
        self._segments: dict[int, tuple[AtomCodes, State, SuccessorGenerator]] = {}

    def changes(self, transition: Transition) -> set[Change]:
        """What the schema can add and delete in the state before `transition`."""
        codes, always, generator = self._segment(transition.segment)
        state = codes.encode_state(transition.state) | always
        found = islice(generator.iterate(state), MAX_SUCCESSORS)
        return {(successor.added, successor.deleted) for successor in found}

    def reproduces(self, transition: Transition) -> bool:
        """Whether s′ is among the successors of s."""
        codes, always, _ = self._segment(transition.segment)
        state = codes.encode_state(transition.state) | always
        next_state = codes.encode_state(transition.next_state) | always
        return (next_state - state, state - next_state) in self.changes(transition)

    def _segment(self, number: int) -> tuple[AtomCodes, State, SuccessorGenerator]:
        if number not in self._segments:
            segment = self._traces.segments[number]
            arities = {p.name: p.arity for p in self._domain.predicates}
            codes = AtomCodes(arities, list(segment.objects))
            # A predicate that the header lists as static may occur in states as well.
            listed = self._traces.state_predicates[number] | self._domain.fluents
            fluents = arities.keys() - ({atom.predicate for atom in segment.static} - listed)
            static, always = split_static(segment.static, codes, fluents)
            generator = SuccessorGenerator(self._domain, segment.objects, codes, static, fluents)
            self._segments[number] = codes, always, generator
        return self._segments[number]


def count_reproduced(
    domain: Domain, traces: Traces, variants: Mapping[str, Sequence[str]] | None = None
) -> Counter[str]:
    """Per action the distinct transitions ⟨s, a, s′⟩ with s′ among the successors of a in s.

    Args:
        domain: The domain.
        traces: The transitions.
        variants: Action in the traces to the actions of the domain that stand for it, where they
            have other names.
    """
    variants = variants or {}
    schemas = {schema.name: SchemaInTraces(schema, traces) for schema in domain.actions}
    counts: Counter[str] = Counter()
    for t in traces.transitions:
        names = variants.get(t.action, [t.action])
        counts[t.action] += any(n in schemas and schemas[n].reproduces(t) for n in names)
    return counts
