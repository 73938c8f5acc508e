"""Applies learned schemas in the states of the traces, as a planner would.

`count_reproduced` is the last word on what a domain explains: it looks at the finished PDDL
schemas through the successor generator, and at nothing that learning believed on the way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain, islice

from dias.limits import Check
from dias.strips.joins.change_finder import ChangeFinder
from dias.strips.joins.relations import StaticRelations
from dias.strips.joins.successors import MAX_SUCCESSORS, Change, Successor, SuccessorGenerator
from dias.strips.model import ActionSchema, Domain, Instance
from dias.strips.problem import CodedProblem, split_static
from dias.traces.record import Mask, RefusedAction, Traces, Transition

MAX_EXPLANATIONS = 1_000
"""Bindings of one transition looked at at most: so many have parameters that anything can be."""

Visit = Transition | RefusedAction | Mask
"""What has a state: a step from it, an attempt in it, or what is applicable there."""


class CodedStates:
    """The states of the traces as integers, with the static atoms once for all schemas.

    Those that change the same predicates share their problems.

    Args:
        traces: The traces, for predicates and objects.
    """

    def __init__(self, traces: Traces) -> None:
        self.codes, self.encode = traces.codes, traces.encode
        self._traces = traces
        self._problems: dict[tuple[int, frozenset[str]], CodedProblem] = {}

    def problem(self, segment: int, changed: frozenset[str]) -> CodedProblem:
        """A segment for schemas that change some predicates; its `init` belongs to every state."""
        key = segment, changed
        if key not in self._problems:
            own, codes = self._traces.segments[segment], self.codes[segment]
            # A predicate that the header lists as static may occur in states as well.
            listed = self._traces.state_predicates[segment] | changed
            fluents = codes.arities.keys() - ({atom.predicate for atom in own.static} - listed)
            static, always = split_static(own.static, codes, fluents)
            self._problems[key] = CodedProblem(
                Instance(own.problem, self._traces.domain, own.objects, own.static),
                codes,
                StaticRelations(codes, static),
                frozenset(fluents),
                always,
            )
        return self._problems[key]


class SchemaInTraces:
    """One schema, ready to be applied in the states of the traces.

    Args:
        schema: The schema.
        traces: The traces, for types, objects and static atoms.
        coded: Their coded states, to be shared among schemas; None for new ones.
        check: Called again and again while bindings are searched; it may raise to end that.
    """

    def __init__(
        self,
        schema: ActionSchema,
        traces: Traces,
        coded: CodedStates | None = None,
        check: Check | None = None,
    ) -> None:
        self._traces = traces
        self._check = check
        self._coded = coded or CodedStates(traces)
        self._domain = Domain(
            "learned", dict(traces.types), dict(traces.constants), traces.predicates, (schema,)
        )
        domain, problem = self._domain, partial(self._coded.problem, changed=self._domain.fluents)
        self._problem = problem
        # Each is made when it is first asked for, by the number of the segment and `distinct`.
        self._generator = cache(
            lambda n, distinct: (
                SuccessorGenerator(domain, problem(n), distinct, check=check),
                problem(n).init,
            )
        )
        self._finder = cache(lambda n, distinct: ChangeFinder(domain, problem(n), distinct, check))

    def changes(self, visit: Visit, at_most: int = MAX_SUCCESSORS) -> set[Change]:
        """What the schema can add and delete in the state of `visit`, not all if it is more."""
        found: Iterator[Successor] = islice(self._iterate(visit, distinct=True), at_most)
        if self._check:
            found = _checked(found, self._check)
        return {successor[2:] for successor in found}

    def is_applicable(self, visit: Visit) -> bool:
        """Whether there is any applicable ground action in the state of `visit`."""
        return next(self._iterate(visit), None) is not None

    def reproduces(self, transition: Transition) -> bool:
        """Whether s′ is among the successors of s."""
        return next(self._matches(transition, distinct=True), None) is not None

    def explanations(self, transition: Transition) -> list[tuple[int, ...]]:
        """The bindings that lead from s to s′, in order; objects are numbered as in the segment.

        Not all of them if they are more than `MAX_EXPLANATIONS`.
        """
        return sorted(s.binding for s in islice(self._matches(transition), MAX_EXPLANATIONS))

    def allows(self, attempt: RefusedAction) -> bool:
        """Whether some binding that has the arguments known of the attempt is applicable."""
        codes = self._coded.codes[attempt.segment]
        given = tuple(codes.object_number[name] for name in attempt.arguments)
        return any(
            successor.binding[: len(given)] == given for successor in self.successors(attempt)
        )

    def successors(self, visit: Visit) -> Iterator[Successor]:
        """The applicable ground actions in the state of `visit`, at most `MAX_SUCCESSORS`."""
        return islice(self._iterate(visit), MAX_SUCCESSORS)

    def _iterate(self, visit: Visit, distinct: bool = False) -> Iterator[Successor]:
        generator, always = self._generator(visit.segment, distinct)
        state = self._coded.encode(visit.segment, visit.state)
        return generator.iterate(state | always if always else state)

    def _matches(self, transition: Transition, distinct: bool = False) -> Iterator[Successor]:
        """The ground actions that lead from s to s′; `distinct`: one at least, if there are any."""
        always = self._problem(transition.segment).init
        state = self._coded.encode(transition.segment, transition.state) | always
        finder = self._finder(transition.segment, distinct)
        return chain.from_iterable(finder.matches(state, self.change(transition)))

    def names(self, visit: Visit, binding: tuple[int, ...]) -> dict[str, str]:
        """Parameter to object name."""
        codes = self._coded.codes[visit.segment]
        variables = self._domain.actions[0].variables
        return {v: codes.objects[o] for v, o in zip(variables, binding, strict=True)}

    def change(self, transition: Transition) -> Change:
        """What really became true and false."""
        always = self._problem(transition.segment).init
        state = self._coded.encode(transition.segment, transition.state)
        next_state = self._coded.encode(transition.segment, transition.next_state)
        return next_state - state - always, state - next_state - always


def _checked(successors: Iterator[Successor], check: Check) -> Iterator[Successor]:
    """The same, with a check after each."""
    for successor in successors:
        yield successor
        check()


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
    coded = CodedStates(traces)
    schemas = {schema.name: SchemaInTraces(schema, traces, coded) for schema in domain.actions}
    counts: Counter[str] = Counter()
    for t in traces.transitions:
        names = variants.get(t.action, [t.action])
        counts[t.action] += any(n in schemas and schemas[n].reproduces(t) for n in names)
    return counts
