"""Which preconditions may be mere coincidences?

What no transition violates may become a precondition. With few transitions some literals are
never violated by accident. So compare the binding of each transition with the other bindings in
its state: k of them (its own included) satisfy all literals, and k_C satisfy all but exactly the
literals of a group C. If C were a coincidence, a policy that draws among the applicable ground
actions would have kept to the k with probability k/(k + k_C). The product over all transitions
(bⁿ, if the share b were always the same), scaled up from the states looked at, is the chance that
C survived by accident.

Literals go together in groups since they often imply each other (a truck is no airplane): none of
them excludes anything alone. Only minimal groups are asked about, those of which no part excludes
anything. A literal in no group rules out nothing that the others do not rule out as well, in all
states seen: the transitions neither confirm it nor speak against it.

Where the action is not applicable at all, that it was not taken counts as in
`dias.learning.extend.evidence`, whose more costly count may clear groups that look weak. What masks
say is in that count alone, so where there are any, it is made of every group. So it is where
arguments are not recorded and several bindings may lead to one successor: those that differ in what
nobody saw are no two that a policy draws among.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, groupby
from typing import NamedTuple

import numpy as np

from dias.arrays import n_bits, spread
from dias.learning.certificate.near_misses import BoundExample, Grid, near_misses
from dias.learning.data.transitions import Example, Examples
from dias.learning.extend.evidence import Evidence, last_lines
from dias.learning.finish.assemble import action_schema, are_written
from dias.learning.finish.parameter_types import narrows
from dias.learning.schema import TYPE, LiftedSchema, Literal, preconditions, with_preconditions
from dias.learning.score import ROUNDING
from dias.limits import check
from dias.traces.record import LabelMode, Traces

LOG_WEAK = math.log(0.01)
"""A group is weak if the chance that it survived by accident is above one in a hundred."""

MAX_WORK = 2_000_000
"""Bindings looked at for one action: it limits the states, and the variables bound otherwise."""

MIN_STATES, MAX_STATES = 16, 60
"""States looked at where the action was taken, and as many where it was not, spread evenly."""

MAX_RECOUNTED = 500
"""States that the recount of a group that looks weak goes through."""

CHUNK = 200_000
"""Bindings in memory at a time."""


class Group(NamedTuple):
    """Literals that exclude something together, and no part of them alone.

    Attributes:
        literals: Preconditions of the schema.
        log_chance: Log of the chance that no step violated them by accident.
    """

    literals: tuple[Literal, ...]
    log_chance: float

    @property
    def is_weak(self) -> bool:
        """Whether accident cannot be ruled out."""
        return self.log_chance > LOG_WEAK


def groups_of_preconditions(
    schema: LiftedSchema,
    examples: Mapping[str, Examples],
    bindings: Sequence[tuple[int, ...] | None],
    traces: Traces,
) -> list[Group]:
    """The minimal groups of preconditions with their chances, the weakest first.

    Args:
        schema: The schema.
        examples: The transitions of every action.
        bindings: One explanation of each transition of the action; None where there is none.
        traces: The same transitions.
    """
    literals = _literals(schema, traces)
    own = examples[schema.action].examples
    fixed = len(schema.constants)
    taken = [
        (example, example.constants[:fixed] + binding)
        for example, binding in zip(own, bindings, strict=True)
        if binding is not None
    ]
    if not taken or not literals:
        return []
    n_objects = max(len(example.codes.objects) for example, _ in taken)
    cells, n_states = _extent(range(fixed, schema.n_variables), n_objects)
    n_bindings = n_objects ** len(cells[0])
    tally = _Tally(literals)
    sample = spread(taken, n_states)
    weight = len(taken) / len(sample)
    for chunk in _chunks(sample, n_bindings):
        grid = Grid(chunk)
        for number, cell in enumerate(cells):
            tally.count_taken(number, grid, cell, weight)
    passed = spread(list(_passed_over(schema.action, examples)), n_states)
    if len(cells) == 1:  # no binding stands out there, so all variables must be bound anew
        log_passed = math.log(1 - 1 / max(2, len(traces.actions)))
        masks = {(own.mask.segment, own.mask.state) for own in traces.masks_of(schema.action)}
        for is_masked, log_chance in ((False, log_passed), (True, 0.0)):
            anywhere = [
                (e, e.constants[:fixed] + taken[0][1][fixed:])
                for e in passed
                if ((e.transition.segment, e.transition.state) in masks) == is_masked
            ]
            for chunk in _chunks(anywhere, n_bindings):
                tally.count_passed_over(Grid(chunk), cells[0], log_chance)
    groups = [_recounted(group, schema, traces) for group in tally.groups()]
    groups = [group for group in groups if group.log_chance < -ROUNDING]
    return sorted(groups, key=lambda group: (-group.log_chance, group.literals))


def _extent(variables: Sequence[int], n_objects: int) -> tuple[list[tuple[int, ...]], int]:
    """How far to look: the sets of variables that are bound otherwise together, and the states.

    All variables together, if that is not too much for `MIN_STATES` states; else as many as can be.
    """
    for n_free in range(len(variables), -1, -1):
        cells = list(combinations(variables, n_free))
        work = 2 * len(cells) * n_objects**n_free
        if n_free <= 1 or work * MIN_STATES <= MAX_WORK:
            break
    return cells, min(MAX_STATES, max(MIN_STATES, MAX_WORK // work))


def _literals(schema: LiftedSchema, traces: Traces) -> list[Literal]:
    """The preconditions that are written."""
    written = are_written(preconditions(schema), schema, action_schema(schema, traces))
    return [
        x
        for x in written
        if x.is_positive or not x.atom.relation.startswith(TYPE) or narrows(x, schema, traces)
    ]


def _passed_over(action: str, examples: Mapping[str, Examples]) -> Iterator[Example]:
    """One example for each state in which only other actions were taken.

    Later states than the action's own do not count, as in `dias.learning.extend.evidence`.
    """
    own = examples[action].examples
    seen = {(e.transition.segment, e.state) for e in own}
    last = last_lines(e.transition for e in own)
    for group in examples.values():
        for example in group.examples:
            key = example.transition.segment, example.state
            if example.transition.line <= last.get(key[0], 0) and key not in seen:
                seen.add(key)
                yield example


def _chunks(steps: Sequence[BoundExample], n_bindings: int) -> Iterator[list[BoundExample]]:
    """The steps in groups of one problem each, small enough to be looked at together."""
    size = max(1, CHUNK // n_bindings)
    by_problem = groupby(steps, key=lambda step: step[0].transition.segment)
    for _, own in by_problem:
        whole = list(own)
        yield from (whole[start : start + size] for start in range(0, len(whole), size))


def _recounted(group: Group, schema: LiftedSchema, traces: Traces) -> Group:
    """The group with its chance counted in whole states (`MAX_RECOUNTED`), where that matters.

    Where bindings may lead to the same successor these count; else the larger evidence does.
    """
    has_idle = schema.n_variables > schema.effects.n_variables or schema.n_ambiguous > 0
    by_successors = has_idle and traces.labels is not LabelMode.FULL
    if not (by_successors or group.is_weak or traces.masks_of(schema.action)):
        return group
    kept = [x for x in preconditions(schema) if x not in group.literals]
    wide = with_preconditions(schema, kept)
    chance = Evidence(wide, traces, MAX_RECOUNTED).log_chance(schema)
    return group._replace(log_chance=chance if by_successors else min(group.log_chance, chance))


class _Tally:
    """Collects the groups that exclude something, and how often they were obeyed.

    Args:
        literals: What the bits of a pattern stand for.
    """

    def __init__(self, literals: Sequence[Literal]) -> None:
        self._literals = literals
        self._patterns: list[np.ndarray] = []
        self._log_chance: defaultdict[int, defaultdict[int, float]]
        self._log_chance = defaultdict(lambda: defaultdict(float))

    def count_taken(self, test: int, grid: Grid, cell: tuple[int, ...], weight: float) -> None:
        """Count steps. In a test probabilities multiply; of all tests the strongest counts."""
        allowed, owner, missed, n_bindings = near_misses(grid, cell, self._literals)
        for place, own in self._by_pattern(np.arange(len(owner)), missed):
            n_missed = np.bincount(owner[own], n_bindings[own], len(allowed))
            # Where a schema that a network made up allows nothing, nothing is a near miss of it.
            shares = np.divide(
                allowed, allowed + n_missed, out=np.ones(len(allowed)), where=allowed > 0
            )
            log_chance = np.log(shares).sum()
            self._log_chance[test][place] += weight * float(log_chance)

    def count_passed_over(self, grid: Grid, cell: tuple[int, ...], log_passed: float) -> None:
        """Count states in which the action was not taken, where it is not applicable."""
        allowed, owner, missed, _ = near_misses(grid, cell, self._literals)
        blocked = allowed[owner] == 0
        for place, owners in self._by_pattern(owner[blocked], missed[blocked]):
            self._log_chance[0][place] += log_passed * len(set(owners.tolist()))

    def groups(self) -> Iterator[Group]:
        """The minimal patterns as literals, with the strongest evidence of all tests."""
        for place, pattern in enumerate(self._patterns):
            others = self._patterns[:place] + self._patterns[place + 1 :]
            if not any(((other & pattern) == other).all() for other in others):
                chance = min(own[place] for own in self._log_chance.values())
                bits = np.unpackbits(pattern.astype("<u8").view(np.uint8), bitorder="little")
                literals = tuple(self._literals[bit] for bit in np.flatnonzero(bits).tolist())
                yield Group(literals, chance)

    def _by_pattern(self, owner: np.ndarray, rows: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
        """Number of each pattern, and the owners of the rows that are exactly this one.

        Rows that contain a known pattern are passed over; the smallest of the others is new.
        """
        place = 0
        while len(rows):
            check()
            if place == len(self._patterns):
                self._patterns.append(rows[n_bits(rows).sum(1).argmin()])
            pattern = self._patterns[place]
            equal = (rows == pattern).all(1)
            if equal.any():
                yield place, owner[equal]
            rest = ((rows & pattern) != pattern).any(1)
            owner, rows = owner[rest], rows[rest]
            place += 1


def log_tail(k: int, n: int, expected: float) -> float:
    """Log of a bound of the chance of k or fewer of n, where `expected` are expected (Chernoff)."""
    if k >= expected:
        return 0.0
    if expected >= n:
        return -math.inf
    rest = (n - k) * math.log((n - k) / (n - expected))
    return -rest - (k * math.log(k / expected) if k else 0.0)
