"""Kept literals that stand where two parameters must only differ.

That two parameters differ is left out where it follows from other literals. But then the evidence
of these may be all about the two being one: of "r(x), not r(y)" each rules out that x and y are the
same object, and if the steps show no more than this, one of the two may stand there by accident.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dias.learning.certificate.coincidence import LOG_WEAK
from dias.learning.certificate.untested import left_out, merged
from dias.learning.extend.evidence import Evidence
from dias.learning.schema import (
    EQUAL,
    TYPE,
    LiftedSchema,
    Literal,
    is_inequality,
    negated,
    preconditions,
)
from dias.learning.schema import with_preconditions as having
from dias.traces.record import Traces

MAX_STATES = 250
"""States looked at where the action was taken, and as many where it was not."""


class Rival(NamedTuple):
    """A precondition and what explains nearly as much.

    Attributes:
        literal: The precondition.
        instead: An inequality that was left out.
        log_chance: Log of the chance that the steps obeyed the precondition by accident, once the
            inequality holds.
    """

    literal: Literal
    instead: Literal
    log_chance: float


def rivals(schema: LiftedSchema, safe: LiftedSchema, traces: Traces) -> Iterator[Rival]:
    """The preconditions that would be weak if an inequality that was left out were written.

    What an effect changes is never one: people mean that it was otherwise before.

    Args:
        schema: The schema as it is written.
        safe: The same with every literal that never fails.
        traces: All transitions.
    """
    kept = preconditions(schema)
    apart = list(filter(is_inequality, left_out(schema, safe)))
    for literal in kept:
        relation = literal.atom.relation
        changed = schema.effects.delete if literal.is_positive else schema.effects.add
        is_meant = literal.atom in changed
        if is_meant or relation == EQUAL or relation.startswith(TYPE):
            continue
        others = [x for x in kept if x != literal]
        for instead in apart:
            contrary = negated(merged(literal, instead))
            if contrary not in {merged(x, instead) for x in others}:
                continue
            chance = _log_chance([*others, instead], literal, schema, traces)
            if chance > LOG_WEAK >= _log_chance(others, literal, schema, traces):
                yield Rival(literal, instead, chance)
                break


def _log_chance(
    others: list[Literal], literal: Literal, schema: LiftedSchema, traces: Traces
) -> float:
    """Log of the chance that the steps obeyed a literal by accident, where others hold."""
    wide, narrow = (having(schema, own) for own in (others, [*others, literal]))
    return Evidence(wide, traces, MAX_STATES).log_chance(narrow)
