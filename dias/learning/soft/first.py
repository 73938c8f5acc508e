"""A first domain from what is certain, where arguments are given and atoms are known or unknown.

An atom that is known on both sides of a step and changes is an effect, and one that is known to
fail before some step is no precondition. Nothing has to be guessed for that, nor are many steps
needed: an effect shows in the first step of which both sides are known.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dias.learning.finish.assemble import action_schema, learned_domain
from dias.learning.schema import Effects, LiftedAtom, LiftedSchema, lifted_atoms, type_relation
from dias.learning.soft.sightings import Sightings
from dias.limits import check
from dias.strips.codes import tuple_number
from dias.strips.model import Domain, is_subtype
from dias.traces.record import LabelMode, Traces


def first_of_arguments(sightings: Sequence[Sightings], traces: Traces) -> Domain | None:
    """The domain; None where arguments are missing, or some atoms have probabilities."""
    if traces.labels is not LabelMode.FULL or any(own.doubted.any() for own in sightings):
        return None
    actions = sorted({t.action for own in sightings for t in own.steps})
    schemas = (_schema(action, sightings, traces) for action in actions)
    return learned_domain(traces, (action_schema(schema, traces) for schema in schemas))


def _schema(action: str, sightings: Sequence[Sightings], traces: Traces) -> LiftedSchema:
    """Effects that are seen more often than not, and what never fails where it is known."""
    constants = tuple(traces.constants)
    parts = [
        (own, rows, names)
        for own in sightings
        for rows, names in [_steps(action, own, constants)]
        if len(rows)
    ]
    n_variables = len(parts[0][2][0])
    add, delete, positive = [], [], []
    for literal in lifted_atoms(dict(parts[0][0].codes.arities), n_variables):
        check()
        seen = np.concatenate([_sightings(literal, *part) for part in parts])
        is_true, is_false = seen > 0, seen < 0
        before, after = 0, 1
        if (is_false[:, before] & is_true[:, after]).sum() > is_false[:, after].sum():
            add.append(literal)
        elif (is_true[:, before] & is_false[:, after]).sum() > is_true[:, after].sum():
            delete.append(literal)
        if is_true[:, before].any() and not is_false[:, before].any():
            positive.append(literal)
    for variable in range(n_variables):
        kinds = {
            traces.segments[own.segment].objects[row[variable]]
            for own, _, names in parts
            for row in names
        }
        positive += [
            LiftedAtom(type_relation(name), (variable,))
            for name in traces.types
            if all(is_subtype(kind, (name,), traces.types) for kind in kinds)
        ]
    effects = Effects(n_variables, tuple(add), tuple(delete), n_variables)
    return LiftedSchema(action, effects, n_variables, tuple(positive), constants=constants)


def _steps(
    action: str, own: Sightings, constants: tuple[str, ...]
) -> tuple[np.ndarray, list[tuple[str, ...]]]:
    """``[n]`` the states that the steps of an action begin in, and what each is about."""
    steps = [
        (row, (*constants, *t.arguments))
        for row, t in zip(own.rows.tolist(), own.steps, strict=True)
        if t.action == action
    ]
    return np.array([row for row, _ in steps], np.int64), [names for _, names in steps]


def _sightings(
    literal: LiftedAtom, own: Sightings, rows: np.ndarray, names: list[tuple[str, ...]]
) -> np.ndarray:
    """``[n, 2]`` log odds of a literal before and after some steps; 0 where nothing is known."""
    number = own.codes.object_number
    objects = [np.array([number[row[v]] for row in names]) for v in literal.variables]
    place = tuple_number(iter(objects), len(number)) + own.codes.offset[literal.relation]
    return np.stack(np.broadcast_arrays(own.firm[rows, place], own.firm[rows + 1, place]), axis=1)
