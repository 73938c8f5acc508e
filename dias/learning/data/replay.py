"""Applies learned schemas in the states of the traces, as a planner would.

`count_reproduced` is the last word on what a domain explains: it looks at the finished PDDL
schemas through the successor generator, and at nothing that learning believed on the way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain, islice, pairwise, zip_longest

import numpy as np

from dias.learning.data.coded_states import Asked, CodedStates
from dias.learning.data.transitions import BindingTable
from dias.learning.data.visited import Visit, VisitedStates
from dias.limits import Allowance, OutOfWorkError, active_check, check
from dias.strips.joins.change_finder import ChangeFinder
from dias.strips.joins.successors import MAX_SUCCESSORS, Change, Successor, SuccessorGenerator
from dias.strips.model import ActionSchema, Domain
from dias.traces.record import RefusedAction, Traces, Transition

MAX_LOOPS = 5_000
"""Loops in one state in which outcomes, or a given one, are looked for at most. Only a schema that
binds next to nothing needs more."""

MAX_EXPLANATIONS = 1_000
"""Bindings of one transition looked at at most: so many have parameters that anything can be."""

ROWS_PER_CHECK = 10
"""Rows of a join of all states that take about as long as a loop of a search in one of them."""

ROWS_TO_COUNT, ROWS_TO_FIND, ROWS_TO_MATCH = 1_000, 100, 200
"""Rows of joins a state that asking all states at once may take: for all changes, for whether there
is any binding, or for those that make one change. What takes more is asked of one state after
another, for which the first few bindings, or those that make the change, may do."""


class SchemaInTraces:
    """One schema, ready to be applied in the states of the traces.

    Args:
        schema: The schema.
        traces: The traces, for types, objects and static atoms.
        allowance: Bindings that may be looked at; None for any number.
    """

    def __init__(
        self, schema: ActionSchema, traces: Traces, allowance: Allowance | None = None
    ) -> None:
        self._schema, self._traces, self._allowance = schema, traces, allowance
        check = self._check = allowance.check if allowance else active_check()
        self._n_loops = 0
        self._coded = CodedStates.of(traces)
        self._domain = Domain(
            "learned", dict(traces.types), dict(traces.constants), traces.predicates, (schema,)
        )
        domain, problem = self._domain, partial(self._coded.problem, changed=self._domain.fluents)
        self._problem = problem
        # Each is made when it is first asked for, by the number of the segment and `distinct`.
        self._generator = cache(
            lambda n, distinct: (
                SuccessorGenerator(
                    domain, problem(n), distinct, check=self._count if distinct else check
                ),
                problem(n).init,
            )
        )
        self._finder = cache(
            lambda n, distinct: ChangeFinder(domain, problem(n), distinct, self._count)
        )

    def changes(self, visit: Visit, at_most: int = MAX_SUCCESSORS) -> set[Change]:
        """What the schema can add and delete in the state of `visit`.

        Not all if it is more, or takes more than `MAX_LOOPS`.
        """
        successors: Iterator[Successor] = islice(self._iterate(visit, distinct=True), at_most)
        if self._allowance:
            successors = _checked(successors, self._allowance)
        return {successor[2:] for successor in self._limited(successors)}

    def _limited(self, successors: Iterator[Successor]) -> Iterator[Successor]:
        """The same, but no more than `MAX_LOOPS` give."""
        self._n_loops = 0
        try:
            yield from successors
        except OutOfWorkError:
            if self._n_loops <= MAX_LOOPS:
                raise

    def _count(self) -> None:
        """A loop begins."""
        self._n_loops += 1
        if self._n_loops > MAX_LOOPS:
            raise OutOfWorkError
        if self._check:
            self._check()

    def is_applicable(self, visit: Visit) -> bool:
        """Whether there is any applicable ground action in the state of `visit`."""
        return next(self._iterate(visit), None) is not None

    def n_changes(
        self,
        visits: Sequence[Visit],
        at_most: int = MAX_SUCCESSORS,
        numbers: np.ndarray | None = None,
    ) -> np.ndarray:
        """``[n]`` how many `changes` there are in the states that some steps start from.

        Args:
            visits: The steps.
            at_most: Changes that are counted.
            numbers: ``[n]`` those of the states (`CodedStates.numbers`), if they are known.
        """
        found = self._at_once(VisitedStates.n_changes, visits, ROWS_TO_COUNT, numbers)
        if found is not None:
            return np.minimum(found, at_most)
        return np.array([len(self.changes(visit, at_most)) for visit in visits], np.int64)

    def are_applicable(
        self, visits: Sequence[Visit], numbers: np.ndarray | None = None
    ) -> np.ndarray:
        """``[n]`` whether there is any applicable ground action there; see `n_changes`."""
        found = self._at_once(VisitedStates.are_applicable, visits, ROWS_TO_FIND, numbers)
        if found is not None:
            return found
        return np.array([self.is_applicable(visit) for visit in visits], dtype=bool)

    def _at_once(
        self,
        asked: Asked,
        visits: Sequence[Visit],
        rows_per_state: int,
        numbers: np.ndarray | None = None,
    ) -> np.ndarray | None:
        """What is asked of all states together; None if it takes too many rows."""
        numbers = self._coded.numbers(visits) if numbers is None else numbers
        states, place = np.unique(numbers, return_inverse=True)
        n_most = rows_per_state * len(visits)
        found, n_rows = self._coded.answer(asked, self._schema, states.tobytes(), n_most)
        if found is None:
            return None
        if self._allowance:
            self._allowance.check(n_rows // ROWS_PER_CHECK)
        return found[place]

    def reproduces(self, transition: Transition) -> bool:
        """Whether the action, with the arguments that are given, leads from s to s′.

        As far as `MAX_LOOPS` tell.
        """
        return next(self._matches(transition, not transition.arguments), None) is not None

    def reproduced(self, steps: Sequence[Transition]) -> np.ndarray:
        """``[n]`` the same of many steps."""
        found = self._matches_at_once(steps)
        if found is None:
            return np.array([self.reproduces(step) for step in steps], dtype=bool)
        return np.isin(np.arange(len(steps)), found.owner)

    def explanations(self, transition: Transition) -> list[tuple[int, ...]]:
        """The bindings that lead from s to s′, in order; objects are numbered as in the segment.

        They have the arguments that are given. Not all of them if they are more than
        `MAX_EXPLANATIONS`, or take more than `MAX_LOOPS`.
        """
        return sorted(s.binding for s in islice(self._matches(transition), MAX_EXPLANATIONS))

    def explanations_of(self, steps: Sequence[Transition]) -> list[list[tuple[int, ...]]]:
        """The same of many steps."""
        found = self._matches_at_once(steps)
        if found is None:
            return [self.explanations(step) for step in steps]
        rows = list(map(tuple, found.rows.tolist()))
        ends = np.searchsorted(found.owner, np.arange(len(steps) + 1)).tolist()
        return [rows[first : min(end, first + MAX_EXPLANATIONS)] for first, end in pairwise(ends)]

    def _matches_at_once(self, steps: Sequence[Transition]) -> BindingTable | None:
        """The bindings that lead from s to s′ in each step; None if it takes too many rows."""
        states, changes = self._coded.numbers(steps), tuple(map(self.change, steps))
        n_most = ROWS_TO_MATCH * len(steps)
        found, n_rows = self._coded.matches(self._schema, states.tobytes(), changes, n_most)
        if found is not None and self._allowance:
            self._allowance.check(n_rows // ROWS_PER_CHECK)
        return found and found.where(self._has_given(found, steps))

    def _has_given(self, found: BindingTable, steps: Sequence[Transition]) -> np.ndarray:
        """``[n]`` which bindings have the arguments that their steps give."""
        fits = np.ones(len(found.owner), dtype=bool)
        given = list(map(self.given, steps))
        for place, objects in enumerate(zip_longest(*given, fillvalue=-1)):
            own = np.array(objects, np.int64)[found.owner]
            bound = found.rows[:, place] if place < self._schema.arity else np.full(len(own), -1)
            fits &= (bound == own) | (own < 0)
        return fits

    def given(self, visit: Transition | RefusedAction) -> tuple[int, ...]:
        """The objects of the leading parameters, as far as they are given."""
        number = self._coded.codes[visit.segment].object_number
        return tuple(number[name] for name in visit.arguments)

    def allows(self, attempt: RefusedAction) -> bool:
        """Whether some binding that has the arguments known of the attempt is applicable."""
        given = self.given(attempt)
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
        matches = self._limited(chain.from_iterable(finder.matches(state, self.change(transition))))
        given = self.given(transition)
        return (match for match in matches if match.binding[: len(given)] == given)

    def names(self, visit: Visit, binding: tuple[int, ...]) -> dict[str, str]:
        """Parameter to object name."""
        objects, variables = self.objects(visit), self._domain.actions[0].variables
        return {v: objects[o] for v, o in zip(variables, binding, strict=True)}

    def objects(self, visit: Visit) -> tuple[str, ...]:
        """The names of the objects, by number."""
        return self._coded.codes[visit.segment].objects

    def change(self, transition: Transition) -> Change:
        """What really became true and false."""
        always = self._problem(transition.segment).init
        state = self._coded.encode(transition.segment, transition.state)
        next_state = self._coded.encode(transition.segment, transition.next_state)
        return next_state - state - always, state - next_state - always


def _checked(successors: Iterator[Successor], allowance: Allowance) -> Iterator[Successor]:
    """The same, with a check after each."""
    for successor in successors:
        yield successor
        allowance.check()


def count_reproduced(
    domain: Domain,
    traces: Traces,
    variants: Mapping[str, Sequence[str]] | None = None,
    counts: Counter[str] | None = None,
) -> Counter[str]:
    """Per action the distinct transitions ⟨s, a, s′⟩ with s′ among the successors of a in s.

    Args:
        domain: The domain.
        traces: The transitions.
        variants: Action in the traces to the actions of the domain that stand for it, where they
            have other names.
        counts: What is counted on; it shows how far that came if a limit ends it.
    """
    variants = variants or {}
    counts = Counter() if counts is None else counts
    schemas = {schema.name: SchemaInTraces(schema, traces) for schema in domain.actions}
    steps: dict[str, list[Transition]] = {}
    for t in traces.transitions:
        steps.setdefault(t.action, []).append(t)
    for action, own in steps.items():
        check()
        found = np.zeros(len(own), dtype=bool)
        for name in variants.get(action, [action]):
            if name in schemas:
                found |= schemas[name].reproduced(own)
        counts[action] += int(found.sum())
    return counts
