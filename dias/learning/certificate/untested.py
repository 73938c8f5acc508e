"""Literals that were left out of a schema, and that no state of the traces could have tested.

A negative literal is left out if no training state asks for it. A state with a binding that breaks
it alone has tested it if that leads to a successor that nothing else leads to: there it would have
made a difference, and makes none. Where there is none, most literals follow from
what is kept: what is at one place is at no other. But that may also be an accident of the few
states that were seen, and others will show it. What tells one from the other: where one follows,
one or two of the literals that are kept exclude already what breaks it, and those are seen in many
more states than all of them are, whatever action was taken there. If what breaks it was seen
together with each of them and each two, nothing says that it follows, unless it does from these and
an inequality that is kept or follows itself: two who swap own one thing only if they are one, and
nobody likes himself.

Inequalities, and "not p" for an effect p, people mean even where they hardly ever matter. Of all
others that never fail dozens are untested, and next to none is meant: only those are looked for
that do not follow.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np

from dias.learning.certificate.shown_states import States
from dias.learning.data.replay import SchemaInTraces
from dias.learning.data.transitions import Examples
from dias.learning.finish.assemble import action_schema, in_traces
from dias.learning.likelihood import MAX_OUTCOMES
from dias.learning.schema import (
    EQUAL,
    TYPE,
    LiftedSchema,
    Literal,
    is_inequality,
    negated,
    preconditions,
    with_preconditions,
)
from dias.traces.record import LabelMode, Traces


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


def with_literals(
    schema: LiftedSchema, literals: Iterable[Literal], traces: Traces
) -> SchemaInTraces:
    """A schema with other preconditions, ready to be applied."""
    return in_traces(with_preconditions(schema, literals), traces)


def untested(
    schema: LiftedSchema,
    safe: LiftedSchema,
    examples: Mapping[str, Examples],
    traces: Traces,
    states: States | None = None,
) -> Untested:
    """The literals that were left out, may be meant, and were not tested.

    Args:
        schema: The schema as it is written.
        safe: The same with every literal that never fails.
        examples: The transitions of every action.
        traces: The same transitions.
        states: Some of them (`States.of`), to be shared; None for new ones.
    """
    found = Untested([], [], [])
    kept = preconditions(schema)
    left = left_out(schema, safe)
    asked = [x for x in left if not (is_inequality(x) and contradicts(kept, x))]
    if not asked:
        return found
    written, states = action_schema(schema, traces), states or States.of(examples)
    visits = [example.transition for example in states.every()]
    is_full = traces.labels is LabelMode.FULL

    applied = partial(with_literals, schema, traces=traces)

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

    following = {literal for literal in asked if follows(literal)}
    apart = [
        x
        for x in (*kept, *left)
        if is_inequality(x) and (x in kept or x in following or x not in asked)
    ]

    def follows_from_these(literal: Literal) -> bool:
        together = ([negated(literal), *group] for group in groups)
        return not all(
            states.show([*those, own])
            for those in together
            for own in apart
            if {v for x in those for v in x.atom.variables}.issuperset(own.atom.variables)
        )

    for literal in asked:
        is_meant = is_inequality(literal) or literal.atom in schema.effects.add
        does = literal in following
        if (does and not is_meant) or says_nothing(literal) or is_tested(literal):
            continue
        does = does or follows_from_these(literal)
        if is_meant:
            (found.implied if does else found.needed).append(literal)
        elif not does:
            found.open.append(literal)
    return found


def is_never_tried(broken: Collection[Literal], schema: LiftedSchema, traces: Traces) -> bool:
    """Whether an agent that takes no steps without a change would never have broken literals.

    Who acts for a purpose fills no tank that is full and drives to no place where he is, may he or
    not. Where the traces have no step that changes nothing, no refused attempt and no mask, such an
    agent is all that they show. That it empties no empty one says as little; but what an action
    takes away people mean to be there.

    Args:
        broken: Preconditions that are broken together, the others being met.
        schema: The schema.
        traces: All transitions.
    """
    if any(literal.is_positive for literal in broken):
        return False
    kept = {x for x in preconditions(schema) if x not in broken} | {*map(negated, broken)}
    add = {Literal(x, True) for x in schema.effects.add}
    delete = {Literal(x, False) for x in schema.effects.delete}
    for inequality in filter(is_inequality, broken):
        kept, add, delete = ({merged(x, inequality) for x in own} for own in (kept, add, delete))
    done = add | {x for x in delete if negated(x) not in add}  # what is added wins
    if not kept >= done:
        return False
    is_any = traces.refused or traces.masks
    return not is_any and all(t.state != t.next_state for t in traces.transitions)


def replaceable(
    schema: LiftedSchema, safe: LiftedSchema, states: States, may_be_idle: bool = False
) -> Iterator[tuple[Literal, Literal]]:
    """Preconditions, each with a literal that was left out and excludes the same.

    Of things that are red and lamps that are not, some action may take those that are red, or those
    that are no lamps: that there are others does not matter if it never could have taken one.
    Where the two never differ in any state, they are two words for one thing, and no question.

    Args:
        schema: The schema as it is written.
        safe: The same with every literal that never fails.
        states: Some of the traces.
        may_be_idle: Whether the action was seen to change nothing: then a binding that changes
            nothing leads to what others lead to.
    """
    effects = [Literal(x, True) for x in schema.effects.add]
    effects += [Literal(x, False) for x in schema.effects.delete]
    kept, left = preconditions(schema), left_out(schema, safe)
    for literal in kept if left else ():
        changed = schema.effects.delete if literal.is_positive else schema.effects.add
        if literal.atom in changed or literal.atom.relation.startswith((EQUAL, TYPE)):
            continue
        broken = negated(literal)
        for instead in states.never(
            left, [broken, *(x for x in kept if x != literal)], effects if may_be_idle else ()
        ):
            if states.show([instead, broken]):
                yield literal, instead
                break


def left_out(schema: LiftedSchema, safe: LiftedSchema) -> list[Literal]:
    """The negative literals that never fail and are not written."""
    kept = set(preconditions(schema))
    return [x for x in preconditions(safe) if not x.is_positive and x not in kept]


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
