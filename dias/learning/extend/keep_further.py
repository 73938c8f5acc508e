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

from dias.arrays import different_rows, distinct
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.explain.certify import certify_table
from dias.learning.extend.candidates import Candidates
from dias.learning.extend.evidence import Evidence
from dias.learning.extend.idle import idle
from dias.learning.extend.queries import Query, is_linked
from dias.learning.extend.variables import MAX_NEW_VARIABLES
from dias.learning.finish.assemble import in_traces
from dias.learning.schema import LiftedAtom, LiftedSchema, about_new
from dias.learning.score import MAX_DOUBTED
from dias.traces.record import Traces


def with_further(schema: LiftedSchema, examples: Examples, traces: Traces) -> LiftedSchema:
    """The schema with the further parameters that every step satisfies and the states speak for.

    They are linked to the known ones: what is not says nothing but what state it is. That, and what
    has no more than `MAX_DOUBTED` nats, is named as before.

    Args:
        schema: One whose search for further parameters has come to its end.
        examples: The transitions of the action.
        traces: All transitions.
    """
    hinted = [schema.hint.query] if schema.hint else []
    asked = [*hinted, *schema.further]
    if not asked:
        return schema
    n_known, grown, said = schema.n_variables, schema, set[Query]()
    known = _held(examples, _bindings(schema, examples, traces), schema)
    evidence = Evidence(schema, traces)
    for query in sorted(asked, key=lambda own: (-_n_new(own, n_known), -len(own), own)):
        n_new, own = _n_new(query, n_known), _after(grown, query, n_known)
        is_too_much = grown.n_variables + n_new - schema.effects.n_variables > MAX_NEW_VARIABLES
        is_about_known = n_known > 0 and is_linked(query, n_known, n_new, True)
        if is_too_much or not is_about_known or idle(grown, n_new)(own):
            continue
        rows = Candidates(examples, known, linked=True).satisfying(query, n_new)
        narrow = certify_table(schema.effects, examples, rows)
        rows = _held(examples, rows, narrow)
        is_common = len(distinct(rows.owner)) == len(distinct(known.owner))
        if not is_common or evidence.log_chance(narrow) >= -MAX_DOUBTED:
            continue
        known = _different(rows, n_known)
        said.add(query)
        grown = replace(
            grown,
            n_variables=grown.n_variables + n_new,
            positive=grown.positive + _after(grown, about_new(narrow.positive, n_known), n_known),
            negative=grown.negative + _after(grown, about_new(narrow.negative, n_known), n_known),
        )
    left = {query: _after(grown, query, n_known) for query in asked}
    said |= {query for query, own in left.items() if idle(grown, _n_new(query, n_known))(own)}
    hint = schema.hint and schema.hint._replace(query=left[schema.hint.query])
    return replace(
        grown,
        hint=None if hinted and hinted[0] in said else hint,
        further=tuple(left[query] for query in schema.further if query not in said),
    )


def _after(grown: LiftedSchema, atoms: Sequence[LiftedAtom], n_known: int) -> Query:
    """Atoms over the variables that were known and new ones, these being the next of a schema."""
    n_before = grown.n_variables - n_known
    n_variables = 1 + max((v for atom in atoms for v in atom.variables), default=0)
    place = [v if v < n_known else v + n_before for v in range(n_variables)]
    return tuple(atom.renamed(place) for atom in atoms)


def _n_new(query: Query, n_known: int) -> int:
    return 1 + max(v for atom in query for v in atom.variables) - n_known


def _bindings(schema: LiftedSchema, examples: Examples, traces: Traces) -> BindingTable:
    """The bindings of its variables that explain the steps."""
    steps = [example.transition for example in examples.examples]
    applied = in_traces(schema, traces)
    found = [
        [example.constants + binding for binding in own]
        for example, own in zip(examples.examples, applied.explanations_of(steps), strict=True)
    ]
    return BindingTable.of(found, schema.n_variables)


def _held(examples: Examples, rows: BindingTable, schema: LiftedSchema) -> BindingTable:
    """Those of some bindings under which the preconditions of a schema hold."""
    holds = examples.truth(*rows, schema.positive).all(1)
    fails = examples.truth(*rows, schema.negative).any(1)
    return rows.where(np.asarray(holds & ~fails))


def _different(table: BindingTable, n: int) -> BindingTable:
    """Bindings of the first n variables, each once."""
    both = different_rows(np.column_stack([table.owner, table.rows[:, :n]]))
    return BindingTable(both[:, 0], both[:, 1:])
