"""The states along walks as they most likely were, given a domain.

What each step did and what the states were is made out in turn: under the bindings the atoms are
chains, forward and backward along the walk (`messages`); under what is then known of the states
before and after a step its bindings are ranked (`bindings`), of every other step at a time: of two
in a row, each of which may have done what the other did, both would else go back and forth. At
first all bindings are alike (`anywhere`). A few rounds settle both. The exact
posterior would be over all sequences of states; here atoms are independent given the bindings, and
bindings given what is known of the atoms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dias.learning.soft.anywhere import anywhere
from dias.learning.soft.bindings import Binder, kernels
from dias.learning.soft.calibration import Trust, believed
from dias.learning.soft.messages import Messages, no_kernels, pass_messages
from dias.learning.soft.sightings import Sightings
from dias.limits import check
from dias.strips.model import Domain
from dias.traces.record import HALF, Segment, Traces

IDLE_RATE = 1e-4
"""Chance that an atom changes in a step that does not touch it, where the domain is known."""

FIRST_RATE = 0.02
"""The same where it is not: of the atoms that matter to a walk a few in a hundred change."""

N_ROUNDS = 6


@dataclass(frozen=True)
class Smoothed:
    """One segment.

    Attributes:
        sightings: What was seen.
        messages: What is known of the atoms.
        groups: The codes of the atoms of each group of which exactly one holds.
    """

    sightings: Sightings
    messages: Messages
    groups: Sequence[list[int]] = ()

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
    number = sightings.codes.object_number
    groups: dict[str, list[int]] = {}
    for place, t in enumerate(sightings.steps):
        groups.setdefault(t.action, []).append(place)
    schemas = {schema.name: schema for schema in domain.actions}
    rates = np.full(odds.shape[1], IDLE_RATE)
    does = anywhere(sightings, schemas, rates)
    messages = pass_messages(sightings, odds, does, rates)
    last: np.ndarray | None = None
    for _ in range(N_ROUNDS):
        for parity in (0, 1):
            found = []
            for name, places in groups.items():
                check()
                own = np.array([p for p in places if sightings.rows[p] % 2 == parity], np.int64)
                if name not in schemas or not len(own):
                    continue
                schema = schemas[name]
                binder = Binder(schema, domain, segment, sightings, messages, rates)
                given = np.array(
                    [
                        [number[o] for o in sightings.steps[place].arguments[: schema.arity]]
                        for place in own
                    ],
                    dtype=np.int64,
                ).reshape(len(own), -1)
                rows = sightings.rows[own]
                found.append((binder, rows, binder.rank(rows, given)))
            does = does.replaced(kernels(found, rates, len(odds)), parity)
            messages = pass_messages(sightings, odds, does, rates)
        holds = messages.whole() > HALF
        if last is not None and np.array_equal(holds, last):
            break
        last = holds
    one_of = [[sightings.codes.encode(atom) for atom in group] for group in segment.one_of]
    return Smoothed(sightings, messages, one_of)
