"""`safe`: what every step satisfies of further parameters is kept, too, like any literal.

A further parameter is written where it is worth its cost (`dias.learning.extend.search`). What is
not worth it, though every step satisfies it, is named. Who plans with a domain as it is would
rather have it: leaving it out is what makes plans fail. Each is a variable of its own beside the
known ones, so nothing is said of two of them together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dias.arrays import different_rows
from dias.learning.data.coded_states import CodedStates
from dias.learning.data.replay import SchemaInTraces
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.explain.certify import certify_table
from dias.learning.extend.evidence import Evidence
from dias.learning.extend.idle import idle
from dias.learning.extend.queries import Query, is_linked, satisfying
from dias.learning.finish.assemble import action_schema
from dias.learning.schema import LiftedAtom, LiftedSchema
from dias.learning.score import ROUNDING
from dias.traces.record import Traces

MAX_KEPT = 4
"""Further parameters of one schema, those that are worth their cost among them."""


def with_further(schema: LiftedSchema, examples: Examples, traces: Traces) -> LiftedSchema:
    """The schema with the further parameters that every step satisfies and some state tests.

    Args:
        schema: One whose search for further parameters has come to its end.
        examples: The transitions of the action.
        traces: All transitions.
    """
    hinted = [(schema.hint.query, schema.hint.n_new)] if schema.hint else []
    n_known = schema.n_variables
    asked = hinted + [(query, _n_new(query, n_known)) for query in schema.further]
    if not asked:
        return schema
    known = _held(examples, _bindings(schema, examples, traces), schema)
    evidence, grown = Evidence(schema, traces), schema
    for query, n_new in sorted(asked, key=lambda own: (-own[1], -len(own[0]), own[0])):
        n_further = grown.n_variables + n_new - schema.effects.n_variables
        place = [*range(n_known), *range(grown.n_variables, grown.n_variables + n_new)]
        if n_further > MAX_KEPT or idle(grown, n_new)(tuple(x.renamed(place) for x in query)):
            continue
        linked = is_linked(query, n_known, n_new, True)
        rows = satisfying(examples, known, query, n_new, linked)
        own = certify_table(schema.effects, examples, rows)
        rows = _held(examples, rows, own)
        is_common = len(np.unique(rows.owner)) == len(np.unique(known.owner))
        if not is_common or evidence.log_chance(own) >= -ROUNDING:
            continue
        known = _different(rows, n_known)
        grown = replace(
            grown,
            n_variables=grown.n_variables + n_new,
            positive=grown.positive + _about_new(own.positive, n_known, place),
            negative=grown.negative + _about_new(own.negative, n_known, place),
        )
    return replace(grown, hint=None, further=()) if grown is not schema else schema


def _n_new(query: Query, n_known: int) -> int:
    return 1 + max(v for atom in query for v in atom.variables) - n_known


def _bindings(schema: LiftedSchema, examples: Examples, traces: Traces) -> BindingTable:
    """The bindings of its variables that explain the steps."""
    steps = [example.transition for example in examples.examples]
    applied = SchemaInTraces(action_schema(schema, traces), traces, CodedStates.of(traces))
    found = [
        [example.constants + binding for binding in own]
        for example, own in zip(examples.examples, applied.explanations_of(steps), strict=True)
    ]
    return BindingTable.of(found, schema.n_variables)


def _held(examples: Examples, rows: BindingTable, schema: LiftedSchema) -> BindingTable:
    """Those of some bindings under which the preconditions of a schema hold."""
    holds = examples.truth(*rows, schema.positive).all(1)
    return rows.where(holds & ~examples.truth(*rows, schema.negative).any(1))


def _different(table: BindingTable, n: int) -> BindingTable:
    """Bindings of the first n variables, each once."""
    both = different_rows(np.column_stack([table.owner, table.rows[:, :n]]))
    return BindingTable(both[:, 0], both[:, 1:])


def _about_new(
    atoms: Sequence[LiftedAtom], n_known: int, place: Sequence[int]
) -> tuple[LiftedAtom, ...]:
    return tuple(x.renamed(place) for x in atoms if max(x.variables, default=-1) >= n_known)
