"""The bindings under which a schema makes given changes, of all steps at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dias.arrays import distinct, ranges, row_numbers
from dias.learning.data.transitions import BindingTable
from dias.learning.data.visited import Rows, Spend, VisitedStates
from dias.strips.joins.successors import Change
from dias.strips.model import ActionSchema


def matches(
    schema: ActionSchema,
    visited: VisitedStates,
    states: np.ndarray,
    changes: Sequence[Change],
    spend: Spend,
) -> BindingTable:
    """The bindings that lead from s to s′, in order.

    Args:
        schema: The schema.
        visited: The states that the steps start from.
        states: ``[n]`` their numbers.
        changes: What each step changed.
        spend: Called with the number of rows of every join.
    """
    fits, wanted = wanted_changes(schema, changes)
    asked = np.flatnonzero(fits)
    rows = Rows.joined(list(visited.bindings(schema, spend, distinct(states))), schema.variables)
    made = visited.changes(rows, schema)
    table = np.column_stack([states, wanted])[asked]
    number = row_numbers(np.concatenate([table, made]))
    order = np.argsort(number[: len(asked)], kind="stable")
    known, own = number[: len(asked)][order], number[len(asked) :]
    begin = np.searchsorted(known, own)
    n_steps = np.searchsorted(known, own, side="right") - begin
    owner = asked[order[ranges(begin, n_steps)]]
    found = rows.where(np.repeat(np.arange(len(own)), n_steps))
    columns = [found.columns[v] for v in schema.variables]
    order = np.lexsort((*columns[::-1], owner))
    bound = np.array(columns, np.int64).reshape(schema.arity, len(owner)).T
    return BindingTable(owner[order], bound[order])


def wanted_changes(
    schema: ActionSchema, changes: Sequence[Change]
) -> tuple[np.ndarray, np.ndarray]:
    """``[n]`` which changes are not too large for a schema, and ``[n, k]`` these as it makes them.

    As `dias.learning.data.visited.VisitedStates.changes` gives them, without the states.
    """
    n_added = len(schema.add_effects)
    n_deleted = len(schema.delete_effects - schema.add_effects)
    fits = [len(own[0]) <= n_added and len(own[1]) <= n_deleted for own in changes]
    wanted = np.full((len(changes), n_added + n_deleted), -1, dtype=np.int64)
    for number in np.flatnonzero(fits).tolist():
        added, deleted = changes[number]
        wanted[number] = [*_padded(added, n_added), *_padded(deleted, n_deleted)]
    return np.array(fits, dtype=bool), wanted


def _padded(codes: frozenset[int], width: int) -> list[int]:
    """In order, after -1 in place of those that are not there."""
    return [-1] * (width - len(codes)) + sorted(codes)
