"""The bindings under which a schema makes given changes, of all steps at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

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
    distinct, place = np.unique(states, return_inverse=True)
    turns = _turns(place, fits, len(distinct))
    found: list[tuple[np.ndarray, Rows]] = []
    for rows in visited.bindings(schema, spend, distinct):
        made = visited.changes(rows, schema)[:, 1:]
        own = np.searchsorted(distinct, rows.state)
        for turn in turns:
            asked = np.flatnonzero(turn[own] >= 0)
            step = turn[own[asked]]
            same = (wanted[step] == made[asked]).all(axis=1)
            found.append((step[same], rows.where(asked[same])))
    if not found:
        return BindingTable(np.zeros(0, np.int64), np.zeros((0, schema.arity), np.int64))
    owner = np.concatenate([step for step, _ in found])
    columns = [np.concatenate([own.columns[v] for _, own in found]) for v in schema.variables]
    order = np.lexsort((*columns[::-1], owner))
    table = np.array(columns, np.int64).reshape(schema.arity, len(owner)).T
    return BindingTable(owner[order], table[order])


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


def _turns(place: np.ndarray, is_asked: np.ndarray, n_states: int) -> list[np.ndarray]:
    """Of each state its first step, its second, and so on: ``[n_states]`` each, -1 for none."""
    turns, left = [], np.flatnonzero(is_asked)
    while len(left):
        own, first = np.unique(place[left], return_index=True)
        turn = np.full(n_states, -1)
        turn[own] = left[first]
        turns.append(turn)
        left = np.delete(left, first)
    return turns
