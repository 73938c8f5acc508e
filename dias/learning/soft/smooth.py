"""The states along walks as they most likely were, given a domain.

What each step did and what the states were is made out in turn, as belief propagation does: under
the bindings the atoms are chains, forward and backward along the walk (`messages`); under what is
then known of the states before and after a step its bindings are ranked (`bindings`), and what they
do is averaged (`averages`). Of every other step at a time: of two in a row, each of which may have
done what the other did, both would else go back and forth. A few rounds settle both. The exact
posterior would be over all sequences of states; here atoms are independent given the bindings, and
bindings given what is known of the atoms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dias.learning.soft.averages import MIN_SHARE, anywhere, kernels
from dias.learning.soft.bindings import Binder
from dias.learning.soft.calibration import Trust, believed
from dias.learning.soft.messages import Kernels, Messages, no_kernels, pass_messages
from dias.learning.soft.sightings import Sightings
from dias.limits import check
from dias.strips.model import ActionSchema, Domain
from dias.traces.record import HALF, Segment, Traces

IDLE_RATE = 1e-5
"""Chance that an atom changes in a step that does not touch it, where the domain is known."""

FIRST_RATE = 0.02
"""The same where it is not, or no effect makes an atom of the relation what it becomes: of the
atoms that matter to a walk a few in a hundred change."""

N_ROUNDS = 6
"""Times that each step is bound at most."""

MOVED = 1e-3
"""A step is bound again if what is known of an atom beside it has changed by so much."""


OPEN = 1e-3
"""Chance that an atom is other than it most likely is, below which that is not counted."""


@dataclass(frozen=True)
class Smoothed:
    """One segment.

    Attributes:
        sightings: What was seen.
        messages: What is known of the atoms.
        does: What the steps do to them.
        bound: ``[R, O]`` the objects that the step which begins in a state may have bound.
        groups: The codes of the atoms of each group of which exactly one holds.
    """

    sightings: Sightings
    messages: Messages
    does: Kernels
    bound: np.ndarray
    groups: Sequence[list[int]] = ()

    def doubts(self) -> np.ndarray:
        """``[2, n]`` atoms that may be other than they likely were, in both states of each step.

        Those count that the step may bear on: they may have changed, or all their objects may be
        bound. What it makes true or false anyhow does not count before it.
        """
        whole, rows = self.messages.whole(), self.sightings.rows
        doubts = np.minimum(whole, 1 - whole)
        made = self.does.made()
        found = []
        for state in (rows, rows + 1):
            own = doubts[state]
            place, codes = np.nonzero(own > OPEN)
            changes = abs(whole[rows[place], codes] - whole[rows[place] + 1, codes]) > OPEN
            split = self.sightings.codes.split
            inside = [
                self.bound[row, list(split(code)[1])].all()
                for row, code in zip(rows[place].tolist(), codes.tolist(), strict=True)
            ]
            counts = changes | np.array(inside, dtype=bool)
            found.append(np.bincount(place[counts], own[place, codes][counts], len(rows)))
        step = np.full(len(whole), -1)
        step[rows] = np.arange(len(rows))
        at, codes, _ = made
        is_counted = doubts[at, codes] > OPEN
        np.subtract.at(found[0], step[at[is_counted]], doubts[at[is_counted], codes[is_counted]])
        return np.array(found)

    def holding(self) -> np.ndarray:
        """``[R, C]`` the atoms that most likely hold: of a one-of group the likeliest."""
        whole = self.messages.whole()
        found = whole > HALF
        for group in self.groups:
            found[:, group] = False
            found[np.arange(len(found)), np.array(group)[whole[:, group].argmax(1)]] = True
        return np.asarray(found)


def unguided(sightings: Sequence[Sightings]) -> list[Messages]:
    """What is known of the atoms where nothing is known of the actions."""
    found = []
    for own in sightings:
        rates = np.full(own.log_odds.shape[1], FIRST_RATE)
        found.append(pass_messages(own, own.log_odds, no_kernels(own), rates))
    return found


def smooth(
    sightings: Sequence[Sightings],
    domain: Domain,
    traces: Traces,
    trust: Mapping[str, Trust] | None = None,
) -> list[Smoothed]:
    """The states of all segments, given a domain.

    Args:
        sightings: What was seen.
        domain: The domain; steps of actions that it lacks touch nothing.
        traces: Where it was seen.
        trust: Relation to how far its sightings are believed; None: as they are.
    """
    return [
        _of_segment(own, domain, traces.segments[own.segment], believed(own, trust or {}))
        for own in sightings
    ]


def _of_segment(
    sightings: Sightings, domain: Domain, segment: Segment, odds: np.ndarray
) -> Smoothed:
    schemas = {schema.name: schema for schema in domain.actions}
    rates = np.full(odds.shape[1], IDLE_RATE)
    known = {(a.predicate, True) for own in domain.actions for a in own.add_effects}
    known |= {(a.predicate, False) for own in domain.actions for a in own.delete_effects}
    for relation, _ in sightings.changes - known:  # or what was seen would have to be wrong
        rates[sightings.codes.of(relation)] = FIRST_RATE
    does = anywhere(sightings, schemas, rates)
    messages = pass_messages(sightings, odds, does, rates)
    steps = steps_by_action(sightings, schemas)
    varies = np.flatnonzero(sightings.varies)
    ranked_by = np.full((2, len(odds), len(varies)), -1, dtype=np.float32)
    bound = np.zeros((len(odds), len(sightings.codes.objects)), dtype=bool)
    is_step, parity = np.zeros(len(odds), dtype=bool), np.arange(len(odds)) % 2
    for rows, _ in steps.values():
        is_step[rows] = True
    for number in range(2 * N_ROUNDS):
        around = np.array([messages.until[:, varies], messages.since[:, varies]])
        until, since = np.any(abs(around - ranked_by) > MOVED, axis=2)
        is_due = is_step & np.append(until[:-1] | since[1:], False)
        if not is_due.any():
            break
        is_due &= parity == number % 2
        found = []
        for name, (rows, given) in steps.items():
            check()
            own = is_due[rows]
            if own.any():
                binder = Binder(schemas[name], domain, segment, sightings, messages, rates)
                ranked = binder.rank(rows[own], given[own])
                found.append((binder, rows[own], ranked))
                bound[rows[own]] = False
                at, place = np.nonzero(ranked.shares > MIN_SHARE)
                bound[rows[own][at][:, None], ranked.bindings[at, place]] = True
        due = np.flatnonzero(is_due)
        does = does.replaced(kernels(found, rates, len(odds)), due)
        ranked_by[0, due], ranked_by[1, due + 1] = around[0, due], around[1, due + 1]
        messages = pass_messages(sightings, odds, does, rates)
    one_of = [[sightings.codes.encode(atom) for atom in group] for group in segment.one_of]
    return Smoothed(sightings, messages, does, bound, one_of)


def steps_by_action(
    sightings: Sightings, schemas: Mapping[str, ActionSchema]
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Action to the states that its steps begin in, ``[n]``, and the objects given, ``[n, G]``."""
    number = sightings.codes.object_number
    rows: dict[str, list[int]] = {}
    given: dict[str, list[list[int]]] = {}
    for row, t in zip(sightings.rows.tolist(), sightings.steps, strict=True):
        if t.action in schemas:
            arguments = t.arguments[: schemas[t.action].arity]
            rows.setdefault(t.action, []).append(row)
            given.setdefault(t.action, []).append([number[o] for o in arguments])
    return {
        name: (np.array(own), np.array(given[name], np.int64).reshape(len(own), -1))
        for name, own in rows.items()
    }
