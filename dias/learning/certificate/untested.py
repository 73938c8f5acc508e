"""Literals that were left out of a schema, and that no state of the traces could have tested.

A negative literal is left out if no training state asks for it. A state with a binding that breaks
it alone has tested it if that leads to a successor that nothing else leads to: there it would have
made a difference, and makes none. Where there is none, most literals follow from
what is kept: what is at one place is at no other. But that may also be an accident of the few
states that were seen, and others will show it. What tells one from the other: where one follows,
one or two of the literals that are kept exclude already what breaks it, and those are seen in many
more states than all of them are, whatever action was taken there. If what breaks it was seen
together with each of them and each two, nothing says that it follows.

Inequalities, and "not p" for an effect p, people mean even where they hardly ever matter. Of all
others that never fail dozens are untested, and next to none is meant: only those are looked for
that do not follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np

from dias.arrays import spread
from dias.learning.certificate.near_misses import Grid
from dias.learning.data.coded_states import CodedStates
from dias.learning.data.replay import SchemaInTraces
from dias.learning.data.transitions import Example, Examples
from dias.learning.finish.assemble import action_schema
from dias.learning.likelihood import MAX_OUTCOMES
from dias.learning.schema import (
    EQUAL,
    LiftedSchema,
    Literal,
    is_inequality,
    preconditions,
    with_preconditions,
)
from dias.traces.record import LabelMode, Traces

MAX_STATES = 40
"""States of each problem that are looked at, spread evenly."""

MAX_CELLS = 200_000
"""Truth values of one literal in memory at a time."""


class Untested(NamedTuple):
    """Literals that were left out, and that no state tests.

    Attributes:
        needed: Those of them that people mean, and that do not seem to follow from the rest.
        implied: Those that people mean, but follow as far as was seen.
        open: Others that do not seem to follow.
    """

    needed: list[Literal]
    implied: list[Literal]
    open: list[Literal]


def untested(
    schema: LiftedSchema,
    safe: LiftedSchema,
    examples: Mapping[str, Examples],
    traces: Traces,
    coded: CodedStates | None = None,
    states: States | None = None,
) -> Untested:
    """The literals that were left out, may be meant, and were not tested.

    Args:
        schema: The schema as it is written.
        safe: The same with every literal that never fails.
        examples: The transitions of every action.
        traces: The same transitions.
        coded: Their coded states, to be shared; None for new ones.
        states: Some of them (`States.of`), to be shared; None for new ones.
    """
    found = Untested([], [], [])
    kept = preconditions(schema)
    asked = left_out(schema, safe)
    asked = [x for x in asked if not (is_inequality(x) and contradicts(kept, x))]
    if not asked:
        return found
    written, states = action_schema(schema, traces), states or States.of(examples)
    coded = coded or CodedStates(traces)
    visits = [example.transition for example in states.every()]
    is_full = traces.labels is LabelMode.FULL

    def applied(literals: Sequence[Literal]) -> SchemaInTraces:
        own = action_schema(with_preconditions(schema, literals), traces)
        return SchemaInTraces(own, traces, coded)

    def is_tested(literal: Literal) -> bool:
        broken, unbroken = applied([*kept, negated(literal)]), applied([*kept, literal])
        there = [visits[number] for number in np.flatnonzero(broken.are_applicable(visits))]
        if is_full or not there:  # of other bindings arguments say that they are others
            return bool(there)
        n_written, n_without = (x.n_changes(there, MAX_OUTCOMES) for x in (applied(kept), unbroken))
        return bool((n_written != n_without).any())

    groups = [group for n in (0, 1, 2) for group in combinations(kept, n)]

    def follows(literal: Literal) -> bool:
        broken = negated(literal)
        by = next((group for group in groups if not states.show([broken, *group])), None)
        if by is not None and by != groups[0]:  # others follow from the same ones: these go first
            groups.remove(by)
            groups.insert(0, by)
        return by is not None

    def says_nothing(literal: Literal) -> bool:
        return action_schema(with_preconditions(schema, [*kept, literal]), traces) == written

    for literal in asked:
        is_meant = is_inequality(literal) or literal.atom in schema.effects.add
        does = follows(literal)
        if (does and not is_meant) or says_nothing(literal) or is_tested(literal):
            continue
        (found.open if not is_meant else found.implied if does else found.needed).append(literal)
    return found


def left_out(schema: LiftedSchema, safe: LiftedSchema) -> list[Literal]:
    """The negative literals that never fail and are not written."""
    kept = set(preconditions(schema))
    return [x for x in preconditions(safe) if not x.is_positive and x not in kept]


def negated(literal: Literal) -> Literal:
    """What breaks a literal."""
    return literal._replace(is_positive=not literal.is_positive)


def merged(literal: Literal, inequality: Literal) -> Literal:
    """A literal once the two variables of an inequality are the same object."""
    one, other = inequality.atom.variables
    variables = [one if v == other else v for v in literal.atom.variables]
    if literal.atom.relation == EQUAL:
        variables.sort()
    return literal._replace(atom=literal.atom._replace(variables=tuple(variables)))


def contradicts(kept: Sequence[Literal], inequality: Literal) -> bool:
    """Whether literals rule out that the two variables of an inequality are the same object."""
    found = {merged(literal, inequality) for literal in kept}
    return any(
        negated(literal) in found
        or (is_inequality(literal) and len(set(literal.atom.variables)) == 1)
        for literal in found
    )


class States:
    """States of some problems in which bindings are looked for.

    Args:
        states: Those of each problem.
    """

    def __init__(self, states: Iterable[Sequence[Example]]) -> None:
        self._states = list(states)
        self._grids: dict[tuple[int, tuple[int, ...]], Grid | None] = {}
        self._truths: dict[tuple[int, tuple[int, ...], Literal], np.ndarray] = {}

    @classmethod
    def of(cls, examples: Mapping[str, Examples]) -> States:
        """Some states of each problem, whatever action was taken there."""
        found: dict[int, dict[frozenset[int], Example]] = {}
        for group in examples.values():
            for example in group.examples:
                own = found.setdefault(example.transition.segment, {})
                own.setdefault(example.state, example)
        return cls(list(spread(list(own.values()), MAX_STATES)) for own in found.values())

    def every(self) -> Iterator[Example]:
        """All of them, problem by problem."""
        return chain.from_iterable(self._states)

    def show(self, literals: Sequence[Literal]) -> bool:
        """Whether some binding satisfies literals; no where there are too many to look at."""
        variables = tuple(sorted({v for x in literals for v in x.atom.variables}))
        for number in range(len(self._states)):
            grid = self._grid(number, variables)
            if grid is None:
                return False
            truths = (self._truth(grid, number, variables, literal) for literal in literals)
            if reduce(np.logical_and, truths).any():
                return True
        return False

    def _truth(
        self, grid: Grid, number: int, variables: tuple[int, ...], literal: Literal
    ) -> np.ndarray:
        """Where a literal holds, looked up once."""
        key = number, variables, literal
        if key not in self._truths:
            self._truths[key] = grid.truth(literal.atom) == literal.is_positive
        return self._truths[key]

    def _grid(self, number: int, variables: tuple[int, ...]) -> Grid | None:
        """All bindings of some variables in states of a problem; None if they are too many."""
        key = number, variables
        if key not in self._grids:
            states = self._states[number]
            constants = states[0].constants
            free = tuple(v for v in variables if v >= len(constants))
            n_states = MAX_CELLS // len(states[0].codes.objects) ** len(free)
            bound = constants + (0,) * (1 + max(variables, default=0))
            steps = [(e, bound) for e in spread(states, n_states)] if n_states else []
            self._grids[key] = Grid(steps, free) if steps else None
        return self._grids[key]
